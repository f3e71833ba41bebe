/// The places at which two versions of a collection differ, each ascending.
struct ChangeSet: Hashable, Sendable {
  /// Places in the old collection.
  var deletions: [Int] = []
  /// Places in the new collection.
  var insertions: [Int] = []
  /// Places in the old collection.
  var modifications: [Int] = []

  var isEmpty: Bool { deletions.isEmpty && insertions.isEmpty && modifications.isEmpty }

  /// Compares two versions, each of which holds an ID at most once.
  ///
  /// When objects have changed their order, as few as possible count as moved, of those that were touched
  /// first.
  ///
  /// - Parameters:
  ///   - old: The IDs before.
  ///   - new: The IDs after.
  ///   - touched: Says of an ID that stays whether its object was put between the two, whatever it changed.
  ///   - isModified: Says of an ID that stays whether its object counts as changed.
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
    var places = [UInt64: Int](minimumCapacity: new.count)
    for (place, id) in new.enumerated() { places[id] = place }
    var stays = [Bool](repeating: false, count: new.count)
    var survivors: [(old: Int, new: Int)] = []
    for (place, id) in old.enumerated() {
      if let newPlace = places[id] {
        survivors.append((place, newPlace))
      } else {
        deletions.append(place)
      }
    }
    let moved = Self.moved(survivors.map(\.new), placeCount: new.count) { touched(new[$0]) }
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

  /// Returns which of the survivors have moved, so that the others are in order; nil for none.
  ///
  /// Of all ways to put them in order, it keeps as many as it can of those that were not touched, and then of
  /// the touched ones: the heaviest ascending subsequence.
  ///
  /// - Parameters:
  ///   - places: The places of the survivors in the new collection, in their old order.
  ///   - placeCount: The number of places in the new collection.
  ///   - touched: Says of a new place whether its object was touched.
  /// - Returns: One mark for each survivor.
  private static func moved(
    _ places: [Int],
    placeCount: Int,
    touched: (Int) -> Bool
  ) -> [Bool]? {
    if zip(places, places.dropFirst()).allSatisfy({ $0 < $1 }) { return nil }
    var best = PrefixMaximum(count: placeCount)
    var weights: [Int] = []
    var previous: [Int?] = []
    for (index, place) in places.enumerated() {
      let (weight, before) = best.maximum(below: place)
      // One that was not touched outweighs all that were.
      weights.append(weight + (touched(place) ? 1 : places.count + 1))
      previous.append(before)
      best.raise(place, to: weights[index], by: index)
    }
    var moved = [Bool](repeating: true, count: places.count)
    var next = best.maximum(below: placeCount).index
    while let index = next {
      moved[index] = false
      next = previous[index]
    }
    return moved
  }
}

/// The greatest of the weights below a place, where weights only rise: a tree of sums with maxima.
private struct PrefixMaximum {
  private var nodes: [(weight: Int, index: Int?)]

  init(count: Int) {
    nodes = Array(repeating: (0, nil), count: count + 1)
  }

  /// Returns the greatest weight of the places below the given one, and who set it; O(log n).
  func maximum(below place: Int) -> (weight: Int, index: Int?) {
    var found: (weight: Int, index: Int?) = (0, nil)
    var node = place
    while node > 0 {
      if nodes[node].weight > found.weight { found = nodes[node] }
      node &= node - 1
    }
    return found
  }

  mutating func raise(_ place: Int, to weight: Int, by index: Int) {
    var node = place + 1
    while node < nodes.count {
      if weight > nodes[node].weight { nodes[node] = (weight, index) }
      node += node & -node
    }
  }
}
