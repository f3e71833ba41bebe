public import ObjectBox

/// The changes of one commit to a cluster, by any program on any machine.
public struct ClusterCommit: Hashable, Sendable {
  /// The changes of one entity.
  public struct Changes: Hashable, Sendable {
    /// The IDs of objects that were put or removed, ascending.
    public internal(set) var ids: [Id] = []
    /// True when all objects of the entity were removed, without their IDs in `ids`.
    public internal(set) var hasRemovedAll = false
  }

  /// The changes, by entity name; entities that this program's model lacks are omitted.
  public let changes: [String: Changes]

  /// True when commits were missed and any object may have changed: read all kept objects again.
  ///
  /// This happens if the log of commits was swept in the meantime, or another server without the log took over.
  public let needsRefresh: Bool

  /// A commit in place of missed commits.
  static let refresh = Self(changes: [:], needsRefresh: true)

  init(changes: [String: Changes], needsRefresh: Bool = false) {
    self.changes = changes
    self.needsRefresh = needsRefresh
  }

  /// Returns true if objects of one of the entities may have changed.
  func concerns(_ entities: Set<String>) -> Bool {
    needsRefresh || changes.keys.contains(where: entities.contains)
  }
}
