internal import Dispatch

/// A subscription to the changes of a box or query; keep it as long as you want to be called.
///
/// It may be used from all threads. When the store instance that it was made with closes, it ends. It does
/// not keep that store open. Commits of other processes are not told.
///
/// A class, since its end unsubscribes.
public final class Observer: Sendable {
  private let delivery: Delivery
  /// Ends with the observer, and the delivery with it; nil with `dontSubscribe`, whose one call comes also
  /// when the observer is not kept.
  private let subscription: NotificationToken?

  /// How a subscription begins.
  public struct Flags: OptionSet, Sendable {
    /// The bits.
    public let rawValue: Int

    /// Makes flags from bits.
    public init(rawValue: Int) {
      self.rawValue = rawValue
    }

    /// Calls the handler once at the beginning, on the queue as later.
    public static let sendInitial = Flags(rawValue: 1)
    /// Does not tell changes: with `sendInitial` the handler is called once.
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
      ? nil : source.subscribe(onCommit: { delivery.request() }, onEnd: { delivery.end() })
    if flags.contains(.sendInitial) { delivery.request() }
  }

  /// Ends the subscription and releases the handler.
  ///
  /// Once this has returned, no call begins; a call that is under way on another thread is not waited for.
  /// Called on the subscription's serial queue, there is none under way. May be called more than once,
  /// inside the handler, and after the store was closed.
  public func unsubscribe() {
    subscription?.invalidate()
    delivery.end()
  }
}
