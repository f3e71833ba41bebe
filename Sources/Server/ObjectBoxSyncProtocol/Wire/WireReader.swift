/// Reads the output of ``WireWriter`` from a peer that may be hostile.
///
/// It never traps. It allocates memory only for elements whose bytes are present, so a message needs a multiple of its
/// size: an element of one byte, such as a null, takes up to 60 bytes in memory. A limit of the elements bounds that.
package struct WireReader {
  private let bytes: [UInt8]
  /// The position of the next byte.
  package internal(set) var offset = 0
  private let limit: WireLimit?
  /// The number of elements that may still follow.
  private var left: Int

  /// Creates a reader at the first byte.
  ///
  /// - Parameters:
  ///   - bytes: The bytes.
  ///   - limit: The limit of the elements; nil for none.
  package init(_ bytes: [UInt8], limit: WireLimit? = nil) {
    self.bytes = bytes
    self.limit = limit
    left = limit?.elements ?? .max
  }

  /// True if no bytes are left.
  package var isAtEnd: Bool { offset == bytes.count }

  /// Throws if bytes are left.
  package func end() throws(WireError) {
    if offset < bytes.count {
      throw WireError("\(bytes.count - offset) bytes follow the end", at: offset)
    }
  }

  /// Returns an error at the value before the present position.
  package func error(_ found: String) -> WireError {
    WireError(found, at: offset)
  }

  /// Reads a byte.
  package mutating func byte() throws(WireError) -> UInt8 {
    guard offset < bytes.count else { throw error("the message ends within a value") }
    defer { offset += 1 }
    return bytes[offset]
  }

  /// Reads a byte of 0 or 1.
  package mutating func flag() throws(WireError) -> Bool {
    switch try byte() {
    case 0: return false
    case 1: return true
    case let other: throw error("\(other) is neither 0 nor 1")
    }
  }

  /// Reads a number.
  package mutating func number() throws(WireError) -> UInt64 {
    if offset < bytes.count, bytes[offset] < 0x80 {
      defer { offset += 1 }
      return UInt64(bytes[offset])
    }
    return try longNumber()
  }

  private mutating func longNumber() throws(WireError) -> UInt64 {
    var number: UInt64 = 0
    for shift in stride(from: UInt64(0), through: 63, by: 7) {
      let byte = try byte()
      // Of the tenth byte, one bit belongs to the number.
      if shift == 63, byte > 1 { break }
      number |= UInt64(byte & 0x7f) << shift
      guard byte >= 0x80 else { return number }
    }
    throw error("a number is greater than 64 bits")
  }

  /// Reads a number of 32 bits.
  package mutating func number32() throws(WireError) -> UInt32 {
    let number = try number()
    guard let small = UInt32(exactly: number) else { throw error("\(number) needs over 32 bits") }
    return small
  }

  /// Reads a signed number.
  package mutating func signed() throws(WireError) -> Int64 {
    let number = try number()
    return Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
  }

  /// Reads eight bytes, the lowest first.
  package mutating func bits() throws(WireError) -> UInt64 {
    guard bytes.count - offset >= 8 else { throw error("the message ends within eight bytes") }
    defer { offset += 8 }
    return bytes.withUnsafeBytes {
      UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
  }

  /// Reads the number of elements that follow, each of which has at least one byte.
  ///
  /// - Parameter limit: The greatest number that is accepted.
  /// - Returns: The number.
  /// - Throws: ``WireError`` if it is greater than the limit or than the number of bytes left, or if the message has
  ///   more elements than its ``WireLimit``.
  package mutating func count(limit: Int = .max) throws(WireError) -> Int {
    let count = try byteCount()
    guard count <= limit else {
      throw error("\(count) elements should follow, but \(limit) are the most")
    }
    guard count <= left else { throw WireError(exceeding: self.limit, at: offset) }
    left -= count
    return count
  }

  /// Reads the number of bytes that follow.
  private mutating func byteCount() throws(WireError) -> Int {
    let number = try number()
    guard let count = Int(exactly: number), count <= bytes.count - offset else {
      throw error("\(number) elements should follow, but \(bytes.count - offset) bytes are left")
    }
    return count
  }

  /// Skips bytes and returns their place; throws if fewer are left.
  mutating func skip(_ count: Int) throws(WireError) -> Range<Int> {
    guard count <= bytes.count - offset else { throw error("the message ends within bytes") }
    defer { offset += count }
    return offset..<offset + count
  }

  /// Returns a copy of the bytes at a place.
  subscript(place: Range<Int>) -> [UInt8] { Array(bytes[place]) }

  /// Goes to the position of a later reader of the same bytes, and passes the bytes between to a body.
  mutating func read(upTo later: WireReader, _ body: (UnsafeRawBufferPointer) -> Void) {
    bytes.withUnsafeBytes { body(UnsafeRawBufferPointer(rebasing: $0[offset..<later.offset])) }
    offset = later.offset
  }

  /// Reads the number of bytes and the bytes.
  package mutating func content() throws(WireError) -> [UInt8] {
    let count = try byteCount()
    defer { offset += count }
    return Array(bytes[offset..<offset + count])
  }

  /// Reads a text in UTF-8.
  package mutating func text() throws(WireError) -> String {
    guard let text = String(validating: try content(), as: UTF8.self) else {
      throw error("a text is not in UTF-8")
    }
    return text
  }

  /// Reads a value.
  package mutating func value<Value: WireValue>(
    _ type: Value.Type = Value.self
  ) throws(WireError) -> Value {
    try Value(from: &self)
  }

  /// Reads an optional value.
  package mutating func optional<Value: WireValue>(
    _ type: Value.Type = Value.self
  ) throws(WireError) -> Value? {
    try flag() ? value() : nil
  }

  /// Reads the number of values and the values.
  ///
  /// - Parameters:
  ///   - type: The type of the values.
  ///   - limit: The greatest number that is accepted.
  /// - Returns: The values.
  /// - Throws: ``WireError``.
  package mutating func values<Value: WireValue>(
    _ type: Value.Type = Value.self,
    limit: Int = .max
  ) throws(WireError) -> [Value] {
    var values: [Value] = []
    for _ in 0..<(try count(limit: limit)) { values.append(try value()) }
    return values
  }
}
