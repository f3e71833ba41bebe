/// The changes that make a store file fit a model.
struct SchemaComparison {
  /// Entities with tables to create.
  var addedEntities: [EntitySchema] = []
  /// Entities that are retired.
  var removedEntities: [EntitySchema] = []
  /// Indexes that are dropped, including the indexes of removed entities.
  var removedIndexIDs: [UInt32] = []
  /// Indexes that are created and filled.
  var addedIndexIDs: Set<UInt32> = []
  /// Standalone relations that are retired.
  var removedRelations: [RemovedRelation] = []
  /// Entities that need a new record layout.
  var relaidEntities: [EntitySchema] = []
  /// Retired entities that are back in the model, with the model's schema.
  var restoredEntities: [EntitySchema] = []
  /// Retired standalone relations that are back in the model, with the model's schema.
  var restoredRelations: [RelationSchema] = []
  /// To-one relations that come back; their targets may have been removed.
  var restoredToOnes: [(entity: EntitySchema, property: PropertySchema)] = []
  /// Migrations of properties that are new in their entities.
  var migrations: [EntityMigration] = []
  private var hasRestoredProperties = false

  /// Compares the schema in a store file with the model; UIDs identify the elements.
  ///
  /// - Parameters:
  ///   - stored: The schema in the file; empty for a new file.
  ///   - retired: The elements of former models in the file.
  ///   - model: The program's model.
  ///   - location: The store's directory, for messages.
  ///   - layouts: Returns the layouts of an entity of the file.
  /// - Throws: ``ObjectBoxError/schema(message:)`` when the two cannot be versions of one schema, and
  ///   the errors of `layouts`.
  init(
    stored: StoreSchema,
    retired: RetiredSchema,
    model: StoreSchema,
    location: String,
    layouts: (EntitySchema) throws -> [RecordLayout.Definition]
  ) throws {
    var checks = SchemaChecks(location: location)
    var stored = stored
    // A restored element is compared as if it were in the schema, but without indexes.
    restore(retired, of: model, into: &stored)
    var storedByID = stored.entities.reversed().byKey(\.identity.id)
    for entity in model.entities {
      guard let old = storedByID[entity.identity.id], old.identity == entity.identity else {
        continue
      }
      try restoreProperties(
        of: entity,
        absentFrom: old,
        checks: checks,
        layouts: retired.index(ofEntity: old.identity.uid).map { retired.entities[$0].layouts }
          ?? layouts(old)
      )
    }
    checks.isRestoring =
      !restoredEntities.isEmpty || !restoredRelations.isEmpty || hasRestoredProperties
    try checks.compareLast("entity", stored: stored.lastEntity, model: model.lastEntity)
    try checks.compareLast("index", stored: stored.lastIndex, model: model.lastIndex)
    try checks.compareLast("relation", stored: stored.lastRelation, model: model.lastRelation)
    let relations = RelationComparison(stored: stored, model: model, checks: checks)
    for entity in model.entities {
      if let old = storedByID.removeValue(forKey: entity.identity.id) {
        try checks.compare(entity, with: old)
        try compare(entity, with: old, checks: checks)
        try relations.compareToOnes(of: entity, with: old)
      } else {
        try checks.checkNotMoved(entity, in: stored)
        addedEntities.append(entity)
        relaidEntities.append(entity)
        addedIndexIDs.formUnion(entity.indexTables.map(\.id))
      }
    }
    let modelUIDs = Set(model.entities.map(\.identity.uid))
    for old in stored.entities where !modelUIDs.contains(old.identity.uid) {
      removedEntities.append(old)
      removedIndexIDs += old.indexTables.map(\.id)
    }
    removedRelations = try relations.removed()
  }

  /// Notes the retired entities and relations that are in the model; adds the entities to the
  /// schema.
  private mutating func restore(
    _ retired: RetiredSchema,
    of model: StoreSchema,
    into stored: inout StoreSchema
  ) {
    for entity in model.entities {
      if let index = retired.index(ofEntity: entity.identity.uid) {
        var schema = retired.entities[index].schema
        schema.identity = entity.identity
        stored.entities.append(schema)
        restoredEntities.append(entity)
        restoredToOnes += entity.properties.filter { $0.type == .relation }.map { (entity, $0) }
      }
      restoredRelations += entity.relations.filter { relation in
        retired.relations.contains { $0.is(relation, of: entity) }
      }
    }
  }

  /// Notes the properties that are in older records of an entity but not in its schema in the file.
  private mutating func restoreProperties(
    of entity: EntitySchema,
    absentFrom old: EntitySchema,
    checks: SchemaChecks,
    layouts: @autoclosure () throws -> [RecordLayout.Definition]
  ) throws {
    let ids = Set(old.properties.map(\.identity.id))
    let new = entity.properties.filter { !ids.contains($0.identity.id) }
    guard !new.isEmpty else { return }
    let layouts = try layouts()
    for property in new {
      for layout in layouts {
        for before in layout.properties
        where before.id == property.identity.id && before.uid == property.identity.uid {
          try checks.compare(property, with: before, of: entity)
        }
      }
      guard layouts.contains(where: { $0.property(property) != nil }) else { continue }
      hasRestoredProperties = true
      if property.type == .relation { restoredToOnes.append((entity, property)) }
    }
  }

  private mutating func compare(
    _ entity: EntitySchema,
    with old: EntitySchema,
    checks: SchemaChecks
  ) throws {
    try checks.compareLast(
      "property",
      of: entity.name,
      stored: old.lastProperty,
      model: entity.lastProperty
    )
    let oldByID = old.properties.byKey(\.identity.id)
    for property in entity.properties {
      guard let before = oldByID[property.identity.id] else { continue }
      try checks.compare(property, with: before, of: entity)
    }
    if let migration = entity.migration(after: old) { migrations.append(migration) }
    let (oldIndexes, indexes) = (old.indexForms, entity.indexForms)
    removedIndexIDs += oldIndexes.filter { !indexes.contains($0) }.map(\.identity.id)
    addedIndexIDs.formUnion(indexes.filter { !oldIndexes.contains($0) }.map(\.identity.id))
    let before = RecordLayout.Definition(number: 0, entity: old)
    if before != RecordLayout.Definition(number: 0, entity: entity) {
      relaidEntities.append(entity)
    }
  }
}

/// The attributes of an index that determine its entries; if one changes, the index is rebuilt.
private struct IndexForm: Equatable {
  var identity: SchemaIdentity
  var parts: [Part] = []
  var isUnique = false
  var vectors: VectorIndexForm?
  var words: FullTextIndexSchema?

  struct Part: Equatable {
    let propertyID: UInt32
    let type: PropertyType
    let flags: UInt32
    let collation: Collation

    init(_ property: PropertySchema, _ flags: [PropertyFlags]) {
      propertyID = property.identity.id
      type = property.type
      self.flags = property.flags & flags.reduce(0) { $0 | $1.rawValue }
      collation = property.collation
    }
  }
}

extension EntitySchema {
  fileprivate var indexForms: [IndexForm] {
    let flags: [PropertyFlags] = [
      .indexHash, .indexHash64, .unsigned, .indexPartialSkipZero, .indexPartialSkipNull, .unique,
    ]
    let ofOne = properties.compactMap { property in
      property.index.map {
        IndexForm(
          identity: $0,
          parts: [IndexForm.Part(property, flags)],
          vectors: property.vectorIndexForm
        )
      }
    }
    let ofSeveral = compoundIndexes.map { index in
      let parts = properties(ids: index.propertyIDs)
      return IndexForm(
        identity: index.identity,
        parts: parts.map { IndexForm.Part($0, [.unsigned]) },
        isUnique: index.isUnique
      )
    }
    let ofWords = fullTextIndexes.map { index in
      // The name does not change the entries.
      var words = index
      words.name = nil
      return IndexForm(identity: index.identity, words: words)
    }
    return ofOne + ofSeveral + ofWords
  }
}
