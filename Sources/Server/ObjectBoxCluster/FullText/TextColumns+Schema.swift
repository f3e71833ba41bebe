internal import ObjectBox

extension ClusterTables {
  /// The table of the numbers of objects and words of full-text indexes.
  ///
  /// Each writing statement adds its changes as rows, which are added up later.
  var textCountTable: String { "\(namespace).\"objectbox_text_counts\"" }

  /// The columns of all full-text indexes, each with its table.
  var allTexts: [(table: ClusterTable, columns: TextColumns)] {
    all.flatMap { table in table.texts.map { (table, $0) } }
  }

  /// Asks for the columns of words in the database: their tables' names and their own.
  var textColumnCheck: Statement {
    Statement(
      "SELECT c.relname::text, a.attname::text FROM pg_attribute AS a "
        + "JOIN pg_class AS c ON c.oid = a.attrelid "
        + "WHERE c.relnamespace = to_regnamespace($1) AND c.relkind IN ('r', 'p') "
        + "AND starts_with(a.attname, $2) AND NOT a.attisdropped"
    ) {
      $0.append(namespace)
      $0.append(TextColumnNames.prefix)
    }
  }

  /// Returns true if a database has other columns of words than the model needs.
  func needsTexts(_ present: PresentTexts) -> Bool {
    Set(present.columns.map(\.names.words)) != Set(allTexts.map(\.columns.names.words))
  }
}

/// The columns of words in a database.
struct PresentTexts: Sendable {
  var columns: [(table: String, names: TextColumnNames)] = []

  init() {}

  /// Reads the rows of ``ClusterTables/textColumnCheck``.
  init(_ rows: ResultRows) {
    columns = (0..<rows.count).map { row in
      (rows.text(row, 0) ?? "", TextColumnNames(wordsColumn: rows.text(row, 1) ?? ""))
    }
  }
}

extension TextColumnNames {
  private static let operations = ["insert", "update", "delete", "truncate"]

  /// Returns the statements that remove the columns from a table, with all that depends on them.
  ///
  /// - Parameters:
  ///   - table: The table's present name, qualified.
  ///   - tables: The tables of the new model.
  /// - Returns: SQL.
  func removal(from table: String, in tables: ClusterTables) -> [String] {
    let triggers = [words] + Self.operations.map(counting)
    let uid = suffix.prefix { $0 != "_" }
    return triggers.map { "DROP TRIGGER IF EXISTS \($0) ON \(table)" } + [
      "ALTER TABLE \(table) "
        + [words, state, beginnings].map { "DROP COLUMN IF EXISTS \($0)" }.joined(separator: ", "),
      "DROP FUNCTION IF EXISTS \(tables.namespace).\(words)(), \(tables.namespace).\(countingFunction)()",
      "DELETE FROM \(tables.textCountTable) WHERE index = \(Int64(bitPattern: UInt64(uid) ?? 0))",
    ]
  }
}

extension TextColumns {
  /// The statement that adds the columns to a table.
  func creation(in table: ClusterTable) -> String {
    let types = names.columns.map { name in
      "ADD COLUMN \(name) \(name == names.state ? "bigint" : "text[] COLLATE \"C\"")"
    }
    return "ALTER TABLE \(table.name) \(types.joined(separator: ", "))"
  }

  /// The statements that create triggers and indexes, and count the present words.
  ///
  /// - `fastupdate = off`: with it on, the server would lock the whole index for each SERIALIZABLE reader, and a put
  ///   would sometimes wait until the words of many puts are sorted in.
  /// - The function of counts has its owner's rights, so that roles need no rights on the counts.
  func completion(of table: ClusterTable, in tables: ClusterTables) -> [String] {
    let (name, space) = (table.name, tables.namespace)
    let changed = texts.map { "OLD.\($0.name) IS DISTINCT FROM NEW.\($0.name)" }
    let emptied = names.columns.map { "NEW.\($0) := NULL; " }.joined()
    let indexed = [names.words] + (names.hasBeginnings ? [names.beginnings] : [])
    func trigger(_ operation: String, _ tables: String) -> String {
      let when = operation == "truncate" ? "BEFORE" : "AFTER"
      return
        "CREATE TRIGGER \(names.counting(operation)) \(when) \(operation.uppercased()) ON \(name) "
        + "\(tables) FOR EACH STATEMENT EXECUTE FUNCTION \(space).\(names.countingFunction)()"
    }
    return [
      "CREATE OR REPLACE FUNCTION \(space).\(names.words)() RETURNS trigger LANGUAGE plpgsql AS "
        + "BEGIN \(emptied)RETURN NEW; END".quotedText,
      "CREATE TRIGGER \(names.words) BEFORE UPDATE ON \(name) FOR EACH ROW "
        + "WHEN ((\(changed.joined(separator: " OR "))) "
        + "AND OLD.\(names.state) IS NOT DISTINCT FROM NEW.\(names.state)) "
        + "EXECUTE FUNCTION \(space).\(names.words)()",
      "CREATE OR REPLACE FUNCTION \(space).\(names.countingFunction)() RETURNS trigger LANGUAGE plpgsql "
        + "SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS "
        + counting(in: tables).quotedText,
      trigger("insert", "REFERENCING NEW TABLE AS fresh"),
      trigger("update", "REFERENCING OLD TABLE AS gone NEW TABLE AS fresh"),
      trigger("delete", "REFERENCING OLD TABLE AS gone"),
      trigger("truncate", ""),
      "CREATE INDEX \(names.words) ON \(name) USING gin (\(indexed.joined(separator: ", "))) "
        + "WITH (fastupdate = off)",
      "CREATE INDEX \(names.missing) ON \(name) (\(table.id.name)) WHERE \(isMissing())",
      "INSERT INTO \(tables.textCountTable) SELECT \(uid), count(*), coalesce(sum(\(length(""))), 0) "
        + "FROM \(name) WHERE \(names.state) IS NOT NULL",
    ]
  }

  /// The statement that adds up the counts of the index.
  ///
  /// Writers only insert counts, so neither waits for the other. A reader of any version sees either the rows or their
  /// sum.
  func adding(in tables: ClusterTables) -> Statement {
    let counts = tables.textCountTable
    return Statement(
      "WITH old AS (DELETE FROM \(counts) WHERE index = $1 "
        + "AND (SELECT count(*) > 10 FROM \(counts) WHERE index = $1) RETURNING objects, words) "
        + "INSERT INTO \(counts) SELECT $1, sum(objects), sum(words) FROM old HAVING count(*) > 0"
    ) { $0.append(uid) }
  }

  /// The UID of the index in the counts.
  var uid: Int64 { Int64(bitPattern: index.identity.uid) }

  /// The body of the function that counts.
  private func counting(in tables: ClusterTables) -> String {
    let counts = tables.textCountTable
    func side(_ table: String, _ sign: String) -> String {
      "SELECT \(sign)1 AS objects, \(sign)\(length("")) AS words FROM \(table) "
        + "WHERE \(names.state) IS NOT NULL"
    }
    func insertion(_ sides: String) -> String {
      "INSERT INTO \(counts) SELECT \(uid), sum(d.objects), sum(d.words) FROM (\(sides)) AS d "
        + "HAVING sum(d.objects) <> 0 OR sum(d.words) <> 0;"
    }
    return """
      BEGIN
        IF TG_OP = 'INSERT' THEN \(insertion(side("fresh", "")))
        ELSIF TG_OP = 'UPDATE' THEN \(insertion(side("fresh", "") + " UNION ALL " + side("gone", "-")))
        ELSIF TG_OP = 'DELETE' THEN \(insertion(side("gone", "-")))
        ELSE DELETE FROM \(counts) WHERE index = \(uid);
        END IF;
        RETURN NULL;
      END
      """
  }
}
