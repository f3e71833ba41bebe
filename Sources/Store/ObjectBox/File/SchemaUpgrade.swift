internal import ObjectBoxStorage

/// Upgrades the tables of a store file to the model, in one write transaction.
struct SchemaUpgrade {
  let system: SystemTable
  let transaction: StorageTransaction
  let location: String
  let onMigration: (@Sendable (MigrationProgress) -> Void)?

  /// Retires, restores and creates tables, fills new indexes, and writes the new schema.
  func run(
    _ comparison: SchemaComparison,
    stored: StoreSchema,
    model: StoreSchema
  ) throws -> StoreContent {
    for id in comparison.removedIndexIDs {
      try transaction.dropTable(SystemTable.index(id), .index)
      try transaction.dropTable(SystemTable.vectorIndex(id), .objects)
      try transaction.dropTable(SystemTable.fullTextIndex(id), .plain)
      try transaction.dropTable(SystemTable.fullTextState(id), .plain)
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
    for (_, property) in comparison.addedIndexes {
      guard let index = property.index else { continue }
      if property.hasVectorIndex {
        let name = SystemTable.vectorIndex(index.id)
        _ = try transaction.openTable(name, .objects, create: true)
      } else {
        _ = try transaction.openTable(SystemTable.index(index.id), .index, create: true)
      }
    }
    for (_, index) in comparison.addedCompoundIndexes {
      let name = SystemTable.index(index.identity.id)
      _ = try transaction.openTable(name, .index, create: true)
    }
    for (_, index) in comparison.addedFullTextIndexes {
      let id = index.identity.id
      _ = try transaction.openTable(SystemTable.fullTextIndex(id), .plain, create: true)
      _ = try transaction.openTable(SystemTable.fullTextState(id), .plain, create: true)
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
    let indexed = comparison.addedIndexes.reduce(into: [UInt32: Set<UInt32>]()) {
      $0[$1.entity.identity.id, default: []].insert($1.property.identity.id)
    }
    for table in content.tables {
      guard let properties = indexed[table.schema.identity.id] else { continue }
      for definition in table.indexes where properties.contains(definition.propertyID) {
        try IndexWriter(table: table.records, indexes: []).build(definition, in: transaction)
      }
      for definition in table.vectorIndexes where properties.contains(definition.propertyID) {
        try VectorIndexWriter.build(definition, records: table.records, in: transaction)
      }
    }
    for (entity, index) in comparison.addedCompoundIndexes {
      guard let table = content.tables.first(where: { $0.schema.identity == entity.identity })
      else { continue }
      // Both lists are in the order of the schema.
      for (schema, definition) in zip(table.schema.compoundIndexes, table.compoundIndexes)
      where schema == index {
        try IndexWriter(table: table.records, indexes: []).build(definition, in: transaction)
      }
    }
    for (entity, index) in comparison.addedFullTextIndexes {
      guard let table = content.tables.first(where: { $0.schema.identity == entity.identity })
      else { continue }
      for definition in table.fullTextIndexes where definition.schema == index {
        try FullTextIndexWriter.build(definition, records: table.records, in: transaction)
      }
    }
    return content
  }

  /// Fills the new properties that have a migration.
  private func migrate(_ content: StoreContent, _ comparison: SchemaComparison) throws {
    for migration in comparison.migrations {
      let identity = migration.entity.identity
      guard let table = content.tables.first(where: { $0.schema.identity == identity })
      else { continue }
      try ValueMigration(
        transaction: transaction,
        model: content.schema,
        location: location,
        report: onMigration
      ).run(
        migration,
        table.records.layouts.map(\.definition),
        in: table.records
      )
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
      throw ObjectBoxError.schema(
        message: "cannot open store at '\(location)': '\(entity.name)' has had \(layouts.count) "
          + "versions, and no more fit; copy its objects into a new store"
      )
    }
    for schema in added {
      let layout = RecordLayout.Definition(number: UInt16(layouts.count), entity: schema)
      guard layout.minimumRecordSize <= Int(UInt16.max) else {
        throw ObjectBoxError.schema(
          message:
            "cannot open store at '\(location)': the \(schema.properties.count) properties of "
            + "'\(entity.name)' take \(layout.minimumRecordSize) bytes, and \(UInt16.max) is the "
            + "limit; split the entity"
        )
      }
      layouts.append(layout)
    }
    try system.set(layouts, of: entity, in: transaction)
  }
}
