/// An object that a query found.
package struct FullTextHit: Hashable, Sendable {
  package var id: UInt64
  /// The score by BM25, greater for better matches.
  package var score: Double

  package init(id: UInt64, score: Double) {
    self.id = id
    self.score = score
  }

  /// The order of results: by descending scores, then by ascending IDs.
  @inline(__always)
  static func precedes(_ a: FullTextHit, _ b: FullTextHit) -> Bool {
    a.score > b.score || (a.score == b.score && a.id < b.id)
  }
}

/// The best hits so far, up to a number.
struct TopHits {
  private let capacity: Int
  /// The greatest capacity that is reserved in full from the beginning.
  private static let reservedCapacity = 64
  /// A heap with the worst hit first, once it is full.
  private var heap: [FullTextHit] = []
  /// The least score that another hit needs; minus infinity until the heap is full.
  private(set) var threshold = -Double.infinity

  init(capacity: Int) {
    self.capacity = capacity
    if capacity == 0 { threshold = .infinity }
    if capacity <= Self.reservedCapacity { heap.reserveCapacity(capacity) }
  }

  mutating func add(_ hit: FullTextHit) {
    if heap.count < capacity {
      heap.append(hit)
      guard heap.count == capacity else { return }
      for index in stride(from: heap.count / 2 - 1, through: 0, by: -1) { sink(index) }
    } else {
      guard let worst = heap.first, FullTextHit.precedes(hit, worst) else { return }
      heap[0] = hit
      sink(0)
    }
    threshold = heap[0].score
  }

  private mutating func sink(_ start: Int) {
    var index = start
    let hit = heap[index]
    while true {
      var child = 2 * index + 1
      guard child < heap.count else { break }
      if child + 1 < heap.count, FullTextHit.precedes(heap[child], heap[child + 1]) { child += 1 }
      guard FullTextHit.precedes(hit, heap[child]) else { break }
      heap[index] = heap[child]
      index = child
    }
    heap[index] = hit
  }

  /// The hits in the order of results.
  func sorted() -> [FullTextHit] { heap.sorted(by: FullTextHit.precedes) }
}
