internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol

/// Wakes sessions when the database has changed what their users see.
///
/// One reading of the log for all sessions: after uploads of this server, after each commit that the
/// cluster tells, and each second for plain SQL, which tells nobody.
struct LogWatch: Sendable {
  /// More changes than this between two readings wake all sessions.
  ///
  /// Changes behind the limit are only counted, so that a transaction with millions of changes takes no
  /// memory.
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
  ///   - ticks: Each element lets it look at the log.
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
      // The polling goes on meanwhile.
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
        // The first reading has no changes: what came before it may be new to sessions. After an error
        // the log may be another one.
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
