internal import ObjectBoxStorage

/// Somebody who wants to hear what happens to a live view.
///
/// Its handler is called in the isolation of the view. A class, since threads that commit tell it.
final class LiveObserver {
  /// What commits have brought that has not been told.
  struct News: Sendable {
    var key: CommitFeed.Key?
    var isEnded = false
    /// To be told that the view has changed, once it has.
    var hasChange = false
    /// To be told that the view must be moved.
    var isBehind = false
  }

  private let news: Guarded<News>
  private let handler: (StoreNotification) -> Void

  init(_ news: Guarded<News>, _ handler: @escaping (StoreNotification) -> Void) {
    self.news = news
    self.handler = handler
  }

  var isEnded: Bool { news.withLock(\.isEnded) }

  /// Calls the handler, if there is something to tell.
  func deliver(isNewest: Bool) {
    let notification: StoreNotification? = news.withLock { news in
      guard !news.isEnded else { return nil }
      let isTold = isNewest ? news.hasChange : news.isBehind
      news.isBehind = false
      if isNewest { news.hasChange = false }
      return isTold ? (isNewest ? .didChange : .refreshRequired) : nil
    }
    if let notification { handler(notification) }
  }
}

extension LiveStore {
  /// Tells when the view has moved to a newer version, or must be moved when `autorefresh` is off.
  ///
  /// Several commits are told once. A view of a thread tells inside `refresh`.
  ///
  /// - Parameter handler: Called in the isolation of the view, after commits, never inside of them. Writes
  ///   in it are told like others.
  /// - Returns: What ends it, and keeps the view meanwhile.
  /// - Throws: ``ObjectBoxError``: `wrongIsolation`, `closed`.
  public func observe(
    _ handler: @escaping (StoreNotification) -> Void
  ) throws -> NotificationToken {
    try checkUsable()
    let news = Guarded(LiveObserver.News())
    let key = store.core.feed.add { commit in
      news.withLock { news in
        if let key = news.key, commit.skipped.contains(key) { return }
        news.hasChange = true
        news.isBehind = true
      }
    }
    news.withLock { $0.key = key }
    observers.append(LiveObserver(news, handler))
    let view = Homing(self)
    return NotificationToken(store.core, key) {
      news.withLock { $0.isEnded = true }
      withExtendedLifetime(view) {}
    }
  }
}
