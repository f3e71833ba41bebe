extension VectorGraph {
  /// Removes a node and links its neighbours with each other; false if the node is not in the graph.
  ///
  /// The new links form a minimum spanning tree of the neighbours, which replaces the paths through the node.
  func remove(id: UInt64) throws -> Bool {
    let slot = slot(of: id)
    guard try hasLinks(slot) else { return false }
    let levels = node(slot).pointee.levelCount
    var nextEntry: (slot: UInt32, level: Int)?
    for level in stride(from: levels - 1, through: 0, by: -1) {
      let list = try links(slot, level: level).pointee
      let neighbors = (0..<list.count).map { list.slots[$0] }
      if nextEntry == nil, let first = neighbors.first { nextEntry = (first, level) }
      for neighbor in neighbors { try unlink(slot, neighbor, level: level) }
      try joinAll(neighbors, around: id, level: level)
      for neighbor in neighbors { try prune(neighbor, level: level) }
    }
    if entry == slot {
      // All nodes of a level are connected, so a node without a neighbour was the only node.
      entry = nextEntry?.slot
      topLevel = nextEntry?.level ?? 0
    }
    markChanged(slot)
    node(slot).pointee.lists = nil
    node(slot).pointee.levelCount = 0
    node(slot).pointee.vector = nil
    count -= 1
    headerIsChanged = true
    return true
  }

  /// Links nodes to a minimum spanning tree that contains their existing links.
  ///
  /// Then each node, with the index's repair probability, gets one more link: to the nearest node
  /// that it is not linked with.
  private func joinAll(_ slots: [UInt32], around removed: UInt64, level: Int) throws {
    guard slots.count > 1 else { return }
    // For each node outside of the tree: the nearest node inside, and its distance.
    var nearest = [UInt32](repeating: slots[0], count: slots.count)
    var distances = [Float](repeating: .infinity, count: slots.count)
    var further = [(slot: UInt32?, distance: Float)](
      repeating: (nil, .infinity),
      count: slots.count
    )
    var outside = Array(slots.indices.dropFirst())
    var last = 0
    while !outside.isEmpty {
      let vector = try vector(slots[last])
      let mark = try markNeighbors(of: slots[last], level: level)
      var best = 0
      for (place, index) in outside.enumerated() {
        let distance = try distance(slots[index], vector)
        if distance < distances[index] {
          distances[index] = distance
          nearest[index] = slots[last]
        }
        if marks[Int(slots[index])] != mark {
          if distance < further[index].distance { further[index] = (slots[last], distance) }
          if distance < further[last].distance { further[last] = (slots[index], distance) }
        }
        if distances[index] < distances[outside[best]] { best = place }
      }
      let joined = outside.remove(at: best)
      last = joined
      try linkUnlessLinked(slots[joined], nearest[joined], level: level)
    }
    for (index, slot) in slots.enumerated() {
      if let other = further[index].slot,
        definition.repairsFurther(node(slot).pointee.id, of: removed)
      {
        try linkUnlessLinked(slot, other, level: level)
      }
    }
  }

  private func linkUnlessLinked(_ a: UInt32, _ b: UInt32, level: Int) throws {
    if try !links(a, level: level).pointee.contains(b) { try link(a, b, level: level) }
  }
}
