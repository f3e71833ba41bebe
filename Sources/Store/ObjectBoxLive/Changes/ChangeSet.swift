internal import ObjectBox

/// The positions at which two versions of a collection differ; each list ascends.
struct ChangeSet: Hashable, Sendable {
  /// Positions in the old collection.
  var deletions: [Int] = []
  /// Positions in the new collection.
  var insertions: [Int] = []
  /// Positions in the old collection.
  var modifications: [Int] = []

  var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }

  /// Compares two versions, in which each ID occurs at most once.
  ///
  /// If the order has changed, the fewest possible objects count as moved, preferably touched ones.
  ///
  /// - Parameters:
  ///   - old: The IDs before.
  ///   - new: The IDs after.
  ///   - touched: Returns whether an object in both versions was put between them.
  ///   - isModified: Returns whether an object in both versions counts as changed.
  /// - Complexity: O(n), or O(n log n) when the order has changed.
  init(
    from old: [UInt64],
    to new: [UInt64],
    touched: (UInt64) -> Bool,
    isModified: (UInt64) -> Bool
  ) {
    if old == new {
      modifications = old.indices.filter { isModified(old[$0]) }
      return
    }
    var positions = [UInt64: Int](minimumCapacity: new.count)
    for (position, id) in new.enumerated() { positions[id] = position }
    var stays = [Bool](repeating: false, count: new.count)
    var survivors: [(old: Int, new: Int)] = []
    for (position, id) in old.enumerated() {
      if let newPosition = positions[id] {
        survivors.append((position, newPosition))
      } else {
        deletions.append(position)
      }
    }
    let moved = Self.moved(survivors.map(\.new), count: new.count) { touched(new[$0]) }
    for (index, survivor) in survivors.enumerated() {
      if moved?[index] ?? false {
        deletions.append(survivor.old)
        continue
      }
      stays[survivor.new] = true
      if isModified(old[survivor.old]) { modifications.append(survivor.old) }
    }
    if moved != nil { deletions.sort() }
    insertions = new.indices.filter { !stays[$0] }
  }

  /// Returns which survivors have moved, so that the others are in order; nil for none.
  ///
  /// Keeps the heaviest ascending subsequence: as many untouched survivors as possible, then as
  /// many touched survivors.
  ///
  /// - Parameters:
  ///   - positions: The new positions of the survivors, in their old order.
  ///   - count: The number of new positions.
  ///   - touched: Returns whether the object at a new position was touched.
  /// - Returns: A Boolean for each survivor.
  private static func moved(
    _ positions: [Int],
    count: Int,
    touched: (Int) -> Bool
  ) -> [Bool]? {
    if zip(positions, positions.dropFirst()).allSatisfy({ $0 < $1 }) { return nil }
    var best = PrefixMaximum(count: count)
    var weights: [Int] = []
    var previous: [Int?] = []
    for (index, position) in positions.enumerated() {
      let (weight, before) = best.maximum(below: position)
      // One untouched object outweighs all touched ones.
      weights.append(weight + (touched(position) ? 1 : positions.count + 1))
      previous.append(before)
      best.raise(position, to: weights[index], by: index)
    }
    var moved = [Bool](repeating: true, count: positions.count)
    var next = best.maximum(below: count).index
    while let index = next {
      moved[index] = false
      next = previous[index]
    }
    return moved
  }
}

/// The greatest weight below a position, for increasing weights: a Fenwick tree of maxima.
private struct PrefixMaximum {
  private var nodes: [(weight: Int, index: Int?)]

  init(count: Int) {
    nodes = Array(repeating: (0, nil), count: count + 1)
  }

  /// Returns the greatest weight below a position, and the index that set it; O(log n).
  func maximum(below position: Int) -> (weight: Int, index: Int?) {
    var found: (weight: Int, index: Int?) = (0, nil)
    var node = position
    while node > 0 {
      if nodes[node].weight > found.weight { found = nodes[node] }
      node &= node - 1
    }
    return found
  }

  mutating func raise(_ position: Int, to weight: Int, by index: Int) {
    var node = position + 1
    while node < nodes.count {
      if weight > nodes[node].weight { nodes[node] = (weight, index) }
      node += node & -node
    }
  }
}
