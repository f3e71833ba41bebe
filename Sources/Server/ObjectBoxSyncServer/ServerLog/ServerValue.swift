internal import Foundation
internal import ObjectBox
internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol

/// Conversions between values of columns and their form in messages.
enum ServerValue {
  /// Returns true if the values of a column can be logged.
  static func isLoggable(_ column: Column) -> Bool { logging(column, "t") != nil }

  /// Returns the SQL of a column's value for the log: the bytes that a SELECT would send.
  ///
  /// It is exact, and independent of the settings of sessions, unlike JSON and texts of dates.
  ///
  /// - Parameters:
  ///   - column: The column.
  ///   - alias: The alias of its table.
  /// - Returns: An expression of the type `bytea`; nil for lists of numbers.
  static func logging(_ column: Column, _ alias: String) -> String? {
    let value = "\(alias).\(column.name)"
    return switch column.kind {
    case .bool: "pg_catalog.boolsend(\(value))"
    case .smallint: "pg_catalog.int2send(\(value))"
    case .integer: "pg_catalog.int4send(\(value))"
    case .bigint: "pg_catalog.int8send(\(value))"
    case .real: "pg_catalog.float4send(\(value))"
    case .double: "pg_catalog.float8send(\(value))"
    case .timestamp: "pg_catalog.timestamptz_send(\(value))"
    case .text: "pg_catalog.convert_to(\(value), 'UTF8')"
    case .numeric: "pg_catalog.convert_to(\(value)::pg_catalog.text, 'UTF8')"
    case .uuid: "pg_catalog.uuid_send(\(value))"
    case .bytes: value
    case .texts: "pg_catalog.array_send(\(value))"
    case .integers, .bigints, .reals: nil
    }
  }

  /// A value whose bytes are still in the buffer of PostgreSQL's client.
  private enum Field {
    case null
    case integer(Int64)
    case double(bits: UInt64)
    case bytes(UnsafeRawBufferPointer)
    /// The elements of a list, each after its length.
    case list([UInt8])
  }

  /// Returns a value from PostgreSQL's binary form.
  ///
  /// - Parameters:
  ///   - bytes: The bytes; nil for null.
  ///   - kind: The type of the column.
  /// - Returns: The value.
  static func value(_ bytes: UnsafeRawBufferPointer?, _ kind: ColumnKind) -> PropertyValue {
    switch field(bytes, kind) {
    case .null: .null
    case .integer(let number): .integer(number)
    case .double(let bits): .double(bits: bits)
    case .bytes(let bytes): .bytes(Array(bytes))
    case .list(let bytes): .bytes(bytes)
    }
  }

  /// Writes ``value(_:_:)`` in its form in messages, without creating the value.
  static func write(
    _ bytes: UnsafeRawBufferPointer?,
    _ kind: ColumnKind,
    to writer: inout WireWriter
  ) {
    switch field(bytes, kind) {
    case .null: writer.appendNullValue()
    case .integer(let number): writer.append(integerValue: number)
    case .double(let bits): writer.append(doubleValue: bits)
    case .bytes(let bytes): writer.append(bytesValue: bytes)
    case .list(let bytes): bytes.withUnsafeBytes { writer.append(bytesValue: $0) }
    }
  }

  private static func field(_ bytes: UnsafeRawBufferPointer?, _ kind: ColumnKind) -> Field {
    guard let bytes else { return .null }
    switch kind {
    case .bool: return .integer(bytes.first == 0 ? 0 : 1)
    case .smallint, .integer, .bigint: return .integer(integer(bytes))
    case .timestamp: return .integer(Column.milliseconds(ofTimestamp: integer(bytes)))
    case .real:
      let bits = UInt32(truncatingIfNeeded: integer(bytes))
      return .double(bits: Double(Float(bitPattern: bits)).bitPattern)
    case .double: return .double(bits: UInt64(bitPattern: integer(bytes)))
    case .text, .numeric, .bytes, .uuid: return .bytes(bytes)
    case .integers, .bigints, .reals, .texts:
      return .list(bytes.elements.flatMap { UInt32($0.count).bytes + Array($0) })
    }
  }

  /// Returns an integer of any width: the log may have values from before a change of the column's type.
  private static func integer(_ bytes: UnsafeRawBufferPointer) -> Int64 {
    switch bytes.count {
    case 2: Int64(Int16(bigEndian: bytes.loadUnaligned(as: Int16.self)))
    case 4: Int64(Int32(bigEndian: bytes.loadUnaligned(as: Int32.self)))
    default: Int64(bitPattern: number(bytes))
    }
  }

  /// Returns an unsigned bigint; 0 for another type.
  static func number(_ bytes: UnsafeRawBufferPointer) -> UInt64 {
    // The generic initializer would not be specialized in another module.
    bytes.count == 8 ? UInt64(bigEndian: bytes.loadUnaligned(as: UInt64.self)) : 0
  }

  /// Returns true if a text column can store a text: PostgreSQL has no U+0000.
  private static func isText(_ bytes: some Collection<UInt8>) -> Bool {
    !bytes.contains(0) && String(validating: bytes, as: UTF8.self) != nil
  }

  private static func isDecimal(_ bytes: [UInt8]) -> Bool {
    bytes.withUnsafeBytes { Decimal.__decode($0) != nil }
  }

  /// Appends a list whose elements follow their lengths; elements without a size are texts.
  ///
  /// - Returns: False for bytes that are no such list.
  private static func append(
    _ bytes: [UInt8],
    _ size: Int?,
    _ element: UInt32,
    _ kind: ColumnKind,
    _ parameters: inout Parameters
  ) -> Bool {
    var elements: [ArraySlice<UInt8>] = []
    var rest = bytes[...]
    while !rest.isEmpty {
      guard rest.count >= 4 else { return false }
      let length = rest.prefix(4).reduce(0) { $0 << 8 | Int($1) }
      rest = rest.dropFirst(4)
      guard length <= rest.count, size.map({ $0 == length }) ?? isText(rest.prefix(length)) else {
        return false
      }
      elements.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    parameters.append(kind.type, of: element, count: elements.count) { array in
      for element in elements { array.append(element) }
    }
    return true
  }

  /// Appends a value to parameters in the type of a column.
  ///
  /// A null gets the column's type as well, since a prepared statement keeps the types of its first parameters.
  ///
  /// The values come from devices, which may send anything; nothing has computed with them before.
  ///
  /// - Returns: False for a value that the column cannot have; nothing is appended then.
  static func append(
    _ value: PropertyValue,
    as kind: ColumnKind,
    to parameters: inout Parameters
  ) -> Bool {
    switch (kind, value) {
    case (.bool, .integer(let number)): parameters.append(number != 0)
    case (.smallint, .integer(let number)):
      guard let number = Int16(exactly: number) else { return false }
      parameters.append(kind.type) { $0.append(bigEndian: number) }
    case (.integer, .integer(let number)):
      guard let number = Int32(exactly: number) else { return false }
      parameters.append(number)
    case (.bigint, .integer(let number)): parameters.append(number)
    case (.timestamp, .integer(let number)):
      guard ColumnKind.timestamps.contains(number) else { return false }
      parameters.append(kind.type, ((number - ColumnKind.epoch) * 1_000).bytes)
    case (.real, .double(let bits)):
      let number = Double(bitPattern: bits)
      let single = Float(number)
      guard number.isNaN || Double(single) == number else { return false }
      parameters.append(kind.type) { $0.append(bigEndian: single.bitPattern) }
    case (.double, .double(let bits)): parameters.append(Double(bitPattern: bits))
    case (.text, .bytes(let bytes)) where isText(bytes),
      (.numeric, .bytes(let bytes)) where isDecimal(bytes):
      parameters.append(PostgresType.text, bytes)
    case (.uuid, .bytes(let bytes)) where bytes.count == 16:
      parameters.append(PostgresType.uuid, bytes)
    case (.bytes, .bytes(let bytes)): parameters.append(PostgresType.bytea, bytes)
    case (.integers, .bytes(let bytes)):
      return append(bytes, 4, PostgresType.int4, kind, &parameters)
    case (.bigints, .bytes(let bytes)):
      return append(bytes, 8, PostgresType.int8, kind, &parameters)
    case (.reals, .bytes(let bytes)):
      return append(bytes, 4, PostgresType.float4, kind, &parameters)
    case (.texts, .bytes(let bytes)):
      return append(bytes, nil, PostgresType.text, kind, &parameters)
    default: return false
    }
    return true
  }
}
