internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol

/// The data that a delta needs before it reads changes, at the snapshot of its transaction.
struct ServerHeader {
  let cursor: Cursor
  /// The first unassigned transaction number.
  let next: UInt64
  /// The epoch of the log.
  let logEpoch: Epoch
  /// The transaction that made the log.
  let created: UInt64
  /// Changes of transactions below this number may be missing.
  let swept: UInt64
  let logged: LoggedProperties
  /// The device's record; nil for an unknown device.
  let record: DeviceRecord?
  /// The device's decisions after the confirmed one.
  let decisions: [SequencedDecision]

  /// Number of the results of ``statements(_:_:)``.
  static let results = 6
  /// The number of results before the first rows.
  private static let resultsBefore = 3

  /// A statement that makes later statements of the transaction use indexes.
  ///
  /// A connection keeps the plan of a statement. A plan from when the log was small would read the whole log at each
  /// delta, until the database analyzes the table. The statements return few rows, so JIT compilation would cost more
  /// than it saves.
  private static let readByIndex =
    "SELECT set_config('enable_seqscan', 'off', true), set_config('jit', 'off', true)"

  /// The statements that begin the transaction and read the header.
  ///
  /// The locks come before the snapshot. Otherwise a partition could be dropped, or a table be rewritten by ALTER
  /// TABLE, between the snapshot and the reading: both ignore older snapshots, so rows would be missing without an
  /// error.
  static func statements(_ serverLog: ServerLog, _ deltaRequest: DeltaRequest) -> [Statement] {
    let tables =
      [serverLog.changes] + serverLog.entities.flatMap { [$0.table.name] + $0.pairs.map(\.name) }
    let device = deltaRequest.state.device.bits
    return [
      Statement("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
      Statement(
        "LOCK TABLE \(tables.map { "ONLY \($0)" }.joined(separator: ", ")) IN ACCESS SHARE MODE"
      ),
      Statement(readByIndex),
      // One statement costs less than one for each table.
      Statement(
        """
        SELECT pg_is_in_recovery(), pg_current_snapshot()::text, \(ServerLog.keptIdentity),
          CASE WHEN NOT pg_is_in_recovery() THEN pg_current_wal_insert_lsn() END,
          e.system, e.database, e.timeline, e.created, e.swept, \(serverLog.durable),
          d.last, d.token, d.milliseconds, d.counter
        FROM (SELECT) AS always LEFT JOIN \(serverLog.epoch) AS e ON true
          LEFT JOIN \(serverLog.devices) AS d ON d.device = $1
        """
      ) { $0.append(device) },
      Statement(serverLog.loggedQuery),
      Statement(
        """
        SELECT u.sequence, u.token, v.verdict FROM \(serverLog.uploads) AS u JOIN \(serverLog.decisions) AS v USING (token)
        WHERE u.device = $1 AND u.sequence > $2 ORDER BY u.sequence
        """
      ) { parameters in
        parameters.append(device)
        parameters.append(id: deltaRequest.confirmed)
      },
    ]
  }

  /// Reads the results of ``statements(_:_:)``; further results may follow.
  ///
  /// - Throws: ``ServerLogError``: `replica`; `notPrepared` if the log belongs to another database.
  init(_ serverLog: ServerLog, _ results: [ResultRows]) throws {
    let rows = Array(results.dropFirst(Self.resultsBefore))
    guard let isReplica = rows[0].bool(0, 0), !isReplica else { throw ServerLogError.isReplica }
    guard let text = rows[0].text(0, 1), let snapshot = TransactionSnapshot(text),
      let epoch = rows[0].text(0, 2).flatMap(Epoch.init(kept:)),
      let position = rows[0].integer(0, 3, as: UInt64.self)
    else {
      throw ServerLogError.corrupt(
        message: "the server's snapshot is not readable; it needs PostgreSQL 15 or newer"
      )
    }
    logEpoch = try serverLog.epoch(rows[0], 4)
    guard logEpoch.system == epoch.system, logEpoch.database == epoch.database else {
      throw ServerLogError.notPrepared(
        message:
          "the log in \(serverLog.changes) was copied from another database; run the upgrade of the server log's schema, which "
          + "begins a new epoch"
      )
    }
    created = rows[0].integer(0, 7, as: UInt64.self) ?? .max
    swept = rows[0].integer(0, 8, as: UInt64.self) ?? .max
    logged = LoggedProperties(rows[1])
    let durable = [
      (rows[0].integer(0, 9, as: UInt64.self) ?? 0) &+ 1,
      rows[0].integer(0, 10, as: UInt64.self) ?? 0, swept, max(created, logged.last) &+ 1,
    ]
    cursor = Cursor(
      snapshot: snapshot.limited(below: durable.max() ?? 0),
      epoch: epoch,
      position: position
    )
    next = snapshot.xmax
    record = DeviceRecord(rows[0], at: 11)
    decisions = try (0..<rows[2].count).compactMap { row in
      guard let sequence = rows[2].integer(row, 0, as: UInt64.self),
        let token = rows[2].identifier(row, 1), let decision = rows[2].byteArray(row, 2)
      else { return nil }
      return SequencedDecision(
        sequence: sequence,
        token: TransactionToken(token),
        decision: try Decision(serverBytes: decision, "the decision of a transaction")
      )
    }
  }

  /// Returns true if the log was made before a cursor.
  func hasLog(since cursor: Cursor) -> Bool { cursor.snapshot.sees(created) }

  /// Returns true if the log has no gap since a cursor.
  func hasLog(for scopes: ScopeProgress, since cursor: Cursor) -> Bool {
    hasLog(since: cursor)
      && scopes.elements.allSatisfy { element in
        element.progress == .filled(upTo: 0) || logged.has(element.scope, after: cursor.snapshot)
      }
  }

  /// The past of the server log, without the ends of earlier timelines.
  var history: ServerHistory { ServerHistory(epoch: cursor.epoch, sweptBelow: swept, next: next) }

  /// Returns the past of the server log that a cursor needs.
  ///
  /// The ends of earlier timelines are in a file of the database server that not every role may read. Without it, a
  /// promotion resets all devices.
  func history(for old: Cursor?, on connection: Connection) async throws -> ServerHistory {
    var history = history
    guard let old, old.epoch.timeline < cursor.epoch.timeline else { return history }
    let function = "pg_read_file(text,bigint,bigint,boolean)"
    let may = try await connection.run([
      Statement(once: "SELECT has_function_privilege('\(function)', 'EXECUTE')")
    ])
    guard may[0].bool(0, 0) ?? false else { return history }
    let digits = String(cursor.epoch.timeline, radix: 16, uppercase: true)
    let file = String(repeating: "0", count: max(0, 8 - digits.count)) + digits
    let rows = try await connection.run([
      Statement(once: "SELECT pg_read_file('pg_wal/\(file).history', 0, 1048576, true)")
    ])
    history.switches = Self.switches(rows[0].text(0, 0) ?? "")
    return history
  }

  /// Reads a file with the history of timelines.
  static func switches(_ text: String) -> [ServerHistory.Switch] {
    text.split(separator: "\n").compactMap { line in
      let parts = line.split { $0 == "\t" || $0 == " " }
      guard parts.count >= 2, let timeline = UInt32(parts[0]) else { return nil }
      let halves = parts[1].split(separator: "/").map { UInt64($0, radix: 16) }
      guard halves.count == 2, let high = halves[0], let low = halves[1] else { return nil }
      return ServerHistory.Switch(timeline: timeline, position: high << 32 | low)
    }
  }
}

extension DeviceRecord {
  /// Reads the columns last, token, milliseconds and counter of a device's row; nil without one.
  ///
  /// - Parameters:
  ///   - rows: The rows; the first one has the columns.
  ///   - first: The index of the first column.
  init?(_ rows: ResultRows, at first: Int = 0) {
    guard rows.count > 0, let last = rows.integer(0, first, as: UInt64.self),
      let milliseconds = rows.integer(0, first + 2, as: Int64.self),
      let counter = rows.integer(0, first + 3, as: Int64.self)
    else { return nil }
    self.init()
    self.last = last
    token = rows.identifier(0, first + 1).map { TransactionToken($0) }
    time = HybridTime(milliseconds: milliseconds, counter: UInt32(truncatingIfNeeded: counter))
  }
}

extension DecidedTransaction {
  /// Reads the columns decision, milliseconds and counter of a decided transaction; nil without a row.
  init?(_ rows: ResultRows) throws {
    guard rows.count > 0, let decision = rows.byteArray(0, 0),
      let milliseconds = rows.integer(0, 1, as: Int64.self),
      let counter = rows.integer(0, 2, as: Int64.self)
    else { return nil }
    let time = HybridTime(milliseconds: milliseconds, counter: UInt32(truncatingIfNeeded: counter))
    self.init(
      decision: try Decision(serverBytes: decision, "the decision of a transaction"),
      time: time
    )
  }
}
