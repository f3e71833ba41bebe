package import Dispatch
internal import Synchronization

/// The actor or queue on which the handler of an observer is called; an actor is held weakly.
package struct DeliveryTarget: Sendable {
  /// A reference to the isolation.
  private enum Reference: Sendable {
    case actor(WeakActor)
    case queue(DispatchQueue)
  }

  private struct WeakActor: Sendable {
    weak let actor: (any Actor)?
  }

  private let reference: Reference

  /// - Throws: ``ObjectBoxError/wrongIsolation(message:)`` if there is no actor.
  package init(_ actor: (any Actor)?) throws {
    guard let actor else {
      throw ObjectBoxError.wrongIsolation(
        message:
          "the handler of an observer cannot be called back: the observer begins outside of any "
          + "actor; begin it in one, or pass a SerialQueue with 'on:'"
      )
    }
    reference = .actor(WeakActor(actor: actor))
  }

  package init(_ queue: SerialQueue) {
    reference = .queue(queue.dispatchQueue)
  }

  package init(_ queue: DispatchQueue) {
    reference = .queue(MainQueue.shared(queue))
  }

  /// A strong reference for the time of a use; nil if the actor is gone.
  var present: Present? {
    switch reference {
    case .actor(let reference): reference.actor.map { .actor(ActorMailbox.of($0)) }
    case .queue(let queue): .queue(queue)
    }
  }

  /// The queue; nil for an actor.
  var queue: DispatchQueue? {
    if case .queue(let queue) = reference { queue } else { nil }
  }

  /// A strong reference to the isolation.
  enum Present: Sendable {
    case actor(ActorMailbox)
    case queue(DispatchQueue)

    /// The identity of the isolation, valid as long as this reference.
    var key: ObjectIdentifier {
      switch self {
      case .actor(let mailbox): ObjectIdentifier(mailbox)
      case .queue(let queue): ObjectIdentifier(queue)
      }
    }

    /// Sends a block and returns at once.
    func send(_ block: @escaping @Sendable () -> Void) {
      switch self {
      case .actor(let mailbox): mailbox.send(block)
      case .queue(let queue): queue.async(execute: block)
      }
    }
  }
}

/// The main queue as one instance: on some systems each use of `DispatchQueue.main` makes a new
/// instance.
private enum MainQueue {
  private static let key = DispatchSpecificKey<Bool>()
  private static let queue: DispatchQueue = {
    let queue = DispatchQueue.main
    queue.setSpecific(key: key, value: true)
    return queue
  }()

  /// Returns the shared instance for the main queue, and other queues unchanged.
  static func shared(_ other: DispatchQueue) -> DispatchQueue {
    let main = queue
    return other.getSpecific(key: key) == true ? main : other
  }
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
  private let handler: Guarded<IsolationBound<() -> Void>?>

  /// - Parameters:
  ///   - target: The actor or queue of the handler.
  ///   - isCoalescing: True if one call answers all requests that come before it begins.
  ///   - handler: The handler, isolated to the target.
  package init(to target: DeliveryTarget, isCoalescing: Bool, _ handler: @escaping () -> Void) {
    self.target = target
    self.isCoalescing = isCoalescing
    self.handler = Guarded(IsolationBound(handler))
  }

  /// Requests a call; returns at once.
  package func request() {
    if claim() { target.present?.send { self.deliver() } }
  }

  /// Notes a request; false if a call that was requested before answers it.
  func claim() -> Bool {
    !isCoalescing || !isRequested.exchange(true, ordering: .acquiringAndReleasing)
  }

  /// Calls the handler; must be called in the isolation.
  func deliver() {
    if isCoalescing { _ = isRequested.exchange(false, ordering: .acquiringAndReleasing) }
    // No lock is held during the call: the handler may write, and it may end the observation.
    if let handler = handler.copy { handler.value() }
  }

  /// Prevents further calls, and releases the handler.
  package func end() {
    handler.clear()
  }

  package func didCommit(_ commit: CommitSummary, isSkipped: Bool) -> Delivery? { self }
}
