internal import ObjectBox

extension ClusterTransaction {
  /// Notifies observers, with the commit, that statements of ``run(_:)`` have changed objects.
  ///
  /// - Parameters:
  ///   - ids: The IDs of the objects.
  ///   - entity: The UID of their entity.
  package func noteChanges(of ids: [UInt64], in entity: UInt64) {
    buffer.noteChanges(of: ids, in: entity)
  }

  /// Removes objects and, with them, the objects that delete rules remove.
  ///
  /// - Parameters:
  ///   - ids: Their IDs; IDs without an object are skipped.
  ///   - entity: The ID of their entity.
  ///   - check: Checks the effects of delete rules on other objects before anything is removed; throws to prevent them.
  /// - Throws: `ObjectBoxError.constraintViolated` when a remaining object forbids it; errors of `check`;
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
  /// Reserves IDs of an entity for exclusive use.
  ///
  /// One round trip; none for IDs that were reserved before.
  ///
  /// - Parameters:
  ///   - count: The number of IDs.
  ///   - entity: The ID of the entity.
  /// - Returns: Ranges with this number of IDs, ascending.
  /// - Throws: `ObjectBoxError.illegalState` when all IDs are used up; ``ClusterError``.
  package func reserveIDs(_ count: Int, entity: UInt32) async throws -> [Range<UInt64>] {
    let granted = try await writing.ids.reserve([entity: .init(count: UInt64(count))], in: self)
    return granted[entity] ?? []
  }

  /// Raises the counters of entities above the IDs of objects from elsewhere, so that no new object gets these IDs.
  ///
  /// One round trip, unless the counters are known to be higher.
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
