internal import Synchronization

/// Those who want to know of each object that commits change.
///
/// While there are none, transactions note nothing. A class, since it guards shared state.
final class CommitFeed: Sendable {
  /// Names a taker.
  struct Key: Hashable, Sendable {
    fileprivate let number: UInt64
  }

  /// Who is not told of a commit.
  enum Skipping: Sendable {
    case keys(Set<Key>)
    case all

    func contains(_ key: Key) -> Bool {
      switch self {
      case .keys(let keys): keys.contains(key)
      case .all: true
      }
    }

    /// True when nobody is told.
    var isAll: Bool {
      switch self {
      case .keys: false
      case .all: true
      }
    }

    /// True when everybody is told.
    var isEmpty: Bool {
      switch self {
      case .keys(let keys): keys.isEmpty
      case .all: false
      }
    }
  }

  private struct State {
    /// In the order in which they came.
    var takers: [(key: Key, taker: any CommitTaker)] = []
    var lastNumber: UInt64 = 0
    /// What has been announced and not yet told or withdrawn.
    var underWay: [CommitChanges] = []
  }

  private let state = Guarded(State())
  private let takerCount = Atomic<Int>(0)

  /// True when write transactions that begin now must note what they change.
  var isWanted: Bool { takerCount.load(ordering: .acquiring) > 0 }

  /// Adds a taker, who hears of every commit whose transaction begins after this.
  ///
  /// - Parameter take: Called on the committing thread, in the order of the commits and before the next
  ///   writer gets its turn; must return at once.
  /// - Returns: What removes it.
  func add(_ take: @escaping @Sendable (CommitChanges) -> Void) -> Key {
    add(PlainTaker(take: take))
  }

  /// Adds a taker, who hears of every commit that is not the newest version yet.
  ///
  /// - Parameter taker: Who is told.
  /// - Returns: What removes it.
  func add(_ taker: any CommitTaker) -> Key {
    takerCount.add(1, ordering: .acquiringAndReleasing)
    return state.withLock { state in
      state.lastNumber += 1
      let key = Key(number: state.lastNumber)
      state.takers.append((key, taker))
      for commit in state.underWay {
        taker.willCommit(commit, isSkipped: commit.skipped.contains(key))
      }
      return key
    }
  }

  /// Removes a taker; nothing happens when it is gone already.
  func remove(_ key: Key) {
    // What it holds may end with it, so it is released outside of the lock.
    let taker = state.withLock { state in
      state.takers.firstIndex { $0.key == key }.map { state.takers.remove(at: $0) }
    }
    if taker != nil { takerCount.subtract(1, ordering: .acquiringAndReleasing) }
  }

  /// Tells what is about to be committed; the caller has its turn at writing.
  func announce(_ commits: [CommitChanges]) {
    let takers = state.withLock { state in
      state.underWay = commits
      return state.takers
    }
    for commit in commits {
      for (key, taker) in takers {
        taker.willCommit(commit, isSkipped: commit.skipped.contains(key))
      }
    }
  }

  /// Tells that what was announced has not been committed.
  func withdraw(version: Int) {
    for (_, taker) in arrive() { taker.didNotCommit(version: version) }
  }

  /// Tells what has been committed; the caller still has its turn at writing.
  func tell(_ commits: [CommitChanges]) {
    let takers = arrive()
    for commit in commits {
      for (key, taker) in takers {
        taker.didCommit(commit, isSkipped: commit.skipped.contains(key))
      }
    }
  }

  private func arrive() -> [(key: Key, taker: any CommitTaker)] {
    state.withLock { state in
      state.underWay = []
      return state.takers
    }
  }
}

/// Somebody who hears of each commit.
///
/// All functions are called on the committing thread, in the order of the commits and before the next writer
/// gets its turn, and must return soon.
protocol CommitTaker: Sendable {
  /// Called before anybody can see the commit; the newest version is still the one before it.
  func willCommit(_ commit: CommitChanges, isSkipped: Bool)
  /// Called instead of `didCommit` when the commit failed; the next one may have the same version.
  func didNotCommit(version: Int)
  /// Called when the commit is the newest version.
  func didCommit(_ commit: CommitChanges, isSkipped: Bool)
}

/// A taker that is not interested in commits before they are made.
private struct PlainTaker: CommitTaker {
  let take: @Sendable (CommitChanges) -> Void

  func willCommit(_ commit: CommitChanges, isSkipped: Bool) {}
  func didNotCommit(version: Int) {}
  func didCommit(_ commit: CommitChanges, isSkipped: Bool) { take(commit) }
}
