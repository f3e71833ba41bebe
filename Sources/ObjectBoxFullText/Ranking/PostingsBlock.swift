import CObjectBoxFullText

/// The postings of a block whose documents were looked for.
final class PostingsBlock {
  private(set) var count: UInt32 = 0
  let ordinals: UnsafeMutablePointer<UInt32>
  let frequencies: UnsafeMutablePointer<UInt32>

  init() {
    ordinals = .allocate(capacity: PostingsCursor.blockCapacity)
    frequencies = .allocate(capacity: PostingsCursor.blockCapacity)
  }

  deinit {
    ordinals.deallocate()
    frequencies.deallocate()
  }

  /// Looks for ascending documents in the current block of a stream, which is decoded.
  func fill(_ stream: LeafStream, _ documents: Slice<UnsafeBufferPointer<UInt32>>) {
    guard let start = documents.base.baseAddress else { return }
    count = obx_find(
      stream.ordinals,
      stream.frequencies,
      UInt32(stream.blockCount),
      start + documents.startIndex,
      documents.count,
      ordinals,
      frequencies
    )
  }
}
