internal import ObjectBoxCluster

extension ServerLog {
  /// Statements that create the server log's missing tables, except the log.
  ///
  /// Transaction numbers are of the type `xid8`; UIDs are stored as bigints.
  /// - `objectbox_epoch` has one row. `created` is the transaction that made the log: a device whose cursor does not
  ///   see it knows another log.
  /// - `objectbox_logged` has a row with property 0 for each synchronized entity, and one for each logged property with
  ///   its position in the log's arrays. Positions are never reused while the entity is synchronized.
  /// - `horizon` is the retention limit: the time in milliseconds before which decisions may have been deleted;
  ///   `written` is the time that the device gave its transaction.
  /// - `owner` is the identity of the user who uploaded a transaction, in UTF-8.
  /// - `idle` marks decisions of transactions without effects, which are deleted earlier.
  /// - `objectbox_verdicts` is separate from the uploads, since two identities of one device may upload the same
  ///   transaction: the primary key lets one of them decide it.
  var tableStatements: [Statement] {
    [
      """
      CREATE TABLE IF NOT EXISTS \(epoch) (
        one boolean PRIMARY KEY DEFAULT true CHECK (one),
        system bigint NOT NULL, database bigint NOT NULL, timeline bigint NOT NULL,
        created xid8 NOT NULL, swept xid8 NOT NULL DEFAULT '0',
        horizon bigint NOT NULL DEFAULT \(Int64.min + 1) - 1
      )
      """,
      """
      CREATE TABLE IF NOT EXISTS \(logged) (
        entity bigint NOT NULL, property bigint NOT NULL, position integer NOT NULL,
        since xid8 NOT NULL DEFAULT pg_current_xact_id(), PRIMARY KEY (entity, property)
      )
      """,
      statesCreation,
      """
      CREATE TABLE IF NOT EXISTS \(sweepMarks) (
        at timestamptz PRIMARY KEY DEFAULT clock_timestamp(), xact xid8 NOT NULL
      )
      """,
      // Half-empty pages let updates of a device's row stay on its page without new index entries.
      """
      CREATE TABLE IF NOT EXISTS \(devices) (
        device uuid PRIMARY KEY, last bigint NOT NULL DEFAULT 0, token uuid,
        milliseconds bigint NOT NULL DEFAULT \(Int64.min + 1) - 1, counter bigint NOT NULL DEFAULT 0,
        seen timestamptz NOT NULL DEFAULT clock_timestamp()
      ) WITH (fillfactor = 50)
      """,
      """
      CREATE TABLE IF NOT EXISTS \(uploads) (
        device uuid NOT NULL, sequence bigint NOT NULL, token uuid NOT NULL,
        at timestamptz NOT NULL DEFAULT clock_timestamp(), PRIMARY KEY (device, sequence)
      )
      """,
      """
      CREATE TABLE IF NOT EXISTS \(decisions) (
        token uuid PRIMARY KEY, verdict bytea NOT NULL,
        milliseconds bigint NOT NULL, counter bigint NOT NULL,
        at timestamptz NOT NULL DEFAULT clock_timestamp(), written bigint NOT NULL, owner bytea NOT NULL,
        idle boolean NOT NULL DEFAULT false
      )
      """,
      """
      CREATE TABLE IF NOT EXISTS \(tombstones) (
        entity bigint NOT NULL, id bigint NOT NULL,
        at timestamptz NOT NULL DEFAULT clock_timestamp(), PRIMARY KEY (entity, id)
      )
      """,
      // CREATE INDEX IF NOT EXISTS would lock out uploads at each start of a server. A separate index finds decisions
      // without effects among the many that are kept longer.
      """
      DO $$ BEGIN
        IF to_regclass(\(name("objectbox_uploads_at").quotedText)) IS NULL THEN
          CREATE INDEX objectbox_uploads_at ON \(uploads) (at);
          CREATE INDEX objectbox_verdicts_at ON \(decisions) (at);
          CREATE INDEX objectbox_verdicts_idle ON \(decisions) (at) WHERE idle;
          CREATE INDEX objectbox_tombstones_at ON \(tombstones) (at);
        END IF;
      END $$
      """,
    ].map { Statement(once: $0) }
  }

  /// Statements that create the log, which must not exist.
  ///
  /// A row has the changes of several objects of an entity: `ids`, and in `before` and `after` the values of each
  /// object's logged properties, one object after the other. `before` is null for inserts, `after` for removals, and
  /// both for changes of pairs.
  ///
  /// - Parameters:
  ///   - next: A transaction number that no transaction has yet.
  ///   - width: The number of transactions in a partition.
  /// - Returns: The statements, in order.
  func logStatements(next: UInt64, width: UInt64) -> [Statement] {
    // BRIN has no operator class for xid8. Attempts to compress short values would slow down writers.
    let log =
      [
        """
        CREATE TABLE \(changes) (
          xact xid8 NOT NULL DEFAULT pg_current_xact_id(), entity bigint NOT NULL,
          ids bigint[] NOT NULL, before bytea[], after bytea[]
        ) PARTITION BY RANGE (xact)
        """,
        "CREATE INDEX objectbox_changes_xact ON \(changes) (xact)",
      ]
      + ["ids", "before", "after"].map {
        "ALTER TABLE \(changes) ALTER COLUMN \($0) SET STORAGE EXTERNAL"
      }
    let first = LogPartition(lower: 0, upper: next + width)
    return log.map { Statement(once: $0) } + [creation(of: first)]
      + partitions(from: next + width, width: width).map(creation)
  }

  /// The partitions after a number: some of equal width, and one for all later numbers.
  ///
  /// The last partition receives the changes if no server has made partitions for a long time. A DEFAULT partition
  /// would prevent detaching concurrently.
  func partitions(from lower: UInt64, width: UInt64) -> [LogPartition] {
    var partitions: [LogPartition] = []
    var lower = lower
    for _ in 0..<ServerLogSweep.partitionsAhead {
      partitions.append(LogPartition(lower: lower, upper: lower + width))
      lower += width
    }
    partitions.append(LogPartition(lower: lower, upper: nil))
    return partitions
  }

  /// Returns the statement that makes a partition.
  func creation(of partition: LogPartition) -> Statement {
    Statement(
      once: "CREATE TABLE \(name(partition.name)) PARTITION OF \(changes) \(partition.bounds)"
    )
  }
}

/// A range of transaction numbers of the log.
struct LogPartition: Hashable, Sendable {
  let lower: UInt64
  /// Nil for the last partition.
  let upper: UInt64?

  var name: String { "objectbox_changes_\(lower)" }
  var bounds: String {
    "FOR VALUES FROM ('\(lower)') TO (\(upper.map { "'\($0)'" } ?? "MAXVALUE"))"
  }

  init(lower: UInt64, upper: UInt64?) {
    self.lower = lower
    self.upper = upper
  }

  /// Reads the bounds in PostgreSQL's text form; nil for malformed text.
  init?(bounds: String) {
    let numbers = bounds.split { !$0.isNumber }.compactMap { UInt64($0) }
    guard let lower = numbers.first, numbers.count == (bounds.contains("MAXVALUE") ? 1 : 2) else {
      return nil
    }
    self.init(lower: lower, upper: numbers.count == 2 ? numbers[1] : nil)
  }
}
