package import Dispatch
internal import Synchronization

/// The actor or queue on which the handler of an observer is called; an actor is held weakly.
package struct DeliveryTarget: Sendable {
  private weak let actor: (any Actor)?
  /// The queue; nil for an actor.
  let queue: DispatchQueue?

  /// - Throws: ``ObjectBoxError/wrongIsolation(message:)`` if there is no actor.
  package init(_ actor: (any Actor)?) throws {
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

  package init(_ queue: SerialQueue) {
    self.init(queue.dispatchQueue)
  }

  package init(_ queue: DispatchQueue) {
    actor = nil
    self.queue = MainQueue.shared(queue)
  }

  /// A strong reference for the time of a use; nil if the actor is gone.
  var present: CallbackTarget? { queue.map { .dispatchQueue($0) } ?? CallbackTarget(actor) }
}

/// Calls an observer's handler when commits request it.
///
/// As a listener it returns itself: the ``CommitHub`` sends one job to each queue, which calls all
/// handlers of the queue.
package final class Delivery: CommitListener {
  let target: DeliveryTarget
  private let isCoalescing: Bool
  /// True while a requested call has not begun; used only if calls coalesce.
  private let isRequested = Atomic<Bool>(false)
  /// Used only in the isolation.
  private let handler: Guarded<(() -> Void)?>

  /// - Parameters:
  ///   - target: The actor or queue of the handler.
  ///   - isCoalescing: True if one call answers all requests that come before it begins.
  ///   - handler: The handler, isolated to the target.
  package init(to target: DeliveryTarget, isCoalescing: Bool, _ handler: @escaping () -> Void) {
    self.target = target
    self.isCoalescing = isCoalescing
    self.handler = Guarded(handler)
  }

  /// Requests a call; returns at once.
  package func request() {
    if claim() { target.present?.send { self.deliver() } }
  }

  /// Requests a call that answers no commit: a commit still sends its own.
  ///
  /// After a claim of another thread, a commit could return before the claimed call is in the queue.
  package func requestAnother() {
    target.present?.send { self.deliver() }
  }

  /// Notes a request; false if a call that was requested before answers it.
  func claim() -> Bool {
    !isCoalescing || !isRequested.exchange(true, ordering: .acquiringAndReleasing)
  }

  /// Calls the handler; must be called in the isolation.
  func deliver() {
    if isCoalescing { _ = isRequested.exchange(false, ordering: .acquiringAndReleasing) }
    // No lock is held during the call: the handler may write, and it may end the observation.
    handler.copy?()
  }

  /// Prevents further calls, and releases the handler.
  package func end() {
    _ = handler.take()
  }

  package func didCommit(_ commit: CommitSummary, isSkipped: Bool) -> Delivery? { self }
}
