/// A subscription to changes, which ends with `invalidate` or with the release of the token.
///
/// It may be used on all threads. Keep it as long as you need the changes.
public final class NotificationToken: Sendable {
  let hub: CommitHub
  let key: CommitHub.Key

  init(_ hub: CommitHub, _ key: CommitHub.Key) {
    self.hub = hub
    self.key = key
  }

  deinit {
    invalidate()
  }

  /// Ends the subscription: no call of the handler begins after this.
  ///
  /// May be called more than once, on any thread, and by the handler itself.
  public func invalidate() {
    hub.end(key)
  }
}

/// The set of observers that a write leaves out.
public enum SilentWrite: Sendable {
  /// All of them: `observe`, `changes`, `subscribe`, `results` and publishers, of the whole process.
  ///
  /// Live views still move to the commit, and `commits` lists it. Objects and results are read when a handler
  /// is called, so they include changes of silent commits before that. If a silent and another transaction
  /// share a commit, observers are notified once, for the other transaction.
  case all
}
