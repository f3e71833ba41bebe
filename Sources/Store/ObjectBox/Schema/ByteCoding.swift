/// Writes numbers and strings in the format of the stored schema.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  /// Appends a number, little-endian.
  mutating func write<T: FixedWidthInteger>(_ value: T) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Appends the length and the UTF-8 of a string.
  mutating func write(_ value: String) {
    write(UInt32(value.utf8.count))
    bytes.append(contentsOf: value.utf8)
  }

  /// Appends the number of elements, and each of them.
  mutating func write<T>(_ values: [T], each: (inout ByteWriter, T) -> Void) {
    write(UInt32(values.count))
    for value in values { each(&self, value) }
  }

  /// Appends a flag whether there is a value, and the value.
  mutating func write<T>(_ value: T?, some: (inout ByteWriter, T) -> Void) {
    write(UInt8(value == nil ? 0 : 1))
    if let value { some(&self, value) }
  }
}

/// Reads the bytes of a ``ByteWriter``.
package struct ByteReader {
  /// Thrown when the bytes end too early or contain an invalid value.
  package struct Damage: Error {}

  private let bytes: [UInt8]
  /// Number of bytes that were read.
  private var place = 0

  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  package mutating func read<T: FixedWidthInteger>(_ type: T.Type = T.self) throws(Damage) -> T {
    let size = MemoryLayout<T>.size
    guard bytes.count - place >= size else { throw Damage() }
    var value: T = 0
    for index in 0..<size {
      value |= T(truncatingIfNeeded: UInt64(bytes[place + index]) << (8 * index))
    }
    place += size
    return value
  }

  mutating func readString() throws(Damage) -> String {
    let count = Int(try read(UInt32.self))
    guard bytes.count - place >= count else { throw Damage() }
    defer { place += count }
    return String(decoding: bytes[place..<place + count], as: UTF8.self)
  }

  mutating func readArray<T>(
    each: (inout ByteReader) throws(Damage) -> T
  ) throws(Damage) -> [T] {
    let count = Int(try read(UInt32.self))
    guard count <= bytes.count - place else { throw Damage() }
    var values: [T] = []
    for _ in 0..<count { values.append(try each(&self)) }
    return values
  }

  mutating func readOptional<T>(
    some: (inout ByteReader) throws(Damage) -> T
  ) throws(Damage) -> T? {
    try read(UInt8.self) == 0 ? nil : try some(&self)
  }
}
