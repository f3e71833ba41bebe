internal import ObjectBox

/// An observation for one loop.
///
/// Begins when it is made. Ends when it is released, its token is invalidated, the loop's task or
/// the store instance ends, or the observed object is removed.
struct ChangeLoop<Tracker: ObserverTracker>: Sendable {
  /// The observation's token, for writes that leave it out.
  let token: NotificationToken
  private let queue: ChangeQueue<Tracker>
  private let signals: AsyncStream<Void>

  /// - Parameters:
  ///   - store: The observed store; not retained.
  ///   - tracker: Computes the steps.
  ///   - beginsAtOnce: True when there is no initial step, so that changes count from now on.
  /// - Throws: ``ObjectBoxError``: `closed`, `observerAfterChanges`, and errors of the tracker.
  init(_ store: Store, _ tracker: Tracker, beginsAtOnce: Bool) throws {
    try store.checkCanObserve()
    let queue = ChangeQueue(store.openStore, tracker)
    let (signals, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
    queue.setNews(.call { continuation.yield() })
    let token = store.subscribe(queue, to: queue.interest.commits) {
      queue.end()
      continuation.finish()
    }
    continuation.onTermination = { [weak token] _ in token?.invalidate() }
    self.queue = queue
    self.signals = signals
    self.token = token
    if beginsAtOnce { try queue.begin() }
  }

  func makeIterator() -> Iterator { Iterator(loop: self, signals: signals.makeAsyncIterator()) }

  struct Iterator {
    fileprivate let loop: ChangeLoop
    fileprivate var signals: AsyncStream<Void>.Iterator

    /// Waits for the next step, and computes it on the caller's actor; nil at the end.
    mutating func next(isolation actor: isolated (any Actor)?) async -> Tracker.Step? {
      let queue = loop.queue
      while !Task.isCancelled, !queue.isAtEnd {
        // Unreadable changes stay for the next commit.
        if let (step, _) = queue.reading({ try queue.next() }) { return step }
        // The queue may end without a step.
        if queue.isAtEnd { break }
        await signals.next(isolation: actor)
      }
      loop.token.invalidate()
      return nil
    }
  }
}
