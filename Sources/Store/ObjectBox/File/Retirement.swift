internal import ObjectBoxStorage

/// Retires the tables of elements that are no longer in the model, and restores the tables of
/// elements that are back.
///
/// Runs in the write transaction that upgrades the file.
struct Retirement {
  let system: SystemTable
  let transaction: StorageTransaction
  private var retired = RetiredSchema()

  init(system: SystemTable, transaction: StorageTransaction) {
    self.system = system
    self.transaction = transaction
  }

  /// Retires and restores entities and standalone relations, and writes the list of retired
  /// elements.
  ///
  /// - Parameters:
  ///   - comparison: The removed and restored elements.
  ///   - stored: The schema in the file.
  ///   - model: The schema after the upgrade.
  /// - Throws: The errors of reading and writing the file.
  mutating func run(
    _ comparison: SchemaComparison,
    stored: StoreSchema,
    model: StoreSchema
  ) throws {
    retired = try system.retired(in: transaction)
    for removed in comparison.removedRelations { try retire(removed, stored: stored) }
    for entity in comparison.removedEntities { try retire(entity) }
    try moveAside(for: model, comparison)
    for entity in comparison.restoredEntities { try restore(entity) }
    for entity in model.entities {
      for relation in entity.relations where comparison.restoredRelations.contains(relation) {
        try restore(relation, of: entity)
      }
    }
    try system.set(retired, in: transaction)
  }

  /// Removes the data of all retired elements.
  ///
  /// - Parameters:
  ///   - schema: The schema in the file.
  ///   - system: The system table.
  ///   - transaction: A write transaction.
  /// - Returns: The elements whose data was removed.
  /// - Throws: The errors of reading and writing the file.
  static func discardAll(
    _ schema: StoreSchema,
    system: SystemTable,
    in transaction: StorageTransaction
  ) throws -> RetiredSchema {
    let retired = try system.retired(in: transaction)
    try transaction.removing {
      for entity in retired.entities { try transaction.dropTable(entity.table, .objects) }
      for relation in retired.relations {
        try transaction.dropTable(relation.forward, .index)
        try transaction.dropTable(relation.backward, .index)
      }
    }
    try system.set(RetiredSchema(), in: transaction)
    // The bytes of removed properties stay in each record until its next put, and must not be read.
    for entity in schema.entities {
      var layouts = try system.layouts(of: entity, in: transaction)
      for number in layouts.indices { layouts[number].discardValues(exceptOf: entity) }
      try system.set(layouts, of: entity, in: transaction)
    }
    try system.writeDigest(in: transaction)
    return retired
  }

  // MARK: Retiring

  private mutating func retire(_ entity: EntitySchema) throws {
    let id = entity.identity.id
    let objects = try open(SystemTable.objects(entity: id), .objects)
    var schema = entity
    schema.relations = []
    schema.compoundIndexes = []
    schema.fullTextIndexes = []
    for index in schema.properties.indices { schema.properties[index].index = nil }
    retired.entities.append(
      RetiredSchema.Entity(
        schema: schema,
        layouts: try system.layouts(of: entity, in: transaction),
        lastID: try system.sequence(entity: id, in: transaction),
        objectCount: try transaction.count(objects),
        sizeInBytes: try transaction.sizeInBytes(objects)
      )
    )
    try system.removeEntity(id, in: transaction)
  }

  private mutating func retire(_ removed: RemovedRelation, stored: StoreSchema) throws {
    let identity = removed.relation.identity
    let forward = try open(SystemTable.relation(identity.id), .index)
    let backward = try open(SystemTable.backlink(identity.id), .index)
    let target = removed.relation.target
    retired.relations.append(
      RetiredSchema.Relation(
        identity: identity,
        sourceUID: removed.source.identity.uid,
        sourceName: removed.source.name,
        targetUID: target.uid,
        targetName: stored.entities.first { $0.identity.uid == target.uid }?.name
          ?? retired.index(ofEntity: target.uid).map { retired.entities[$0].schema.name } ?? "",
        linkCount: try transaction.count(forward),
        sizeInBytes: try transaction.sizeInBytes(forward) + transaction.sizeInBytes(backward)
      )
    )
  }

  /// Renames the tables of retired elements whose IDs the model uses for other elements.
  private mutating func moveAside(for model: StoreSchema, _ comparison: SchemaComparison) throws {
    let identities = model.entities.map(\.identity).byKey(\.id)
    for index in retired.entities.indices where !retired.entities[index].hasMoved {
      let old = retired.entities[index]
      let identity = old.schema.identity
      guard let new = identities[identity.id], new.uid != identity.uid else { continue }
      retired.entities[index].hasMoved = true
      try move(old.table, to: retired.entities[index].table, .objects)
    }
    let relations = Set(model.entities.flatMap(\.relations).map(\.identity.id))
    for index in retired.relations.indices where !retired.relations[index].hasMoved {
      let old = retired.relations[index]
      guard relations.contains(old.identity.id) else { continue }
      let isRestored = model.entities.contains { entity in
        entity.identity.uid == old.sourceUID
          && entity.relations.contains {
            $0.identity == old.identity && $0.target.uid == old.targetUID
              && comparison.restoredRelations.contains($0)
          }
      }
      if isRestored { continue }
      retired.relations[index].hasMoved = true
      try move(old.forward, to: retired.relations[index].forward, .index)
      try move(old.backward, to: retired.relations[index].backward, .index)
    }
  }

  // MARK: Restoring

  private mutating func restore(_ entity: EntitySchema) throws {
    guard let index = retired.index(ofEntity: entity.identity.uid) else { return }
    let old = retired.entities.remove(at: index)
    let id = entity.identity.id
    try move(old.table, to: SystemTable.objects(entity: id), .objects)
    try system.set(old.layouts, of: entity, in: transaction)
    try system.setSequence(old.lastID, entity: id, in: transaction)
  }

  private mutating func restore(_ relation: RelationSchema, of entity: EntitySchema) throws {
    guard let index = retired.relations.firstIndex(where: { $0.is(relation, of: entity) })
    else { return }
    let old = retired.relations.remove(at: index)
    let id = relation.identity.id
    try move(old.forward, to: SystemTable.relation(id), .index)
    try move(old.backward, to: SystemTable.backlink(id), .index)
  }

  // MARK: Tables

  private func open(_ name: String, _ kind: StorageTable.Kind) throws -> StorageTable {
    try StoreContent.openExisting(name, kind, in: transaction)
  }

  /// Renames a table by copying it: LMDB cannot rename tables.
  private func move(_ name: String, to other: String, _ kind: StorageTable.Kind) throws {
    guard name != other else { return }
    let old = try open(name, kind)
    guard let new = try transaction.openTable(other, kind, create: true) else { return }
    try transaction.copy(old, to: new, kind)
    try transaction.drop(old, delete: true)
  }
}
