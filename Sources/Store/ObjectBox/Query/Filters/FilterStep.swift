/// One test of a ``RecordFilter`` on the bytes of a record.
///
/// Has no references: the filter owns the memory that it points to.
struct FilterStep {
  enum Test: UInt8 {
    case presence, integer, double, bytes
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
    case .presence: return Self.hasValue(field, record) == (comparison == .isNotNil)
    case .integer:
      guard let value = record.integer(field) else { return false }
      return matches(integer: value)
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

  private func matches(integer bits: Int64) -> Bool {
    let value = (UInt64(bitPattern: bits) ^ flip) & mask
    return switch comparison {
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
    case .anyInteger32: contains(in: value) { (element: Int32) in matches(integer: Int64(element)) }
    case .anyInteger64: contains(in: value) { (element: Int64) in matches(integer: element) }
    case .anyFloat: contains(in: value) { (element: Float) in matches(double: Double(element)) }
    default:
      VectorCodec.anyString(in: value) {
        ByteComparison.areEqual($0, bytes, foldsCase: foldsCase)
      }
    }
  }

  private func contains<T: BitwiseCopyable>(
    in elements: UnsafeRawBufferPointer,
    _ isMatch: (T) -> Bool
  ) -> Bool {
    let size = MemoryLayout<T>.size
    return (0..<elements.count / size).contains { index in
      isMatch(elements.loadUnaligned(fromByteOffset: size * index, as: T.self))
    }
  }

  private func isInside(_ value: UInt64) -> Bool {
    low <= high && value &- low <= high &- low
  }
}
