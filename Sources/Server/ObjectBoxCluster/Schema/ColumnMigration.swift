internal import ObjectBox

/// Fills new columns of a table from columns of an earlier model, by functions of the program.
///
/// Runs in the transaction of the upgrade, after the new columns were added: no other transaction can write to the
/// table then. For many rows, ``MigrationBatches`` computes the values before that.
struct ColumnMigration: Sendable {
  /// The number of rows that are read and written at once.
  static let rowsAtOnce = 2_000
  /// The number of rows between two reports of progress.
  static let reportedRows = 10_000

  /// A function of whole objects.
  struct Whole: Sendable {
    let migration: ObjectMigration
    /// The properties whose columns existed before.
    let kept: [PropertySchema]
    let model: StoreSchema

    init(_ migration: ObjectMigration, keeping kept: [PropertySchema], in model: StoreSchema) {
      self.migration = migration
      self.kept = kept
      self.model = model
    }
  }

  let entity: EntitySchema
  /// The migrations, in the order of their values in records.
  let migrations: [PropertyMigration]
  private let whole: Whole?
  /// The ID and the old columns, under their names after the renamings of the upgrade; for a function of whole objects
  /// also all columns of the entity that existed before.
  let source: ClusterTable
  /// The same columns under the names before the upgrade; nil if the table is retired then, or one of the columns has
  /// another type.
  let present: ClusterTable?
  /// The ID and the new columns.
  let target: ClusterTable

  /// - Parameters:
  ///   - migrations: The migrations of the new columns.
  ///   - whole: The function of whole objects that fills some of them; nil if there is none.
  ///   - entity: The entity in the model.
  ///   - earlier: The entity in the model before the upgrade; nil if that lacks it.
  ///   - namespace: The database schema of the table, quoted.
  ///   - stored: Returns the column of a property in the database after the upgrade's renamings; nil when the database
  ///     has none. Its values are then null.
  /// - Throws: ``ClusterError/schemaConflict(message:)`` when a function reads another type than the column's.
  init(
    _ migrations: [PropertyMigration],
    _ whole: Whole?,
    of entity: EntitySchema,
    before earlier: EntitySchema?,
    in namespace: String,
    stored: (PropertySchema) -> PropertySchema?
  ) throws {
    self.entity = entity
    self.whole = whole
    var sources: [PropertySchema] = []
    func add(_ property: PropertySchema) {
      let isThere = sources.contains { $0.identity.id == property.identity.id }
      if !isThere, !property.has(.id) { sources.append(property) }
    }
    for migration in migrations {
      guard var property = stored(migration.source) else { continue }
      if let fault = migration.fault(reading: property.type, of: entity) {
        throw Self.conflict(fault, in: namespace)
      }
      property.identity.id = migration.source.identity.id
      add(property)
    }
    for source in whole?.migration.sources ?? [] {
      guard var property = stored(source) else { continue }
      let fault = whole?.migration.fault(reading: property.type, of: source.identity, in: entity)
      if let fault { throw Self.conflict(fault, in: namespace) }
      property.identity.id = source.identity.id
      add(property)
    }
    whole?.kept.forEach(add)
    source = Self.table(of: entity, sources, in: namespace)
    present = earlier.flatMap { Self.table(of: entity, sources, before: $0, in: namespace) }
    let targets = entity.properties.filter { property in
      let id = property.identity.id
      return whole?.migration.propertyIDs.contains(id) == true
        || migrations.contains { $0.propertyID == id }
    }
    let target = Self.table(of: entity, targets, in: namespace)
    self.target = target
    self.migrations = migrations.sorted {
      target.layout.field(propertyID: $0.propertyID).offset
        < target.layout.field(propertyID: $1.propertyID).offset
    }
  }

  private static func table(
    of entity: EntitySchema,
    _ properties: [PropertySchema],
    in namespace: String
  ) -> ClusterTable {
    var part = entity
    part.properties = entity.properties.filter { $0.has(.id) } + properties
    part.relations = []
    part.compoundIndexes = []
    part.fullTextIndexes = []
    return ClusterTable(part, in: namespace)
  }

  private static func table(
    of entity: EntitySchema,
    _ properties: [PropertySchema],
    before earlier: EntitySchema,
    in namespace: String
  ) -> ClusterTable? {
    var part = entity
    part.name = earlier.name
    func before(_ property: PropertySchema) -> PropertySchema? {
      // The upgrade does not rename columns that are retired already.
      guard let old = earlier.property(uid: property.identity.uid) else { return property }
      guard old.type == property.type, Column(old).kind == Column(property).kind else { return nil }
      var copy = property
      copy.name = old.name
      return copy
    }
    let found = properties.compactMap(before)
    part.properties = entity.properties.filter { $0.has(.id) }.compactMap(before)
    guard found.count == properties.count, part.properties.count == 1 else { return nil }
    return table(of: part, found, in: namespace)
  }

  private static func conflict(_ text: String, in namespace: String) -> ClusterError {
    .schemaConflict(message: "cannot use the schema \(namespace): \(text)")
  }

  /// Fills the columns of all rows.
  ///
  /// - Parameters:
  ///   - connection: A connection in the transaction of the upgrade.
  ///   - namespace: The database schema, for messages.
  ///   - filled: The number of rows that are already filled, and a condition on the others.
  ///   - report: Receives the progress; nil if it is not needed.
  /// - Throws: ``ClusterError/schemaConflict(message:)`` with the object and its value when a
  ///   function throws; `ObjectBoxError.illegalArgument` for a value that the database cannot have;
  ///   ``ServerFailure``.
  func run(
    on connection: Connection,
    in namespace: String,
    without filled: (count: Int, condition: String)? = nil,
    report: (@Sendable (MigrationProgress) -> Void)?
  ) async throws {
    var progress = MigrationProgress(
      entityName: entity.name,
      completedCount: filled?.count ?? 0,
      totalCount: 0
    )
    if report != nil {
      let count = try await connection.run([Statement("SELECT count(*) FROM \(source.name)")])[0]
      progress.totalCount = Int(count.anyInteger(0, 0) ?? 0)
      report?(progress)
    }
    let (id, update) = (source.id.name, updateText)
    let select =
      "SELECT \(source.selection) FROM \(source.name) AS t WHERE \(id) > $1"
      + (filled.map { " AND \($0.condition)" } ?? "") + " ORDER BY \(id) LIMIT \(Self.rowsAtOnce)"
    var last: UInt64 = 0
    var reported = progress.completedCount
    let objects = try objects()
    while true {
      let rows = try await connection.run([Statement(select) { $0.append(id: last) }])[0]
      guard rows.count > 0 else { break }
      let values = try values(of: rows, from: source, objects, in: namespace, &last)
      _ = try await connection.run([Statement(update, values.parameters())])
      progress.completedCount += rows.count
      if progress.completedCount - reported >= Self.reportedRows {
        reported = progress.completedCount
        report?(progress)
      }
    }
    if progress.completedCount > reported { report?(progress) }
  }

  /// Creates the context of the function of whole objects; nil without one.
  func objects() throws -> ObjectRows? {
    try whole.map { try ObjectRows($0, migrations, entity, target) }
  }

  /// Calls the functions for rows.
  ///
  /// - Parameters:
  ///   - rows: The rows of a SELECT of all columns of `source`.
  ///   - source: The table of the rows.
  ///   - objects: The result of ``objects()``.
  ///   - namespace: The database schema, for messages.
  ///   - last: Is set to the ID of the last row.
  /// - Returns: The values of the columns of ``target``.
  /// - Throws: The same errors as ``run(on:in:without:report:)``; `CancellationError` in a cancelled task.
  func values(
    of rows: ResultRows,
    from source: ClusterTable,
    _ objects: ObjectRows?,
    in namespace: String,
    _ last: inout UInt64
  ) throws -> RowArrays {
    var values = RowArrays(target.writeColumns)
    let builder = FlatBufferBuilder(layout: target.layout)
    try RowEncoding(source).forEachRecord(of: rows, 0..<rows.count) { id, record in
      let old = try source.reader(of: record, id: id, source.layout.view)
      let bytes: UnsafeRawBufferPointer
      do {
        bytes =
          try objects?.record(of: old, in: builder)
          ?? builder.record(of: target.schema, id: id) {
            for migration in migrations { try migration.fill(builder, from: old, of: entity) }
          }
      } catch let failure as MigrationFailure {
        throw Self.conflict(failure.words + "; the database stays as it was", in: namespace)
      }
      let new = try target.reader(of: bytes, id: id, target.layout.view)
      try target.check(new)
      values.append(new)
      last = id
    }
    try Task.checkCancellation()
    return values
  }

  /// Stores values of the new columns, passed as ``RowArrays``.
  private var updateText: String {
    let columns = target.writeColumns
    let names = columns.indices.map { "v\($0)" }
    let changes = zip(columns, names).dropFirst().map { "\($0.name) = v.\($1)" }
    return "UPDATE \(target.name) AS t SET \(changes.joined(separator: ", ")) "
      + "FROM (\(RowArrays.source(of: columns))) AS v(\(names.joined(separator: ", "))) "
      + "WHERE t.\(columns[0].name) = v.v0"
  }

  /// The step as SQL text, for plans.
  var text: String {
    let changes = target.columns.dropFirst().enumerated().map { "\($1.name) = $\($0 + 2)" }
    return
      "UPDATE \(target.name) SET \(changes.joined(separator: ", ")) WHERE \(target.id.name) = $1 "
      + "-- for each object, by the migrations of the program"
  }
}
