public import ObjectBox

/// The changes of one commit, for programs that replicate them.
public struct CommitRecord: Hashable, Sendable {
  /// The changes of one entity.
  public struct Changes: Hashable, Sendable {
    /// The IDs of new objects, ascending.
    public internal(set) var inserted: [Id] = []
    /// The IDs of changed objects, ascending.
    public internal(set) var updated: [Id] = []
    /// The IDs of removed objects, ascending.
    public internal(set) var removed: [Id] = []
    /// True when all earlier objects were removed; their IDs are not in `removed`.
    ///
    /// Objects in `inserted` were put afterwards.
    public internal(set) var hasRemovedAll = false
    /// True when entries of standalone to-many relations from or to the entity have changed.
    public internal(set) var hasChangedRelations = false
    /// False when the transaction began before the sequence, so its changed objects are unknown.
    public internal(set) var isComplete = true
  }

  /// The number of the commit; ascending, with gaps.
  public let version: Int
  /// The changes, keyed by the name of the entity.
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
      // Includes objects that were put unchanged, which is harmless.
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
