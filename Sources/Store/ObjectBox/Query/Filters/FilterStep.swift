/// One test of a ``RecordFilter`` on the bytes of a record.
///
/// Has no references: the filter owns the memory that it points to.
struct FilterStep {
  enum Test: UInt8 {
    case isNil, isNotNil, integer, double, bytes
    /// A test of the collation key.
    case key
    /// A test of any element of a vector, by element type.
    case anyInteger32, anyInteger64, anyFloat, anyText
    /// A link, which the filter itself tests.
    case link
  }

  /// The ends of a filter, instead of a step index.
  static let accept: Int32 = -1
  static let reject: Int32 = -2

  var test: Test
  /// The comparison of the value with the operands.
  var comparison = PropertyCondition.Comparison.isNil
  var propertyID: UInt32
  /// True to ignore case.
  var foldsCase = false
  /// Integers compare as unsigned `(bits ^ flip) & mask`; for signed integers `flip` is the sign
  /// bit.
  var flip: UInt64 = 0
  var mask: UInt64 = .max
  var low: UInt64 = 0
  var high: UInt64 = 0
  var doubleLow = 0.0
  var doubleHigh = 0.0
  var bytes = UnsafeRawBufferPointer(start: nil, count: 0)
  var collation = Collation.binary
  /// The sorted numbers of a list; of floating point numbers, their bits.
  var numbers = UnsafeBufferPointer<UInt64>(start: nil, count: 0)
  /// The sorted texts or bytes of a list, folded if case is ignored; or two bounds.
  var texts = UnsafeBufferPointer<UnsafeRawBufferPointer>(start: nil, count: 0)
  /// The index of a link in the filter.
  var link: Int32 = 0
  /// The index of the next step, or an end.
  var onTrue: Int32 = 0
  var onFalse: Int32 = 0

  /// Returns whether a record passes; null passes `isNil` only.
  func matches(_ record: RecordReader) -> Bool {
    let field = record.field(propertyID: propertyID)
    switch test {
    case .isNil: return !Self.hasValue(field, record)
    case .isNotNil: return Self.hasValue(field, record)
    case .integer:
      guard let value = record.integer(field) else { return false }
      return matches(integer: (UInt64(bitPattern: value) ^ flip) & mask)
    case .anyInteger32, .anyInteger64, .anyFloat, .anyText:
      guard let value = record.bytes(field) else { return false }
      return matches(elements: value)
    case .double:
      guard let value = record.double(field) else { return false }
      return matches(double: value)
    case .key:
      guard let value = record.bytes(field) else { return false }
      // A text that does not decode has an empty key.
      return collation.withKey(of: value) { !$0.isEmpty && matches(bytes: $0) }
    case .bytes:
      guard let value = record.bytes(field) else { return false }
      return matches(bytes: value)
    case .link: return false
    }
  }

  private static func hasValue(_ field: RecordField, _ record: RecordReader) -> Bool {
    switch field.kind {
    case .absent: false
    case .objectID: true
    default: record.isPresent(field)
    }
  }

  private func matches(integer value: UInt64) -> Bool {
    switch comparison {
    case .notEqual: !isInside(value)
    case .isIn: contains(value)
    case .isNotIn: !contains(value)
    default: isInside(value)
    }
  }

  private func matches(double value: Double) -> Bool {
    switch comparison {
    // Not the opposite of inside: NaN is neither.
    case .notEqual: value < doubleLow || value > doubleHigh
    case .isIn: !value.isNaN && contains(DoubleOrder.bits(value))
    case .isNotIn: !value.isNaN && !contains(DoubleOrder.bits(value))
    default: value >= doubleLow && value <= doubleHigh
    }
  }

  private func contains(_ value: UInt64) -> Bool {
    let place = numbers.partitionIndex { $0 >= value }
    return place < numbers.count && numbers[place] == value
  }

  private func matches(bytes value: UnsafeRawBufferPointer) -> Bool {
    switch comparison {
    case .equal: ByteComparison.areEqual(value, bytes, foldsCase: foldsCase)
    case .notEqual: !ByteComparison.areEqual(value, bytes, foldsCase: foldsCase)
    case .less: ByteComparison.compare(value, bytes, foldsCase: foldsCase) < 0
    case .lessOrEqual: ByteComparison.compare(value, bytes, foldsCase: foldsCase) <= 0
    case .greater: ByteComparison.compare(value, bytes, foldsCase: foldsCase) > 0
    case .greaterOrEqual: ByteComparison.compare(value, bytes, foldsCase: foldsCase) >= 0
    case .hasPrefix: ByteComparison.hasPrefix(value, bytes, foldsCase: foldsCase)
    case .hasSuffix: ByteComparison.hasSuffix(value, bytes, foldsCase: foldsCase)
    case .contains: ByteComparison.contains(value, bytes, foldsCase: foldsCase)
    case .isIn: isListed(value)
    case .isNotIn: !isListed(value)
    case .between, .inRange:
      texts.count == 2 && ByteComparison.compare(value, texts[0], foldsCase: foldsCase) >= 0
        && ByteComparison.compare(value, texts[1], foldsCase: foldsCase)
          < (comparison == .between ? 1 : 0)
    case .isNil, .isNotNil, .containsElement, .isNearest, .matches: false
    }
  }

  private func isListed(_ value: UnsafeRawBufferPointer) -> Bool {
    var lower = 0
    var upper = texts.count
    while lower < upper {
      let middle = (lower + upper) / 2
      let order = ByteComparison.compare(value, texts[middle], foldsCase: foldsCase)
      if order == 0 { return true }
      if order < 0 { upper = middle } else { lower = middle + 1 }
    }
    return false
  }

  private func matches(elements value: UnsafeRawBufferPointer) -> Bool {
    switch test {
    case .anyInteger32:
      return (0..<value.count / 4).contains { index in
        let element = value.loadUnaligned(fromByteOffset: 4 * index, as: Int32.self)
        return isInside((UInt64(bitPattern: Int64(element)) ^ flip) & mask)
      }
    case .anyInteger64:
      return (0..<value.count / 8).contains { index in
        let element = value.loadUnaligned(fromByteOffset: 8 * index, as: Int64.self)
        return isInside((UInt64(bitPattern: element) ^ flip) & mask)
      }
    case .anyFloat:
      return (0..<value.count / 4).contains { index in
        let element = Double(value.loadUnaligned(fromByteOffset: 4 * index, as: Float.self))
        return element >= doubleLow && element <= doubleHigh
      }
    default:
      return VectorCodec.anyString(in: value) {
        ByteComparison.areEqual($0, bytes, foldsCase: foldsCase)
      }
    }
  }

  private func isInside(_ value: UInt64) -> Bool {
    low <= high && value &- low <= high &- low
  }
}
