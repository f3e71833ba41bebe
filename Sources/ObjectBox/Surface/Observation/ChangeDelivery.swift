/// Where an observer's handler is called; an actor is not kept alive.
struct DeliveryTarget: Sendable {
  private weak let actor: (any Actor)?
  private let queue: SerialQueue?

  /// - Throws: ``ObjectBoxError/wrongIsolation(message:)`` outside of every actor.
  init(_ actor: (any Actor)?) throws {
    guard let actor else {
      throw ObjectBoxError.wrongIsolation(
        message:
          "the handler of an observer cannot be called back: the observer begins outside of any "
          + "actor; begin it in one, or pass a SerialQueue with 'on:'"
      )
    }
    self.actor = actor
    queue = nil
  }

  init(_ queue: SerialQueue) {
    actor = nil
    self.queue = queue
  }

  /// Nil when the actor is gone.
  func place(_ core: OpenStore) -> Place? {
    if let queue { return core.places.place(of: queue) }
    return core.places.place(of: actor)
  }
}

/// Calls a handler for each step of a queue, one at a time, in one isolation.
///
/// However many commits come while a call waits for its turn, it is one call. A class, since commits and
/// calls share it.
final class ChangeDelivery<Tracker: ChangeTracking>: Sendable {
  typealias Handler = (Tracker.Step, PinnedRead?) -> Void

  private let core: OpenStore
  private let queue: ChangeQueue<Tracker>
  private let target: DeliveryTarget
  private let handler: Guarded<Homing<Handler>?>
  private let isRequested = Guarded(false)

  /// - Parameters:
  ///   - core: The store.
  ///   - queue: Gives the steps.
  ///   - target: Where the handler is called.
  ///   - handler: Belongs to the target.
  init(
    _ core: OpenStore,
    _ queue: ChangeQueue<Tracker>,
    _ target: DeliveryTarget,
    _ handler: Homing<Handler>
  ) {
    self.core = core
    self.queue = queue
    self.target = target
    self.handler = Guarded(handler)
  }

  /// Asks for a call; returns at once.
  func request() {
    let isFirst = isRequested.withLock { isRequested in
      defer { isRequested = true }
      return !isRequested
    }
    guard isFirst, let place = target.place(core) else { return }
    place.send { self.deliver() }
  }

  private func deliver() {
    isRequested.withLock { $0 = false }
    // What cannot be read now stays for the next commit.
    guard let (step, pin) = queue.reading({ try queue.next() }),
      // No lock is held while it runs: it may write, and it may end the observation.
      let handler = handler.withLock(\.self)
    else { return }
    handler.value(step, pin)
    if queue.hasNews { request() }
  }

  /// Lets no further call begin, and releases the handler.
  func end() {
    let handler = handler.withLock { handler in
      defer { handler = nil }
      return handler
    }
    queue.end()
    withExtendedLifetime(handler) {}
  }
}
