internal import ObjectBoxStorage

extension VectorGraph {
  /// The minimum number of candidates of a query.
  static let searchCount = 100
  /// The number of candidates on the upper levels.
  ///
  /// With a single candidate, a search among tight clusters may descend into the wrong cluster.
  private static let routeCount = 4
  /// The number of vectors that a comparison measures at once.
  private static let comparedAtOnce = 64

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
    if count < VectorIndexDefinition.exactSearchLimit || maxCount >= count / 4 {
      return try nearestOfAll(to: vector, maxCount: maxCount)
    }
    let found = try candidates(near: vector, count: max(maxCount, Self.searchCount))
    return Array(found.prefix(maxCount))
  }

  /// Returns the candidates of a search, nearest first.
  ///
  /// - Parameters:
  ///   - vector: A vector with the dimensions of the index.
  ///   - count: The number of candidates, at least 1.
  /// - Returns: Object IDs.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read.
  func candidates(near vector: [Float], count: Int) throws -> [UInt64] {
    try withScaled(vector) { vector in
      try searchFromTop(vector, to: 0, count: count)
      return (0..<pool.count).map { node(pool.entries[$0].slot).pointee.id }
    } ?? []
  }

  private func withScaled<T>(
    _ vector: [Float],
    _ body: (ScaledVector) throws -> T
  ) throws -> T? {
    try vector.withUnsafeBytes { bytes in
      try bytes.baseAddress.map { try body(definition.distance.scaled($0)) }
    }
  }

  private func nearestOfAll(to vector: [Float], maxCount: Int) throws -> [UInt64] {
    try write()
    let ids = try nodeIDs()
    var found = NearestObjects(maxCount: maxCount)
    try compare(ids, with: vector, into: &found)
    if found.comparedCount < ids.count {
      for id in ids where try storedVector(of: id) == nil { throw missingVector(of: id) }
    }
    return found.ids()
  }

  /// Returns the IDs of all nodes, ascending.
  func nodeIDs() throws -> [UInt64] {
    var ids: [UInt64] = []
    ids.reserveCapacity(count)
    // The header has ID 0.
    try storage.cursor(definition.table).forEachObject { if $0.id != 0 { ids.append($0.id) } }
    return ids
  }

  /// Measures the distances of objects to a vector; leaves objects without a vector out.
  ///
  /// - Parameters:
  ///   - ids: Object IDs; ascending ones are read fastest.
  ///   - vector: A vector with the dimensions of the index.
  ///   - found: Receives each object with its distance.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read.
  /// - Complexity: O(*n*) for *n* IDs; the first read of a vector in a transaction also searches its record.
  func compare(
    _ ids: [UInt64],
    with vector: [Float],
    into found: inout NearestObjects
  ) throws {
    let measure = definition.distance
    _ = try withScaled(vector) { vector in
      for start in stride(from: 0, to: ids.count, by: Self.comparedAtOnce) {
        let batch = ids[start..<min(start + Self.comparedAtOnce, ids.count)]
        pool.beginNeighbors(atMost: batch.count)
        var compared: [(id: UInt64, scale: Float)] = []
        compared.reserveCapacity(batch.count)
        for id in batch {
          guard let other = try storedVector(of: id) else { continue }
          pool.vectors[compared.count] = other.start
          compared.append((id, other.scale))
        }
        measure.measure(vector, pool.vectors, count: compared.count, into: pool.results)
        for (index, other) in compared.enumerated() {
          found.add(other.id, measure.distance(of: pool.results[index], vector.scale * other.scale))
        }
      }
    }
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
