package import Dispatch
internal import Synchronization

/// The isolation in which the handler of an observer is called; an actor is not kept alive.
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

  /// - Throws: ``ObjectBoxError/wrongIsolation(message:)`` outside of every actor.
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

  /// The isolation while it is used; nil when the actor is gone.
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

    /// The identity of the isolation, valid during the life of the reference.
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

/// The main queue, of which Dispatch makes a new instance a use on some systems.
private enum MainQueue {
  private static let key = DispatchSpecificKey<Bool>()
  private static let queue: DispatchQueue = {
    let queue = DispatchQueue.main
    queue.setSpecific(key: key, value: true)
    return queue
  }()

  /// Returns the same instance for all instances of the main queue; other queues as they are.
  static func shared(_ other: DispatchQueue) -> DispatchQueue {
    let main = queue
    return other.getSpecific(key: key) == true ? main : other
  }
}

/// The calls of an observer's handler, which commits request.
///
/// As a listener it is called by the job that the ``CommitHub`` sends to its queue for all handlers there.
///
/// A class, since commits and calls share it.
package final class Delivery: CommitListener {
  let target: DeliveryTarget
  private let isCoalescing: Bool
  /// True when a call is requested; only where calls coalesce.
  private let isRequested = Atomic<Bool>(false)
  private let handler: Guarded<IsolationBound<() -> Void>?>

  /// - Parameters:
  ///   - target: The actor or queue of the handler.
  ///   - isCoalescing: True when all requests before the beginning of a call are answered by that call.
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

  /// Notes a request; false when a requested call answers it.
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
