internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol

/// Wakes sessions when objects that their users see have changed in the database.
///
/// It reads the log once for all sessions: after uploads of this server, after each commit that the cluster announces,
/// and each second for plain SQL, which announces nothing.
struct LogWatch: Sendable {
  /// The number of changes between two readings above which all sessions are woken.
  ///
  /// Changes above the limit are only counted, so a transaction with millions of changes takes no memory.
  private static let entryLimit = 20_000

  let cluster: Cluster
  let deltas: DeltaReading
  let interval: Duration
  /// Returns the sessions.
  let sessions: @Sendable () -> ServerSessions
  let report: @Sendable (any Error) -> Void
  let figures: FigureKeeper

  /// Watches until the task is cancelled.
  ///
  /// - Parameters:
  ///   - ticks: Each element triggers a reading of the log.
  ///   - tick: Adds elements to `ticks`.
  func run(_ ticks: AsyncStream<Void>, _ tick: AsyncStream<Void>.Continuation) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { await self.listen(tick) }
      group.addTask {
        while !Task.isCancelled {
          try? await Task.sleep(for: interval)
          tick.yield()
        }
        tick.finish()
      }
      group.addTask { await self.follow(ticks) }
    }
  }

  private func listen(_ tick: AsyncStream<Void>.Continuation) async {
    while !Task.isCancelled {
      do {
        for await _ in try await cluster.commits() { tick.yield() }
      } catch {
        if !Task.isCancelled { report(error) }
      }
      // Polling continues in the meantime.
      try? await Task.sleep(for: interval)
    }
  }

  private func follow(_ ticks: AsyncStream<Void>) async {
    var cursor: Cursor?
    var isBroken = false
    for await _ in ticks {
      do {
        let changes = try await deltas.changes(since: cursor, limit: Self.entryLimit)
        let sessions = sessions()
        // The first reading has no changes, so sessions may lack changes from before it. After an error, the log may be
        // a different one.
        if let entries = changes.entries, changes.further.isEmpty, cursor != nil, !isBroken {
          sessions.sessions(concernedBy: entries).forEach { $0.wakeForChange() }
        } else {
          sessions.all.forEach { $0.wake() }
        }
        figures.note(changes.entries ?? [], further: changes.further)
        cursor = changes.cursor
        isBroken = false
      } catch {
        if Task.isCancelled { return }
        if !isBroken { report(error) }
        isBroken = true
        cursor = nil
      }
    }
  }
}
