internal import ObjectBox

/// A column's type and its field in records: converts rows to records.
///
/// Contains no references, so that copies are cheap.
struct RowField: Sendable {
  /// The column's index in the table.
  let column: Int
  private let kind: ColumnKind
  /// The offset in the record of the value, or of the end of a value of variable size.
  private let offset: Int
  /// The byte and the bit that mark the value as present.
  private let presence: (offset: Int, mask: UInt8)
  /// The size of the value in records; nil for a variable size.
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
  ///   - record: A record of the table's layout, with the property null.
  func store(_ bytes: UnsafeRawBufferPointer, in record: UnsafeMutableRawPointer) {
    func load<T: FixedWidthInteger>(_ type: T.Type) -> T { T(bigEndianBytes: bytes) ?? 0 }
    func store<T: FixedWidthInteger & BitwiseCopyable>(_ value: T) {
      record.storeBytes(of: value.littleEndian, toByteOffset: offset, as: T.self)
    }
    markPresent(in: record)
    // A narrower number is in the low bits of its wider column.
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

  /// Stores the end of a value of variable size.
  func store(end: Int, in record: UnsafeMutableRawPointer) {
    record.storeBytes(
      of: UInt32(truncatingIfNeeded: end).littleEndian,
      toByteOffset: offset,
      as: UInt32.self
    )
  }

  func markPresent(in record: UnsafeMutableRawPointer) {
    let byte = record.load(fromByteOffset: presence.offset, as: UInt8.self)
    record.storeBytes(
      of: byte | presence.mask,
      toByteOffset: presence.offset,
      as: UInt8.self
    )
  }

  /// Passes a value of variable size to a body, in the form of records.
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
  /// Returns the milliseconds since 1970 of a timestamptz in microseconds since 2000.
  ///
  /// Rounds down, since other tools may store microseconds.
  package static func milliseconds(ofTimestamp microseconds: Int64) -> Int64 {
    let quotient = microseconds / 1_000
    let isBelow = microseconds % 1_000 < 0
    return quotient - (isBelow ? 1 : 0) + ColumnKind.epoch
  }
}

extension UnsafeRawBufferPointer {
  /// The elements of an array in PostgreSQL's binary form, without nulls; see `array_send`.
  ///
  /// Other programs may store arrays of several dimensions, and conditions find all of their elements.
  package var elements: [UnsafeRawBufferPointer] {
    func number(at offset: Int) -> Int? {
      guard offset + 4 <= count else { return nil }
      return Int32(bigEndianBytes: UnsafeRawBufferPointer(rebasing: self[offset..<offset + 4]))
        .map { Int($0) }
    }
    guard let dimensions = number(at: 0), dimensions > 0 else { return [] }
    var size = 1
    var offset = 12
    for _ in 0..<dimensions {
      guard let length = number(at: offset), length > 0 else { return [] }
      // An element has at least four bytes.
      size = Swift.min(size * length, count / 4)
      offset += 8
    }
    var all: [UnsafeRawBufferPointer] = []
    all.reserveCapacity(size)
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
  package func numbers<T: FixedWidthInteger>(_ type: T.Type) -> [T] {
    elements.compactMap { T(bigEndianBytes: $0) }
  }
}
