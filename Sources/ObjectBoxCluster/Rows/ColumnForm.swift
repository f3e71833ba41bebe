internal import Foundation
internal import ObjectBox

/// The type of a column and the place of its values in records, for records that become rows; without references, so
/// that a copy costs nothing.
struct ColumnForm: Sendable {
  let kind: ColumnKind
  /// True for the column of the folded text.
  let isFolded: Bool
  let isID: Bool
  /// The place of the value in records.
  let field: RecordField
  private let isTarget: Bool
  /// The bits of an unsigned number of less than 64 bits, which records hold sign-extended; all for others.
  private let mask: Int64

  /// - Parameters:
  ///   - property: The property.
  ///   - field: Its place in the records that are read; `absent` where none are.
  ///   - isFolded: True for the column of the folded text.
  init(_ property: PropertySchema, _ field: RecordField, isFolded: Bool = false) {
    kind = ColumnKind(property)
    self.isFolded = isFolded
    isID = property.has(.id)
    self.field = field
    isTarget = property.type == .relation
    mask = property.unsignedMask
  }

  /// True when a server cannot hold every value of a record.
  var isSelective: Bool {
    switch kind {
    case .text, .numeric, .texts, .timestamp, .uuid: true
    default: false
    }
  }

  /// Returns why a server cannot hold the value of a record; nil when it can.
  @inline(__always)
  func fault(of record: FlatBufferReader) -> String? {
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
    // Texts of vectors have their lengths before them, in which zeros are usual.
    let hasNull =
      kind == .texts
      ? VectorCodec.strings(in: bytes).contains { $0.utf8.contains(0) }
      : bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
    return hasNull
      ? "has the character U+0000, which PostgreSQL does not store in texts; remove it, or keep the text as Data"
      : nil
  }

  /// Appends the value of a record in PostgreSQL's binary form, which for decimals is that of their text.
  ///
  /// - Parameters:
  ///   - record: The record of an object; its ID is that of the object.
  ///   - bytes: The buffer to which the form is appended.
  /// - Returns: False for null, when nothing is appended.
  @inline(__always)
  func append(_ record: FlatBufferReader, to bytes: inout [UInt8]) -> Bool {
    if isID {
      bytes.append(bigEndian: record.id)
      return true
    }
    switch kind {
    case .bool, .smallint, .integer, .bigint, .timestamp:
      guard let value = record.integer(field) else { return false }
      // Records may have 0 for no target, which a foreign key would look for.
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

  /// Appends an integer in the width of the column.
  private func append(_ value: Int64, to bytes: inout [UInt8]) {
    switch kind {
    case .bool: bytes.append(value == 0 ? 0 : 1)
    case .smallint: bytes.append(bigEndian: Int16(truncatingIfNeeded: value & mask))
    case .integer: bytes.append(bigEndian: Int32(truncatingIfNeeded: value & mask))
    case .timestamp: bytes.append(bigEndian: (value - ColumnKind.epoch) * 1_000)
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

  /// Returns the texts of a vector, folded for the column of the folded ones.
  func texts(in bytes: UnsafeRawBufferPointer) -> [[UInt8]] {
    VectorCodec.strings(in: bytes).map { isFolded ? Column.folded($0) : Array($0.utf8) }
  }

  /// Returns the bytes of a value of variable size; nil for null.
  func bytes(_ record: FlatBufferReader) -> UnsafeRawBufferPointer? { record.bytes(field) }
}

extension PropertySchema {
  /// See ``ColumnForm``.
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
  /// Returns the number that an unsigned property of less than 64 bits stands for; others as they are.
  func unsignedValue(_ value: Int64) -> Int64 { value & property.unsignedMask }
}
