/// A subscription to changes, which ends with its life or with `invalidate`.
///
/// It may be used from all threads. Keep it as long as the changes are of interest.
///
/// A class, since its end gives the subscription up.
public final class NotificationToken: Sendable {
  let core: StoreCore
  /// The place among those who hear of commits.
  let key: CommitFeed.Key
  private let onEnd: Guarded<(@Sendable () -> Void)?>

  /// Makes the token of a taker.
  ///
  /// - Parameters:
  ///   - core: The store that is observed.
  ///   - key: What ``CommitFeed/add(_:)`` returned; it is removed at the end.
  ///   - onEnd: Called once, at the end.
  init(_ core: StoreCore, _ key: CommitFeed.Key, onEnd: @escaping @Sendable () -> Void) {
    self.core = core
    self.key = key
    self.onEnd = Guarded(onEnd)
  }

  deinit {
    invalidate()
  }

  /// Ends the subscription: no call begins after this.
  ///
  /// May be called more than once, on all threads, and by the handler itself.
  public func invalidate() {
    let end = onEnd.withLock { onEnd in
      defer { onEnd = nil }
      return onEnd
    }
    guard let end else { return }
    core.feed.remove(key)
    end()
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

extension StoreCore {
  /// Returns the observers that a write leaves out.
  ///
  /// - Throws: ``ObjectBoxError/foreignToken(message:)`` when one of them observes another store.
  func skipping(_ tokens: [NotificationToken]) throws -> CommitFeed.Skipping {
    guard tokens.allSatisfy({ $0.core === self }) else {
      throw ObjectBoxError.foreignToken(
        message:
          "a token in withoutNotifying observes another store than the one at '\(location)', "
          + "and cannot be left out here; pass tokens of this store only"
      )
    }
    return .keys(Set(tokens.map(\.key)))
  }
}
