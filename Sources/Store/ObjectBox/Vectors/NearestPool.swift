/// The nearest nodes that a search has found so far, sorted by distance.
///
/// A node is marked when the search has expanded it.
///
/// The pool is reused for each search.
final class NearestPool {
  struct Neighbor {
    var distance: Float
    var slot: UInt32
    var isExpanded: Bool
  }

  private(set) var entries: UnsafeMutablePointer<Neighbor>
  private(set) var count = 0
  private var capacity = 0
  private var limit = 0
  /// All entries before this one are expanded.
  private var firstOpen = 0

  /// Nodes that the search has reached and not measured yet.
  private(set) var neighbors: UnsafeMutablePointer<UInt32>
  private(set) var neighborCount = 0
  private var neighborCapacity = 64
  /// The vectors of the neighbours, and their measured results.
  private(set) var vectors: UnsafeMutablePointer<UnsafeRawPointer>
  private(set) var results: UnsafeMutablePointer<Float>

  init() {
    entries = .allocate(capacity: 1)
    neighbors = .allocate(capacity: neighborCapacity)
    vectors = .allocate(capacity: neighborCapacity)
    results = .allocate(capacity: neighborCapacity)
  }

  deinit {
    entries.deallocate()
    freeNeighbors()
  }

  private func freeNeighbors() {
    neighbors.deallocate()
    vectors.deallocate()
    results.deallocate()
  }

  /// Reserves space for the neighbours of the next node.
  func beginNeighbors(atMost limit: Int) {
    neighborCount = 0
    guard limit > neighborCapacity else { return }
    freeNeighbors()
    neighborCapacity = limit
    neighbors = .allocate(capacity: limit)
    vectors = .allocate(capacity: limit)
    results = .allocate(capacity: limit)
  }

  func addNeighbor(_ slot: UInt32) {
    neighbors[neighborCount] = slot
    neighborCount &+= 1
  }

  /// Starts a search for at most `limit` nodes, and at least one.
  func reset(limit: Int) {
    let limit = max(1, limit)
    if limit > capacity {
      entries.deallocate()
      capacity = limit
      entries = .allocate(capacity: limit)
    }
    self.limit = limit
    count = 0
    firstOpen = 0
  }

  /// Returns whether a node at this distance would be among the nearest.
  func admits(_ distance: Float) -> Bool {
    count < limit || distance < entries[count &- 1].distance
  }

  /// Adds an admitted node; drops the farthest node if there are too many.
  func insert(_ slot: UInt32, _ distance: Float) {
    var low = 0
    var high = count
    while low < high {
      let middle = (low &+ high) / 2
      if entries[middle].distance <= distance { low = middle &+ 1 } else { high = middle }
    }
    if count == limit { count -= 1 }
    (entries + low + 1).update(from: entries + low, count: count - low)
    entries[low] = Neighbor(distance: distance, slot: slot, isExpanded: false)
    count += 1
    if low < firstOpen { firstOpen = low }
  }

  /// Returns the nearest node that is not expanded, and marks it as expanded; nil if all are
  /// expanded.
  func expandNext() -> UInt32? {
    while firstOpen < count {
      let index = firstOpen
      firstOpen &+= 1
      if !entries[index].isExpanded {
        entries[index].isExpanded = true
        return entries[index].slot
      }
    }
    return nil
  }

  /// The nearest node that is not expanded, if it is known without a search; for prefetching.
  var nextToExpand: UInt32? {
    firstOpen < count && !entries[firstOpen].isExpanded ? entries[firstOpen].slot : nil
  }

  /// The nodes, nearest first.
  var slots: [UInt32] { (0..<count).map { entries[$0].slot } }
}
