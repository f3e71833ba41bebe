internal import Synchronization

/// Notifies listeners of the commits of an open store file.
///
/// A listener subscribes on any thread, with a ``CommitInterest``: the entities that it wants, and whether it
/// needs each changed object. ``TransactionScheduler`` calls the hub on the committing thread, an application
/// thread or the ``WriterThread``. That thread holds the writer gate, so commits are announced one at a time
/// and in order:
///
/// 1. `announce` comes before LMDB's commit. It gives the commit its version and calls `willCommit` of listeners to
///    objects. Readers still see the old version.
/// 2. If LMDB's commit fails, `withdraw` calls `didNotCommit` of the same listeners. The next commit may get the same
///    version.
/// 3. If it succeeds, `publish` calls `didCommit`: first for listeners to objects, then for the others. A listener may
///    return a ``Delivery``. All calls of handlers on one queue or actor are sent as one job, and the committing thread
///    does not wait for them.
///
/// Each step copies the list of subscriptions under the lock and calls the listeners without it. A
/// listener that ends meanwhile may therefore receive the step in progress. A listener to objects
/// that subscribes between `announce` and the end of the commit receives `willCommit` from
/// `subscribe`, which holds the lock: `willCommit` must not subscribe or end a subscription.
///
/// Listeners must return soon, and cannot write: the next writer waits for them. Handlers may do
/// anything.
package final class CommitHub: Sendable {
  /// The identity of a subscription.
  package struct Key: Hashable, Sendable {
    let number: UInt64
  }

  private struct State {
    var subscriptions = Subscriptions()
    var lastNumber: UInt64 = 0
    /// The transactions of the commit that is in progress.
    var announced: [CommitSummary] = []
  }

  /// The store file, for messages.
  private let location: String
  private let state = Guarded(State())
  private let objectListenerCount = Atomic<Int>(0)

  package init(location: String) {
    self.location = location
  }

  /// True when new write transactions must note each changed object.
  var needsObjects: Bool { objectListenerCount.load(ordering: .acquiring) > 0 }

  // MARK: Subscribing

  /// Adds a listener, which receives the commits that end after this call.
  ///
  /// - Parameters:
  ///   - listener: Kept until the subscription ends. It also receives a commit that is in progress,
  ///     and must return soon.
  ///   - interest: Selects the commits.
  ///   - owner: The store instance that ends the subscription with ``end(of:)``; nil for none.
  ///   - onEnd: Called once, when the subscription ends.
  /// - Returns: The subscription, which ends with its life.
  package func subscribe(
    _ listener: any CommitListener,
    to interest: CommitInterest,
    owner: ObjectIdentifier?,
    onEnd: @escaping @Sendable () -> Void
  ) -> NotificationToken {
    if interest.includesObjects { objectListenerCount.add(1, ordering: .acquiringAndReleasing) }
    return state.withLock { state in
      state.lastNumber += 1
      let key = Key(number: state.lastNumber)
      let subscription = Subscription(
        key: key,
        interest: interest,
        owner: owner,
        listener: listener,
        onEnd: onEnd
      )
      state.subscriptions.insert(subscription)
      for commit in state.announced where interest.includesObjects {
        if interest.covers(commit.changes.keys) { subscription.announce(commit) }
      }
      return NotificationToken(self, key)
    }
  }

  /// Ends a subscription, unless it has ended.
  func end(_ key: Key) {
    end { $0.remove(key).map { [$0] } ?? [] }
  }

  /// Ends the subscriptions of a store instance that closes.
  func end(of owner: ObjectIdentifier) {
    end { $0.remove(of: owner) }
  }

  private func end(_ remove: (inout Subscriptions) -> [Subscription]) {
    // Outside of the lock: the release of a listener may end other subscriptions.
    for subscription in state.withLock({ remove(&$0.subscriptions) }) {
      if subscription.interest.includesObjects {
        objectListenerCount.subtract(1, ordering: .acquiringAndReleasing)
      }
      subscription.onEnd()
    }
  }

  /// Returns the listeners of tokens, for a write that must not notify them.
  ///
  /// - Throws: ``ObjectBoxError/foreignToken(message:)`` when a token observes another store.
  package func skipping(_ tokens: [NotificationToken]) throws -> SkippedListeners {
    guard tokens.allSatisfy({ $0.hub === self }) else {
      throw ObjectBoxError.foreignToken(
        message:
          "a token in withoutNotifying observes another store than the one at '\(location)', "
          + "and cannot be left out here; pass tokens of this store only"
      )
    }
    return SkippedListeners(keys: Set(tokens.map(\.key)))
  }

  // MARK: Committing

  /// Notifies listeners to objects of a commit before it is visible.
  ///
  /// The caller must hold the writer gate until it has called `withdraw` or `publish`.
  ///
  /// - Parameters:
  ///   - summaries: The transactions of the commit, in order.
  ///   - version: The number of the commit.
  func announce(_ summaries: some Collection<CommitSummary>, version: Int) {
    let commits = CommitSummary.numbered(summaries, version: version)
    let subscriptions = state.withLock { state in
      state.announced = commits
      return state.subscriptions
    }
    for commit in commits {
      for subscription in subscriptions.toObjects(of: commit.changes.keys) {
        subscription.announce(commit)
      }
    }
  }

  /// Notifies listeners that the announced commit failed; does nothing if none was announced.
  func withdraw() {
    let (commits, subscriptions) = takeAnnounced()
    guard let version = commits.first?.version else { return }
    for subscription in subscriptions.toObjects(of: Set(commits.flatMap(\.changes.keys))) {
      subscription.listener.didNotCommit(version: version)
    }
  }

  /// Notifies listeners that the announced commit is the newest version.
  ///
  /// Listeners to objects come first, then the others, once for each transaction of the commit.
  ///
  /// When this returns, each queue holds one job with all calls of its handlers.
  func publish() {
    let (commits, subscriptions) = takeAnnounced()
    var batch = DeliveryBatch()
    for commit in commits {
      for subscription in subscriptions.toObjects(of: commit.changes.keys) {
        if let delivery = subscription.publish(commit) { batch.add(delivery) }
      }
    }
    for commit in commits {
      for entities in commit.transactions {
        for subscription in subscriptions.toCommits(of: entities) {
          if let delivery = subscription.publish(commit) { batch.add(delivery) }
        }
        subscriptions.addHandlers(of: entities, except: commit.skipped, to: &batch)
      }
    }
    batch.send()
  }

  private func takeAnnounced() -> ([CommitSummary], Subscriptions) {
    state.withLock { state in
      defer { state.announced = [] }
      return (state.announced, state.subscriptions)
    }
  }
}

/// A filter of the commits that a listener receives.
package struct CommitInterest: Sendable {
  /// Numbers of the entities whose changes the listener receives; nil for all.
  var entities: Set<Int>?
  /// True to receive each changed object, and to be called before the commit is visible.
  ///
  /// Transactions note changed objects only while there is such a listener.
  var includesObjects = false
  /// True to receive silent commits too, which leave the listener out.
  var includesSilentCommits = false

  package init(
    entities: Set<Int>? = nil,
    includesObjects: Bool = false,
    includesSilentCommits: Bool = false
  ) {
    self.entities = entities
    self.includesObjects = includesObjects
    self.includesSilentCommits = includesSilentCommits
  }

  func covers(_ changed: some Sequence<Int>) -> Bool {
    changed.contains { entities?.contains($0) ?? true }
  }
}

/// A listener to commits.
///
/// The functions are called on the committing thread, in the order of the commits, before the next
/// writer begins. They must return soon.
package protocol CommitListener: Sendable {
  /// Called before the commit is visible to readers.
  ///
  /// - Parameters:
  ///   - commit: One transaction of the commit.
  ///   - isSkipped: True if the transaction leaves this listener out.
  func willCommit(_ commit: CommitSummary, isSkipped: Bool)
  /// Called instead of `didCommit` when the commit failed; the next commit may have the same
  /// version.
  func didNotCommit(version: Int)
  /// Called when the commit is the newest version; returns the handler to call.
  func didCommit(_ commit: CommitSummary, isSkipped: Bool) -> Delivery?
}

extension CommitListener {
  package func willCommit(_ commit: CommitSummary, isSkipped: Bool) {}
  package func didNotCommit(version: Int) {}
}

/// A listener that only learns that there was a commit.
package struct CommitSignal: CommitListener {
  private let call: @Sendable () -> Void

  /// - Parameter call: Called on the committing thread; it must return soon.
  package init(call: @escaping @Sendable () -> Void) {
    self.call = call
  }

  package func didCommit(_ commit: CommitSummary, isSkipped: Bool) -> Delivery? {
    call()
    return nil
  }
}
