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

  /// Looks for ascending documents in the current block of a stream.
  func fill(
    _ stream: LeafStream,
    _ documents: UnsafeBufferPointer<UInt32>
  ) throws(FullTextError) {
    count = try stream.find(documents, ordinals, frequencies)
  }
}
