internal import ObjectBox
internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol

extension RuleConditions {
  /// Comparisons; an object must pass all of them.
  typealias Comparisons = [Scope.Comparison]

  /// Returns lists of comparisons; an object must pass one list, and there are none if no object can.
  ///
  /// As in queries, null fulfils only `isNil`, and NaN only `isNotNil`.
  ///
  /// - Throws: ``SyncServerError`` for a comparison that rules cannot have.
  func comparisons(_ condition: PropertyCondition) throws -> [Comparisons] {
    let property = try property(condition)
    let uid = PropertyUID(property.identity.uid)
    func isPresent() -> Scope.Comparison { Scope.Comparison(uid, .isPresent, .null) }
    switch (condition.comparison, try ConditionTypes.operand(of: condition, for: property)) {
    case (.isNil, _) where !property.has(.id): return [[Scope.Comparison(uid, .equals, .null)]]
    case (.isNotNil, _) where !property.has(.id): return [[isPresent()]]
    case (.equal, .integers(let ids)) where property.has(.id),
      (.isIn, .integers(let ids)) where property.has(.id):
      return ids.map { [Scope.Comparison(object: UInt64(bitPattern: $0))] }
    case (let comparison, _) where property.has(.id): throw incomparable(property, comparison)
    case (let comparison, .integers(let numbers)):
      // A condition on a list of numbers would match if one element is equal.
      guard property.type != .intVector, property.type != .longVector else {
        throw unusable(
          "compares the list '\(property.name)', and lists of texts can be compared only"
        )
      }
      switch comparison {
      case .equal, .isIn:
        return numbers.map { number in
          let isNull = property.type == .relation && number == 0
          return [Scope.Comparison(uid, .equals, isNull ? .null : .integer(number))]
        }
      case _ where property.type == .relation: throw incomparable(property, comparison)
      case .notEqual, .isNotIn:
        return [
          [isPresent()] + numbers.map { Scope.Comparison(uid, .differs, .integer($0)) }
        ].map { $0.count > 1 ? Array($0.dropFirst()) : $0 }
      case .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .inRange:
        return ranges(comparison, numbers, property).map { range in
          range.map { Scope.Comparison(uid, $0.test, .integer($0.bound)) }
        }
      default: throw incomparable(property, comparison)
      }
    case (let comparison, .doubles(let numbers)) where property.type != .floatVector:
      return try doubles(comparison, numbers, property)
    case (let comparison, .texts(let texts)):
      guard condition.isCaseSensitive else { throw unusable("ignores case") }
      return try self.texts(comparison, texts.map { Array($0.utf8) }, property)
    case (let comparison, _): throw incomparable(property, comparison)
    }
  }

  private func incomparable(
    _ property: PropertySchema,
    _ comparison: PropertyCondition.Comparison
  ) -> SyncServerError {
    unusable("compares '\(property.name)' by '\(comparison.rawValue)'")
  }

  // MARK: Integers

  /// A bound of stored numbers, which have a sign.
  private typealias Bound = (test: Scope.Comparison.Test, bound: Int64)

  /// Returns ranges of stored numbers; a number must be in one of them.
  ///
  /// Unsigned 64-bit numbers are stored by their bits, the greater half as negative numbers, so a range over both
  /// halves becomes two ranges.
  private func ranges(
    _ comparison: PropertyCondition.Comparison,
    _ numbers: [Int64],
    _ property: PropertySchema
  ) -> [[Bound]] {
    let order = IntegerOrder(property)
    guard var keys = IntegerOrder.range(comparison, numbers.map(order.key)) else { return [] }
    if order.flip == 0 {
      guard keys.lowerBound <= order.mask else { return [] }
      keys = keys.lowerBound...min(keys.upperBound, order.mask)
    }
    var low = Int64(bitPattern: keys.lowerBound ^ order.flip)
    var high = Int64(bitPattern: keys.upperBound ^ order.flip)
    if low > high { return [[(.atLeast, low)], [(.below, 0), (.atMost, high)]] }
    if property.type == .date {
      low = max(low, ColumnKind.timestamps.lowerBound)
      high = min(high, ColumnKind.timestamps.upperBound)
      if low > high { return [] }
    }
    if property.type == .bool {
      return [0, 1].filter { (low...high).contains($0) }.map { [(.equals, $0)] }
    }
    if low == .min { return [[(.atMost, high)]] }
    if high == .max { return [[(.atLeast, low)]] }
    return [[(.atLeast, low), (.atMost, high)]]
  }

  // MARK: Floating point numbers

  private func doubles(
    _ comparison: PropertyCondition.Comparison,
    _ numbers: [Double],
    _ property: PropertySchema
  ) throws -> [Comparisons] {
    let uid = PropertyUID(property.identity.uid)
    func compare(_ test: Scope.Comparison.Test, _ number: Double) -> Scope.Comparison {
      Scope.Comparison(uid, test, .double(bits: number.bitPattern))
    }
    // Bit patterns would not do: -0.0 equals 0.0.
    func range(_ low: Double, _ high: Double) -> [Comparisons] {
      if low.isNaN || high.isNaN || low > high { return [] }
      if high == .infinity { return [[compare(.atLeast, low)]] }
      return [(low == -.infinity ? [] : [compare(.atLeast, low)]) + [compare(.atMost, high)]]
    }
    switch comparison {
    case .isIn: return numbers.flatMap { range($0, $0) }
    case .isNotIn:
      let others = numbers.filter { !$0.isNaN }.map { compare(.differs, $0) }
      // All numbers except NaN.
      return [others.isEmpty ? [compare(.atLeast, -.infinity)] : others]
    case .notEqual:
      let number = numbers.first ?? .nan
      return number.isNaN ? [] : [[compare(.differs, number)]]
    case .equal, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .inRange:
      let bounds = DoubleOrder.range(comparison, numbers)
      return range(bounds.low, bounds.high)
    default: throw incomparable(property, comparison)
    }
  }

  // MARK: Texts

  private func texts(
    _ comparison: PropertyCondition.Comparison,
    _ texts: [[UInt8]],
    _ property: PropertySchema
  ) throws -> [Comparisons] {
    let uid = PropertyUID(property.identity.uid)
    func compare(_ test: Scope.Comparison.Test, _ text: [UInt8]) -> Scope.Comparison {
      Scope.Comparison(uid, test, .bytes(text))
    }
    switch comparison {
    case .equal, .isIn: return texts.map { [compare(.equals, $0)] }
    case .containsElement: return texts.map { [compare(.contains, $0)] }
    case _ where property.collation == .decimal: throw incomparable(property, comparison)
    case .notEqual, .isNotIn:
      let others = texts.map { compare(.differs, $0) }
      return [others.isEmpty ? [Scope.Comparison(uid, .isPresent, .null)] : others]
    case _ where property.collation != .binary: throw incomparable(property, comparison)
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      return [[bound(comparison, texts.first ?? [], compare)]]
    case .between, .inRange:
      guard let first = texts.first, let last = texts.last else { return [] }
      let isReversed = comparison == .between && last.lexicographicallyPrecedes(first)
      return [
        [
          bound(.greaterOrEqual, isReversed ? last : first, compare),
          bound(
            comparison == .between ? .lessOrEqual : .less,
            isReversed ? first : last,
            compare
          ),
        ]
      ]
    default: throw incomparable(property, comparison)
    }
  }

  /// Returns the comparison with a bound that may contain U+0000: PostgreSQL stores no such text, so no text lies
  /// between the bound and its part before U+0000.
  private func bound(
    _ comparison: PropertyCondition.Comparison,
    _ text: [UInt8],
    _ compare: (Scope.Comparison.Test, [UInt8]) -> Scope.Comparison
  ) -> Scope.Comparison {
    let start = Array(text.prefix { $0 != 0 })
    let isStorable = start.count == text.count
    return switch comparison {
    case .less: compare(isStorable ? .below : .atMost, start)
    case .lessOrEqual: compare(.atMost, start)
    case .greater: compare(.above, start)
    default: compare(isStorable ? .atLeast : .above, start)
    }
  }
}
