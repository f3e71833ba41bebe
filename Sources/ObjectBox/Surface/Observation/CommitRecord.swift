/// The changes of one commit, for programs that repeat them elsewhere.
public struct CommitRecord: Hashable, Sendable {
  /// The changes of one entity.
  public struct Changes: Hashable, Sendable {
    /// The IDs of new objects, ascending.
    public internal(set) var inserted: [Id] = []
    /// The IDs of objects that were there before and hold other values, ascending.
    public internal(set) var updated: [Id] = []
    /// The IDs of objects that are gone, ascending.
    public internal(set) var removed: [Id] = []
    /// True when all objects that were there before are gone, without their IDs being listed; those in
    /// `inserted` came after that.
    public internal(set) var hasRemovedAll = false
    /// True when entries of standalone to-many relations from or to the entity have changed.
    public internal(set) var hasChangedRelations = false
    /// False when the transaction had begun before the sequence of commits: then the changed objects are
    /// unknown.
    public internal(set) var isComplete = true
  }

  /// The number of the commit; each one is higher than the one before, not always by one.
  public let version: Int
  /// The changes by the name of the entity; only of those that have any.
  public let changes: [String: Changes]

  init(version: Int, _ entities: [Int: EntityChanges], in file: StoreFile) {
    self.version = version
    changes = Dictionary(
      uniqueKeysWithValues: entities.map { (file.tables[$0.key].name, Changes($0.value)) }
    )
  }
}

extension CommitRecord.Changes {
  init(_ changes: EntityChanges) {
    for (id, change) in changes.objects {
      switch change {
      case .inserted: inserted.append(id)
      // Includes objects that were put as they were, which does no harm.
      case .updated: updated.append(id)
      case .removed: removed.append(id)
      }
    }
    inserted.sort()
    updated.sort()
    removed.sort()
    hasRemovedAll = changes.hasRemovedAll
    hasChangedRelations = changes.hasRelated
    isComplete = !changes.isUnknown
  }
}
