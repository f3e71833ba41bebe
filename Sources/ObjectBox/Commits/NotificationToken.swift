/// A subscription to changes, which ends with its life or with `invalidate`.
///
/// It may be used from all threads. Keep it as long as the changes are of interest.
///
/// A class, since its end gives the subscription up.
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

  /// Ends the subscription: no call begins after this.
  ///
  /// May be called more than once, on all threads, and by the handler itself.
  public func invalidate() {
    hub.end(key)
  }
}

/// The set of observers that a write leaves out.
public enum SilentWrite: Sendable {
  /// All of them: `observe`, `changes`, `subscribe`, `results` and publishers, of the whole process.
  ///
  /// Live views still move to the commit, and `commits` lists it. Objects and results that observers are
  /// given for another commit are read when the handler is called, so they include changes of silent
  /// commits until then. When a silent and another transaction share a commit, observers are told once, for
  /// the latter.
  case all
}
