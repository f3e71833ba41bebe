/// Numbers of PostgreSQL's types, from its catalogue `pg_type`, which never change.
package enum PostgresType {
  package static let bool: UInt32 = 16
  package static let bytea: UInt32 = 17
  package static let int8: UInt32 = 20
  package static let int2: UInt32 = 21
  package static let int4: UInt32 = 23
  package static let text: UInt32 = 25
  package static let float4: UInt32 = 700
  package static let float8: UInt32 = 701
  package static let boolArray: UInt32 = 1000
  package static let byteaArray: UInt32 = 1001
  package static let int2Array: UInt32 = 1005
  package static let int4Array: UInt32 = 1007
  package static let textArray: UInt32 = 1009
  package static let int8Array: UInt32 = 1016
  package static let float4Array: UInt32 = 1021
  package static let float8Array: UInt32 = 1022
  package static let timestamptz: UInt32 = 1184
  package static let timestamptzArray: UInt32 = 1185
  package static let uuid: UInt32 = 2950
  package static let uuidArray: UInt32 = 2951
}

/// The values of the parameters `$1`, `$2` and so on, in PostgreSQL's binary form.
package struct Parameters: Sendable {
  /// The type numbers.
  private(set) var types: [UInt32] = []
  private(set) var bytes: [UInt8] = []
  /// The bytes of each value; nil for null.
  private(set) var ranges: [Range<Int>?] = []

  package var count: Int { types.count }

  package mutating func appendNull(_ type: UInt32) {
    types.append(type)
    ranges.append(nil)
  }

  /// Appends a value whose bytes a body adds.
  package mutating func append(_ type: UInt32, _ body: (inout [UInt8]) -> Void) {
    let start = bytes.count
    body(&bytes)
    types.append(type)
    ranges.append(start..<bytes.count)
  }

  package mutating func append(_ type: UInt32, _ value: some Sequence<UInt8>) {
    append(type) { $0.append(contentsOf: value) }
  }

  package mutating func append(_ value: Bool) {
    append(PostgresType.bool) { $0.append(value ? 1 : 0) }
  }
  package mutating func append(_ value: Int32) {
    append(PostgresType.int4) { $0.append(bigEndian: value) }
  }
  package mutating func append(_ value: Int64) {
    append(PostgresType.int8) { $0.append(bigEndian: value) }
  }
  package mutating func append(_ value: Double) {
    append(PostgresType.float8) { $0.append(bigEndian: value.bitPattern) }
  }
  package mutating func append(_ value: String) { append(PostgresType.text, value.utf8) }

  /// Appends an ID, at most `Int64.max`.
  package mutating func append(id: UInt64) { append(Int64(bitPattern: id)) }

  package mutating func append(ids: some Collection<UInt64>) {
    append(PostgresType.int8Array, of: PostgresType.int8, count: ids.count) { array in
      for id in ids { array.append(bigEndian: Int64(bitPattern: id)) }
    }
  }

  /// Appends an array of values of one size.
  package mutating func append<T: FixedWidthInteger>(
    _ type: UInt32,
    of element: UInt32,
    _ values: some Collection<T>
  ) {
    append(type, of: element, count: values.count) { array in
      for value in values { array.append(bigEndian: value) }
    }
  }

  /// Appends an array whose elements a body adds.
  ///
  /// - Parameters:
  ///   - type: The type of the array.
  ///   - element: The type of its elements.
  ///   - count: The number of elements that the body adds.
  ///   - hasNulls: True when an element may be null.
  ///   - body: Adds the elements.
  package mutating func append(
    _ type: UInt32,
    of element: UInt32,
    count: Int,
    hasNulls: Bool = false,
    _ body: (inout ArrayElements) -> Void
  ) {
    append(type) { bytes in
      bytes.appendArrayHeader(of: element, count: count, hasNulls: hasNulls)
      var array = ArrayElements(bytes: bytes)
      bytes = []
      body(&array)
      bytes = array.bytes
    }
  }
}

/// The elements of an array parameter.
package struct ArrayElements {
  fileprivate(set) var bytes: [UInt8]

  package mutating func appendNull() { bytes.append(bigEndian: Int32(-1)) }

  package mutating func append<T: FixedWidthInteger>(bigEndian value: T) {
    bytes.append(bigEndian: Int32(MemoryLayout<T>.size))
    bytes.append(bigEndian: value)
  }

  package mutating func append(_ value: some Collection<UInt8>) {
    bytes.append(bigEndian: Int32(value.count))
    bytes.append(contentsOf: value)
  }
}

extension [UInt8] {
  /// Appends a number in PostgreSQL's byte order.
  package mutating func append<T: FixedWidthInteger>(bigEndian value: T) {
    Swift.withUnsafeBytes(of: value.bigEndian) { append(contentsOf: $0) }
  }

  /// Appends the header of a one-dimensional array: see `array_recv` in PostgreSQL.
  package mutating func appendArrayHeader(of element: UInt32, count: Int, hasNulls: Bool = false) {
    append(bigEndian: Int32(count == 0 ? 0 : 1))
    append(bigEndian: Int32(hasNulls ? 1 : 0))
    append(bigEndian: element)
    guard count > 0 else { return }
    append(bigEndian: Int32(count))
    append(bigEndian: Int32(1))
  }
}
