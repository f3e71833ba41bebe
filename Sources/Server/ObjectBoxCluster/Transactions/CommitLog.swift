internal import Foundation
internal import ObjectBox

/// The rows of `objectbox_commits`, which record the outcomes of commits.
struct CommitLog: Sendable {
  /// The greatest number of changed objects recorded for an entity; with more, all its objects
  /// count as changed.
  static let objectLimit = 10_000

  /// The time for which a database keeps the rows by default.
  static let defaultMemory = Duration.seconds(3_600)
  /// The shortest time for which the rows are kept.
  static let leastMemory = Duration.seconds(60)
  /// The greatest difference between the servers' clocks; rows are kept for that much longer.
  private static let clockTolerance = "interval '1 minute'"

  /// The token of the row with the state of the log.
  ///
  /// Its `xact` and `at` are the greatest of the swept rows. The first of its `objects` is the time for which the
  /// database keeps rows, in milliseconds.
  static let sweptToken = "00000000-0000-0000-0000-000000000000"

  private let table: String
  private let zero = "'\(Self.sweptToken)'"

  init(_ tables: ClusterTables) {
    table = tables.commitTable
  }

  /// The statement that writes a transaction's row, if the transaction has written anything.
  ///
  /// - Parameters:
  ///   - token: The identity of the commit.
  ///   - changes: IDs of changed objects, by the UIDs of entities; nil for all objects of an
  ///     entity.
  /// - Returns: A statement, which changes one row if the transaction has written.
  func insertion(_ token: CommitToken, _ changes: [UInt64: [UInt64]?]) -> Statement {
    var entities: [UInt64] = []
    var objects: [UInt64] = []
    for (entity, ids) in changes {
      if let ids, ids.count <= Self.objectLimit {
        let runs = Self.runs(of: ids)
        entities += repeatElement(entity, count: runs.count)
        objects += runs
      } else {
        entities.append(entity)
        objects.append(0)
      }
    }
    return Statement(
      "INSERT INTO \(table) (token, entities, objects) SELECT $1, $2, $3 "
        + "WHERE pg_current_xact_id_if_assigned() IS NOT NULL"
    ) { parameters in
      parameters.append(token)
      parameters.append(ids: entities)
      parameters.append(ids: objects)
    }
  }

  /// Encodes IDs; three or more consecutive IDs become two numbers, the first and the negated last.
  ///
  /// New objects have consecutive IDs, and storing 10,000 numbers takes as long as storing some hundred objects.
  static func runs(of ids: [UInt64]) -> [UInt64] {
    var runs: [UInt64] = []
    var start = 0
    while start < ids.count {
      var end = start + 1
      while end < ids.count, ids[end] == ids[end - 1] + 1 { end += 1 }
      runs.append(ids[start])
      if end == start + 2 { runs.append(ids[start + 1]) }
      if end > start + 2 { runs.append(0 &- ids[end - 1]) }
      start = end
    }
    return runs
  }

  /// The time for which the database keeps rows; the default in databases that do not record it yet.
  private var memory: String {
    let known = "(SELECT objects[1] FROM \(table) WHERE token = \(zero))"
    let milliseconds = Self.defaultMemory.inMilliseconds
    return "make_interval(secs => coalesce(\(known), \(milliseconds)) / 1000.0)"
  }

  /// Statements that make the database keep rows for at least a given time, and return its time in milliseconds.
  func keeping(_ time: Duration) -> [Statement] {
    let milliseconds = max(time, Self.leastMemory).inMilliseconds
    return [
      // The database usually does so already, and nothing is written.
      Statement(
        """
        INSERT INTO \(table) AS known (token, dead, xact, at, objects)
        SELECT \(zero), true, '0', '-infinity', ARRAY[$1]
        WHERE NOT EXISTS (SELECT FROM \(table) WHERE token = \(zero) AND objects[1] >= $1)
        ON CONFLICT (token) DO UPDATE SET objects = ARRAY[greatest(known.objects[1], $1)]
        """
      ) { $0.append(milliseconds) },
      Statement("SELECT objects[1] FROM \(table) WHERE token = \(zero)"),
    ]
  }

  /// Statements that determine the outcome of a commit.
  ///
  /// The second statement returns whether the commit is dead. The third returns a time in milliseconds since 1970: a
  /// dead commit from before it may have been stored, and its row been swept.
  ///
  /// The second statement waits for the token's transaction. If there is no row, it inserts a dead row, which makes the
  /// transaction fail if it comes later.
  ///
  /// The second statement always writes. So it is answered only after the replicas have its write, and with it the
  /// commit in question.
  func decision(_ token: CommitToken) -> [Statement] {
    [
      // The third statement must see a sweep that the second one waited for.
      Statement("BEGIN ISOLATION LEVEL READ COMMITTED"),
      Statement(
        "INSERT INTO \(table) AS known (token, dead) VALUES ($1, true) "
          + "ON CONFLICT (token) DO UPDATE SET dead = known.dead RETURNING dead"
      ) { $0.append(token) },
      Statement(
        """
        SELECT (extract(epoch FROM greatest(
          (SELECT at FROM \(table) WHERE token = \(zero)) + \(Self.clockTolerance),
          clock_timestamp() - \(memory)
        )) * 1000)::bigint
        """
      ),
      Statement("COMMIT"),
    ]
  }

  /// The statement that removes old rows, at most 10,000, and returns their number.
  ///
  /// For observers and questions about outcomes, the row with token zero keeps the greatest removed
  /// number and time.
  var sweep: Statement {
    Statement(
      """
      WITH old AS (
        SELECT token FROM \(table)
        WHERE at < clock_timestamp() - \(memory) - \(Self.clockTolerance) AND token <> \(zero)
        LIMIT 10000 FOR UPDATE SKIP LOCKED
      ), gone AS (
        DELETE FROM \(table) USING old WHERE \(table).token = old.token RETURNING xact, at
      ), kept AS (
        INSERT INTO \(table) AS known (token, dead, xact, at)
        SELECT \(zero), true, max(xact), max(at) FROM gone HAVING count(*) > 0
        ON CONFLICT (token) DO UPDATE SET
          xact = greatest(known.xact, excluded.xact), at = greatest(known.at, excluded.at)
      )
      SELECT count(*) FROM gone
      """
    )
  }
}

extension Parameters {
  fileprivate mutating func append(_ token: CommitToken) {
    append(PostgresType.uuid) { bytes in
      withUnsafeBytes(of: token.uuid.uuid) { bytes.append(contentsOf: $0) }
    }
  }
}
