/// Somebody who follows the store from version to version, and has something to tell at each step.
protocol ChangeTracking: Sendable {
  /// What is told.
  associatedtype Step: Sendable

  /// Which commits are of interest; stays the same.
  var interest: ChangeInterest { get }

  /// True when nothing will be told any more; asked after the beginning only.
  var isOver: Bool { get }

  /// Begins at the version that is pinned.
  ///
  /// - Returns: What is told first; nil for nothing.
  mutating func begin(at pin: PinnedRead) throws -> Step?

  /// Moves on to the version that is pinned.
  ///
  /// - Parameters:
  ///   - pin: The new version.
  ///   - changes: What is to be told of the commits between; nil for none.
  ///   - silence: What is not to be told; nil for none.
  /// - Returns: What is told; nil for nothing.
  /// - Throws: ``ObjectBoxError`` when the store cannot be read; then it has not moved.
  mutating func advance(
    to pin: PinnedRead,
    by changes: [Int: EntityChanges]?,
    leavingOut silence: [Int: EntityChanges]?
  ) throws -> Step?
}

extension ChangeTracking {
  /// False: most of what is observed never ends.
  var isOver: Bool { false }
}

/// Which commits are of interest to somebody.
enum ChangeInterest: Sendable {
  /// All that change anything; which objects does not matter.
  case everything
  /// Those that change one object of a table; how does not matter.
  case object(table: Int, id: UInt64)
  /// Those that change objects of some tables.
  case tables(Set<Int>)

  /// The commits that a listener to it is told of.
  var commits: CommitInterest {
    let entities: Set<Int>? =
      switch self {
      case .everything: nil
      case .object(let table, _): [table]
      case .tables(let tables): tables
      }
    return CommitInterest(entities: entities, includesObjects: true, includesSilentCommits: true)
  }

  /// The numbers of the tables in which objects count each for itself.
  var tables: Set<Int> {
    if case .tables(let tables) = self { tables } else { [] }
  }

  /// Returns what is of interest of a commit; nil for nothing.
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
