internal import ObjectBox

/// An observer of a live view; used in the isolation of the view only.
protocol LiveObserver: AnyObject {
  /// True once it has ended.
  var isEnded: Bool { get }

  /// Called before the view moves, so that the observer can compute the step to exactly that version.
  func willMove()

  /// Tells the new changes up to the version of the view.
  ///
  /// - Parameters:
  ///   - pin: The read transaction of the view; nil when it does not read.
  ///   - isNewest: True when there is no newer version.
  func deliver(at pin: PinnedRead?, isNewest: Bool)
}

/// A weak reference to an observer, which its token keeps alive.
struct WeakLiveObserver {
  weak var observer: (any LiveObserver)?
}

/// The pending news of an observer of a whole view.
///
/// A class, since threads that commit share it with the view.
final class ViewNews: CommitListener {
  struct State: Sendable {
    var isEnded = false
    /// True when the observer must be told of a change, once the view has moved.
    var hasChange = false
    /// True when the observer must be told that the view is behind.
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

/// An observer that is told the steps of a tracker when the view moves.
///
/// A class, since it keeps state between moves.
final class StepObserver<Tracker: ChangeTracking>: LiveObserver {
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
    // Changes that cannot be read are told the next time.
    if let pin {
      while !isEnded, let step = queue.reading({ try queue.next(at: pin) }) { handler(step) }
    }
    if isHeld { queue.fold() }
    isHeld = false
  }
}
