internal import ObjectBox

/// The values of a record as those of a column, in PostgreSQL's binary form.
extension Column {
  /// Checks that the server can hold the value of a record.
  ///
  /// - Parameters:
  ///   - record: The record of an object.
  ///   - entity: Its entity, for the message.
  /// - Throws: `ObjectBoxError.illegalArgument`, which names entity, property and reason, and not the value.
  func check(_ record: FlatBufferReader, of entity: EntitySchema) throws {
    guard let fault = fault(of: record) else { return }
    throw ObjectBoxError.illegalArgument(
      message:
        "cannot put '\(entity.name)' with ID \(record.id): its '\(property.name)' \(fault)"
    )
  }

  private func fault(of record: FlatBufferReader) -> String? {
    let field = record.field(propertyID: property.identity.id)
    switch kind {
    case .text, .texts, .numeric:
      // Texts of vectors have their lengths before them, in which zeros are usual.
      guard let bytes = record.bytes(field) else { return nil }
      let hasNull =
        kind == .texts
        ? VectorCodec.strings(in: bytes).contains { $0.utf8.contains(0) } : bytes.contains(0)
      return hasNull
        ? "has the character U+0000, which PostgreSQL does not store in texts; remove it, or keep the text as Data"
        : nil
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

  /// Passes the binary form of the value of a record to a body; returns nil for null.
  ///
  /// - Parameters:
  ///   - record: The record of an object; its ID is that of the object.
  ///   - bytes: The buffer to which the form is appended.
  /// - Returns: False for null, when nothing is appended.
  func append(_ record: FlatBufferReader, to bytes: inout [UInt8]) -> Bool {
    if isID {
      bytes.append(bigEndian: record.id)
      return true
    }
    let field = record.field(propertyID: property.identity.id)
    switch kind {
    case .bool, .smallint, .integer, .bigint, .timestamp:
      guard let value = record.integer(field) else { return false }
      // Records may have 0 for no target, which a foreign key would look for.
      if value == 0, property.type == .relation { return false }
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
      bytes.append(contentsOf: value)
    case .integers, .bigints, .reals, .texts:
      guard let value = record.bytes(field) else { return false }
      appendVector(value, to: &bytes)
    }
    return true
  }

  /// Appends the folded text of a record; returns false for null.
  func appendFolded(_ record: FlatBufferReader, to bytes: inout [UInt8]) -> Bool {
    guard let value = record.bytes(record.field(propertyID: property.identity.id)) else {
      return false
    }
    if kind == .texts {
      bytes.appendTexts(VectorCodec.strings(in: value).map(Self.folded))
    } else {
      bytes.append(contentsOf: FoldedText.bytes(of: value))
    }
    return true
  }

  /// Returns the UTF-8 of a text with upper and lower case made the same, as the embedded store compares.
  static func folded(_ text: String) -> [UInt8] {
    var text = text
    return text.withUTF8 { FoldedText.bytes(of: UnsafeRawBufferPointer($0)) }
  }

  /// Appends an integer in the width of the column; records hold those of unsigned properties sign-extended.
  func append(_ value: Int64, to bytes: inout [UInt8]) {
    switch kind {
    case .bool: bytes.append(value == 0 ? 0 : 1)
    case .smallint: bytes.append(bigEndian: Int16(truncatingIfNeeded: unsignedValue(value)))
    case .integer: bytes.append(bigEndian: Int32(truncatingIfNeeded: unsignedValue(value)))
    case .timestamp: bytes.append(bigEndian: (value - ColumnKind.epoch) * 1_000)
    default: bytes.append(bigEndian: unsignedValue(value))
    }
  }

  /// Returns the number that an unsigned property of less than 64 bits stands for; others as they are.
  func unsignedValue(_ value: Int64) -> Int64 {
    guard property.has(.unsigned) else { return value }
    switch property.type {
    case .byte: return value & 0xFF
    case .short, .char: return value & 0xFFFF
    case .int: return value & 0xFFFF_FFFF
    default: return value
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
    default: bytes.appendTexts(VectorCodec.strings(in: value).map { Array($0.utf8) })
    }
  }
}

extension [UInt8] {
  /// Appends an array of texts.
  mutating func appendTexts(_ texts: [[UInt8]]) {
    appendArrayHeader(of: PostgresType.text, count: texts.count)
    for text in texts {
      append(bigEndian: Int32(text.count))
      append(contentsOf: text)
    }
  }
}
