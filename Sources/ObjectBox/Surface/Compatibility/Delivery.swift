internal import Dispatch

/// Calls a handler on a queue, until it is ended.
///
/// A class, since the queue and the observer share it.
final class Delivery: Sendable {
  /// A handler of the user's.
  ///
  /// Invariant of `@unchecked Sendable`: it is called on the queue that the user gave, and nowhere else; so
  /// the user decides which calls can meet.
  private struct Handler: @unchecked Sendable {
    let call: () -> Void
  }

  private let queue: DispatchQueue
  private let handler: Guarded<Handler?>

  init(on queue: DispatchQueue, _ handler: @escaping () -> Void) {
    self.queue = queue
    self.handler = Guarded(Handler(call: handler))
  }

  /// Asks for a call; returns at once.
  func schedule() {
    queue.async { [self] in
      // No lock is held while it runs: it may write, and it may end the subscription.
      if let handler = handler.withLock({ $0 }) { handler.call() }
    }
  }

  /// Lets no further call begin, and releases the handler.
  func end() {
    // What the handler holds may end with it, so it is released outside of the lock.
    let handler = handler.withLock { handler in
      defer { handler = nil }
      return handler
    }
    withExtendedLifetime(handler) {}
  }
}
