internal import ObjectBoxStorage

extension VectorGraph {
  /// The minimum number of candidates of a query.
  static let searchCount = 100
  /// The number of candidates on the upper levels.
  ///
  /// With a single candidate, a search among tight clusters may descend into the wrong cluster.
  private static let routeCount = 4

  /// Returns the objects nearest to a vector, nearest first.
  ///
  /// - Parameters:
  ///   - vector: A vector with the dimensions of the index.
  ///   - maxCount: The maximum number of objects, at least 1.
  /// - Returns: Object IDs.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read.
  /// - Complexity: About O(log *n*) for *n* vectors; O(*n*) below
  ///   ``VectorIndexDefinition/exactSearchLimit``, and for a quarter of the vectors or more.
  func nearest(to vector: [Float], maxCount: Int) throws -> [UInt64] {
    try vector.withUnsafeBytes { bytes in
      guard let start = bytes.baseAddress, count > 0 else { return [] }
      let vector = ScaledVector(start: start, scale: definition.distance.scale(of: start))
      if count < VectorIndexDefinition.exactSearchLimit || maxCount >= count / 4 {
        return try nearestOfAll(to: vector, maxCount: maxCount)
      }
      try searchFromTop(vector, to: 0, count: max(maxCount, Self.searchCount))
      return pool.slots.prefix(maxCount).map { node($0).pointee.id }
    }
  }

  private func nearestOfAll(to vector: ScaledVector, maxCount: Int) throws -> [UInt64] {
    try write()
    var found: [(distance: Float, id: UInt64)] = []
    found.reserveCapacity(count)
    let cursor = try storage.cursor(definition.table)
    var entry = try cursor.firstObject()
    while let object = entry {
      if object.id != 0 {
        found.append((try distance(slot(of: object.id), vector), object.id))
      }
      entry = try cursor.nextObject()
    }
    found.sort { $0.distance < $1.distance || ($0.distance == $1.distance && $0.id < $1.id) }
    return found.prefix(maxCount).map(\.id)
  }

  /// Fills the pool with the nodes of a level that are nearest to a vector; starts at the top
  /// level.
  func searchFromTop(_ vector: ScaledVector, to level: Int, count: Int) throws {
    guard let entry else { return pool.reset(limit: 1) }
    var starts = [entry]
    for upper in stride(from: topLevel, to: level, by: -1) {
      try search(vector, from: starts, level: upper, count: Self.routeCount)
      starts = pool.slots
    }
    try search(vector, from: starts, level: level, count: count)
  }

  /// Fills the pool with nodes of a level near a vector.
  func search(_ vector: ScaledVector, from starts: [UInt32], level: Int, count: Int) throws {
    let mark = newMark()
    pool.reset(limit: count)
    for start in starts {
      marks[Int(start)] = mark
      let distance = try distance(start, vector)
      if pool.admits(distance) { pool.insert(start, distance) }
    }
    while let slot = pool.expandNext() {
      let list = try links(slot, level: level).pointee
      pool.beginNeighbors(atMost: list.count)
      var index = 0
      while index < list.count {
        let next = list.slots[index]
        index &+= 1
        if marks[Int(next)] == mark { continue }
        marks[Int(next)] = mark
        pool.addNeighbor(next)
      }
      // Likely the next node, unless one of these neighbours is nearer.
      if let likely = pool.nextToExpand { prefetchLinks(likely) }
      try measureNeighbors(vector)
    }
  }

  /// Measures the new neighbours, and adds to the pool the nodes that are near enough.
  private func measureNeighbors(_ vector: ScaledVector) throws {
    let count = pool.neighborCount
    let neighbors = pool.neighbors
    var index = 0
    while index < count {
      pool.vectors[index] = try self.vector(neighbors[index]).start
      index &+= 1
    }
    let measure = definition.distance
    measure.measure(vector, pool.vectors, count: count, into: pool.results)
    index = 0
    while index < count {
      let next = neighbors[index]
      let scale = measure.usesScale ? vector.scale * node(next).pointee.scale : 1
      let distance = measure.distance(of: pool.results[index], scale)
      index &+= 1
      if pool.admits(distance) { pool.insert(next, distance) }
    }
  }
}
