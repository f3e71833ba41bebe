internal import Foundation
internal import ObjectBox

/// A column's type and its field in records: converts records to rows.
///
/// Contains no references, so that copies are cheap.
struct ColumnForm: Sendable {
  let kind: ColumnKind
  /// True for a column of folded text.
  let isFolded: Bool
  let isID: Bool
  /// The field in records.
  let field: RecordField
  private let isTarget: Bool
  /// The bits of an unsigned number of less than 64 bits, which records store sign-extended; all
  /// bits for other types.
  private let mask: Int64

  /// - Parameters:
  ///   - property: The property.
  ///   - field: Its field in the records that are read; `absent` without records.
  ///   - isFolded: True for a column of folded text.
  init(_ property: PropertySchema, _ field: RecordField, isFolded: Bool = false) {
    kind = ColumnKind(property)
    self.isFolded = isFolded
    isID = property.has(.id)
    self.field = field
    isTarget = property.type == .relation
    mask = property.unsignedMask
  }

  /// True if a record may have a value that PostgreSQL cannot hold.
  var isSelective: Bool {
    switch kind {
    case .text, .numeric, .texts, .timestamp, .uuid: true
    default: false
    }
  }

  /// Returns the reason for which PostgreSQL cannot hold a record's value; nil when it can.
  func fault(of record: RecordReader) -> String? {
    switch kind {
    case .text, .numeric, .texts:
      guard let bytes = record.bytes(field) else { return nil }
      return faultOfText(bytes)
    case .timestamp:
      guard let date = record.integer(field), !ColumnKind.timestamps.contains(date) else {
        return nil
      }
      return
        "is a date outside of the years 4714 BC to 294276 AD, which PostgreSQL's timestamptz does not hold; "
        + "annotate it with 'date-nano', or keep it as a number"
    case .uuid:
      guard let bytes = record.bytes(field), bytes.count != 16 else { return nil }
      return "has \(bytes.count) bytes, and a UUID has 16"
    default: return nil
    }
  }

  private func faultOfText(_ bytes: UnsafeRawBufferPointer) -> String? {
    // Vectors store a length before each text, and lengths usually contain zero bytes.
    let hasNull =
      kind == .texts
      ? VectorCodec.strings(in: bytes).contains { $0.utf8.contains(0) }
      : bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
    return hasNull
      ? "has the character U+0000, which PostgreSQL does not store in texts; remove it, or keep the text as Data"
      : nil
  }

  /// Appends a record's value in PostgreSQL's binary form; decimals as text.
  ///
  /// - Parameters:
  ///   - record: The record of an object, with the object's ID.
  ///   - bytes: The buffer to append to.
  /// - Returns: False for null: nothing is appended.
  func append(_ record: RecordReader, to bytes: inout [UInt8]) -> Bool {
    if isID {
      bytes.append(bigEndian: record.id)
      return true
    }
    switch kind {
    case .bool, .smallint, .integer, .bigint, .timestamp:
      guard let value = record.integer(field) else { return false }
      // Records may store 0 for an empty relation, and the foreign key would look for it.
      if value == 0, isTarget { return false }
      append(value, to: &bytes)
    case .real, .double:
      guard let value = record.double(field) else { return false }
      if kind == .real {
        bytes.append(bigEndian: Float(value).bitPattern)
      } else {
        bytes.append(bigEndian: value.bitPattern)
      }
    case .text, .numeric, .bytes, .uuid:
      guard let value = record.bytes(field) else { return false }
      if isFolded {
        FoldedText.append(value, to: &bytes)
      } else {
        bytes.append(contentsOf: value)
      }
    case .integers, .bigints, .reals, .texts:
      guard let value = record.bytes(field) else { return false }
      appendVector(value, to: &bytes)
    }
    return true
  }

  /// Appends an integer with the column's width.
  private func append(_ value: Int64, to bytes: inout [UInt8]) {
    switch kind {
    case .bool: bytes.append(value == 0 ? 0 : 1)
    case .smallint: bytes.append(bigEndian: Int16(truncatingIfNeeded: value & mask))
    case .integer: bytes.append(bigEndian: Int32(truncatingIfNeeded: value & mask))
    case .timestamp: bytes.append(bigEndian: value.timestamp)
    default: bytes.append(bigEndian: value & mask)
    }
  }

  private func appendVector(_ value: UnsafeRawBufferPointer, to bytes: inout [UInt8]) {
    func append<T: FixedWidthInteger & BitwiseCopyable>(_ type: T.Type, _ element: UInt32) {
      let numbers = VectorCodec.numbers(in: value, as: type)
      bytes.appendArrayHeader(of: element, count: numbers.count)
      for number in numbers {
        bytes.append(bigEndian: Int32(MemoryLayout<T>.size))
        bytes.append(bigEndian: T(littleEndian: number))
      }
    }
    switch kind {
    case .integers: append(Int32.self, PostgresType.int4)
    case .bigints: append(Int64.self, PostgresType.int8)
    case .reals: append(UInt32.self, PostgresType.float4)
    default: bytes.appendTexts(texts(in: value))
    }
  }

  /// Returns the texts of a vector, folded for a column of folded texts.
  func texts(in bytes: UnsafeRawBufferPointer) -> [[UInt8]] {
    VectorCodec.strings(in: bytes).map { isFolded ? Column.folded($0) : Array($0.utf8) }
  }

  /// Returns the bytes of a value of variable size; nil for null.
  func bytes(_ record: RecordReader) -> UnsafeRawBufferPointer? { record.bytes(field) }
}

extension PropertySchema {
  /// The bits kept from a sign-extended value; see ``ColumnForm``.
  fileprivate var unsignedMask: Int64 {
    guard has(.unsigned) else { return -1 }
    return switch type {
    case .byte: 0xFF
    case .short, .char: 0xFFFF
    case .int: 0xFFFF_FFFF
    default: -1
    }
  }
}

extension Column {
  /// Returns the unsigned number for a property of less than 64 bits; other values unchanged.
  func unsignedValue(_ value: Int64) -> Int64 { value & property.unsignedMask }
}
