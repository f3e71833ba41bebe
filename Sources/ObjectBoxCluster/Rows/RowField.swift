internal import ObjectBox

/// The place of a column's values in records, for rows that become records; without references, so that a copy costs
/// nothing.
struct RowField: Sendable {
  /// The number of the column among those of the table.
  let column: Int
  private let kind: ColumnKind
  /// The distance from the record's start of the value, or of the end of a value of variable size.
  private let offset: Int
  /// The byte and the bit that tell that there is a value.
  private let presence: (offset: Int, mask: UInt8)
  /// The size of the value in records; nil for one of variable size.
  let size: Int?

  init(_ form: ColumnForm, column: Int) {
    self.column = column
    kind = form.kind
    offset = Int(form.field.offset)
    presence = form.field.presence
    size = form.field.size
  }

  /// Stores a value of fixed size in a record.
  ///
  /// - Parameters:
  ///   - bytes: The value in PostgreSQL's binary form.
  ///   - record: A record of the table's layout in which the property is null.
  @inline(__always)
  func store(_ bytes: UnsafeRawBufferPointer, in record: UnsafeMutableRawPointer) {
    func load<T: FixedWidthInteger>(_ type: T.Type) -> T { T(bigEndianBytes: bytes) ?? 0 }
    func store<T: FixedWidthInteger & BitwiseCopyable>(_ value: T) {
      record.storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self)
    }
    markPresent(in: record)
    // Of the bits of a number that the column has in a greater width, the last ones are the number.
    let value: Int64 =
      switch kind {
      case .bool: bytes.first == 0 ? 0 : 1
      case .smallint: Int64(load(Int16.self))
      case .integer, .real: Int64(load(Int32.self))
      case .timestamp: Column.milliseconds(ofTimestamp: load(Int64.self))
      default: load(Int64.self)
      }
    switch size {
    case 8: store(value)
    case 4: store(Int32(truncatingIfNeeded: value))
    case 2: store(Int16(truncatingIfNeeded: value))
    default: store(Int8(truncatingIfNeeded: value))
    }
  }

  /// Stores where a value of variable size ends.
  @inline(__always)
  func store(end: Int, in record: UnsafeMutableRawPointer) {
    record.storeBytes(
      of: UInt32(truncatingIfNeeded: end).littleEndian,
      toByteOffset: offset,
      as: UInt32.self
    )
  }

  @inline(__always)
  func markPresent(in record: UnsafeMutableRawPointer) {
    let byte = record.load(fromByteOffset: presence.offset, as: UInt8.self)
    record.storeBytes(
      of: byte | presence.mask,
      toByteOffset: presence.offset,
      as: UInt8.self
    )
  }

  /// Passes the bytes that records have of a value of variable size to a body.
  @inline(__always)
  func withRecordBytes(
    of bytes: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    switch kind {
    case .integers, .bigints, .reals, .texts: withVector(bytes, body)
    default: body(bytes)
    }
  }

  private func withVector(
    _ bytes: UnsafeRawBufferPointer,
    _ body: (UnsafeRawBufferPointer) -> Void
  ) {
    switch kind {
    case .integers, .reals: bytes.numbers(Int32.self).map(\.littleEndian).withUnsafeBytes(body)
    case .bigints: bytes.numbers(Int64.self).map(\.littleEndian).withUnsafeBytes(body)
    default:
      VectorCodec.bytes(of: bytes.elements.map { String(decoding: $0, as: UTF8.self) })
        .withUnsafeBytes(body)
    }
  }
}

extension Column {
  /// Returns the milliseconds since 1970 of a timestamptz, in microseconds since 2000; rounded down, since other
  /// tools may store more.
  static func milliseconds(ofTimestamp microseconds: Int64) -> Int64 {
    let quotient = microseconds / 1_000
    let isBelow = microseconds % 1_000 < 0
    return quotient - (isBelow ? 1 : 0) + ColumnKind.epoch
  }
}

extension UnsafeRawBufferPointer {
  /// The elements of an array of one dimension in PostgreSQL's binary form, without nulls; see `array_send`.
  var elements: [UnsafeRawBufferPointer] {
    func number(at offset: Int) -> Int? {
      guard offset + 4 <= count else { return nil }
      return Int32(bigEndianBytes: UnsafeRawBufferPointer(rebasing: self[offset..<offset + 4]))
        .map { Int($0) }
    }
    guard number(at: 0) ?? 0 > 0, let size = number(at: 12) else { return [] }
    var all: [UnsafeRawBufferPointer] = []
    all.reserveCapacity(Swift.min(size, count / 4))
    var offset = 20
    for _ in 0..<size {
      guard let length = number(at: offset) else { return all }
      offset += 4
      if length < 0 { continue }
      guard offset + length <= count else { return all }
      all.append(UnsafeRawBufferPointer(rebasing: self[offset..<offset + length]))
      offset += length
    }
    return all
  }

  /// The elements of an array of numbers.
  func numbers<T: FixedWidthInteger>(_ type: T.Type) -> [T] {
    elements.compactMap { T(bigEndianBytes: $0) }
  }
}
