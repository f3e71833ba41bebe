/// A subscription to the changes of a box or query; keep it as long as you want to be called.
///
/// It may be used from all threads. When the store instance that it was made with closes, it ends. It does
/// not keep that store open. Commits of other processes are not told.
///
/// A class, since its end unsubscribes.
public final class Observer: Sendable {
  private let delivery: Delivery
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

  /// Begins a subscription.
  init<E>(to source: ResultSource<E>, flags: Flags, delivery: Delivery) {
    self.delivery = delivery
    if flags.contains(.dontSubscribe) {
      subscription = nil
    } else {
      subscription = source.subscribe(
        onCommit: { delivery.schedule() },
        onEnd: { delivery.end() }
      )
    }
    if flags.contains(.sendInitial) { delivery.schedule() }
  }

  deinit {
    // A single delivery that was asked for comes, also when nobody keeps the observer.
    if subscription != nil { unsubscribe() }
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
