/// The state of an observer that follows the store from version to version, and the steps that it tells.
protocol ChangeTracking: Sendable {
  /// A change that the observer is told.
  associatedtype Step: Sendable

  /// The changes that count; stays the same.
  var interest: ChangeInterest { get }

  /// True when no step will follow; asked after the beginning only.
  var isOver: Bool { get }

  /// Begins at a pinned version.
  ///
  /// - Returns: The initial step; nil for none.
  mutating func begin(at pin: PinnedRead) throws -> Step?

  /// Moves to a pinned version.
  ///
  /// - Parameters:
  ///   - pin: The new version.
  ///   - changes: The told changes of the commits between; nil for none.
  ///   - silence: Their silent changes; nil for none.
  /// - Returns: The step; nil when there is nothing to tell.
  /// - Throws: ``ObjectBoxError`` when the store cannot be read; then it has not moved.
  mutating func advance(
    to pin: PinnedRead,
    by changes: [Int: EntityChanges]?,
    leavingOut silence: [Int: EntityChanges]?
  ) throws -> Step?
}

extension ChangeTracking {
  /// False: only observations of an object end by themselves.
  var isOver: Bool { false }
}

/// Filter of the changes that an observer is told.
enum ChangeInterest: Sendable {
  /// All changes; the objects do not matter.
  case everything
  /// Changes of one object of a table; the properties do not matter.
  case object(table: Int, id: UInt64)
  /// Changes of the objects of some tables.
  case tables(Set<Int>)

  /// Numbers of the tables; nil for all.
  var tables: Set<Int>? {
    switch self {
    case .everything: nil
    case .object(let table, _): [table]
    case .tables(let tables): tables
    }
  }

  /// The commits that may have such changes.
  var commits: CommitInterest {
    CommitInterest(entities: tables, includesObjects: true, includesSilentCommits: true)
  }

  /// Returns the changes of a commit that count, without those whose objects do not matter; nil when none
  /// count.
  func part(of commit: CommitSummary) -> [Int: EntityChanges]? {
    switch self {
    case .everything: return [:]
    case .object(let table, let id):
      guard let changes = commit.changes[table] else { return nil }
      let isTouched =
        changes.objects[id] != nil || changes.hasRemovedAll || changes.isUnknown
      return isTouched ? [:] : nil
    case .tables(let tables):
      let part = commit.changes.filter { tables.contains($0.key) }
      return part.isEmpty ? nil : part
    }
  }
}
