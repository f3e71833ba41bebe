internal import ObjectBoxCluster

extension ServerLog {
  /// Reads the triggers of the server log: table, trigger, function, source of the function, and state.
  var triggersQuery: Statement {
    Statement(
      """
      SELECT c.relname::text, t.tgname::text, p.proname::text, p.prosrc, t.tgenabled::text
      FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid JOIN pg_proc AS p ON p.oid = t.tgfoid
        JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND t.tgname LIKE 'objectbox\\_sync\\_%' AND NOT t.tgisinternal
      ORDER BY c.relname, p.proname
      """
    ) { $0.append(tables.namespaceName) }
  }
}

/// The triggers of the server log in a database.
struct PresentTriggers: Sendable {
  private struct Found {
    var source = ""
    /// The states of the triggers by their names.
    var states: [String: String] = [:]
  }

  /// The triggers by table and function.
  private var found: [String: [String: Found]] = [:]

  /// Reads the rows of ``ServerLog/triggersQuery``.
  init(_ rows: ResultRows) {
    for row in 0..<rows.count {
      let (table, function) = (rows.text(row, 0) ?? "", rows.text(row, 2) ?? "")
      var one = found[table]?[function] ?? Found()
      one.source = rows.text(row, 3) ?? ""
      one.states[rows.text(row, 1) ?? ""] = rows.text(row, 4)
      found[table, default: [:]][function] = one
    }
  }

  /// Returns true if the database has exactly these triggers, and records that they are needed.
  mutating func take(_ triggers: ChangeTriggers) -> Bool {
    let isThere = has(triggers)
    found[triggers.tableName]?[triggers.functionName] = nil
    return isThere
  }

  /// Returns true if the database has exactly this trigger, and records that it is needed.
  mutating func take(_ trigger: StampTrigger) -> Bool {
    let there = found[trigger.tableName]?[trigger.functionName]
    found[trigger.tableName]?[trigger.functionName] = nil
    return there?.source == trigger.source && there?.states == [StampTrigger.name: "A"]
  }

  /// Returns true if the database has exactly these triggers: the log then has all changes of the table.
  func has(_ triggers: ChangeTriggers) -> Bool {
    areThere(triggers)
      && found[triggers.tableName]?[triggers.functionName]?.source == triggers.source
  }

  /// Returns true if all triggers of a table exist and fire, with any function: the newest model determines the
  /// function.
  func areThere(_ triggers: ChangeTriggers) -> Bool {
    found[triggers.tableName]?[triggers.functionName]?.states == ChangeTriggers.states
  }

  /// The tables and functions of unneeded triggers, with the names of these triggers.
  var rest: [(table: String, function: String, triggers: [String])] {
    found.flatMap { table, all in
      all.map { (table: table, function: $0.key, triggers: $0.value.states.keys.sorted()) }
    }.sorted { ($0.table, $0.function) < ($1.table, $1.function) }
  }
}
