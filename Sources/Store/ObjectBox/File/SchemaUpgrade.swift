internal import ObjectBoxStorage

/// Upgrades the tables of a store file to the model, in one write transaction.
struct SchemaUpgrade {
  let system: SystemTable
  let transaction: StorageTransaction
  let options: StoreFile.Options

  /// Retires, restores and creates tables, fills new indexes, and writes the new schema.
  func run(
    _ comparison: SchemaComparison,
    stored: StoreSchema,
    model: StoreSchema
  ) throws -> StoreContent {
    for (name, kind) in comparison.removedIndexIDs.flatMap(IndexTables.all) {
      try transaction.dropTable(name, kind)
    }
    var retirement = Retirement(system: system, transaction: transaction)
    try retirement.run(comparison, stored: stored, model: model)
    for entity in comparison.addedEntities {
      _ = try transaction.openTable(
        SystemTable.objects(entity: entity.identity.id),
        .objects,
        create: true
      )
    }
    for entity in comparison.relaidEntities {
      try addLayouts(
        of: entity,
        stored: stored,
        keepsValues: comparison.migrations.contains { $0.entity.identity == entity.identity }
      )
    }
    var newTables: Set<StorageTable> = []
    for index in model.entities.flatMap(\.indexTables)
    where comparison.addedIndexIDs.contains(index.id) {
      for (name, kind) in index.tables {
        if let table = try transaction.openTable(name, kind, create: true) {
          newTables.insert(table)
        }
      }
    }
    for relation in model.entities.flatMap(\.relations) {
      let id = relation.identity.id
      _ = try transaction.openTable(SystemTable.relation(id), .index, create: true)
      _ = try transaction.openTable(SystemTable.backlink(id), .index, create: true)
    }
    try system.set(model, in: transaction)

    let content = try StoreContent.open(model, system: system, in: transaction)
    try migrate(content, comparison)
    try DanglingReferences(content: content, transaction: transaction).clear(comparison)
    for table in content.tables {
      for definition in table.allIndexes where newTables.contains(definition.table) {
        try IndexWriter(table: table.records, indexes: []).build(definition, in: transaction)
      }
      for definition in table.derivedIndexes where !newTables.isDisjoint(with: definition.tables) {
        try definition.build(from: table.records, in: transaction)
      }
    }
    return content
  }

  private func fault(_ text: String) -> ObjectBoxError {
    SchemaChecks(location: options.location).fault(text)
  }

  /// Fills the new properties that have a migration.
  private func migrate(_ content: StoreContent, _ comparison: SchemaComparison) throws {
    for migration in comparison.migrations {
      let identity = migration.entity.identity
      guard let table = content.tables.first(where: { $0.schema.identity == identity })
      else { continue }
      try ValueMigration(migration, of: table.records, in: transaction, options)
        .run(in: content.schema)
    }
  }

  /// Adds the layout of new records; before it, if asked for, the layout of migrated records, which
  /// keep all values.
  private func addLayouts(of entity: EntitySchema, stored: StoreSchema, keepsValues: Bool) throws {
    // The old schema has the UIDs of properties that are being removed.
    let old = stored.entities.first { $0.identity == entity.identity }
    var layouts = try system.layouts(of: old ?? entity, in: transaction)
    let added = keepsValues ? [entity.keepingValues(of: layouts), entity] : [entity]
    guard layouts.count + added.count <= Int(UInt16.max) else {
      throw fault(
        "'\(entity.name)' has had \(layouts.count) versions, and no more fit; copy its objects into a "
          + "new store"
      )
    }
    for schema in added {
      let layout = RecordLayout.Definition(number: UInt16(layouts.count), entity: schema)
      guard layout.minimumRecordSize <= Int(UInt16.max) else {
        throw fault(
          "the \(schema.properties.count) properties of '\(entity.name)' take "
            + "\(layout.minimumRecordSize) bytes, and \(UInt16.max) is the limit; split the entity"
        )
      }
      layouts.append(layout)
    }
    try system.set(layouts, of: entity, in: transaction)
  }
}
