internal import ObjectBoxSyncProtocol
internal import ObjectBoxSyncSchema

/// A growing byte buffer for the many short values of a program's transaction.
///
/// The compiler inlines its functions. ``WireWriter`` is in another module, and checks capacity and ownership of an
/// array at each append: for 10,000 objects that took longer than storing them.
final class ByteRoom {
  // Unchecked: one thread uses it, and each access is a single read or write.
  @exclusivity(unchecked) private var start: UnsafeMutableRawPointer
  @exclusivity(unchecked) private var capacity: Int
  /// The number of bytes.
  @exclusivity(unchecked) private(set) var count = 0
  /// Writes values that the protocol defines.
  private var writer = WireWriter()

  /// - Parameter capacity: The expected number of bytes.
  init(capacity: Int = 256) {
    self.capacity = max(capacity, 64)
    start = .allocate(byteCount: self.capacity, alignment: 8)
  }

  deinit { start.deallocate() }

  /// The bytes, valid until the next append.
  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: start, count: count) }

  /// Returns the place of the next byte, with space for some bytes.
  @inline(__always)
  private func end(with space: Int) -> UnsafeMutableRawPointer {
    if capacity - count < space { grow(by: space) }
    return start + count
  }

  @inline(never)
  private func grow(by space: Int) {
    capacity = max(2 * capacity, count + space)
    let room = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 8)
    room.copyMemory(from: start, byteCount: count)
    start.deallocate()
    start = room
  }

  /// Writes a byte.
  @inline(__always)
  func append(byte: UInt8) {
    end(with: 1).storeBytes(of: byte, as: UInt8.self)
    count += 1
  }

  /// Writes a number in the form of ``WireWriter``.
  @inline(__always)
  func append(_ number: UInt64) {
    count += number.writeVariably(to: end(with: 10))
  }

  /// Writes bytes without their number.
  @inline(__always)
  func append(raw bytes: UnsafeRawBufferPointer) {
    guard let first = bytes.baseAddress else { return }
    end(with: bytes.count).copyMemory(from: first, byteCount: bytes.count)
    count += bytes.count
  }

  /// Appends the bytes that a body writes.
  func append(_ body: (inout WireWriter) -> Void) {
    writer.removeAll()
    body(&writer)
    writer.bytes.withUnsafeBytes { append(raw: $0) }
  }

  /// Writes the value of a property in the form of ``PropertyValue``.
  @inline(__always)
  func append(_ content: SyncColumn.Content) {
    switch content {
    case .null: append(byte: PropertyValue.Kind.null)
    case .integer(let number):
      append(byte: PropertyValue.Kind.integer)
      append(number.folded)
    case .double(let bits):
      append(byte: PropertyValue.Kind.double)
      end(with: 8).storeBytes(of: bits.littleEndian, as: UInt64.self)
      count += 8
    case .bytes(let bytes): append(content: bytes)
    case .joined(let bytes): bytes.withUnsafeBytes { append(content: $0) }
    }
  }

  @inline(__always)
  private func append(content bytes: UnsafeRawBufferPointer) {
    append(byte: PropertyValue.Kind.bytes)
    append(UInt64(bytes.count))
    append(raw: bytes)
  }
}
