internal import ObjectBoxStorage
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
  }

  private struct State {
    var takers: [UInt64: @Sendable (CommitChanges) -> Void] = [:]
    var lastNumber: UInt64 = 0
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
    takerCount.add(1, ordering: .acquiringAndReleasing)
    return state.withLock { state in
      state.lastNumber += 1
      state.takers[state.lastNumber] = take
      return Key(number: state.lastNumber)
    }
  }

  /// Removes a taker; nothing happens when it is gone already.
  func remove(_ key: Key) {
    // What it holds may end with it, so it is released outside of the lock.
    let taker = state.withLock { $0.takers.removeValue(forKey: key.number) }
    if taker != nil { takerCount.subtract(1, ordering: .acquiringAndReleasing) }
  }

  /// Tells a commit; the caller still has its turn at writing.
  func tell(_ commit: CommitChanges) {
    let takers = state.withLock { $0.takers.sorted { $0.key < $1.key }.map(\.value) }
    for take in takers { take(commit) }
  }
}
