/// Finds ranges of an index that contain all results of a condition.
struct IndexRanges {
  let definition: IndexDefinition

  /// Returns disjoint ranges; nil when the index does not support the condition.
  ///
  /// Throws ``ObjectBoxError`` when the operand does not fit the property.
  func ranges(_ condition: PropertyCondition) throws -> [IndexRange]? {
    let skipsZero = definition.property.has(.indexPartialSkipZero)
    let comparison = condition.comparison
    switch (comparison, try ConditionTypes.operand(of: condition, for: definition.property)) {
    case (.isNil, _):
      return skipsZero || definition.property.has(.indexPartialSkipNull) ? nil : [.null]
    case (.isNotNil, _): return skipsZero ? nil : [.values]
    case (_, .integers(let values)): return integerRanges(comparison, values)
    case (_, .texts(let values)):
      return textRanges(comparison, values, isCaseSensitive: condition.isCaseSensitive)
    case (_, .bytes(let values)):
      let isOrdered = definition.property.collation.decidesOrder
      return ranges(comparison, values, isOrdered: isOrdered) { $0.withUnsafeBytes(key(bytes:)) }
    default: return nil
    }
  }

  // MARK: Integers

  private func integerRanges(
    _ comparison: PropertyCondition.Comparison,
    _ values: [Int64]
  ) -> [IndexRange]? {
    // An index of a relation omits 0, but a condition may compare with 0.
    let skipsZero = definition.property.has(.indexPartialSkipZero)
    switch comparison {
    case .equal where skipsZero && values.contains(0): return nil
    case .isIn where skipsZero && values.contains(0): return nil
    case .equal: return values.prefix(1).filter(fits).map { .key(key(integer: $0)) }
    case .isIn:
      return ranges(comparison, values.filter(fits), isOrdered: false, key(integer:))
    case .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .inRange:
      // An index on IDs has signed keys, which have another order than IDs.
      guard definition.kind == .value, !definition.property.has(.id) else { return nil }
      let order = IntegerOrder(definition.property)
      let bounds = bounds(order)
      guard let range = IntegerOrder.range(comparison, values.map(order.key)) else { return [] }
      if skipsZero, range.contains(order.key(0)) { return nil }
      // Bounds beyond the property's width would wrap around in its keys.
      let low = max(range.lowerBound, bounds.lowerBound)
      let high = min(range.upperBound, bounds.upperBound)
      guard low <= high else { return [] }
      return [
        IndexRange(
          lower: key(integer: Int64(bitPattern: low ^ order.flip)),
          upper: .inclusive(key(integer: Int64(bitPattern: high ^ order.flip)))
        )
      ]
    default: return nil
    }
  }

  /// False for a value beyond the property's width, which cannot be stored.
  private func fits(_ value: Int64) -> Bool {
    let order = IntegerOrder(definition.property)
    return bounds(order).contains(order.key(value))
  }

  /// The keys of the least and greatest values of the property's width.
  private func bounds(_ order: IntegerOrder) -> ClosedRange<UInt64> {
    let bits = (RecordField.Kind(type: definition.property.type).fixedSize ?? 8) * 8
    if order.flip == 0 { return 0...order.mask }
    let greatest = Int64.max >> Int64(64 - bits)
    return order.key(-greatest - 1)...order.key(greatest)
  }

  private func key(integer: Int64) -> [UInt8] {
    IndexKey.bytes { definition.key.write(integer: integer, into: &$0) }
  }

  // MARK: Texts and bytes

  private func textRanges(
    _ comparison: PropertyCondition.Comparison,
    _ values: [String],
    isCaseSensitive: Bool
  ) -> [IndexRange]? {
    guard definition.ignoresCase || isCaseSensitive else { return nil }
    // Equality and prefixes work without case too; only the order differs.
    let isOrdered = definition.ignoresCase != isCaseSensitive
    let isText = !definition.property.collation.decidesOrder
    if comparison == .hasPrefix, isText, definition.kind == .value, let text = values.first {
      let key = key(text: text)
      return [IndexRange(lower: key, upper: .prefix(key))]
    }
    return ranges(comparison, values, isOrdered: isOrdered && isText, key(text:))
  }

  private func key(text: String) -> [UInt8] {
    var text = text
    return text.withUTF8 { key(bytes: UnsafeRawBufferPointer($0)) }
  }

  private func key(bytes: UnsafeRawBufferPointer) -> [UInt8] {
    IndexKey.bytes { definition.key.write(bytes: bytes, into: &$0) }
  }

  /// Returns the ranges of a comparison; `isOrdered` is true when the keys have the comparison's
  /// order.
  private func ranges<V>(
    _ comparison: PropertyCondition.Comparison,
    _ values: [V],
    isOrdered: Bool,
    _ key: (V) -> [UInt8]
  ) -> [IndexRange]? {
    // Fast path for the usual comparison, without a list of keys.
    if comparison == .equal { return values.first.map { [.key(key($0))] } ?? [] }
    let keys = values.map(key)
    if comparison == .isIn {
      return Set(keys).sorted(by: Self.precedes).map(IndexRange.key)
    }
    guard isOrdered, definition.kind == .value, let low = keys.min(by: Self.precedes),
      let high = keys.max(by: Self.precedes)
    else { return nil }
    switch comparison {
    case .less, .lessOrEqual:
      return [IndexRange(lower: IndexRange.values.lower, upper: .inclusive(high))]
    case .greater, .greaterOrEqual:
      return [IndexRange(lower: low, upper: IndexRange.values.upper)]
    case .between, .inRange: return [IndexRange(lower: low, upper: .inclusive(high))]
    default: return nil
    }
  }

  private static func precedes(_ a: [UInt8], _ b: [UInt8]) -> Bool {
    a.lexicographicallyPrecedes(b)
  }
}
