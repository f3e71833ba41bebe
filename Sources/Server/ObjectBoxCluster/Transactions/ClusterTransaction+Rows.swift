internal import ObjectBox

extension ClusterTransaction {
  /// Tells observers, with the commit, that objects have changed by statements of ``run(_:)``.
  ///
  /// - Parameters:
  ///   - ids: The IDs of the objects.
  ///   - entity: The UID of their entity.
  package func noteChanges(of ids: [UInt64], in entity: UInt64) {
    buffer.noteChanges(of: ids, in: entity)
  }

  /// Removes objects, and what delete rules remove with them.
  ///
  /// - Parameters:
  ///   - ids: Their IDs; IDs without an object are skipped.
  ///   - entity: The ID of their entity.
  ///   - check: Looks at what delete rules do to other objects, before anything is removed; throws to prevent it.
  /// - Throws: `ObjectBoxError.constraintViolated` when a remaining object forbids it; what `check` throws;
  ///   ``ClusterError``.
  package func remove(
    _ ids: [UInt64],
    entity: UInt32,
    checking check: (RemovalEffects) async throws -> Void
  ) async throws {
    guard let table = cluster.writing.table(entity) else { return }
    var removal = ClusterRemoval(in: self, of: table)
    _ = try await removal.run(ids, of: table, checking: check)
  }
}

extension Cluster {
  /// Reserves IDs of an entity, which nobody else gets.
  ///
  /// One round trip; none for IDs that were reserved before.
  ///
  /// - Parameters:
  ///   - count: The number of IDs.
  ///   - entity: The ID of the entity.
  /// - Returns: Ranges with as many IDs, ascending.
  /// - Throws: `ObjectBoxError.illegalState` when all IDs are used up; ``ClusterError``.
  package func reserveIDs(_ count: Int, entity: UInt32) async throws -> [Range<UInt64>] {
    let granted = try await writing.ids.reserve([entity: .init(count: UInt64(count))], in: self)
    return granted[entity] ?? []
  }

  /// Raises the counters of entities above IDs that objects have from elsewhere, so that no new object gets them.
  ///
  /// One round trip, unless the counters are known to be above.
  ///
  /// - Parameter greatest: The greatest such ID of each entity, by the entity's ID.
  /// - Throws: ``ClusterError``.
  package func raiseCounters(above greatest: [UInt32: UInt64]) async throws {
    let counters = writing.ids
    let needs = greatest.filter { $0.value >= counters.next(of: $0.key) }
    if needs.isEmpty { return }
    _ = try await counters.reserve(
      needs.mapValues { IDCounters.Need(given: $0, raises: true) },
      in: self
    )
  }
}
