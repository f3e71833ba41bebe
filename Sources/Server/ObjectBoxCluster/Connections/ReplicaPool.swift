internal import ObjectBox

/// Connections to replicas, and the primary's position in its log.
///
/// The age of a replica's last commit does not show its lag: a replica that is cut off considers itself current.
/// Instead the primary returns its log position. A replica that has replayed up to this position has all earlier
/// commits.
final class ReplicaPool: Sendable {
  private struct Position: Sendable {
    /// The position, as the server writes it.
    let text: String
    /// The time just before the primary was asked.
    let time: ContinuousClock.Instant
  }

  let pool: ConnectionPool
  private let primary: ConnectionPool
  private let newest = Guarded<Position?>(nil)

  /// - Throws: The same errors as ``ConnectionPool/init(_:to:)``.
  init(besides primary: ConnectionPool) throws {
    self.primary = primary
    pool = try ConnectionPool(primary.configuration, to: .replicas)
  }

  /// Returns a connection to a sufficiently recent server, for the caller alone; nil when there is none.
  ///
  /// - Throws: ``ClusterError`` when the primary cannot be asked.
  func checkOut(maximumLag: Duration) async throws -> Connection? {
    let position = try await position(notOlderThan: maximumLag / 2)
    guard let connection = try? await pool.checkOut() else { return nil }
    let query = Statement(
      "SELECT NOT pg_is_in_recovery() OR pg_last_wal_replay_lsn() >= $1::text::pg_lsn"
    ) { $0.append(position.text) }
    let isNew = try? await connection.run([query])[0].bool(0, 0)
    guard isNew == true, ContinuousClock.now - position.time <= maximumLag else {
      pool.checkIn(connection, isUsable: isNew != nil)
      return nil
    }
    return connection
  }

  private func position(notOlderThan age: Duration) async throws -> Position {
    let now = ContinuousClock.now
    if let known = newest.withLock({ $0 }), now - known.time <= age { return known }
    let rows = try await primary.read([Statement("SELECT pg_current_wal_lsn()::text")])
    let position = Position(text: rows[0].text(0, 0) ?? "0/0", time: now)
    newest.withLock { known in
      if known.map({ $0.time < now }) ?? true { known = position }
    }
    return position
  }
}
