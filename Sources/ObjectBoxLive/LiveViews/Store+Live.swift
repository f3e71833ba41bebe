public import ObjectBox

extension Store {
  /// Returns the live view of the store for the caller's actor.
  ///
  /// Outside of every actor the view belongs to the calling task, also when that resumes on another thread,
  /// and to the calling thread; only `refresh` and its own writes move it. Another task gets another view.
  ///
  /// - Parameters:
  ///   - isolation: The isolation that may use the view; the caller's.
  ///   - file: The caller's file, for `activeVersions` and warnings.
  ///   - line: The caller's line.
  /// - Returns: The existing view of the isolation, as long as that is in use, else a new one.
  /// - Throws: `ObjectBoxError`: `closed`, or `wrongIsolation` when `isolation` is not the caller's.
  public func live(
    isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID,
    line: UInt = #line
  ) throws -> LiveStore {
    try live(in: LiveIsolation(isolation), CallSite(file, line))
  }

  /// Returns the live view of the store for a serial queue.
  ///
  /// - Parameters:
  ///   - queue: The queue that may use the view, on which this must be called.
  ///   - file: The caller's file, for `activeVersions` and warnings.
  ///   - line: The caller's line.
  /// - Returns: The existing view of the queue, as long as that is in use, else a new one.
  /// - Throws: `ObjectBoxError`: `closed`, or `wrongIsolation` elsewhere than on the queue.
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
    let signal = openStore.liveViews.object(
      key,
      where: { (signal: LiveSignal) in
        signal.isolation.shares(with: isolation) && signal.live != nil
      },
      make: { LiveSignal(isolation, openStore) }
    )
    return signal.live ?? LiveStore(self, signal, site)
  }
}
