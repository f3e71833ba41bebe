extension Store {
  /// Returns the view of the store that goes along with changes, for the caller's actor.
  ///
  /// Outside of every actor it is that of the calling task, wherever that goes on after an `await`, and of
  /// the calling thread; it is moved by `refresh` and own writes only. Another task makes one of its own.
  ///
  /// - Parameters:
  ///   - isolation: Where it may be used; the caller's.
  ///   - file: The caller's file, for ``activeVersions`` and warnings.
  ///   - line: The caller's line.
  /// - Returns: The same one for the same isolation, as long as somebody holds it.
  /// - Throws: ``ObjectBoxError``: `closed`, or `wrongIsolation` when `isolation` is not the caller's.
  public func live(
    isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID,
    line: UInt = #line
  ) throws -> LiveStore {
    try live(in: LiveIsolation(isolation), CallSite(file, line))
  }

  /// Returns the view of the store that goes along with changes, for a serial queue.
  ///
  /// - Parameters:
  ///   - queue: Where it may be used, and where this is called.
  ///   - file: The caller's file, for ``activeVersions`` and warnings.
  ///   - line: The caller's line.
  /// - Returns: The same one for the same queue, as long as somebody holds it.
  /// - Throws: ``ObjectBoxError``: `closed`, or `wrongIsolation` elsewhere than on the queue.
  public func live(
    on queue: SerialQueue,
    file: StaticString = #fileID,
    line: UInt = #line
  ) throws -> LiveStore {
    try live(in: .queue(queue), CallSite(file, line))
  }

  private func live(in isolation: LiveIsolation, _ site: CallSite) throws -> LiveStore {
    if isClosed || transactions.isClosed { throw closedError() }
    guard isolation.isCurrent, let key = isolation.key else {
      throw ObjectBoxError.wrongIsolation(
        message:
          "a live view can be made in the actor or on the queue that it is to belong to, not from "
          + "elsewhere; call live() there"
      )
    }
    let signal = core.liveViews.object(
      key,
      where: { (signal: LiveSignal) in
        signal.isolation.shares(with: isolation) && signal.live != nil
      },
      make: { LiveSignal(isolation, core) }
    )
    return signal.live ?? LiveStore(self, signal, site)
  }
}
