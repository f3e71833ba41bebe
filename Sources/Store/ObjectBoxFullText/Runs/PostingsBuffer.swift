import CObjectBoxFullText

/// Postings of a block that is not full.
final class PostingsBuffer {
  static let capacity = PostingsCursor.blockCapacity
  /// Lists of postings of at most this size are in the dictionary.
  static let inlineLimit = Int(OBX_INLINE_LIMIT)

  let ordinals: UnsafeMutablePointer<UInt32> = .allocate(capacity: capacity)
  let frequencies: UnsafeMutablePointer<UInt32> = .allocate(capacity: capacity)
  let lengths: UnsafeMutablePointer<UInt32> = .allocate(capacity: capacity)
  /// Room for the bytes of a block.
  let packed: UnsafeMutablePointer<UInt8> = .allocate(capacity: Int(OBX_BLOCK_MAXIMUM) + 8)
  private(set) var count = 0
  private var bytes: UnsafeMutableRawPointer = .allocate(byteCount: 1024, alignment: 8)
  private var byteCapacity = 1024
  private var byteCount = 0

  deinit {
    ordinals.deallocate()
    frequencies.deallocate()
    lengths.deallocate()
    packed.deallocate()
    bytes.deallocate()
  }

  /// The positions of all postings, as they are stored.
  var positions: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: bytes, count: byteCount) }

  func removeAll() {
    count = 0
    byteCount = 0
  }

  /// Adds postings; there must be room.
  func add(
    _ ordinals: UnsafePointer<UInt32>,
    _ frequencies: UnsafePointer<UInt32>,
    _ count: Int,
    _ positions: UnsafeRawBufferPointer
  ) {
    (self.ordinals + self.count).update(from: ordinals, count: count)
    (self.frequencies + self.count).update(from: frequencies, count: count)
    self.count += count
    guard let start = positions.baseAddress, positions.count > 0 else { return }
    if byteCount + positions.count > byteCapacity { grow(to: byteCount + positions.count) }
    (bytes + byteCount).copyMemory(from: start, byteCount: positions.count)
    byteCount += positions.count
  }

  private func grow(to size: Int) {
    byteCapacity = max(size, byteCapacity * 2)
    let grown = UnsafeMutableRawPointer.allocate(byteCount: byteCapacity, alignment: 8)
    grown.copyMemory(from: bytes, byteCount: byteCount)
    bytes.deallocate()
    bytes = grown
  }

  /// Returns the postings in the form of a dictionary; nil if they are too large.
  ///
  /// Valid until the next call that packs.
  func packInline(_ hasPositions: Bool, _ isWeighted: Bool) -> UnsafeRawBufferPointer? {
    guard count < Self.capacity, byteCount + count <= Self.inlineLimit else { return nil }
    let places = UnsafePointer(bytes.assumingMemoryBound(to: UInt8.self))
    let size = obx_inline_join(
      packed,
      Self.inlineLimit,
      ordinals,
      frequencies,
      UInt32(count),
      places,
      byteCount,
      hasPositions,
      isWeighted
    )
    return size == 0 ? nil : UnsafeRawBufferPointer(start: packed, count: size)
  }
}
