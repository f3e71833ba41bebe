internal import ObjectBox

/// The SQL type of a column; other tools read the columns too.
package enum ColumnKind: Sendable, Hashable {
  case bool
  /// Numbers of 8 bits, and signed numbers of 16 bits.
  case smallint
  /// Signed numbers of 32 bits, and unsigned numbers of 16 bits.
  case integer
  /// 64-bit numbers, unsigned ones by their bits; unsigned 32-bit numbers; dates in nanoseconds.
  case bigint
  case real
  case double
  /// Dates in milliseconds.
  case timestamp
  case text
  /// Decimals, which records store as texts.
  case numeric
  case bytes
  case uuid
  case integers
  case bigints
  case reals
  case texts

  init(_ property: PropertySchema) {
    let isUnsigned = property.has(.unsigned)
    switch property.type {
    case .bool: self = .bool
    case .byte, .unknown: self = .smallint
    case .short, .char: self = isUnsigned ? .integer : .smallint
    case .int: self = isUnsigned ? .bigint : .integer
    case .long, .relation, .dateNano: self = .bigint
    case .date: self = .timestamp
    case .float: self = .real
    case .double: self = .double
    case .string: self = property.collation == .decimal ? .numeric : .text
    case .byteVector: self = Self.isUUID(property) ? .uuid : .bytes
    case .intVector: self = .integers
    case .longVector: self = .bigints
    case .floatVector: self = .reals
    case .stringVector: self = .texts
    case .flex, .boolVector, .shortVector, .charVector, .doubleVector, .dateVector, .dateNanoVector:
      self = .bytes
    }
  }

  private static func isUUID(_ property: PropertySchema) -> Bool {
    let external = ExternalPropertyType(rawValue: UInt16(truncatingIfNeeded: property.externalType))
    return external == .uuid || external == .uuidV4
  }

  /// The type in SQL.
  package var sql: String {
    switch self {
    case .bool: "boolean"
    case .smallint: "smallint"
    case .integer: "integer"
    case .bigint: "bigint"
    case .real: "real"
    case .double: "double precision"
    case .timestamp: "timestamptz"
    // Ordered by bytes, like the embedded store.
    case .text: "text COLLATE \"C\""
    case .numeric: "numeric"
    case .bytes: "bytea"
    case .uuid: "uuid"
    case .integers: "integer[]"
    case .bigints: "bigint[]"
    case .reals: "real[]"
    case .texts: "text[] COLLATE \"C\""
    }
  }

  /// PostgreSQL's number of the type of parameters and results.
  package var type: UInt32 {
    switch self {
    case .bool: PostgresType.bool
    case .smallint: PostgresType.int2
    case .integer: PostgresType.int4
    case .bigint: PostgresType.int8
    case .real: PostgresType.float4
    case .double: PostgresType.float8
    case .timestamp: PostgresType.timestamptz
    case .text, .numeric: PostgresType.text
    case .bytes: PostgresType.bytea
    case .uuid: PostgresType.uuid
    case .integers: PostgresType.int4Array
    case .bigints: PostgresType.int8Array
    case .reals: PostgresType.float4Array
    case .texts: PostgresType.textArray
    }
  }

  /// PostgreSQL's number of the array type of such values; nil for arrays, which do not nest.
  var arrayType: UInt32? {
    switch self {
    case .bool: PostgresType.boolArray
    case .smallint: PostgresType.int2Array
    case .integer: PostgresType.int4Array
    case .bigint: PostgresType.int8Array
    case .real: PostgresType.float4Array
    case .double: PostgresType.float8Array
    case .timestamp: PostgresType.timestamptzArray
    case .text, .numeric: PostgresType.textArray
    case .bytes: PostgresType.byteaArray
    case .uuid: PostgresType.uuidArray
    case .integers, .bigints, .reals, .texts: nil
    }
  }

  /// The range of timestamptz in milliseconds since 1970: from 4714 BC to 294276 AD.
  package static let timestamps: ClosedRange<Int64> = -210_866_803_200_000...9_224_318_015_999_999

  /// The milliseconds from 1970 to 2000, PostgreSQL's epoch.
  package static let epoch: Int64 = 946_684_800_000
}
