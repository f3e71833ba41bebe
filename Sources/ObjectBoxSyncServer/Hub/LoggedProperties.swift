internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol

/// The entities and properties that the log has.
struct LoggedProperties: Sendable {
  private var all: [EntityUID: [PropertyUID]] = [:]
  private var starts: [EntityUID: UInt64] = [:]
  private var propertyStarts: [EntityUID: [PropertyUID: UInt64]] = [:]

  /// Reads the rows of ``Hub/loggedQuery``.
  init(_ rows: ResultRows) {
    for row in 0..<rows.count {
      guard let entity = rows.integer(row, 0, as: UInt64.self),
        let property = rows.integer(row, 1, as: UInt64.self),
        let since = rows.integer(row, 2, as: UInt64.self)
      else { continue }
      let uid = EntityUID(entity)
      if property == 0 {
        starts[uid] = since
      } else {
        all[uid, default: []].append(PropertyUID(property))
        propertyStarts[uid, default: [:]][PropertyUID(property)] = since
      }
    }
  }

  /// The last transaction that added an entity or a property; 0 without entities.
  var last: UInt64 {
    propertyStarts.values.flatMap(\.values).reduce(starts.values.max() ?? 0) { max($0, $1) }
  }

  /// The logged entities.
  var entities: [EntityUID] { starts.keys.sorted() }

  /// The transaction that began to log an entity; nil for an entity that is not logged.
  func since(_ entity: EntityUID) -> UInt64? { starts[entity] }

  /// The logged properties of an entity by position.
  func properties(of entity: EntityUID) -> [PropertyUID] { all[entity] ?? [] }

  /// The position of a property in the log's arrays; nil for a property that is not logged.
  func position(of property: PropertyUID, in entity: EntityUID) -> Int? {
    all[entity]?.firstIndex(of: property)
  }

  /// Adds a property after all others of its entity.
  mutating func add(_ property: PropertyUID, to entity: EntityUID) {
    all[entity, default: []].append(property)
  }

  /// Returns true if the log has all changes that a scope may need after a snapshot.
  func has(_ scope: Scope, after snapshot: TransactionSnapshot) -> Bool {
    guard let start = starts[scope.entity], snapshot.sees(start) else { return false }
    return scope.comparisons.allSatisfy { comparison in
      propertyStarts[scope.entity]?[comparison.property].map(snapshot.sees) ?? false
    }
  }
}

extension Hub {
  /// Reads what is logged, ordered by position.
  var loggedQuery: String {
    "SELECT entity, property, since FROM \(logged) ORDER BY entity, position"
  }

  /// Reads the triggers of the hub: table, function, source of the function, names of the triggers,
  /// and whether all are always enabled.
  var triggersQuery: Statement {
    Statement(
      """
      SELECT c.relname::text, p.proname::text, p.prosrc,
        string_agg(t.tgname::text, ' ' ORDER BY t.tgname COLLATE "C"), bool_and(t.tgenabled = 'A')
      FROM pg_trigger AS t JOIN pg_class AS c ON c.oid = t.tgrelid JOIN pg_proc AS p ON p.oid = t.tgfoid
        JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND t.tgname LIKE 'objectbox\\_sync\\_%' AND NOT t.tgisinternal
      GROUP BY c.relname, p.proname, p.prosrc ORDER BY c.relname
      """
    ) { $0.append(tables.namespaceName) }
  }

  /// Reads the names of the tables that have the hub's columns with their defaults.
  ///
  /// The default of `objectbox_birth` is a random number in hubs of earlier builds.
  var columnsQuery: Statement {
    Statement(
      """
      SELECT DISTINCT c.relname::text FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
        JOIN pg_namespace AS n ON n.oid = c.relnamespace
        LEFT JOIN pg_attrdef AS d ON d.adrelid = c.oid AND d.adnum = a.attnum
      WHERE n.nspname = $1 AND c.relkind = 'r' AND NOT a.attisdropped
        AND (a.attname = 'objectbox_dot'
          OR a.attname = 'objectbox_birth' AND pg_get_expr(d.adbin, d.adrelid) LIKE 'timestamp_hash%')
      """
    ) { $0.append(tables.namespaceName) }
  }
}

/// The hub's triggers that a database has.
struct PresentTriggers: Sendable {
  private struct Found {
    let function: String
    let source: String
    let names: String
    let isEnabled: Bool
  }

  private var found: [String: [Found]] = [:]

  /// Reads the rows of ``Hub/triggersQuery``.
  init(_ rows: ResultRows) {
    for row in 0..<rows.count {
      let one = Found(
        function: rows.text(row, 1) ?? "",
        source: rows.text(row, 2) ?? "",
        names: rows.text(row, 3) ?? "",
        isEnabled: rows.bool(row, 4) ?? false
      )
      found[rows.text(row, 0) ?? "", default: []].append(one)
    }
  }

  /// Returns true if the database has exactly these triggers, and notes that they are wanted.
  mutating func take(_ triggers: ChangeTriggers) -> Bool {
    let has = source(of: triggers) == triggers.source
    found[triggers.tableName] = nil
    return has
  }

  /// Returns true if the database has these triggers, or those of an earlier build: the log then has
  /// all changes of the table.
  func log(_ triggers: ChangeTriggers) -> Bool {
    [triggers.source, triggers.earlierSource].contains(source(of: triggers))
  }

  /// Returns the source of a table's function; nil if its triggers are others than wanted.
  private func source(of triggers: ChangeTriggers) -> String? {
    guard let there = found[triggers.tableName], there.count == 1,
      there[0].function == triggers.functionName,
      there[0].names == ChangeTriggers.names.joined(separator: " "), there[0].isEnabled
    else { return nil }
    return there[0].source
  }

  /// Tables and functions of the triggers that were not taken.
  var rest: [(table: String, function: String)] {
    found.flatMap { table, all in all.map { (table, $0.function) } }.sorted { $0 < $1 }
  }
}
