internal import ObjectBoxStorage

extension VectorGraph {
  /// Adds a node.
  ///
  /// - Parameters:
  ///   - id: An object that is not in the graph.
  ///   - vector: The vector of the object; the graph copies it.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read.
  func insert(id: UInt64, vector: UnsafeRawPointer) throws {
    let slot = slot(of: id)
    setVector(slot, copyOf: vector)
    let level = definition.level(of: id)
    let lists = newLists(level + 1)
    for each in 0...level {
      lists[each] = .empty(capacity: min(definition.linkLimit(level: each) + 1, 64), in: arena)
    }
    node(slot).pointee.lists = lists
    node(slot).pointee.levelCount = level + 1
    markChanged(slot)
    if entry != nil { try connect(slot, upTo: min(level, topLevel)) }
    if entry == nil || level > topLevel {
      entry = slot
      topLevel = level
    }
    count += 1
    headerIsChanged = true
  }

  private func connect(_ slot: UInt32, upTo level: Int) throws {
    let vector = try vector(slot)
    let searchCount = min(definition.indexingSearchCount, count)
    for current in stride(from: level, through: 0, by: -1) {
      if current == level {
        try searchFromTop(vector, to: level, count: searchCount)
      } else {
        let starts = pool.slots
        try search(vector, from: starts, level: current, count: searchCount)
      }
      for other in try chooseNeighbors() {
        // Pruning the previous neighbour may have linked the two.
        if try links(slot, level: current).pointee.contains(other) { continue }
        try link(slot, other, level: current)
        try prune(other, level: current)
      }
    }
  }

  /// Returns the nodes of the pool to link with a new node.
  ///
  /// First come nodes that are nearer to the new node than to each other, for links in different directions. Then come
  /// the nearest remaining nodes.
  private func chooseNeighbors() throws -> [UInt32] {
    var chosen: [UInt32] = []
    var others: [UInt32] = []
    for index in 0..<pool.count where chosen.count < definition.newLinkCount {
      let candidate = pool.entries[index]
      let vector = try vector(candidate.slot)
      var isHidden = false
      for neighbor in chosen where !isHidden {
        isHidden = try distance(neighbor, vector) < candidate.distance
      }
      if isHidden { others.append(candidate.slot) } else { chosen.append(candidate.slot) }
    }
    return chosen + others.prefix(definition.newLinkCount - chosen.count)
  }

  /// Links two nodes that are not linked yet.
  func link(_ a: UInt32, _ b: UInt32, level: Int) throws {
    try links(a, level: level).pointee.append(b, in: arena)
    try links(b, level: level).pointee.append(a, in: arena)
    markChanged(a)
    markChanged(b)
  }

  func unlink(_ a: UInt32, _ b: UInt32, level: Int) throws {
    try links(a, level: level).pointee.remove(b)
    try links(b, level: level).pointee.remove(a)
    markChanged(a)
    markChanged(b)
  }

  // MARK: Too many links

  /// Removes links of a node that has too many.
  ///
  /// A link is removed only if its two nodes keep a common neighbour: then the graph stays connected. Links that are
  /// the longest side of such a triangle are removed first, the longest link before the others. If there are no such
  /// links, for example among equal vectors, a neighbour is linked with another neighbour that has room instead:
  /// without a limit, each insertion would read all links of a hub.
  func prune(_ slot: UInt32, level: Int) throws {
    let list = try links(slot, level: level).pointee
    let limit = definition.linkLimit(level: level)
    guard list.count > limit else { return }
    // Removes several at a time: otherwise each new link would require pruning.
    var surplus = list.count - limit * 3 / 4
    let vector = try vector(slot)
    for index in 0..<list.count { prefetchVector(list.slots[index]) }
    var neighbors = try (0..<list.count).map { index in
      let neighbor = list.slots[index]
      return (distance: try distance(neighbor, vector), slot: neighbor)
    }
    neighbors.sort { $0.distance < $1.distance }

    var kept: [UInt32] = []
    var longest: [UInt32] = []
    for neighbor in neighbors {
      if try isLongestSide(neighbor.slot, neighbor.distance, kept, level: level) {
        longest.append(neighbor.slot)
      } else {
        kept.append(neighbor.slot)
      }
    }
    for neighbor in longest.reversed() where surplus > 0 {
      try unlink(slot, neighbor, level: level)
      surplus -= 1
    }
    guard try links(slot, level: level).pointee.count > limit else { return }
    surplus = try links(slot, level: level).pointee.count - limit * 3 / 4
    for neighbor in kept.reversed() where surplus > 0 {
      if try !haveCommonNeighbor(slot, neighbor, level: level) {
        guard let other = try neighborWithRoom(of: slot, near: neighbor, level: level) else {
          continue
        }
        try link(neighbor, other, level: level)
      }
      try unlink(slot, neighbor, level: level)
      surplus -= 1
    }
  }

  /// Returns the neighbour of a node that is nearest to another neighbour and has few links; nil if all have many
  /// links.
  private func neighborWithRoom(
    of slot: UInt32,
    near neighbor: UInt32,
    level: Int
  ) throws -> UInt32? {
    let list = try links(slot, level: level).pointee
    let limit = definition.linkLimit(level: level)
    let vector = try vector(neighbor)
    var best: (slot: UInt32, distance: Float)?
    for index in 0..<list.count {
      let other = list.slots[index]
      guard other != neighbor, try links(other, level: level).pointee.count < limit else {
        continue
      }
      let distance = try distance(other, vector)
      if best.map({ distance < $0.distance }) ?? true { best = (other, distance) }
    }
    return best?.slot
  }

  /// Returns whether a neighbour is linked with a remaining one and nearer to it.
  private func isLongestSide(
    _ neighbor: UInt32,
    _ length: Float,
    _ kept: [UInt32],
    level: Int
  ) throws -> Bool {
    let mark = try markNeighbors(of: neighbor, level: level)
    let vector = try vector(neighbor)
    for other in kept where marks[Int(other)] == mark {
      if try distance(other, vector) <= length { return true }
    }
    return false
  }

  private func haveCommonNeighbor(_ a: UInt32, _ b: UInt32, level: Int) throws -> Bool {
    let mark = try markNeighbors(of: b, level: level)
    let list = try links(a, level: level).pointee
    return (0..<list.count).contains { marks[Int(list.slots[$0])] == mark }
  }

  /// Marks the neighbours of a node, and returns the mark.
  func markNeighbors(of slot: UInt32, level: Int) throws -> UInt16 {
    let mark = newMark()
    let list = try links(slot, level: level).pointee
    var index = 0
    while index < list.count {
      marks[Int(list.slots[index])] = mark
      index &+= 1
    }
    return mark
  }
}

extension VectorIndexDefinition {
  /// The highest possible level of a node.
  static let highestLevel = 60

  /// Returns the highest level of a node.
  ///
  /// It depends only on the ID, so the same operations give the same graph.
  func level(of id: UInt64) -> Int {
    let bits = id.mixed
    var level = 0
    // One of `linkCount` nodes of a level is also on the next level.
    let step = UInt64.max / UInt64(linkCount)
    var bound = step
    while bits < bound, level < Self.highestLevel {
      level += 1
      bound /= UInt64(linkCount)
    }
    return level
  }

  /// Returns whether the repair of a neighbour of a removed node adds a link; deterministic.
  func repairsFurther(_ neighbor: UInt64, of removed: UInt64) -> Bool {
    let part = Double((removed.mixed ^ neighbor).mixed >> 11) / Double(1 << 53)
    return part < repairProbability
  }
}
