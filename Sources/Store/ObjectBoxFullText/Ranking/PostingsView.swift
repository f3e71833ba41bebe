import CObjectBoxFullText

/// The postings of some documents, found in the blocks of a stream.
final class PostingsView {
  /// The greatest number of postings: up to a block of earlier ones, and a whole block.
  static let capacity = 2 * PostingsCursor.blockCapacity

  private(set) var count: UInt32 = 0
  let ordinals: UnsafeMutablePointer<UInt32>
  let frequencies: UnsafeMutablePointer<UInt32>

  init() {
    ordinals = .allocate(capacity: Self.capacity)
    frequencies = .allocate(capacity: Self.capacity)
  }

  deinit {
    ordinals.deallocate()
    frequencies.deallocate()
  }

  func removeAll() { count = 0 }

  /// Looks up ascending documents in the current block of a stream, and adds their postings.
  func add(
    _ stream: LeafStream,
    _ documents: UnsafeBufferPointer<UInt32>
  ) throws(FullTextError) {
    let place = Int(count)
    precondition(place <= Self.capacity - PostingsCursor.blockCapacity)
    count += try stream.find(documents, ordinals + place, frequencies + place)
  }

  /// Adds the postings that a body writes to the arrays from the count on; the body raises the count.
  func add<T>(
    _ body: (UnsafeMutablePointer<UInt32>, UnsafeMutablePointer<UInt32>, inout UInt32) -> T
  ) -> T {
    let result = body(ordinals, frequencies, &count)
    precondition(count <= Self.capacity)
    return result
  }
}
