/// Writes values as bytes.
///
/// Integers have a variable length (LEB128, signed ones in zigzag order), so that small numbers take one byte. Random
/// bits have their full length.
package struct WireWriter {
  /// The bytes so far.
  package private(set) var bytes: [UInt8] = []

  /// Creates a writer without bytes.
  ///
  /// - Parameter capacity: The expected number of bytes.
  package init(capacity: Int = 0) {
    bytes.reserveCapacity(capacity)
  }

  /// Removes the bytes, but keeps the capacity.
  package mutating func removeAll() {
    bytes.removeAll(keepingCapacity: true)
  }

  /// Writes a byte.
  package mutating func append(byte: UInt8) {
    bytes.append(byte)
  }

  /// Writes a number in 1 to 10 bytes.
  package mutating func append(_ number: UInt64) {
    if number < 0x80 { return bytes.append(UInt8(truncatingIfNeeded: number)) }
    appendTogether { number.writeVariably(to: $0) }
  }

  /// Writes a byte and a number.
  mutating func append(byte: UInt8, _ number: UInt64) {
    appendTogether { room in
      room.storeBytes(of: byte, as: UInt8.self)
      return 1 + number.writeVariably(to: room + 1)
    }
  }

  /// Appends at most 32 bytes in one call, since each append checks capacity and ownership of the array.
  @inline(__always)
  mutating func appendTogether(_ write: (UnsafeMutableRawPointer) -> Int) {
    withUnsafeTemporaryAllocation(byteCount: 32, alignment: 8) { room in
      guard let start = room.baseAddress else { return }
      bytes.append(contentsOf: UnsafeRawBufferPointer(start: start, count: write(start)))
    }
  }

  /// Writes a signed number in 1 to 10 bytes, the fewer the closer it is to zero.
  package mutating func append(_ number: Int64) {
    append(number.folded)
  }

  /// Writes the number of elements that follow.
  package mutating func append(count: Int) {
    append(UInt64(count))
  }

  /// Writes eight bytes, the lowest first.
  package mutating func append(bits: UInt64) {
    withUnsafeBytes(of: bits.littleEndian) { bytes.append(contentsOf: $0) }
  }

  /// Writes bytes without their number.
  package mutating func append(raw content: UnsafeRawBufferPointer) {
    bytes.append(contentsOf: content)
  }

  /// Writes the number of bytes and the bytes.
  package mutating func append(_ content: [UInt8]) {
    append(count: content.count)
    bytes += content
  }

  /// Writes the number of bytes and the bytes of a text in UTF-8.
  package mutating func append(_ text: String) {
    append(count: text.utf8.count)
    bytes.append(contentsOf: text.utf8)
  }

  /// Writes a value.
  package mutating func append(_ value: some WireValue) {
    value.write(to: &self)
  }

  /// Writes a byte for the presence of a value, and the value.
  package mutating func append(_ value: (some WireValue)?) {
    append(byte: value == nil ? 0 : 1)
    if let value { append(value) }
  }

  /// Writes the number of values and the values.
  package mutating func append(_ values: some Collection<some WireValue>) {
    append(count: values.count)
    for value in values { append(value) }
  }
}

extension Int64 {
  /// The number as an unsigned one, the smaller the closer it is to zero.
  @inlinable package var folded: UInt64 { UInt64(bitPattern: self << 1 ^ self >> 63) }
}

extension UInt64 {
  /// Writes the number in 1 to 10 bytes (LEB128), and returns the number of bytes.
  ///
  /// Inlinable, since a device writes the values of many objects with it.
  @inlinable
  @inline(__always)
  package func writeVariably(to room: UnsafeMutableRawPointer) -> Int {
    var (rest, count) = (self, 0)
    while rest >= 0x80 {
      room.storeBytes(
        of: UInt8(truncatingIfNeeded: rest) | 0x80,
        toByteOffset: count,
        as: UInt8.self
      )
      rest >>= 7
      count += 1
    }
    room.storeBytes(of: UInt8(truncatingIfNeeded: rest), toByteOffset: count, as: UInt8.self)
    return count + 1
  }
}

/// A value with a form in bytes, for messages and for the server's tables.
package protocol WireValue {
  /// Writes the value.
  func write(to writer: inout WireWriter)

  /// Reads a value.
  ///
  /// - Throws: ``WireError`` for malformed bytes. It never traps, for any bytes.
  init(from reader: inout WireReader) throws(WireError)
}
