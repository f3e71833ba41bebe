internal import ObjectBox

/// The IDs that a cluster may assign to new objects.
///
/// The server has a counter for each entity. IDs are reserved in blocks, in separate transactions,
/// so that no rollback returns them. IDs that are unused when the program ends leave a gap.
final class IDCounters: Sendable {
  /// A request for IDs of one entity.
  struct Need: Sendable {
    /// Number of new IDs.
    var count: UInt64 = 0
    /// An ID assigned by the caller, which must be below the counter; 0 for none.
    var given: UInt64 = 0
    /// True to raise the counter above `given`, even for an entity whose IDs callers may not assign.
    var raises = false
  }

  private struct Supply {
    /// Reserved unused IDs, in the order of their use.
    var ranges: [Range<UInt64>] = []
    /// A lower bound of the counter on the server; 0 when it is unknown.
    var next: UInt64 = 0
    /// Size of the last block.
    var block: UInt64 = 0

    /// Takes reserved IDs in order, at most `count`.
    mutating func take(_ count: UInt64) -> [Range<UInt64>] {
      var taken: [Range<UInt64>] = []
      var missing = count
      while missing > 0, let first = ranges.first {
        let part = first.lowerBound..<min(first.upperBound, first.lowerBound + missing)
        taken.append(part)
        missing -= UInt64(part.count)
        if part.upperBound == first.upperBound {
          ranges.removeFirst()
        } else {
          ranges[0] = part.upperBound..<first.upperBound
        }
      }
      return taken
    }
  }

  /// The greatest possible ID, which is the greatest bigint.
  static let maximumID = UInt64(Int64.max)
  private static let smallestBlock: UInt64 = 8
  private static let greatestBlock: UInt64 = 1_024

  private let supplies = Guarded<[UInt32: Supply]>([:])

  /// Takes reserved IDs of an entity; fewer than `count` if there are not enough.
  func take(_ count: UInt64 = 1, of entity: UInt32) -> [Range<UInt64>] {
    supplies.withLock { $0[entity]?.take(count) ?? [] }
  }

  /// Returns unused IDs.
  func giveBack(_ ranges: [Range<UInt64>], of entity: UInt32) {
    supplies.withLock { $0[entity, default: Supply()].ranges.insert(contentsOf: ranges, at: 0) }
  }

  /// Records that an object with an ID is stored.
  func noteStored(_ id: UInt64, of entity: UInt32) {
    supplies.withLock { supplies in
      if supplies[entity]?.next ?? 0 <= id { supplies[entity, default: Supply()].next = id + 1 }
    }
  }

  /// Returns true if an ID is known to be assigned.
  func isGivenOut(_ id: UInt64, of entity: UInt32) -> Bool {
    supplies.withLock { supplies in
      guard let supply = supplies[entity], id < supply.next else { return false }
      return !supply.ranges.contains { $0.contains(id) }
    }
  }

  /// A lower bound of the counter on the server.
  func next(of entity: UInt32) -> UInt64 { supplies.withLock { $0[entity]?.next ?? 0 } }

  /// Reserves IDs on the server, in one round trip.
  ///
  /// - Parameters:
  ///   - needs: The requests, by the IDs of the entities.
  ///   - cluster: The cluster of these counters.
  /// - Returns: The requested number of IDs, ascending.
  /// - Throws: `ObjectBoxError.illegalState` when all IDs are used up; errors of the server.
  func reserve(
    _ needs: [UInt32: Need],
    in cluster: Cluster
  ) async throws -> [UInt32: [Range<UInt64>]] {
    var granted: [UInt32: [Range<UInt64>]] = [:]
    var requests: [(table: WriteTable, count: UInt64, own: UInt64)] = []
    var statements: [Statement] = []
    // In the order of the rows, so that programs do not deadlock.
    for table in needs.keys.compactMap({ cluster.writing.table($0) })
      .sorted(by: { $0.entityUID < $1.entityUID })
    {
      guard let need = needs[table.entityID] else { continue }
      let taken = need.count > 0 ? take(need.count, of: table.entityID) : []
      granted[table.entityID] = taken
      let own = need.count - taken.reduce(0) { $0 + UInt64($1.count) }
      if own == 0, need.given == 0 { continue }
      let count = own == 0 ? 0 : max(own, nextBlock(of: table))
      requests.append((table, count, own))
      // If callers may assign IDs, all IDs below the counter must be assigned or in use.
      let given = table.isAssignable || need.raises ? need.given : 0
      statements.append(
        Statement(cluster.writing.counterSQL) { parameters in
          parameters.append(id: table.entityUID)
          parameters.append(id: given)
          parameters.append(id: count)
        }
      )
    }
    if statements.isEmpty { return granted }
    // In a transaction's block the caller holds a connection; waiting for another one of the pool could deadlock.
    let pool = TransactionScope.isInside ? cluster.reservations : cluster.pool
    let results: [ResultRows]
    do {
      // Repeated if the connection breaks: IDs that are reserved twice only leave a gap.
      results = try await pool.read(statements)
    } catch ClusterError.server(ServerFailure.State.numericOverflow, _) {
      throw ObjectBoxError.illegalState(
        message:
          "cannot put a new object: the IDs of its entity are used up, since \(Self.maximumID) has been used, "
          + "the greatest there is; put it under a free ID of your own"
      )
    }
    for (request, rows) in zip(requests, results) {
      guard let next = rows.integer(0, 0, as: UInt64.self) else { continue }
      let first = next - request.count
      // Empty if only the counter was requested.
      if request.own > 0 {
        granted[request.table.entityID, default: []].append(first..<first + request.own)
      }
      supplies.withLock { supplies in
        var supply = supplies[request.table.entityID] ?? Supply()
        supply.next = max(supply.next, next)
        if request.own < request.count { supply.ranges.append(first + request.own..<next) }
        supplies[request.table.entityID] = supply
      }
    }
    return granted
  }

  /// Returns the size of the next block, which grows with demand.
  private func nextBlock(of table: WriteTable) -> UInt64 {
    // Once the counter is above an ID, callers in any program may choose that ID, so no IDs are reserved ahead.
    if table.isAssignable { return 0 }
    return supplies.withLock { supplies in
      let last = supplies[table.entityID]?.block ?? 0
      let block = min(max(last * 2, Self.smallestBlock), Self.greatestBlock)
      supplies[table.entityID, default: Supply()].block = block
      return block
    }
  }
}
