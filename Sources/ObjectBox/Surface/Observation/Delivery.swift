internal import Dispatch

/// The isolation in which the handler of an observer is called; an actor is not kept alive.
struct DeliveryTarget: Sendable {
  /// Sends a block; does nothing when the actor is gone.
  let send: @Sendable (_ block: @escaping @Sendable () -> Void) -> Void

  /// - Throws: ``ObjectBoxError/wrongIsolation(message:)`` outside of every actor.
  init(_ actor: (any Actor)?) throws {
    guard let actor else {
      throw ObjectBoxError.wrongIsolation(
        message:
          "the handler of an observer cannot be called back: the observer begins outside of any "
          + "actor; begin it in one, or pass a SerialQueue with 'on:'"
      )
    }
    send = { [weak actor] block in CallbackTarget(actor)?.send(block) }
  }

  init(_ queue: SerialQueue) {
    send = { queue.async($0) }
  }

  init(_ queue: DispatchQueue) {
    send = { queue.async(execute: $0) }
  }
}

/// The calls of an observer's handler, which commits request.
///
/// A class, since commits and calls share it.
final class Delivery: Sendable {
  private let target: DeliveryTarget
  private let isCoalescing: Bool
  private let isRequested = Guarded(false)
  private let handler: Guarded<IsolationBound<() -> Void>?>

  /// - Parameters:
  ///   - target: The actor or queue of the handler.
  ///   - isCoalescing: True when all requests before the beginning of a call are answered by that call.
  ///   - handler: The handler, isolated to the target.
  init(to target: DeliveryTarget, isCoalescing: Bool, _ handler: @escaping () -> Void) {
    self.target = target
    self.isCoalescing = isCoalescing
    self.handler = Guarded(IsolationBound(handler))
  }

  /// Requests a call; returns at once.
  func request() {
    let wasRequested = isRequested.withLock { isRequested in
      defer { isRequested = true }
      return isRequested
    }
    if wasRequested && isCoalescing { return }
    target.send { self.deliver() }
  }

  private func deliver() {
    isRequested.withLock { $0 = false }
    // No lock is held during the call: the handler may write, and it may end the observation.
    if let handler = handler.copy { handler.value() }
  }

  /// Prevents further calls, and releases the handler.
  func end() {
    handler.clear()
  }
}
