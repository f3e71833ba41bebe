public import ObjectBox

extension Store {
  /// Returns the live view of the store for the caller's actor.
  ///
  /// Outside of actors the view belongs to the calling thread and task, also when the task resumes
  /// on another thread. Only `refresh` and its own writes move it. Another task gets another view.
  ///
  ///     let live = try store.live()
  ///     let pinned = try live.query(Note.self) { Note.isPinned == true }
  ///     for note in pinned { print(note.title) }
  ///
  /// - Parameters:
  ///   - isolation: The isolation that may use the view; the caller's.
  ///   - file: The caller's file, for `activeVersions` and warnings.
  ///   - line: The caller's line.
  /// - Returns: The isolation's existing view while it is in use, else a new view.
  /// - Throws: `ObjectBoxError`: `closed`, or `wrongIsolation` when `isolation` is not the
  ///   caller's.
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
  ///   - queue: The queue that may use the view; call this on the queue.
  ///   - file: The caller's file, for `activeVersions` and warnings.
  ///   - line: The caller's line.
  /// - Returns: The queue's existing view while it is in use, else a new view.
  /// - Throws: `ObjectBoxError`: `closed`, or `wrongIsolation` when not called on the queue.
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
