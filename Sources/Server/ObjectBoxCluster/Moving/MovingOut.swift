package import ObjectBox

/// Reads a database row by row or by queries: to copy it, to check a copy, and for tools.
///
/// One task at a time uses it.
package final class MovingOut: QueryPlace, Sendable {
  /// The intended size of a batch in bytes, estimated from the previous batch.
  private static let batchSize = 4 << 20
  private static let batchCounts = 100...20_000

  static let beginning = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"

  let database: MovingDatabase
  let tables: ClusterTables
  let vectors: VectorExtension?
  /// The number of the model in the catalogue; 0 when it was not read.
  let modelNumber: Int
  /// The snapshot in PostgreSQL's notation, which names the included transactions; empty without
  /// one.
  package let snapshot: String

  init(
    _ database: MovingDatabase,
    _ tables: ClusterTables,
    vectors: VectorExtension? = nil,
    modelNumber: Int = 0,
    snapshot: String = ""
  ) {
    self.database = database
    self.tables = tables
    self.vectors = vectors
    self.modelNumber = modelNumber
    self.snapshot = snapshot
  }

  func run(_ batch: [Statement]) async throws -> [ResultRows] { try await database.run(batch) }

  /// Reads the catalogue, and begins a transaction on one snapshot of the database.
  ///
  /// - Parameter database: The database.
  /// - Throws: ``ClusterError/schemaConflict(message:)`` when the database has no objects of a
  ///   cluster.
  package convenience init(_ database: MovingDatabase) async throws {
    let nothing = ClusterTables(StoreSchema(of: [], lastEntity: nil), in: database.namespace)
    try await database.run([Self.beginning])
    let stored = try await database.telling { try await SchemaCatalogue(nothing, on: $0) }
    guard stored.number > 0 else {
      throw ClusterError.schemaConflict(
        message:
          "the schema \(nothing.namespace) has no objects of a cluster; name its schema by '--schema'"
      )
    }
    let tables = ClusterTables(stored.model, in: database.namespace)
    if stored.isCopying { throw DatabaseUpgrade.incomplete(tables) }
    self.init(
      database,
      tables,
      vectors: stored.neighbors.vectors,
      modelNumber: stored.number
    )
  }

  /// The schema of the database.
  package var schema: StoreSchema { tables.model }

  /// Returns the number of objects and pairs.
  package func count() async throws -> Int {
    let names = tables.all.map(\.name) + tables.allPairs.map(\.name)
    let rows = try await database.run(
      names.map { Statement(once: "SELECT count(*) FROM \($0)") }
    )
    return rows.reduce(0) { $0 + Int($1.anyInteger(0, 0) ?? 0) }
  }

  /// Returns the highest assigned IDs, by the UIDs of the entities.
  package func lastIDs() async throws -> [UInt64: UInt64] {
    let rows = try await database.run([
      Statement(once: "SELECT entity, next - 1 FROM \(tables.idTable)")
    ])[0]
    var all: [UInt64: UInt64] = [:]
    for row in 0..<rows.count {
      if let uid = rows.integer(row, 0, as: UInt64.self) { all[uid] = rows.integer(row, 1) ?? 0 }
    }
    return all
  }

  /// The position of a reader in the rows of an entity.
  package struct Objects: Sendable {
    fileprivate let table: ClusterTable
    fileprivate var last: UInt64 = 0
    fileprivate var count = MovingOut.batchCounts.lowerBound
    package private(set) var checksum = MovingChecksum()
    package fileprivate(set) var isAtEnd = false

    /// Adds rows to the checksum.
    fileprivate mutating func note(_ rows: ResultRows) -> Int {
      var size = 0
      for row in 0..<rows.count {
        checksum.beginRow()
        for (index, column) in table.columns.enumerated() {
          let bytes = rows.bytes(row, index)
          size += bytes?.count ?? 0
          checksum.add(bytes, of: column)
        }
      }
      return size
    }
  }

  /// Begins to read an entity.
  ///
  /// - Parameter entity: The index of the entity in ``schema``.
  /// - Returns: The position before the first row.
  /// - Throws: `ObjectBoxError` when the model lacks the entity.
  package func objects(entity: Int) throws -> Objects {
    let schema = tables.model.entities[entity]
    guard let table = tables.table(entity: schema.identity.id) else {
      throw ObjectBoxError.illegalState(message: "the model has no '\(schema.name)'")
    }
    return Objects(table: table)
  }

  /// Reads the next rows.
  ///
  /// - Parameters:
  ///   - objects: The position; its checksum then includes the rows.
  ///   - isWanted: False when only the checksum is needed.
  /// - Returns: The records.
  /// - Throws: ``ClusterError``.
  package func next(_ objects: inout Objects, records isWanted: Bool) async throws -> [MovingRecord]
  {
    let table = objects.table
    let rows = try await database.run([
      Statement(
        "SELECT \(table.selection) FROM \(table.name) WHERE \(table.id.name) > $1 ORDER BY \(table.id.name) LIMIT $2"
      ) { parameters in
        parameters.append(id: objects.last)
        parameters.append(Int64(objects.count))
      }
    ])[0]
    objects.isAtEnd = rows.count < objects.count
    let size = objects.note(rows)
    if let last = rows.ids().last { objects.last = last }
    let fitting = rows.count * Self.batchSize / max(1, size)
    objects.count = min(max(fitting, Self.batchCounts.lowerBound), Self.batchCounts.upperBound)
    return isWanted ? try records(rows, of: table) : []
  }

  /// Returns the records of rows with the columns of a table.
  func records(_ rows: ResultRows, of table: ClusterTable) throws -> [MovingRecord] {
    let encoding = RowEncoding(table)
    return try (0..<rows.count).map { try record(rows, $0, encoding, of: table) }
  }

  /// Returns the record of one row.
  func record(
    _ rows: ResultRows,
    _ row: Int,
    _ encoding: RowEncoding,
    of table: ClusterTable
  ) throws -> MovingRecord {
    MovingRecord(row: try encoding.row(rows, row), table: table)
  }

  /// Reads the next pairs of a relation.
  ///
  /// - Parameters:
  ///   - id: The ID of the relation.
  ///   - last: The last pair that was read; zeros before the first.
  /// - Returns: The next pairs; empty at the end.
  /// - Throws: ``ClusterError``.
  package func pairs(
    relation id: UInt32,
    after last: (source: UInt64, target: UInt64)
  ) async throws -> [(source: UInt64, target: UInt64)] {
    guard let pairs = tables.pairs(relation: id) else { return [] }
    let rows = try await database.run([
      Statement(
        "SELECT source, target FROM \(pairs.name) WHERE (source, target) > ($1, $2) ORDER BY source, target "
          + "LIMIT \(Self.batchCounts.upperBound)"
      ) { parameters in
        parameters.append(id: last.source)
        parameters.append(id: last.target)
      }
    ])[0]
    return (0..<rows.count).map { row in
      (rows.integer(row, 0) ?? 0, rows.integer(row, 1) ?? 0)
    }
  }

  /// Adds an object of a store to a checksum that is compared with the database's.
  package func add(
    _ record: RecordReader,
    entity: Int,
    to checksum: inout MovingChecksum
  ) {
    guard let table = tables.table(entity: tables.model.entities[entity].identity.id) else {
      return
    }
    checksum.add(record, of: table)
  }
}

extension MovingChecksum {
  /// Adds a pair of a relation.
  package mutating func add(source: UInt64, target: UInt64) {
    beginRow()
    add(source)
    add(target)
  }
}

/// The record of an object from a database.
package struct MovingRecord: Sendable {
  fileprivate let row: RecordRow
  fileprivate let table: ClusterTable

  package var id: UInt64 { row.id }

  /// Passes the record to a body, which must not keep it.
  package func reading<T>(_ body: (RecordReader) throws -> T) throws -> T {
    try row.reading(table, body)
  }

  /// Passes the values to a function; properties that it does not get are null.
  package func forEachValue(_ body: (PropertySchema, ExactValue) -> Void) throws {
    try row.reading(table) { reader in
      for property in table.schema.properties where !property.has(.id) {
        body(property, reader.exact(property))
      }
    }
  }
}
