/// Writes the numbers of an index's header and state.
struct VarintWriter: ~Copyable {
  /// The greatest size of a number.
  private static let numberSize = 10

  private var start: UnsafeMutablePointer<UInt8>
  private var place: UnsafeMutablePointer<UInt8>
  private var end: UnsafeMutablePointer<UInt8>

  /// - Parameter capacity: Number of bytes to make room for, not zero.
  init(capacity: Int = 256) {
    start = .allocate(capacity: capacity)
    place = start
    end = start + capacity
  }

  deinit { start.deallocate() }

  /// Passes the written bytes to a body.
  borrowing func withBytes<T, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> T
  ) throws(E) -> T {
    try body(UnsafeRawBufferPointer(start: start, count: place - start))
  }

  @inline(__always)
  private mutating func makeRoom(_ count: Int) {
    if end - place < count { grow(count) }
  }

  @inline(never)
  private mutating func grow(_ count: Int) {
    let size = place - start
    let capacity = max(2 * (end - start), size + count)
    let larger = UnsafeMutablePointer<UInt8>.allocate(capacity: capacity)
    larger.update(from: start, count: size)
    start.deallocate()
    start = larger
    place = larger + size
    end = larger + capacity
  }

  @inline(__always)
  mutating func add(_ number: UInt64) {
    makeRoom(Self.numberSize)
    var rest = number
    while rest >= 128 {
      place.pointee = UInt8(truncatingIfNeeded: rest) | 128
      place += 1
      rest >>= 7
    }
    place.pointee = UInt8(truncatingIfNeeded: rest)
    place += 1
  }

  @inline(__always)
  mutating func add(_ number: UInt32) { add(UInt64(number)) }
  @inline(__always)
  mutating func add(_ number: Int) { add(UInt64(bitPattern: Int64(number))) }
  @inline(__always)
  mutating func add(_ flag: Bool) { add(flag ? 1 : 0 as UInt64) }

  mutating func add(_ number: Double) {
    withUnsafeBytes(of: number.bitPattern.littleEndian) { add(raw: $0) }
  }

  mutating func add(_ data: [UInt8]) {
    add(data.count)
    data.withUnsafeBytes { add(raw: $0) }
  }

  private mutating func add(raw bytes: UnsafeRawBufferPointer) {
    makeRoom(bytes.count)
    UnsafeMutableRawBufferPointer(start: place, count: bytes.count).copyMemory(from: bytes)
    place += bytes.count
  }
}

/// Reads the bytes of a ``VarintWriter``; after damaged bytes it has failed, and numbers are zero.
struct VarintReader {
  private let bytes: UnsafeRawBufferPointer
  private var offset = 0
  /// True after reading a number that the bytes do not contain.
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

  /// The number of elements that take at least a byte each.
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

  mutating func list<T>(_ element: (inout VarintReader) -> T) -> [T] {
    let count = count()
    var result: [T] = []
    // A damaged count must not allocate much memory.
    result.reserveCapacity(min(count, 64))
    for _ in 0..<count where !hasFailed { result.append(element(&self)) }
    return result
  }
}

extension [UInt8] {
  /// Passes the bytes to a body; unlike `withUnsafeBytes`, keeps the body's error type.
  func withBytes<T, E: Error>(
    _ body: (UnsafeRawBufferPointer) throws(E) -> T
  ) throws(E) -> T {
    try withUnsafeBufferPointer { bytes throws(E) in try body(UnsafeRawBufferPointer(bytes)) }
  }
}
