internal import ObjectBoxCluster

/// The states of the synchronized tables, for detecting tables that were changed without the log.
///
/// Triggers do not fire while they are disabled, nor when ALTER TABLE rewrites all rows. Both leave traces in the
/// system catalogues, which the server log compares with the remembered ones:
///
/// - each change of a trigger gives its row there a new `xmin`, even if it is enabled again later;
/// - `ALTER COLUMN … TYPE` gives the column's row a new `xmin` and the table a new file, even if the type stays the
///   same. VACUUM FULL and CLUSTER change only the file, other commands only the column.
struct TableStates: Sendable {
  struct State: Sendable {
    /// True if the server log remembers a state.
    let isKnown: Bool
    /// True if triggers were created, removed, disabled or enabled since.
    let hasOtherTriggers: Bool
    /// True if all rows were rewritten, possibly with other values.
    let isRewritten: Bool
    /// True if the server log remembers another state.
    let isChanged: Bool
  }

  private var states: [String: State] = [:]

  /// Reads the rows of ``ServerLog/statesQuery``.
  init(_ rows: ResultRows) {
    for row in 0..<rows.count {
      states[rows.text(row, 0) ?? ""] = State(
        isKnown: rows.bool(row, 1) ?? false,
        hasOtherTriggers: rows.bool(row, 2) ?? false,
        isRewritten: rows.bool(row, 3) ?? false,
        isChanged: rows.bool(row, 4) ?? false
      )
    }
  }

  /// The state of a table; nil without the table.
  subscript(table: String) -> State? { states[table] }
}

extension ServerLog {
  /// The remembered states of tables.
  var states: String { name("objectbox_table_states") }

  /// The statement that makes the table of states.
  var statesCreation: String {
    """
    CREATE TABLE IF NOT EXISTS \(states) (
      name text PRIMARY KEY, file bigint NOT NULL, columns jsonb NOT NULL, triggers text NOT NULL
    )
    """
  }

  /// The present states of the tables named in the second parameter, in the columns of ``states``.
  ///
  /// ``ServerLogSchema`` alters the server log's own columns.
  private static let present = """
    SELECT c.relname::text AS name, c.relfilenode::bigint AS file,
      (SELECT coalesce(jsonb_object_agg(a.attnum::text, a.xmin::text), '{}') FROM pg_attribute AS a
        WHERE a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
          AND a.attname NOT LIKE 'objectbox\\_%') AS columns,
      (SELECT coalesce(string_agg(concat_ws(':', t.oid, t.xmin), ' ' ORDER BY t.oid), '') FROM pg_trigger AS t
        WHERE t.tgrelid = c.oid AND t.tgname LIKE 'objectbox\\_sync\\_%' AND NOT t.tgisinternal) AS triggers
    FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
    WHERE n.nspname = $1 AND c.relkind = 'r' AND c.relname = ANY ($2)
    """

  /// Compares the states of the synchronized tables with the remembered ones.
  var statesQuery: Statement {
    Statement(
      """
      SELECT p.name, s.name IS NOT NULL, s.triggers <> p.triggers,
        s.file <> p.file AND EXISTS (
          SELECT FROM jsonb_each_text(s.columns) AS o JOIN jsonb_each_text(p.columns) AS n USING (key)
          WHERE o.value <> n.value
        ),
        (s.file, s.columns, s.triggers) IS DISTINCT FROM (p.file, p.columns, p.triggers)
      FROM (\(Self.present)) AS p LEFT JOIN \(states) AS s USING (name)
      """
    ) { parameters in
      parameters.append(tables.namespaceName)
      parameters.append(names: tableNames)
    }
  }

  /// The statement that stores the present states of tables.
  func remembering(_ tables: [String]) -> Statement {
    Statement(
      """
      INSERT INTO \(states) SELECT name, file, columns, triggers FROM (\(Self.present)) AS p
      ON CONFLICT (name) DO UPDATE
        SET file = excluded.file, columns = excluded.columns, triggers = excluded.triggers
      """
    ) { parameters in
      parameters.append(self.tables.namespaceName)
      parameters.append(names: tables)
    }
  }

  /// The statement that removes the states of tables that are not synchronized.
  var forgettingStates: Statement {
    Statement("DELETE FROM \(states) WHERE name <> ALL ($1)") { parameters in
      parameters.append(names: tableNames)
    }
  }

  private var tableNames: [String] {
    entities.flatMap { [$0.name] + $0.pairs.map(\.tableName) }
  }
}

extension Parameters {
  fileprivate mutating func append(names: [String]) {
    append(PostgresType.textArray, of: PostgresType.text, count: names.count) { array in
      for name in names { array.append(name.utf8) }
    }
  }
}
