internal import ObjectBoxCluster

/// Creates partitions of the log ahead, removes old ones, and deletes old uploads.
///
/// Call it about every minute; one server at a time does the work.
package struct ServerLogSweep: Sendable {
  /// The number of transactions in a partition by default.
  package static let partitionWidth: UInt64 = 1 << 22
  /// The number of partitions that are created ahead.
  static let partitionsAhead = 4

  /// The result of a sweep.
  package struct Report: Hashable, Sendable {
    /// True if another server is sweeping; this sweep did nothing then.
    package var isBusy = false
    /// The names of the removed tables.
    package var removed: [String] = []
    /// The number of new partitions.
    package var made = 0
    /// True if new partitions are needed, but transactions that use the log did not end in time.
    package var mustExtend = false
    /// The number of deleted uploads.
    package var forgotten = 0
    /// The number of deleted decisions and tombstones.
    package var forgottenDecisions = 0
    /// The number of deleted decisions about transactions without effects.
    package var forgottenIdleDecisions = 0
  }

  private let serverLog: ServerLog
  private let memory: Duration
  private let uploadMemory: Duration
  private let decisionMemory: Duration
  private let width: UInt64

  /// Creates the sweeps of a server log.
  ///
  /// - Parameters:
  ///   - serverLog: The server log.
  ///   - memory: The least time for which the log keeps changes, by the database's clock.
  ///   - uploadMemory: The least time for which the numbers of uploads are kept, by the database's clock.
  ///   - decisionMemory: The least time for which decisions and tombstones are kept; not less than the others, since a
  ///     device with an older cursor must compare digests.
  ///   - width: The number of transactions in a new partition.
  package init(
    _ serverLog: ServerLog,
    keeping memory: Duration,
    uploads uploadMemory: Duration,
    decisions decisionMemory: Duration = SyncServer.Limits().decisionMemory,
    width: UInt64 = ServerLogSweep.partitionWidth
  ) {
    self.serverLog = serverLog
    self.memory = memory
    self.uploadMemory = uploadMemory
    self.decisionMemory = max(decisionMemory, memory, uploadMemory)
    self.width = width
  }

  /// Sweeps once.
  ///
  /// Detaching waits for transactions that use the log, but does not block others. A plain DROP of a partition would
  /// wait as well, and would block all writers during the wait.
  ///
  /// - Throws: `ClusterError`; the next sweep continues.
  package func run() async throws -> Report {
    try await serverLog.pool.withConnection { connection in
      let lock = Int64(bitPattern: "sweep \(serverLog.changes)".utf8.stableDigest)
      let got = try await connection.run([
        Statement("SELECT pg_try_advisory_lock($1)") { $0.append(lock) }
      ])
      guard got[0].bool(0, 0) ?? false else { return Report(isBusy: true) }
      do {
        var report = try await sweep(on: connection)
        let uploads = UploadLedger(serverLog)
        report.forgotten = try await uploads.forgetUploads(olderThan: uploadMemory, on: connection)
        report.forgottenDecisions = try await uploads.forgetDecisions(
          olderThan: decisionMemory,
          on: connection
        )
        report.forgottenIdleDecisions = try await uploads.forgetIdleDecisions(
          olderThan: uploadMemory,
          on: connection
        )
        _ = try await connection.run([
          Statement("SELECT pg_advisory_unlock($1)") { $0.append(lock) }
        ])
        return report
      } catch {
        _ = try? await connection.run([
          Statement(once: "ROLLBACK"),
          Statement("SELECT pg_advisory_unlock($1)") { $0.append(lock) },
        ])
        throw error
      }
    }
  }

  private func sweep(on connection: Connection) async throws -> Report {
    var report = Report()
    let retentionLimit = try await retentionLimit(on: connection)
    var all = try await partitions(on: connection)
    for pending in all where pending.isPending {
      // A server that ended while it was detaching.
      _ = try await connection.run([
        Statement(
          once:
            "ALTER TABLE \(serverLog.changes) DETACH PARTITION \(serverLog.name(pending.name)) FINALIZE"
        )
      ])
    }
    let old = all.compactMap(\.partition).filter { $0.upper.map { $0 <= retentionLimit } ?? false }
    if let swept = old.compactMap(\.upper).max() {
      // Committed first: a delta must know which changes are missing.
      _ = try await connection.run([
        Statement("UPDATE \(serverLog.epoch) SET swept = greatest(swept, $1)") {
          $0.append(transaction: swept)
        }
      ])
    }
    for partition in old {
      // It cannot run in a transaction block, so it needs its own round trip.
      _ = try await connection.run([
        Statement(
          once:
            "ALTER TABLE \(serverLog.changes) DETACH PARTITION \(serverLog.name(partition.name)) CONCURRENTLY"
        )
      ])
    }
    all = try await partitions(on: connection)
    for detached in all where detached.partition == nil && !detached.isPending {
      _ = try await connection.run([Statement(once: "DROP TABLE \(serverLog.name(detached.name))")])
      report.removed.append(detached.name)
    }
    try await extend(all.compactMap(\.partition), on: connection, &report)
    return report
  }

  /// Records the present transaction number, and returns the number below which changes may be removed.
  ///
  /// That number is below all transactions in progress, which may still log changes.
  private func retentionLimit(on connection: Connection) async throws -> UInt64 {
    let rows = try await connection.run([
      Statement(
        """
        WITH waiting AS MATERIALIZED (SELECT \(ServerLog.waitForDisk))
        INSERT INTO \(serverLog.sweepMarks) (xact) SELECT pg_snapshot_xmin(pg_current_snapshot()) FROM waiting
        """
      ),
      Statement(
        """
        WITH old AS (
          SELECT at, xact FROM \(serverLog.sweepMarks) WHERE at <= clock_timestamp() - make_interval(secs => $1)
          ORDER BY at DESC LIMIT 1
        ), gone AS (DELETE FROM \(serverLog.sweepMarks) AS m USING old WHERE m.at < old.at)
        SELECT xact FROM old
        """
      ) { $0.append(memory.inSeconds) },
    ])
    return rows[1].count > 0 ? rows[1].integer(0, 0, as: UInt64.self) ?? 0 : 0
  }

  private struct Found {
    let name: String
    /// Nil for a table that is detached, or being detached.
    let partition: LogPartition?
    let isPending: Bool
  }

  private func partitions(on connection: Connection) async throws -> [Found] {
    let rows = try await connection.run([serverLog.partitionsQuery])[0]
    return (0..<rows.count).map { row in
      let isPending = rows.bool(row, 2) ?? false
      return Found(
        name: rows.text(row, 0) ?? "",
        partition: isPending ? nil : rows.text(row, 1).flatMap(LogPartition.init(bounds:)),
        isPending: isPending
      )
    }
  }

  // MARK: Partitions ahead

  /// The time for which writers may wait for new partitions.
  private static let lockTimeout = "100ms"

  /// Creates partitions when transaction numbers approach the last one.
  ///
  /// One short transaction replaces the last partition. It needs exclusive access to the log, and gives up if a
  /// transaction that uses the log does not end soon. The last partition takes all changes until then.
  private func extend(
    _ partitions: [LogPartition],
    on connection: Connection,
    _ report: inout Report
  ) async throws {
    guard let last = partitions.first(where: { $0.upper == nil }) else { return }
    let rows = try await connection.run([
      Statement(once: "SELECT pg_snapshot_xmax(pg_current_snapshot())")
    ])
    let next = rows[0].integer(0, 0, as: UInt64.self) ?? 0
    let ahead = UInt64(Self.partitionsAhead) / 2 * width
    guard next + ahead > last.lower else { return }
    do {
      report.made = try await replace(last, on: connection)
    } catch let failure as ServerFailure where failure.state == "55P03" {
      _ = try await connection.run([Statement(once: "ROLLBACK")])
      report.mustExtend = true
    }
  }

  private func replace(_ last: LogPartition, on connection: Connection) async throws -> Int {
    let table = serverLog.name(last.name)
    let rows = try await connection.run([
      Statement(once: "BEGIN ISOLATION LEVEL READ COMMITTED"),
      Statement(once: "SET LOCAL lock_timeout = '\(Self.lockTimeout)'"),
      Statement(once: "LOCK TABLE \(serverLog.changes) IN ACCESS EXCLUSIVE MODE"),
      Statement(once: "ALTER TABLE \(serverLog.changes) DETACH PARTITION \(table)"),
      Statement(once: "SELECT max(xact) FROM \(table)"),
    ])
    var lower = last.lower
    var statements: [Statement] = []
    if let used = rows[4].integer(0, 0, as: UInt64.self) {
      lower = max(used, last.lower) + width
      let kept = LogPartition(lower: last.lower, upper: lower)
      statements.append(
        Statement(once: "ALTER TABLE \(serverLog.changes) ATTACH PARTITION \(table) \(kept.bounds)")
      )
    } else {
      statements.append(Statement(once: "DROP TABLE \(table)"))
    }
    let new = serverLog.partitions(from: lower, width: width)
    _ = try await connection.run(
      statements + new.map(serverLog.creation) + [Statement(once: "COMMIT")]
    )
    return new.count
  }
}

extension ServerLog {
  /// Reads the log's tables, including detached ones: name, bounds, and whether the table is being detached.
  var partitionsQuery: Statement {
    Statement(
      """
      SELECT c.relname::text, pg_get_expr(c.relpartbound, c.oid), coalesce(i.inhdetachpending, false)
      FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
        LEFT JOIN pg_inherits AS i ON i.inhrelid = c.oid
      WHERE n.nspname = $1 AND c.relname ~ '^objectbox_changes_[0-9]+$' AND c.relkind = 'r'
      ORDER BY c.relname
      """
    ) { $0.append(tables.namespaceName) }
  }
}
