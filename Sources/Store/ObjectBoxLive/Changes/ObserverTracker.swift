internal import ObjectBox

/// Computes the changes of one observer, one version at a time.
protocol ObserverTracker: Sendable {
  /// A change for the observer.
  associatedtype Step: Sendable

  /// The changes that count; constant.
  var interest: ChangeInterest { get }

  /// True when no step will follow; valid after `begin`.
  var isOver: Bool { get }

  /// Begins at a pinned version.
  ///
  /// - Returns: The initial step; nil for none.
  mutating func begin(at pin: PinnedRead) throws -> Step?

  /// Moves to a pinned version.
  ///
  /// - Parameters:
  ///   - pin: The new version.
  ///   - changes: The changes to report since the old version; nil for none.
  ///   - silence: The silent changes since the old version; nil for none.
  /// - Returns: The step; nil for none.
  /// - Throws: ``ObjectBoxError`` when the store cannot be read; the state is then unchanged.
  mutating func advance(
    to pin: PinnedRead,
    by changes: [Int: EntityChanges]?,
    leavingOut silence: [Int: EntityChanges]?
  ) throws -> Step?
}

extension ObserverTracker {
  /// False: only observations of a single object end by themselves.
  var isOver: Bool { false }
}

/// The changes that concern an observer.
enum ChangeInterest: Sendable {
  /// All changes, without their objects.
  case everything
  /// Changes of one object of a table, in any property.
  case object(table: Int, id: UInt64)
  /// Changes of the objects of some tables.
  case tables(Set<Int>)

  /// Indexes of the tables; nil for all.
  var tables: Set<Int>? {
    switch self {
    case .everything: nil
    case .object(let table, _): [table]
    case .tables(let tables): tables
    }
  }

  /// The commits that may contain such changes.
  var commits: CommitInterest {
    CommitInterest(entities: tables, includesObjects: true, includesSilentCommits: true)
  }

  /// Returns the relevant part of a commit's changes; nil for none.
  func part(of commit: CommitSummary) -> [Int: EntityChanges]? {
    switch self {
    case .everything: return [:]
    case .object(let table, let id):
      guard let changes = commit.changes[table] else { return nil }
      let isTouched =
        changes.objects[id] != nil || changes.hasRemovedAll || changes.isUnknown
      return isTouched ? [:] : nil
    case .tables(let tables):
      // The usual case: all observers share the changes.
      if commit.changes.keys.allSatisfy(tables.contains) {
        return commit.changes.isEmpty ? nil : commit.changes
      }
      let part = commit.changes.filter { tables.contains($0.key) }
      return part.isEmpty ? nil : part
    }
  }
}
