internal import Dispatch

/// A subscription to the changes of a box or query, which ends with its life.
///
/// It may be used from all threads. It ends when its store instance closes, and does not keep that open.
/// Commits of other processes call no handler. The handlers that a commit calls on one queue are called in one
/// job, one after the other in the order of their subscriptions, also on a concurrent queue.
///
/// A class, since its end unsubscribes.
public final class Observer: Sendable {
  private let delivery: Delivery
  /// Ends the delivery at its own end; nil with `dontSubscribe`, whose single call does not need the observer.
  private let subscription: NotificationToken?

  /// Options of a subscription.
  public struct Flags: OptionSet, Sendable {
    /// The bits.
    public let rawValue: Int

    /// Makes flags from bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Calls the handler once at the beginning, on the queue as later.
    public static let sendInitial = Flags(rawValue: 1)
    /// Ignores changes: with `sendInitial` the handler is called once.
    public static let dontSubscribe = Flags(rawValue: 2)
  }

  /// Begins a subscription of a handler, which is called on a queue, once a commit.
  init<E>(
    _ source: ResultSource<E>,
    _ flags: Flags,
    _ queue: DispatchQueue,
    _ handler: @escaping () -> Void
  ) {
    let delivery = Delivery(to: DeliveryTarget(queue), isCoalescing: false, handler)
    self.delivery = delivery
    subscription =
      flags.contains(.dontSubscribe)
      ? nil : source.subscribe(delivery, onEnd: { delivery.end() })
    if flags.contains(.sendInitial) { delivery.request() }
  }

  /// Ends the subscription and releases the handler.
  ///
  /// Once this has returned, no call begins; a running call on another thread is not waited for. On the
  /// subscription's serial queue no call is running. May be called more than once, inside the handler, and
  /// after the store was closed.
  public func unsubscribe() {
    subscription?.invalidate()
    delivery.end()
  }
}
