internal import Foundation
internal import ObjectBox

/// The rows of `objectbox_commits`, by which the outcomes of commits are known.
struct CommitLog: Sendable {
  /// The number of objects in the row of a commit; of an entity with more, all count as changed.
  static let objectLimit = 10_000

  /// The time for which a database keeps the rows where no program has asked for another one.
  static let defaultMemory = Duration.seconds(3_600)
  /// The least time for which a database keeps the rows.
  static let leastMemory = Duration.seconds(60)
  /// The difference that the clocks of servers may have: rows are kept so much longer.
  private static let clockTolerance = "interval '1 minute'"

  /// The token of the row that has the state of the log: `xact` and `at` are the greatest ones of the rows that were
  /// swept, and the first of `objects` the milliseconds for which the database keeps rows.
  static let sweptToken = "00000000-0000-0000-0000-000000000000"

  private let table: String
  private let zero = "'\(Self.sweptToken)'"

  init(_ tables: ClusterTables) {
    table = tables.commitTable
  }

  /// The statement of a transaction that writes its row, when it has written anything else.
  ///
  /// - Parameters:
  ///   - token: The identity of the commit.
  ///   - changes: IDs of changed objects by the UIDs of entities; nil for all of an entity.
  /// - Returns: A statement, which changes one row when the transaction has written.
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

  /// Returns IDs, of which three and more that follow one another are two numbers: the first, and the last negated.
  ///
  /// New objects have such IDs, and the server takes as long to store 10,000 numbers as some hundred objects.
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

  /// The time for which the database keeps rows; the default in one that was made before it was kept there.
  private var memory: String {
    let known = "(SELECT objects[1] FROM \(table) WHERE token = \(zero))"
    let milliseconds = Self.defaultMemory.inMilliseconds
    return "make_interval(secs => coalesce(\(known), \(milliseconds)) / 1000.0)"
  }

  /// Statements that make the database keep rows for at least a time, and return the milliseconds for which it does.
  func keeping(_ time: Duration) -> [Statement] {
    let milliseconds = max(time, Self.leastMemory).inMilliseconds
    return [
      // Most often the database does so already, and nothing is written.
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

  /// Statements that decide a commit: the second one returns whether it is dead, the third the time, in milliseconds
  /// since 1970, before which a dead one may have been done and swept.
  ///
  /// It waits for the transaction of the token. Where there is no row it makes one, which the transaction cannot get
  /// past later.
  ///
  /// It writes in any case, so that it is answered only after replicas have it, and so the commit before it.
  func decision(_ token: CommitToken) -> [Statement] {
    [
      // The third statement has to see a sweep that the second one has waited for.
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

  /// The statement that removes old rows, at most 10,000 at a time, and returns how many it removed.
  ///
  /// The greatest number and time of them are kept in the row with the token zero, for observers and questions.
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
