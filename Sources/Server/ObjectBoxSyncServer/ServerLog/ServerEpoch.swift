internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol

extension ServerLog {
  /// Reads the identity of the database: system, database and timeline.
  ///
  /// After a promotion, `pg_control_checkpoint()` still returns the old timeline; the name of the log file contains the
  /// present one. A replica has no present file.
  var identityQuery: String { "SELECT \(Self.identity)" }

  static let identity = """
    (SELECT system_identifier FROM pg_control_system()),
    (SELECT oid::bigint FROM pg_database WHERE datname = current_database()),
    CASE WHEN pg_is_in_recovery() THEN 0
      ELSE ('x' || left(pg_walfile_name(pg_current_wal_insert_lsn()), 8))::bit(32)::bigint END
    """

  /// The identity of the database in one text, separated by spaces; null on a replica.
  ///
  /// It is constant for a connection to a primary, since only the end of a recovery begins a timeline. So the
  /// connection keeps it in a setting. Reading the control file would take a tenth of a delta.
  static let keptIdentity = """
    coalesce(nullif(current_setting('objectbox.identity', true), ''),
      CASE WHEN NOT pg_is_in_recovery()
        THEN set_config('objectbox.identity', concat_ws(' ', \(identity)), false) END)
    """

  /// Reads the epoch of the log, with the same columns as ``identityQuery``.
  var epochQuery: String { "SELECT system, database, timeline FROM \(epoch)" }

  /// The greatest number in the log, and the newest number of a sweep, below which all transactions had ended.
  ///
  /// The commits that wrote both are on the disk.
  ///
  /// Together with the transactions that made the log and that added properties to it, they limit cursors; see
  /// `TransactionSnapshot/limited(below:)`. The condition lets the database skip the partitions ahead.
  var durable: String {
    """
    (SELECT xact FROM \(changes) WHERE xact < pg_snapshot_xmax(pg_current_snapshot())
      ORDER BY xact DESC LIMIT 1),
    (SELECT xact FROM \(sweepMarks) ORDER BY at DESC LIMIT 1)
    """
  }

  /// Returns the epoch in three columns of a row.
  ///
  /// - Parameters:
  ///   - rows: The rows; the first one has the epoch.
  ///   - first: The index of the first column.
  /// - Returns: The epoch.
  /// - Throws: ``ServerLogError/notPrepared(message:)`` without a row.
  func epoch(_ rows: ResultRows, _ first: Int) throws -> Epoch {
    guard rows.count > 0, let system = rows.integer(0, first, as: UInt64.self),
      let database = rows.anyInteger(0, first + 1), let timeline = rows.anyInteger(0, first + 2)
    else {
      throw ServerLogError.notPrepared(
        message:
          "the epoch of the log in \(epoch) is not readable; run the upgrade of the server log's schema"
      )
    }
    return Epoch(
      system: system,
      database: UInt32(truncatingIfNeeded: database),
      timeline: UInt32(truncatingIfNeeded: timeline)
    )
  }
}

extension Epoch {
  /// Reads the text of ``ServerLog/keptIdentity``; nil for malformed text.
  init?(kept text: String) {
    let parts = text.split(separator: " ")
    guard parts.count == 3, let system = Int64(parts[0]), let database = UInt32(parts[1]),
      let timeline = UInt32(parts[2])
    else { return nil }
    self.init(system: UInt64(bitPattern: system), database: database, timeline: timeline)
  }
}

extension ServerLogError {
  static let isReplica = ServerLogError.replica(
    message:
      "cannot synchronize from a replica: its snapshots do not list the transactions in progress; name the primary "
      + "in the address, with 'target_session_attrs=read-write'"
  )
}

extension TransactionSnapshot {
  /// Reads PostgreSQL's text form, such as `10:20:10,14`; nil for malformed text.
  init?(_ text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 3, let xmax = UInt64(parts[1]) else { return nil }
    let numbers = parts[2].split(separator: ",").map { UInt64($0) }
    let inProgress = numbers.compactMap { $0 }
    guard inProgress.count == numbers.count else { return nil }
    self.init(xmax: xmax, inProgress: inProgress)
  }
}

extension Parameters {
  /// The OIDs of PostgreSQL's types `xid8` and `xid8[]`.
  private static let xid8: UInt32 = 5069
  private static let xid8Array: UInt32 = 271

  /// Appends a transaction number.
  mutating func append(transaction: UInt64) {
    append(Self.xid8) { $0.append(contentsOf: transaction.bytes) }
  }

  /// Appends transaction numbers.
  mutating func append(transactions: [UInt64]) {
    append(Self.xid8Array, of: Self.xid8, transactions)
  }

  /// Appends 128 bits as a UUID.
  mutating func append(_ bits: Identifier128) {
    append(PostgresType.uuid) { $0.append(contentsOf: bits.high.bytes + bits.low.bytes) }
  }

  /// Appends tokens as UUIDs.
  mutating func append(tokens: [TransactionToken]) {
    append(PostgresType.uuidArray, of: PostgresType.uuid, count: tokens.count) { array in
      for token in tokens { array.append(token.bits.high.bytes + token.bits.low.bytes) }
    }
  }

  /// Appends 128 bits as a UUID, or null.
  mutating func append(_ bits: Identifier128?) {
    if let bits { append(bits) } else { appendNull(PostgresType.uuid) }
  }
}

extension FixedWidthInteger {
  /// The bytes in PostgreSQL's order.
  var bytes: [UInt8] { withUnsafeBytes(of: bigEndian) { Array($0) } }
}

extension ResultRows {
  /// Returns a UUID as 128 bits; nil for null.
  func identifier(_ row: Int, _ column: Int) -> Identifier128? {
    guard let bytes = bytes(row, column), bytes.count == 16,
      let high = UInt64(bigEndianBytes: UnsafeRawBufferPointer(rebasing: bytes[0..<8])),
      let low = UInt64(bigEndianBytes: UnsafeRawBufferPointer(rebasing: bytes[8..<16]))
    else { return nil }
    return Identifier128(high: high, low: low)
  }

  /// Returns the bytes of a bytea; nil for null.
  func byteArray(_ row: Int, _ column: Int) -> [UInt8]? { bytes(row, column).map { Array($0) } }
}
