internal import Foundation
package import ObjectBox

/// The database's side of a copy between a store and a database.
///
/// One task at a time uses it. It owns its connection.
package final class MovingDatabase: Sendable {
  let connection: Connection
  let namespace: String

  /// Connects to the database.
  ///
  /// - Parameter configuration: The address, and the schema of the tables.
  /// - Throws: ``ClusterError``.
  package init(_ configuration: Cluster.Configuration) async throws {
    connection = try await Connection.alone(configuration)
    namespace = configuration.schema
    // Counting and comparing many rows takes a long time.
    try await run(["SET statement_timeout = 0"])
  }

  /// Uses the connection of another owner.
  init(_ connection: Connection, _ namespace: String) {
    self.connection = connection
    self.namespace = namespace
  }

  func run(_ statements: [Statement]) async throws -> [ResultRows] {
    try await telling { try await $0.run(statements) }
  }

  func run(_ statements: [String]) async throws {
    _ = try await run(statements.map(Statement.init(once:)))
  }

  /// Runs a body, and converts failures of the server to public errors.
  func telling<T>(_ body: (Connection) async throws -> T) async throws -> T {
    try await ServerFailure.told { try await body(connection) }
  }
}

extension Connection {
  /// Creates a connection outside of any pool in use.
  static func alone(_ configuration: Cluster.Configuration) async throws -> Connection {
    try await ConnectionPool(configuration).connectAlone()
  }
}

extension ClusterTables {
  /// The table with the state of a copy into the database, qualified by its schema.
  ///
  /// One row for each copied element, by its UID, with the last key stored. The row with UID 0
  /// names the store. The table exists only until the copy is complete.
  var copyTable: String { "\(namespace).\"objectbox_copy\"" }

  var copyStatement: String {
    "CREATE TABLE IF NOT EXISTS \(copyTable) (uid bigint PRIMARY KEY, source text, last_source bigint NOT NULL "
      + "DEFAULT 0, last_target bigint NOT NULL DEFAULT 0, stored bigint NOT NULL DEFAULT 0)"
  }
}

/// A copy from a store into a database.
///
/// While the copy runs, the database is marked so that no cluster opens it. Each transaction stores
/// a batch together with its last key, so an interrupted copy continues with the next row.
package final class MovingIn: Sendable {
  private let database: MovingDatabase
  let tables: ClusterTables
  /// True if this copy continues an interrupted copy of the same version.
  package let goesOn: Bool

  /// Creates the tables without constraints and indexes, or finds the tables of an interrupted copy.
  ///
  /// - Parameters:
  ///   - database: The database.
  ///   - schema: The schema of the store.
  ///   - source: The identity of the store and its version. Rows of another version are removed
  ///     first.
  /// - Throws: ``ClusterError/schemaConflict(message:)`` when the database has objects already.
  package init(
    _ database: MovingDatabase,
    _ schema: StoreSchema,
    source: String
  ) async throws {
    self.database = database
    tables = ClusterTables(schema, in: database.namespace)
    let stored = try await database.telling { [tables] in try await SchemaCatalogue(tables, on: $0)
    }
    try await Self.checkIsFree(stored, tables, database)
    try await database.telling { [tables] in
      try await DatabaseUpgrade(tables).run(to: .copying, on: $0)
    }
    try await database.run([tables.copyStatement])
    let rows = try await database.run([
      Statement("SELECT source FROM \(tables.copyTable) WHERE uid = 0")
    ])[0]
    goesOn = rows.count > 0 && rows.text(0, 0) == source
    if goesOn { return }
    let emptied = tables.all.map(\.name) + tables.allPairs.map(\.name) + [tables.copyTable]
    _ = try await database.run(
      [Statement(once: "TRUNCATE \(emptied.joined(separator: ", "))")]
        + [
          Statement("INSERT INTO \(tables.copyTable) (uid, source) VALUES (0, $1)") {
            $0.append(source)
          }
        ]
    )
  }

  private static func checkIsFree(
    _ stored: SchemaCatalogue,
    _ tables: ClusterTables,
    _ database: MovingDatabase
  ) async throws {
    guard stored.number > 0, !stored.isCopying else { return }
    let present = ClusterTables(stored.model, in: tables.namespaceName)
    let rows = try await database.run(
      present.all.map { Statement(once: "SELECT EXISTS (SELECT FROM \($0.name))") }
    )
    for (table, rows) in zip(present.all, rows) where rows.bool(0, 0) ?? false {
      throw ClusterError.schemaConflict(
        message:
          "the schema \(tables.namespace) has objects of '\(table.schema.name)' already, and a copy needs one "
          + "without objects; choose another schema, or remove them before"
      )
    }
  }

  // MARK: Rows

  /// Begins or continues to copy an entity.
  ///
  /// - Parameter entity: The index of the entity in the store's schema.
  /// - Returns: An empty batch.
  /// - Throws: ``ClusterError``.
  package func objects(entity: Int) async throws -> MovingObjects {
    let schema = tables.model.entities[entity]
    guard let table = tables.table(entity: schema.identity.id) else {
      throw ObjectBoxError.illegalState(message: "the model has no '\(schema.name)'")
    }
    let state = try await state(schema.identity.uid)
    return MovingObjects(table, lastID: state.source, storedCount: state.count)
  }

  /// Begins or continues to copy a standalone relation.
  package func pairs(relation id: UInt32) async throws -> MovingPairs {
    guard let pairs = tables.pairs(relation: id) else {
      throw ObjectBoxError.illegalState(message: "the model has no relation \(id)")
    }
    let state = try await state(pairs.schema.identity.uid)
    return MovingPairs(pairs, last: (state.source, state.target), storedCount: state.count)
  }

  private func state(
    _ uid: UInt64
  ) async throws -> (source: UInt64, target: UInt64, count: Int) {
    let rows = try await database.run([
      Statement(
        "SELECT last_source, last_target, stored FROM \(tables.copyTable) WHERE uid = $1"
      ) { $0.append(id: uid) }
    ])[0]
    guard rows.count > 0 else { return (0, 0, 0) }
    return (
      rows.integer(0, 0) ?? 0, rows.integer(0, 1) ?? 0, Int(rows.anyInteger(0, 2) ?? 0)
    )
  }

  /// Stores the batch of objects.
  package func store(_ objects: inout MovingObjects) async throws {
    guard objects.count > 0 else { return }
    try await store(
      objects.batch,
      uid: objects.table.schema.identity.uid,
      last: (objects.lastID, 0),
      count: objects.storedCount + objects.count
    )
    objects.didStore()
  }

  /// Stores the batch of pairs.
  package func store(_ pairs: inout MovingPairs) async throws {
    guard pairs.count > 0 else { return }
    try await store(
      pairs.batch,
      uid: pairs.pairs.schema.identity.uid,
      last: pairs.last,
      count: pairs.storedCount + pairs.count
    )
    pairs.didStore()
  }

  private func store(
    _ batch: Statement,
    uid: UInt64,
    last: (source: UInt64, target: UInt64),
    count: Int
  ) async throws {
    do {
      _ = try await database.run([
        Statement(once: "BEGIN"),
        batch,
        Statement(
          "INSERT INTO \(tables.copyTable) (uid, last_source, last_target, stored) VALUES ($1, $2, $3, $4) "
            + "ON CONFLICT (uid) DO UPDATE SET last_source = $2, last_target = $3, stored = $4"
        ) { parameters in
          parameters.append(id: uid)
          parameters.append(id: last.source)
          parameters.append(id: last.target)
          parameters.append(Int64(count))
        },
        Statement(once: "COMMIT"),
      ])
    } catch {
      _ = try? await database.run(["ROLLBACK"])
      throw error
    }
  }

  // MARK: End

  /// Creates constraints and indexes, and allows clusters to open the database.
  ///
  /// - Parameter lastIDs: The highest assigned IDs, by the UIDs of the entities.
  /// - Throws: ``ClusterError``; the database then stays marked.
  package func finish(lastIDs: [UInt64: UInt64]) async throws {
    var statements = lastIDs.sorted { $0.key < $1.key }.map { uid, last in
      Statement(
        "INSERT INTO \(tables.idTable) AS ids (entity, next) VALUES ($1, $2) "
          + "ON CONFLICT (entity) DO UPDATE SET next = greatest(ids.next, $2)"
      ) { parameters in
        parameters.append(id: uid)
        parameters.append(id: min(last, UInt64(Int64.max) - 1) + 1)
      }
    }
    statements += tables.all.map { Statement(once: "ANALYZE \($0.name)") }
    _ = try await database.run(statements)
    let upgrade = DatabaseUpgrade(tables, finally: ["DROP TABLE IF EXISTS \(tables.copyTable)"])
    try await database.telling { try await upgrade.run(to: .copied, on: $0) }
  }

  /// Makes the next copy start from the beginning.
  package func startAnew() async throws {
    try await database.run(["UPDATE \(tables.copyTable) SET source = '' WHERE uid = 0"])
  }

  /// Returns a reader of the copied rows.
  package func reading() -> MovingOut { MovingOut(database, tables) }
}
