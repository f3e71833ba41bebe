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
    var storedByID = Dictionary(
      stored.entities.map { ($0.identity.id, $0) },
      uniquingKeysWith: { _, last in last }
    )
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
    try checks.compareLast("entity", of: nil, stored: stored.lastEntity, model: model.lastEntity)
    try checks.compareLast("index", of: nil, stored: stored.lastIndex, model: model.lastIndex)
    try checks.compareLast(
      "relation",
      of: nil,
      stored: stored.lastRelation,
      model: model.lastRelation
    )
    for entity in model.entities {
      if let old = storedByID.removeValue(forKey: entity.identity.id) {
        try checks.compare(entity, with: old)
        try compare(entity, with: old, checks: checks)
        try RelationComparison(stored: stored, model: model, checks: checks)
          .compareToOnes(of: entity, with: old)
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
    removedRelations = try RelationComparison(stored: stored, model: model, checks: checks)
      .removed()
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
    let oldByID = Dictionary(
      old.properties.map { ($0.identity.id, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    for property in entity.properties {
      let before = oldByID[property.identity.id]
      if let before { try checks.compare(property, with: before, of: entity) }
      switch (before?.index, property.index) {
      case (nil, .some(let new)): addedIndexIDs.insert(new.id)
      case (.some(let index), nil): removedIndexIDs.append(index.id)
      case (.some(let index), .some(let new)):
        // An index is rebuilt if the form of its keys changes, such as from value to hash.
        if index != new || before.map(Self.keyForm) != Self.keyForm(property)
          || before?.collation != property.collation
          || before?.vectorIndexForm != property.vectorIndexForm
        {
          removedIndexIDs.append(index.id)
          addedIndexIDs.insert(new.id)
        }
      case (nil, nil): break
      }
    }
    if let migration = entity.migration(after: old) { migrations.append(migration) }
    let ids = Set(entity.properties.map(\.identity.id))
    for gone in old.properties where !ids.contains(gone.identity.id) {
      if let index = gone.index { removedIndexIDs.append(index.id) }
    }
    compareCompoundIndexes(entity, with: old)
    removedIndexIDs += old.fullTextIndexes.filter { index in
      !entity.fullTextIndexes.contains { $0.hasForm(of: index) }
    }.map(\.identity.id)
    addedIndexIDs.formUnion(
      entity.fullTextIndexes.filter { index in
        !old.fullTextIndexes.contains { $0.hasForm(of: index) }
      }.map(\.identity.id)
    )
    let before = RecordLayout.Definition(number: 0, entity: old)
    if before != RecordLayout.Definition(number: 0, entity: entity) {
      relaidEntities.append(entity)
    }
  }

  private mutating func compareCompoundIndexes(_ entity: EntitySchema, with old: EntitySchema) {
    func form(_ index: CompoundIndexSchema, of entity: EntitySchema) -> [UInt32] {
      index.propertyIDs.flatMap { id -> [UInt32] in
        guard let property = entity.properties.first(where: { $0.identity.id == id }) else {
          return []
        }
        let sign = property.has(.unsigned) ? 1 : 0
        let collation = UInt32(property.collation.rawValue)
        return [UInt32(property.type.rawValue), UInt32(sign), collation]
      }
    }
    for before in old.compoundIndexes {
      let isKept = entity.compoundIndexes.contains {
        $0 == before && form($0, of: entity) == form(before, of: old)
      }
      if !isKept { removedIndexIDs.append(before.identity.id) }
    }
    for index in entity.compoundIndexes {
      let isKept = old.compoundIndexes.contains {
        $0 == index && form($0, of: old) == form(index, of: entity)
      }
      if !isKept { addedIndexIDs.insert(index.identity.id) }
    }
  }

  /// The attributes that determine the keys of an index, and whether its values must be unique.
  private static func keyForm(_ property: PropertySchema) -> UInt32 {
    let flags: [PropertyFlags] = [
      .indexHash, .indexHash64, .unsigned, .indexPartialSkipZero, .indexPartialSkipNull, .unique,
    ]
    let mask = flags.reduce(0) { $0 | $1.rawValue }
    return (property.flags & mask) | UInt32(property.type.rawValue) << 24
  }
}
