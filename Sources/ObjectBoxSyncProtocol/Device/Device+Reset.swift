extension Device {
  /// The number of ranges from which on the first digests of a large store have more objects in each.
  private var digestLimit: Int { 1 << 16 }

  /// All keys that the device's objects can have.
  var allKeys: [KeyRange] { rules.entities.keys.sorted().map { KeyRange(allOf: $0) } }

  /// Begins to compare the hub's rows on this device with the hub.
  ///
  /// Waiting transactions stay. Leases are given up when the epoch changed, since the hub may lend them again.
  ///
  /// - Parameters:
  ///   - reset: The hub's answer to a request.
  ///   - size: The greatest number of objects in a range, at least 1.
  /// - Returns: Hashes of all rows, or nil if the reset is not for the device's state.
  /// - Throws: What the store throws.
  package mutating func receive(_ reset: Reset, size: Int) throws -> Digests? {
    guard try reset.state == stateKey else { return nil }
    if reset.mayLackCommits(of: try want()) {
      var state = try store.state
      state.leases = []
      state.leaseEnds = [:]
      try store.setState(state)
    }
    if !ProtocolRule.resetKeepsQueue.holds {
      while try store.waitingCount > 0 { try store.removeFirstWaiting() }
    }
    let ranges = try digests(
      DigestBuilder(dividing: allKeys, size: size, limit: digestLimit),
      allKeys
    )
    return Digests(want: try want(), ranges: ranges)
  }

  /// Divides the ranges that differ.
  ///
  /// - Parameter refine: The hub's answer to digests.
  /// - Returns: Hashes of the rows in the parts, or nil if the answer is not for the device's state.
  /// - Throws: What the store throws.
  package func receive(_ refine: Refine) throws -> Digests? {
    guard try refine.state == stateKey else { return nil }
    let builder = DigestBuilder(dividing: refine.ranges, size: refine.size)
    return Digests(
      want: try want(),
      base: refine.base,
      ranges: try digests(builder, refine.ranges)
    )
  }

  private func digests(_ builder: DigestBuilder, _ ranges: [KeyRange]) throws -> RangeDigests {
    var builder = builder
    let shared = try sharedParts
    func add(_ row: Row, at key: ObjectKey) {
      builder.add(shared?.reduced(row, at: key) ?? row, at: key)
    }
    // Rows with a base are passed in their places among the others.
    let based = try store.baseKeys.sorted()
    var next = based.startIndex
    func addBases(before key: ObjectKey?) throws {
      while next < based.endIndex, key.map({ based[next] < $0 }) ?? true {
        if let row = try store.base(at: based[next])?.row { add(row, at: based[next]) }
        next += 1
      }
    }
    try store.forEachShownRow(in: ranges) { key, row in
      try addBases(before: key)
      if next < based.endIndex, based[next] == key { return }
      add(row, at: key)
    }
    try addBases(before: nil)
    return builder.finish()
  }

  /// The parts of rows that the hub has too; nil if it has all parts.
  private var sharedParts: ModelParts? {
    get throws {
      guard ProtocolRule.sharedDigests.holds, let models = try store.models,
        let shared = models.shared, !models.own.isPart(of: shared)
      else { return nil }
      return shared
    }
  }
}
