internal import Dispatch

/// A subscription to the changes of a box or query; releasing it unsubscribes.
///
/// Any thread may use it. It ends when its store instance closes, and does not keep the store open.
/// Commits of other processes call no handler. One job calls all handlers of a commit on one queue,
/// in the order of their subscriptions, also on a concurrent queue.
///
///     observer = notes.subscribe { (all, error) in print(all.count, error ?? "no error") }
///     observer = nil  // unsubscribes
public final class Observer: Sendable {
  private let delivery: Delivery
  /// Ends the delivery when it is released; nil with `dontSubscribe`, whose single call needs no
  /// observer.
  private let subscription: NotificationToken?

  /// Options of a subscription.
  public struct Flags: OptionSet, Sendable {
    /// The bits.
    public let rawValue: Int

    /// Makes flags from bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Calls the handler once at the beginning, on the same queue.
    public static let sendInitial = Flags(rawValue: 1)
    /// Ignores changes: with `sendInitial` the handler is called once.
    public static let dontSubscribe = Flags(rawValue: 2)
  }

  /// Subscribes a handler, which is called on a queue once for each commit.
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
  /// After the return no call begins. A call that is running on another thread is not awaited; on
  /// the subscription's serial queue none can be running. May be called repeatedly, inside the
  /// handler, and after the store was closed.
  public func unsubscribe() {
    subscription?.invalidate()
    delivery.end()
  }
}
