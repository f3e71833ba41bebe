/// Somebody who wants to know of commits that change objects of some entities.
struct CommitListener: Sendable {
  /// The numbers of the entities' tables.
  let entities: Set<Int>
  /// The store instance through which it was added, and with which it ends.
  let owner: ObjectIdentifier
  /// True to be called for commits that leave out all observers as well.
  var hearsSilentCommits = false
  /// Called on the committing thread after each commit that changed one of them; must return at once.
  let onCommit: @Sendable () -> Void
  /// Called once, when the store instance closes.
  let onEnd: @Sendable () -> Void
}

/// Those who want to know of the commits of an open store file.
///
/// A class, since it guards shared state. Nobody is called while its lock is held, but for what `add`
/// is given.
final class CommitListeners: Sendable {
  /// Names a listener, for its removal.
  struct Key: Sendable, Hashable {
    fileprivate let number: UInt64
  }

  private struct Content {
    var listeners: [UInt64: CommitListener] = [:]
    var lastNumber: UInt64 = 0
  }

  private let content = Guarded(Content())

  /// Adds a listener.
  ///
  /// - Parameters:
  ///   - listener: Is called for the commits that end after this.
  ///   - first: Is called before any commit is told to the listener; must return at once and not come
  ///     back here.
  /// - Returns: What removes it.
  func add(_ listener: CommitListener, first: () -> Void) -> Key {
    content.withLock { content in
      content.lastNumber += 1
      content.listeners[content.lastNumber] = listener
      first()
      return Key(number: content.lastNumber)
    }
  }

  /// Removes a listener; nothing happens when it is gone already.
  func remove(_ key: Key) {
    // The listener is released outside of the lock: what it holds may end here.
    _ = content.withLock { $0.listeners.removeValue(forKey: key.number) }
  }

  /// Tells a commit.
  ///
  /// - Parameters:
  ///   - entities: The numbers of the entities that it changed.
  ///   - isSilent: True for a commit that leaves out all observers.
  func tell(_ entities: Set<Int>, isSilent: Bool = false) {
    guard !entities.isEmpty else { return }
    // In the order in which they came.
    let concerned = content.withLock { content in
      content.listeners.filter { _, listener in
        (!isSilent || listener.hearsSilentCommits) && !entities.isDisjoint(with: listener.entities)
      }
    }
    for (_, listener) in concerned.sorted(by: { $0.key < $1.key }) { listener.onCommit() }
  }

  /// Ends the listeners of a store instance.
  func end(of owner: ObjectIdentifier) {
    let ended = content.withLock { content in
      let ended = content.listeners.filter { $0.value.owner == owner }
      for number in ended.keys { content.listeners[number] = nil }
      return ended
    }
    for (_, listener) in ended.sorted(by: { $0.key < $1.key }) { listener.onEnd() }
  }
}
