internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol

/// The entities and properties that are logged.
struct LoggedProperties: Sendable {
  private var all: [EntityUID: [PropertyUID]] = [:]
  private var starts: [EntityUID: UInt64] = [:]
  private var propertyStarts: [EntityUID: [PropertyUID: UInt64]] = [:]

  /// Reads the rows of ``ServerLog/loggedQuery``.
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
      comparison.test == .isObject
        || propertyStarts[scope.entity]?[comparison.property].map(snapshot.sees) ?? false
    }
  }
}

extension ServerLog {
  /// Reads the logged entities and properties, ordered by position.
  var loggedQuery: String {
    "SELECT entity, property, since FROM \(logged) ORDER BY entity, position"
  }

  /// The statement that records the present transaction as the start of logging a property, or an entity with 0.
  func beginning(_ property: UInt64, at position: Int, of entity: SyncedEntity) -> Statement {
    Statement(
      """
      INSERT INTO \(logged) (entity, property, position) VALUES ($1, $2, $3)
      ON CONFLICT (entity, property) DO UPDATE SET since = pg_current_xact_id()
      """
    ) { parameters in
      parameters.append(id: entity.uid.value)
      parameters.append(id: property)
      parameters.append(Int32(position))
    }
  }

  /// Reads the names of the tables that have the server log's columns.
  var columnsQuery: Statement {
    Statement(
      """
      SELECT DISTINCT c.relname::text FROM pg_attribute AS a JOIN pg_class AS c ON c.oid = a.attrelid
        JOIN pg_namespace AS n ON n.oid = c.relnamespace
      WHERE n.nspname = $1 AND c.relkind = 'r' AND NOT a.attisdropped
        AND a.attname IN ('objectbox_dot', 'objectbox_birth')
      """
    ) { $0.append(tables.namespaceName) }
  }
}
