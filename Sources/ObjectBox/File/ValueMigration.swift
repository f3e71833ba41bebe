internal import ObjectBoxStorage

/// Fills new properties of one entity from properties of earlier models.
///
/// Runs in the write transaction that upgrades the file, before indexes are built. The new records
/// keep the values of all earlier properties, so an earlier model that comes back finds them.
struct ValueMigration {
  /// Number of objects between two reports of progress.
  private static let step = 10_000

  let transaction: StorageTransaction
  let location: String
  let report: (@Sendable (MigrationProgress) -> Void)?

  /// The origin of a value in a migrated record.
  private enum Step {
    case copy(propertyID: UInt32)
    case migrate(PropertyMigration)

    var isMigration: Bool { if case .migrate = self { true } else { false } }
  }

  /// Migrates the objects of an entity.
  ///
  /// - Parameters:
  ///   - migrations: The migrations to run.
  ///   - entity: The entity.
  ///   - layouts: The layouts in the file. The last but one is the layout of migrated records.
  ///   - objects: The table of records.
  ///   - checksum: The checksums of the records; nil if the file has none.
  /// - Throws: ``ObjectBoxError/schema(message:)`` with the object and its value when a function
  ///   throws; the errors of reading and writing the file.
  /// - Complexity: O(objects).
  func run(
    _ migrations: [PropertyMigration],
    of entity: EntitySchema,
    _ layouts: [RecordLayout.Definition],
    in objects: StorageTable,
    _ checksum: RecordChecksum?
  ) throws {
    let wide = entity.keepingValues(of: layouts)
    let records = RecordTable(
      entityName: entity.name,
      objects: objects,
      layouts: layouts.map { RecordLayout($0, hiding: $0.hiddenIDs(in: wide), checksum: checksum) },
      currentLayout: RecordLayout(layouts[layouts.count - 2], checksum: checksum)
    )
    try check(migrations, of: entity, layouts)
    let plans = layouts.map { steps(migrations, of: wide, for: $0, in: records.currentLayout) }
    let builder = FlatBufferBuilder(layout: records.currentLayout)
    var progress = MigrationProgress(
      entityName: entity.name,
      completedCount: 0,
      totalCount: try transaction.count(objects)
    )
    report?(progress)
    let cursor = transaction.writeCursor(objects)
    var next = try cursor.first()
    while let entry = next {
      // The first put makes the entry invalid.
      let id = entry.id
      let stored = try records.reader(entry.record, id: id)
      let steps = plans[Int(RecordLayout.number(of: entry.record) ?? 0)]
      if !steps.isEmpty {
        // A new checksum would hide the damage.
        try records.check(stored)
        let record = try builder.record(of: wide, id: id) {
          for step in steps {
            switch step {
            case .copy(let id): builder.scratch.copy(propertyID: id, from: stored)
            case .migrate(let migration):
              do {
                try migration.body(stored, builder)
              } catch {
                throw SchemaChecks(location: location).fault(
                  migration.failure(error, of: entity, stored) + "; the store stays as it was"
                )
              }
            }
          }
        }
        let isSameSize = record.count == entry.record.count
        try cursor.put(id: id, record: record, at: isSameSize ? .current : .unknown)
        if !isSameSize { _ = try cursor.record(id: id) }
      }
      progress.completedCount += 1
      if progress.completedCount.isMultiple(of: Self.step) { report?(progress) }
      next = try cursor.next()
    }
    if !progress.completedCount.isMultiple(of: Self.step) { report?(progress) }
  }

  /// Returns the values of a migrated record in their order there; none for a layout whose records
  /// need no migration.
  private func steps(
    _ migrations: [PropertyMigration],
    of wide: EntitySchema,
    for layout: RecordLayout.Definition,
    in target: RecordLayout
  ) -> [Step] {
    let ordered = wide.properties.filter { !$0.has(.id) }.sorted {
      target.field(propertyID: $0.identity.id).offset
        < target.field(propertyID: $1.identity.id).offset
    }
    let steps = ordered.compactMap { property -> Step? in
      let id = property.identity.id
      if layout.property(property) != nil { return .copy(propertyID: id) }
      return migrations.first { $0.propertyID == id }.map(Step.migrate)
    }
    return steps.contains(where: \.isMigration) ? steps : []
  }

  /// Checks the types of the old properties.
  private func check(
    _ migrations: [PropertyMigration],
    of entity: EntitySchema,
    _ layouts: [RecordLayout.Definition]
  ) throws {
    for migration in migrations {
      let source = migration.source.identity
      for property in layouts.flatMap(\.properties)
      where property.id == source.id && property.uid == source.uid {
        if let fault = migration.fault(reading: property.type, of: entity) {
          throw SchemaChecks(location: location).fault(fault)
        }
      }
    }
  }
}
