/// Writes the numbers of an index's header and state.
struct ByteWriter {
  private(set) var bytes: [UInt8] = []

  /// - Parameter capacity: Number of bytes to make room for.
  init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  @inline(__always)
  mutating func add(_ number: UInt64) {
    // Most are.
    if number < 128 { bytes.append(UInt8(truncatingIfNeeded: number)) } else { addLarge(number) }
  }

  private mutating func addLarge(_ number: UInt64) {
    var rest = number
    while rest >= 128 {
      bytes.append(UInt8(truncatingIfNeeded: rest) | 128)
      rest >>= 7
    }
    bytes.append(UInt8(rest))
  }

  mutating func add(_ number: UInt32) { add(UInt64(number)) }
  mutating func add(_ number: Int) { add(UInt64(bitPattern: Int64(number))) }
  mutating func add(_ flag: Bool) { bytes.append(flag ? 1 : 0) }

  mutating func add(_ number: Double) {
    withUnsafeBytes(of: number.bitPattern.littleEndian) { bytes.append(contentsOf: $0) }
  }

  mutating func add(_ data: [UInt8]) {
    add(data.count)
    bytes.append(contentsOf: data)
  }
}

/// Reads what ``ByteWriter`` has written; damaged bytes make it fail, and numbers zero.
struct ByteReader {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0
  /// True after a number that the bytes do not have.
  private(set) var hasFailed = false

  init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

  /// True if all bytes were read without a failure.
  var isComplete: Bool { !hasFailed && offset == bytes.count }

  @inline(__always)
  mutating func number() -> UInt64 {
    if offset < bytes.count, bytes[offset] < 128 {
      offset += 1
      return UInt64(bytes[offset - 1])
    }
    return largeNumber()
  }

  private mutating func largeNumber() -> UInt64 {
    var result: UInt64 = 0
    var shift: UInt64 = 0
    while offset < bytes.count, shift < 64 {
      let byte = bytes[offset]
      offset += 1
      result |= UInt64(byte & 127) << shift
      if byte < 128 { return result }
      shift += 7
    }
    hasFailed = true
    return 0
  }

  mutating func number32() -> UInt32 {
    let number = number()
    if number > UInt32.max { hasFailed = true }
    return UInt32(truncatingIfNeeded: number)
  }

  mutating func integer() -> Int { Int(Int64(bitPattern: number())) }

  /// A number of things of which each takes a byte at least.
  mutating func count() -> Int {
    let number = number()
    guard number <= UInt64(bytes.count - offset) else {
      hasFailed = true
      return 0
    }
    return Int(number)
  }

  mutating func flag() -> Bool { number() != 0 }

  mutating func real() -> Double {
    guard bytes.count - offset >= 8 else {
      hasFailed = true
      return 0
    }
    defer { offset += 8 }
    return Double(
      bitPattern: UInt64(
        littleEndian: bytes.loadUnaligned(fromByteOffset: offset, as: UInt64.self)
      )
    )
  }

  mutating func data() -> [UInt8] {
    let count = count()
    defer { offset += count }
    return Array(bytes[offset..<offset + count])
  }

  mutating func list<T>(_ element: (inout ByteReader) -> T) -> [T] {
    let count = count()
    var result: [T] = []
    // Damaged counts are not trusted with memory.
    result.reserveCapacity(min(count, 64))
    for _ in 0..<count where !hasFailed { result.append(element(&self)) }
    return result
  }
}

extension [UInt8] {
  /// Passes the bytes to a body; unlike `withUnsafeBytes`, keeps the type of its errors.
  func withBytes<T, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> T
  ) throws(E) -> T {
    try withUnsafeBufferPointer { bytes throws(E) in try body(UnsafeRawBufferPointer(bytes)) }
  }
}
