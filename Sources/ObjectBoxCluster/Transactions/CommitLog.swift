internal import Foundation
internal import ObjectBox

/// The rows of `objectbox_commits`, by which the outcomes of commits are known.
struct CommitLog: Sendable {
  /// The number of objects in the row of a commit; of an entity with more, all count as changed.
  static let objectLimit = 10_000

  /// The token of the row that says up to where rows were swept.
  static let sweptToken = "00000000-0000-0000-0000-000000000000"

  private let table: String

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

  /// The statement that decides a commit, and returns whether it is dead.
  ///
  /// It waits for the transaction of the token. Where there is no row it makes one, which the transaction cannot get
  /// past later.
  ///
  /// It writes in any case, so that it is answered only after replicas have it, and so the commit before it.
  func decision(_ token: CommitToken) -> Statement {
    Statement(
      "INSERT INTO \(table) AS known (token, dead) VALUES ($1, true) "
        + "ON CONFLICT (token) DO UPDATE SET dead = known.dead RETURNING dead"
    ) { $0.append(token) }
  }

  /// The statement that removes old rows, at most 10,000 at a time, and returns how many it removed.
  ///
  /// The greatest number of their transactions is kept in the row with the token zero, for observers.
  func sweep(olderThan age: Duration) -> Statement {
    let zero = "'\(Self.sweptToken)'"
    return Statement(
      """
      WITH old AS (
        SELECT token FROM \(table)
        WHERE at < clock_timestamp() - make_interval(secs => $1) AND token <> \(zero)
        LIMIT 10000 FOR UPDATE SKIP LOCKED
      ), gone AS (
        DELETE FROM \(table) USING old WHERE \(table).token = old.token RETURNING xact
      ), kept AS (
        INSERT INTO \(table) (token, dead, xact)
        SELECT \(zero), true, max(xact) FROM gone HAVING count(*) > 0
        ON CONFLICT (token) DO UPDATE SET xact = greatest(\(table).xact, excluded.xact)
      )
      SELECT count(*) FROM gone
      """
    ) { $0.append(Double(age.inMilliseconds) / 1_000) }
  }
}

extension Parameters {
  fileprivate mutating func append(_ token: CommitToken) {
    append(PostgresType.uuid) { bytes in
      withUnsafeBytes(of: token.uuid.uuid) { bytes.append(contentsOf: $0) }
    }
  }
}
