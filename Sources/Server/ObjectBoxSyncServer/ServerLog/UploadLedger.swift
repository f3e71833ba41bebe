package import ObjectBoxCluster
package import ObjectBoxSyncProtocol

/// The record of all devices' uploads: the transactions that the server log has, their order and their decisions.
package struct UploadLedger: Sendable {
  private let serverLog: ServerLog

  /// Opens the ledger of a server log.
  package init(_ serverLog: ServerLog) {
    self.serverLog = serverLog
  }

  /// Reads the admission of an uploaded transaction, before its effects are decided.
  ///
  /// It must not run in the transaction of the upload: reading small tables there makes uploads of other devices fail.
  /// ``store(_:of:_:from:isDecided:in:)`` makes the decision; this gives the reason when that stored nothing.
  ///
  /// - Parameters:
  ///   - transaction: The transaction.
  ///   - device: The device.
  ///   - user: The identity of the device's user.
  /// - Returns: The admission, and the device's record, nil for an unknown device.
  /// - Throws: `Refused` when another user has uploaded the transaction: this user must not learn its outcome.
  ///   ``ServerLogError/corrupt(message:)``, `ClusterError`.
  package func admission(
    of transaction: SyncTransaction,
    from device: DeviceIdentity,
    of user: String = ""
  ) async throws -> (Admission, DeviceRecord?) {
    let rows = try await serverLog.pool.read([
      recordQuery(device),
      Statement("SELECT token FROM \(serverLog.uploads) WHERE device = $1 AND sequence = $2") {
        $0.append(device.bits)
        $0.append(id: transaction.sequence)
      },
      Statement(
        "SELECT verdict, milliseconds, counter, owner FROM \(serverLog.decisions) WHERE token = $1"
      ) {
        $0.append(transaction.token.bits)
      },
      retentionLimitQuery,
    ])
    let record = DeviceRecord(rows[0])
    let known = rows[1].count > 0 ? rows[1].identifier(0, 0).map { TransactionToken($0) } : nil
    let admission = Admission(
      of: transaction,
      record: record,
      known: known,
      decided: try DecidedTransaction(rows[2]),
      retentionLimit: retentionLimit(rows[3])
    )
    if case .decided = admission, let owner = rows[2].byteArray(0, 3), owner != Array(user.utf8) {
      throw Refused(
        .credentials,
        "the device's transaction \(transaction.sequence) was uploaded by another user; log in as the user who wrote it"
      )
    }
    return (admission, record)
  }

  /// Reads how many of the first transactions of an upload are new.
  ///
  /// It must not run in the transaction of the upload, see ``admission(of:from:)``.
  ///
  /// - Parameters:
  ///   - transactions: The transactions in order; not empty.
  ///   - device: The device.
  /// - Returns: The device's record, nil for an unknown device, and the number of transactions before the first one
  ///   whose admission is not ``Admission/new``.
  /// - Throws: ``ServerLogError/corrupt(message:)``, `ClusterError`.
  func newOnes(
    of transactions: ArraySlice<SyncTransaction>,
    from device: DeviceIdentity
  ) async throws -> (DeviceRecord?, Int) {
    let rows = try await serverLog.pool.read([
      recordQuery(device),
      Statement(
        "SELECT sequence FROM \(serverLog.uploads) WHERE device = $1 AND sequence = ANY ($2)"
      ) {
        $0.append(device.bits)
        $0.append(ids: transactions.map(\.sequence))
      },
      Statement("SELECT token FROM \(serverLog.decisions) WHERE token = ANY ($1)") {
        $0.append(tokens: transactions.map(\.token))
      },
      retentionLimitQuery,
    ])
    let known = Set((0..<rows[1].count).compactMap { rows[1].integer($0, 0, as: UInt64.self) })
    let decided = Set((0..<rows[2].count).compactMap { rows[2].identifier($0, 0) })
    let record = DeviceRecord(rows[0])
    let retentionLimit = retentionLimit(rows[3])
    var last = record
    let new = transactions.prefix { transaction in
      guard !known.contains(transaction.sequence), !decided.contains(transaction.token.bits),
        Admission(
          of: transaction,
          record: last,
          known: nil,
          decided: nil,
          retentionLimit: retentionLimit
        ) == .new
      else { return false }
      var next = last ?? DeviceRecord()
      next.advance(to: transaction)
      last = next
      return true
    }
    return (record, new.count)
  }

  /// Read after the decisions: if a decision is deleted in between, the retention limit has passed it.
  private var retentionLimitQuery: Statement { Statement("SELECT horizon FROM \(serverLog.epoch)") }

  private func retentionLimit(_ rows: ResultRows) -> Int64 {
    rows.count > 0 ? rows.integer(0, 0, as: Int64.self) ?? .min : .min
  }

  private func recordQuery(_ device: DeviceIdentity) -> Statement {
    Statement(
      "SELECT last, token, milliseconds, counter FROM \(serverLog.devices) WHERE device = $1"
    ) {
      $0.append(device.bits)
    }
  }

  /// Stores a transaction's decision, if the transaction is the device's next one.
  ///
  /// One statement compares the device's last number and token, and stores everything. Call it in the SERIALIZABLE
  /// transaction of the effects, before the effects, and let its error end the transaction.
  ///
  /// The statement is an upsert, since SERIALIZABLE does not count the search of an upsert as a read. An UPDATE would
  /// read a page of the index. While an old transaction is open, updates of other devices' rows write into that page,
  /// so their uploads would fail.
  ///
  /// - Parameters:
  ///   - decision: The decision.
  ///   - transaction: The uploaded transaction.
  ///   - record: The device's record after the transaction.
  ///   - device: The device.
  ///   - user: The identity of the device's user.
  ///   - isDecided: True if the server log already has the decision, under another identity of the device.
  ///   - isIdle: True if the transaction has no effects, so that its decision may be deleted earlier.
  ///   - writes: The database transaction.
  /// - Throws: ``ServerLogError/outdated(message:)`` if the transaction is not the next one, or if its token was
  ///   decided in the meantime: read ``admission(of:from:)`` again. `ClusterError`.
  package func store(
    _ decision: Decision,
    of transaction: SyncTransaction,
    _ record: DeviceRecord,
    from device: DeviceIdentity,
    of user: String = "",
    isDecided: Bool = false,
    isIdle: Bool = false,
    in writes: ClusterTransaction
  ) async throws {
    let decided =
      isDecided
      ? "SELECT 1 FROM moved"
      : """
      INSERT INTO \(serverLog.decisions) (token, verdict, milliseconds, counter, written, owner, idle)
        SELECT $2, $7, $5, $6, $8, $9, $10 FROM moved
        ON CONFLICT (token) DO NOTHING RETURNING 1
      """
    let statement = Statement(
      """
      WITH moved AS (
        INSERT INTO \(serverLog.devices) AS d (device, last, token, milliseconds, counter)
        VALUES ($1, $3, $2, $5, $6)
        ON CONFLICT (device) DO UPDATE SET last = excluded.last, token = excluded.token,
          milliseconds = excluded.milliseconds, counter = excluded.counter
        WHERE d.last = excluded.last - 1 AND d.token IS NOT DISTINCT FROM $4
        RETURNING d.xmax = 0 AS is_new
      ), decided AS (\(decided)), stored AS (
        INSERT INTO \(serverLog.uploads) (device, sequence, token) SELECT $1, $3, $2 FROM moved RETURNING 1
      )
      SELECT (SELECT count(*) FROM stored), (SELECT count(*) FROM decided),
        EXISTS (SELECT FROM moved WHERE is_new), \(ServerLog.waitForDisk)
      """
    ) { parameters in
      parameters.append(device.bits)
      parameters.append(transaction.token.bits)
      parameters.append(id: transaction.sequence)
      parameters.append(transaction.previous?.bits)
      parameters.append(record.time.milliseconds)
      parameters.append(Int64(record.time.counter))
      parameters.append(PostgresType.bytea, decision.serverBytes)
      if isDecided { return }
      parameters.append(transaction.time.milliseconds)
      parameters.append(PostgresType.bytea, Array(user.utf8))
      parameters.append(isIdle)
    }
    let rows = try await writes.run([statement])
    let isFirst = transaction.sequence == 1 && transaction.previous == nil
    // An unknown device begins with its first transaction.
    let isUnknown = (rows[0].bool(0, 2) ?? false) && !isFirst
    guard rows[0].integer(0, 0, as: Int64.self) == 1, !isUnknown else {
      throw outdated(transaction, "it does not follow the last transaction that the server log has")
    }
    guard rows[0].integer(0, 1, as: Int64.self) == 1 else {
      throw outdated(transaction, "another upload of the same transaction was stored first")
    }
  }

  /// Deletes the numbers of old uploads, and devices that have uploaded nothing since.
  ///
  /// Decisions by token are kept. A device that still waits for one of these uploads' decisions, or returns from a
  /// backup to one of these numbers, takes a new identity and uploads its queue again. Each transaction is then found
  /// by its token, so nothing is applied twice.
  ///
  /// - Parameters:
  ///   - age: The age from which on uploads are deleted.
  ///   - connection: A connection without a transaction.
  /// - Returns: The number of deleted uploads.
  /// - Throws: `ClusterError`; uploads that were deleted before it stay deleted.
  func forgetUploads(olderThan age: Duration, on connection: Connection) async throws -> Int {
    try await inParts(on: connection, age) {
      """
      WITH gone AS (
        DELETE FROM \(serverLog.uploads) WHERE (device, sequence) IN (
          SELECT device, sequence FROM \(serverLog.uploads)
          WHERE at <= statement_timestamp() - make_interval(secs => $2) ORDER BY at LIMIT $1
        ) RETURNING device, sequence
      ), unseen AS (
        DELETE FROM \(serverLog.devices) AS d USING gone
        WHERE d.device = gone.device AND d.last = gone.sequence RETURNING 1
      ) SELECT count(*), (SELECT count(*) FROM unseen) FROM gone
      """
    }
  }

  /// Deletes old decisions about transactions without effects.
  ///
  /// The retention limit does not move: if such a transaction is uploaded again, under another identity of its device,
  /// it is decided again, and has its effects once.
  ///
  /// - Parameters:
  ///   - age: The age from which on decisions are deleted.
  ///   - connection: A connection without a transaction.
  /// - Returns: The number of deleted decisions.
  /// - Throws: `ClusterError`; decisions that were deleted before it stay deleted.
  func forgetIdleDecisions(olderThan age: Duration, on connection: Connection) async throws -> Int {
    try await inParts(on: connection, age) {
      removal(from: serverLog.decisions, key: "token", where: "idle AND")
    }
  }

  /// Deletes old decisions and tombstones.
  ///
  /// The retention limit moves past the times of the deleted transactions, as their devices gave them. From then on, an
  /// older transaction with an unknown token is rejected, since it may have been decided; see `Admission/expired`. So a
  /// decision is kept while its transaction's time is not old, for example if the device's clock was in the future.
  ///
  /// - Parameters:
  ///   - age: The age from which on decisions and tombstones are deleted.
  ///   - connection: A connection without a transaction.
  /// - Returns: The number of deleted decisions and tombstones.
  /// - Throws: `ClusterError`; rows that were deleted before it stay deleted.
  func forgetDecisions(olderThan age: Duration, on connection: Connection) async throws -> Int {
    let removals = """
      DELETE FROM \(serverLog.decisions) WHERE token IN (
        SELECT token FROM \(serverLog.decisions)
        WHERE at <= statement_timestamp() - make_interval(secs => $2)
          AND written < 1000 * extract(epoch FROM statement_timestamp() - make_interval(secs => $2))
        ORDER BY at LIMIT $1
      ) RETURNING written
      """
    // One statement for both: a reader that no longer sees a decision sees the retention limit that passed it.
    let decisions = try await inParts(on: connection, age) {
      """
      WITH gone AS (\(removals)), raised AS (
        UPDATE \(serverLog.epoch) SET horizon = greatest(horizon, (SELECT max(written) + 1 FROM gone))
        WHERE EXISTS (SELECT FROM gone) RETURNING \(ServerLog.waitForDisk)
      ) SELECT count(*), (SELECT count(*) FROM raised) FROM gone
      """
    }
    let tombstones = try await inParts(on: connection, age) {
      removal(from: serverLog.tombstones, key: "entity, id")
    }
    return decisions + tombstones
  }

  /// Removes rows by time, the oldest first.
  private func removal(from table: String, key: String, where condition: String = "") -> String {
    // The index cannot be used with clock_timestamp(), which changes within the statement.
    """
    WITH gone AS (
      DELETE FROM \(table) WHERE (\(key)) IN (
        SELECT \(key) FROM \(table)
        WHERE \(condition) at <= statement_timestamp() - make_interval(secs => $2) ORDER BY at LIMIT $1
      ) RETURNING 1
    ) SELECT count(*) FROM gone
    """
  }

  /// Removes old rows in parts, so that no lock is held for long.
  private func inParts(
    on connection: Connection,
    _ age: Duration,
    _ removal: () -> String
  ) async throws -> Int {
    let part: Int64 = 10_000
    var total = 0
    while true {
      let rows = try await connection.run([
        Statement(removal()) {
          $0.append(part)
          $0.append(age.inSeconds)
        }
      ])
      let count = rows[0].integer(0, 0, as: Int64.self) ?? 0
      total += Int(count)
      guard count == part else { return total }
    }
  }

  private func outdated(_ transaction: SyncTransaction, _ reason: String) -> ServerLogError {
    .outdated(
      message:
        "cannot store the device's transaction \(transaction.sequence): \(reason); nothing was written; look at its "
        + "admission again"
    )
  }
}
