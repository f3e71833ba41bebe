internal import ObjectBox

/// An observer of a live view; used in the isolation of the view only.
protocol LiveObserver: AnyObject {
  /// True after its end.
  var isEnded: Bool { get }

  /// Called before the view moves, so that the observer can compute the step to exactly the new
  /// version.
  func willMove()

  /// Notifies of the changes up to the view's version.
  ///
  /// - Parameters:
  ///   - pin: The view's read transaction; nil when the view does not read.
  ///   - isNewest: True when no newer version exists.
  func deliver(at pin: PinnedRead?, isNewest: Bool)
}

/// A weak reference to an observer, which its token keeps alive.
struct WeakLiveObserver {
  weak var observer: (any LiveObserver)?
}

/// The undelivered events of an observer of a whole view; threads that commit share it with the
/// view.
final class ViewNews: CommitListener {
  struct State: Sendable {
    var isEnded = false
    /// True when the observer must be notified of a change after the view has moved.
    var hasChange = false
    /// True when the observer must be notified that the view is behind.
    var isBehind = false
  }

  let state = Guarded(State())

  func didCommit(_ commit: CommitSummary, isSkipped: Bool) -> Delivery? {
    state.withLock { state in
      state.hasChange = true
      state.isBehind = true
    }
    return nil
  }
}

/// An observer of a whole view.
final class ViewObserver: LiveObserver {
  private let news: ViewNews
  private let handler: (StoreNotification) -> Void

  init(_ news: ViewNews, _ handler: @escaping (StoreNotification) -> Void) {
    self.news = news
    self.handler = handler
  }

  var isEnded: Bool { news.state.withLock(\.isEnded) }

  func willMove() {}

  func deliver(at pin: PinnedRead?, isNewest: Bool) {
    let notification: StoreNotification? = news.state.withLock { news in
      guard !news.isEnded else { return nil }
      let isTold = isNewest ? news.hasChange : news.isBehind
      news.isBehind = false
      if isNewest { news.hasChange = false }
      return isTold ? (isNewest ? .didChange : .refreshRequired) : nil
    }
    if let notification { handler(notification) }
  }
}

/// An observer that gets the steps of a tracker when the view moves.
final class StepObserver<Tracker: ObserverTracker>: LiveObserver {
  private let queue: ChangeQueue<Tracker>
  private let handler: (Tracker.Step) -> Void
  private var isHeld = false

  init(_ queue: ChangeQueue<Tracker>, _ handler: @escaping (Tracker.Step) -> Void) {
    self.queue = queue
    self.handler = handler
  }

  var isEnded: Bool { queue.isEnded }

  func willMove() {
    if !isHeld { queue.keepApart() }
    isHeld = true
  }

  func deliver(at pin: PinnedRead?, isNewest: Bool) {
    // Unreadable changes are delivered the next time.
    if let pin {
      while !isEnded, let step = queue.reading({ try queue.next(at: pin) }) { handler(step) }
    }
    if isHeld { queue.fold() }
    isHeld = false
  }
}
