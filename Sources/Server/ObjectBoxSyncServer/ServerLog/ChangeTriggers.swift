internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol

/// The function and the triggers that log the changes of one table.
///
/// The triggers are statement triggers, and a row of the log has up to ``rowSize`` objects of a statement: a row and an
/// index entry for each object would take half the time of a put of many objects.
///
/// Logical replication applies changes without statements. Its worker has the role of a replica, in which a row trigger
/// fires instead of the statement triggers. Other sessions do not pay for it.
struct ChangeTriggers: Sendable {
  /// The table in SQL.
  let table: String
  /// The name of the table, without its schema.
  let tableName: String
  /// The function in SQL.
  let function: String
  /// The name of the function, without its schema.
  let functionName: String
  /// The source of the function; equal sources need no new triggers.
  let source: String

  /// The triggers and their states in `pg_trigger.tgenabled`, in ascending order: `O` fires in all sessions except in
  /// the role of a replica, `R` only in that role, and `A` always.
  static let states = [
    "objectbox_sync_applied": "R", "objectbox_sync_delete": "O", "objectbox_sync_insert": "O",
    "objectbox_sync_truncate": "A", "objectbox_sync_update": "O",
  ]

  /// The greatest number of objects in a row of the log.
  ///
  /// PostgreSQL's arrays are limited to 1 GB, so the logged values of this number of objects must have less than 1 GB
  /// together.
  static let rowSize = 1_024
  /// The number of first objects of a statement that get their own rows: for so few, aggregates cost more than rows.
  private static let singleRows = 4

  /// Creates the triggers of an entity's table.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - properties: The logged columns by their position; nil for properties that the model no longer has.
  ///   - serverLog: The server log.
  init(_ entity: SyncedEntity, logging properties: [Column?], in serverLog: ServerLog) {
    let id = entity.table.id.name
    let uid = Int64(bitPattern: entity.uid.value)
    func values(_ alias: String) -> String {
      let all = properties.map { $0.flatMap { ServerValue.logging($0, alias) } ?? "NULL" }
      return "ARRAY[\(all.joined(separator: ", "))]::pg_catalog.bytea[]"
    }
    // Aggregated arrays must not be empty.
    let aggregates = """
      pg_catalog.array_agg(t.objectbox_id) AS ids, \(properties.isEmpty
        ? "'{}'::pg_catalog.bytea[]" : "pg_catalog.array_agg(t.objectbox_values)") AS all_values
      """
    let object = "t.\(id) AS objectbox_id, \(values("t")) AS objectbox_values"
    /// The objects of a transition table after the first ones, in parts of `rowSize`.
    func parts(of table: String, after first: Int) -> String {
      """
      (
              SELECT \(aggregates), t.objectbox_number OPERATOR(pg_catalog./) \(Self.rowSize) AS part
              FROM (
                SELECT \(object), pg_catalog.row_number() OVER () AS objectbox_number
                FROM \(table) AS t OFFSET \(first)
              ) AS t GROUP BY part
            )
      """
    }
    func oneSided(_ table: String, _ column: String) -> String {
      let singles = Self.singleRows
      let target = "INSERT INTO \(serverLog.changes) (entity, ids, \(column))"
      return """
        \(target)
              SELECT \(uid), ARRAY[t.\(id)], \(values("t")) FROM \(table) AS t LIMIT \(singles);
            GET DIAGNOSTICS objectbox_count = ROW_COUNT;
            IF objectbox_count OPERATOR(pg_catalog.=) \(singles) THEN
              IF EXISTS (SELECT FROM \(table) OFFSET \(singles + Self.rowSize)) THEN
                \(target)
                SELECT \(uid), t.ids, t.all_values FROM \(parts(of: table, after: singles)) AS t;
              ELSE
                \(target)
                SELECT \(uid), \(aggregates) FROM (
                  SELECT \(object) FROM \(table) AS t OFFSET \(singles)
                ) AS t HAVING pg_catalog.count(*) OPERATOR(pg_catalog.>) 0;
              END IF;
            END IF;
        """
    }
    self.init(
      table: entity.table.name,
      named: entity.name,
      in: serverLog,
      insert: oneSided("fresh", "after"),
      // Both tables have the rows in the same order. If the IDs of a part differ, some were changed, and the part is
      // logged as removals and inserts.
      update: """
        SELECT ARRAY[t.\(id)], \(values("t")) INTO objectbox_ids, objectbox_before FROM gone AS t;
              IF objectbox_ids IS NULL THEN RETURN NULL; END IF;
              IF NOT EXISTS (SELECT FROM gone OFFSET 1) THEN
                INSERT INTO \(serverLog.changes) (entity, ids, before, after)
                SELECT \(uid), objectbox_ids, objectbox_before, \(values("t")) FROM fresh AS t
                WHERE t.\(id) OPERATOR(pg_catalog.=) objectbox_ids[1];
                GET DIAGNOSTICS objectbox_count = ROW_COUNT;
              END IF;
              IF objectbox_count OPERATOR(pg_catalog.=) 0 THEN
                INSERT INTO \(serverLog.changes) (entity, ids, before, after)
                SELECT \(uid), coalesce(g.ids, f.ids), g.all_values, f.all_values
                FROM \(parts(of: "gone", after: 0)) AS g FULL JOIN \(parts(of: "fresh", after: 0)) AS f
                  ON g.part OPERATOR(pg_catalog.=) f.part AND g.ids OPERATOR(pg_catalog.=) f.ids;
              END IF;
        """,
      delete: oneSided("gone", "before"),
      applied: """
        IF TG_OP OPERATOR(pg_catalog.=) 'INSERT' THEN
              INSERT INTO \(serverLog.changes) (entity, ids, after) VALUES (\(uid), ARRAY[NEW.\(id)], \(values("NEW")));
            ELSIF TG_OP OPERATOR(pg_catalog.=) 'DELETE' THEN
              INSERT INTO \(serverLog.changes) (entity, ids, before) VALUES (\(uid), ARRAY[OLD.\(id)], \(values("OLD")));
            ELSIF OLD.\(id) OPERATOR(pg_catalog.=) NEW.\(id) THEN
              INSERT INTO \(serverLog.changes) (entity, ids, before, after)
              VALUES (\(uid), ARRAY[NEW.\(id)], \(values("OLD")), \(values("NEW")));
            ELSE
              INSERT INTO \(serverLog.changes) (entity, ids, before, after)
              VALUES (\(uid), ARRAY[OLD.\(id)], \(values("OLD")), NULL), (\(uid), ARRAY[NEW.\(id)], NULL, \(values("NEW")));
            END IF;
        """,
      unlogged: Self.returningFromFilling(by: id)
    )
  }

  /// Returns the statement that leaves the function after an update that changes only words of full-text indexes.
  ///
  /// The function finds the columns of words by name when it runs: a column's name in its source would make all writes
  /// fail after other rules replace the columns. Other updates cost one comparison.
  private static func returningFromFilling(by id: String) -> String {
    func rest(_ row: String) -> String {
      """
      (pg_catalog.to_jsonb(\(row)) OPERATOR(pg_catalog.-) ARRAY(
                SELECT k FROM pg_catalog.jsonb_object_keys(pg_catalog.to_jsonb(\(row))) AS k
                WHERE k OPERATOR(pg_catalog.~) \(TextFilling.columnPattern.quotedText)
              ))
      """
    }
    return """
      IF \(TextFilling.isRunning) THEN
            IF NOT EXISTS (
              SELECT FROM gone AS g FULL JOIN fresh AS f ON g.\(id) OPERATOR(pg_catalog.=) f.\(id)
              WHERE g.\(id) IS NULL OR f.\(id) IS NULL
                OR \(rest("g")) OPERATOR(pg_catalog.<>) \(rest("f"))
            ) THEN
              RETURN NULL;
            END IF;
          END IF;

      """ + "      "
  }

  /// Creates the triggers of a relation's table; its pairs belong to their source.
  ///
  /// The log gets no values: the source's values at the statement may be outdated at the commit, and reading them would
  /// add serialization failures. The delta reads the current row.
  init(_ pairs: RelationPairs, of entity: SyncedEntity, in serverLog: ServerLog) {
    let uid = Int64(bitPattern: entity.uid.value)
    func log(_ sources: String) -> String {
      """
      INSERT INTO \(serverLog.changes) (entity, ids)
              SELECT \(uid), ARRAY[p.source] FROM (\(sources)) AS p;
      """
    }
    self.init(
      table: pairs.name,
      named: pairs.tableName,
      in: serverLog,
      insert: log("SELECT DISTINCT f.source FROM fresh AS f"),
      update: log("SELECT g.source FROM gone AS g UNION SELECT f.source FROM fresh AS f"),
      delete: log("SELECT DISTINCT g.source FROM gone AS g"),
      applied: """
        IF TG_OP OPERATOR(pg_catalog.<>) 'INSERT' THEN
              INSERT INTO \(serverLog.changes) (entity, ids) VALUES (\(uid), ARRAY[OLD.source]);
            END IF;
            IF TG_OP OPERATOR(pg_catalog.<>) 'DELETE' THEN
              INSERT INTO \(serverLog.changes) (entity, ids) VALUES (\(uid), ARRAY[NEW.source]);
            END IF;
        """
    )
  }

  /// Creates the triggers of a table from the statements that log the rows of an operation, if there are any.
  ///
  /// The statement `applied` logs the change of one row, and `unlogged` returns from the function after
  /// updates that are not logged.
  private init(
    table: String,
    named tableName: String,
    in serverLog: ServerLog,
    insert: String,
    update: String,
    delete: String,
    applied: String,
    unlogged: String = ""
  ) {
    self.table = table
    self.tableName = tableName
    functionName = "objectbox_sync \(StableName.hash(of: tableName))"
    function = serverLog.name(functionName)
    // A variable must not have the name of a column. An upsert fires the triggers of inserts and of updates, often one
    // of them without rows.
    source = """

      DECLARE
        objectbox_ids bigint[];
        objectbox_before pg_catalog.bytea[];
        objectbox_count integer := 0;
      BEGIN
        IF TG_LEVEL OPERATOR(pg_catalog.=) 'ROW' THEN
          \(applied)
        ELSIF TG_OP OPERATOR(pg_catalog.=) 'INSERT' THEN
          \(insert)
        ELSIF TG_OP OPERATOR(pg_catalog.=) 'UPDATE' THEN
          \(unlogged)\(update)
        ELSIF TG_OP OPERATOR(pg_catalog.=) 'DELETE' THEN
          \(delete)
        ELSE
          RAISE EXCEPTION USING ERRCODE = 'feature_not_supported', MESSAGE = \(Self.refusal(tableName)),
            HINT = \("use DELETE FROM \(table) instead".quotedText);
        END IF;
        IF \(ServerLog.isAsynchronous) THEN
          PERFORM \(ServerLog.makeSynchronous);
        END IF;
        RETURN NULL;
      END
      """
  }

  private static func refusal(_ table: String) -> String {
    ("cannot truncate '\(table)', which is synchronized: TRUNCATE also removes rows that its "
      + "transaction does not see, so that they cannot be logged").quotedText
  }

  /// Statements that replace the function and the triggers.
  ///
  /// The function runs with its owner's rights: roles that may write the table need no right on the
  /// log. All its names are qualified, so the caller's search path has no effect.
  var creation: [Statement] {
    [lock, Statement(once: "CREATE OR REPLACE \(definition)")] + triggerCreation
  }

  /// Statements that replace the triggers, and create the function only if it is missing.
  var restoration: [Statement] {
    let missing = """
      BEGIN
        IF to_regprocedure(\("\(function)()".quotedText)) IS NULL THEN CREATE \(definition); END IF;
      END
      """
    return [lock, Statement(once: "DO \(missing.quotedText)")] + triggerCreation
  }

  private var definition: String {
    "FUNCTION \(function)() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER AS \(source.quotedText)"
  }

  /// The statement that locks the table against writers.
  ///
  /// It waits for earlier writers to end, so that a transaction after it is the first one to be logged.
  var lock: Statement { ServerLog.lock(table) }

  /// Statements that replace the triggers, with the present function.
  private var triggerCreation: [Statement] {
    let call = "EXECUTE FUNCTION \(function)()"
    let each = "FOR EACH STATEMENT \(call)"
    let fresh = "NEW TABLE AS fresh"
    let gone = "OLD TABLE AS gone"
    return
      (Self.removal(from: table)
      + [
        "CREATE TRIGGER objectbox_sync_insert AFTER INSERT ON \(table) REFERENCING \(fresh) \(each)",
        "CREATE TRIGGER objectbox_sync_update AFTER UPDATE ON \(table) REFERENCING \(gone) \(fresh) \(each)",
        "CREATE TRIGGER objectbox_sync_delete AFTER DELETE ON \(table) REFERENCING \(gone) \(each)",
        "CREATE TRIGGER objectbox_sync_truncate BEFORE TRUNCATE ON \(table) \(each)",
        "CREATE TRIGGER objectbox_sync_applied AFTER INSERT OR UPDATE OR DELETE ON \(table) FOR EACH ROW \(call)",
        "ALTER TABLE \(table) ENABLE ALWAYS TRIGGER objectbox_sync_truncate",
        "ALTER TABLE \(table) ENABLE REPLICA TRIGGER objectbox_sync_applied",
      ]).map { Statement(once: $0) }
  }

  /// Statements that remove the triggers of a table.
  static func removal(from table: String) -> [String] {
    states.keys.sorted().map { "DROP TRIGGER IF EXISTS \($0) ON \(table)" }
  }
}

extension ServerLog {
  /// The statement that locks a table, by its name in SQL, against writers and changes of triggers.
  fileprivate static func lock(_ table: String) -> Statement {
    Statement(once: "LOCK TABLE \(table) IN SHARE ROW EXCLUSIVE MODE")
  }

  /// The statement that locks a table against writers and changes of triggers.
  func lock(_ table: String) -> Statement { Self.lock(name(table)) }
}
