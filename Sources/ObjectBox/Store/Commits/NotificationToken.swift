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

/// The observers that a write leaves out.
public enum SilentWrite: Sendable {
  /// All of them: `observe`, `changes`, `subscribe`, `results` and publishers, of the whole process.
  ///
  /// Live views still move to the commit, and `commits` lists it. An observer that is told of another
  /// commit gets what the store holds then, changes of silent commits included: where it is given objects
  /// or results, they are read when it is called, so a call that a told commit has asked for shows a
  /// silent one that came meanwhile. A silent and a told transaction that share a commit are told once,
  /// for the latter.
  case all
}
