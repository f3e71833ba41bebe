/// What a store file needs so that it fits the model it is opened with.
struct SchemaComparison {
  /// Entities whose tables are made.
  var addedEntities: [EntitySchema] = []
  /// Entities whose tables, indexes and relations are dropped.
  var removedEntities: [EntitySchema] = []
  /// Indexes that are dropped; those of removed entities are among them.
  var removedIndexIDs: [UInt32] = []
  /// Indexes that are made and filled.
  var addedIndexes: [(entity: EntitySchema, property: PropertySchema)] = []
  /// Indexes over several properties that are made and filled.
  var addedCompoundIndexes: [(entity: EntitySchema, index: CompoundIndexSchema)] = []
  /// Standalone relations whose entries are dropped.
  var removedRelationIDs: [UInt32] = []
  /// Entities that need another record layout.
  var relaidEntities: [EntitySchema] = []

  /// Compares the schema in a store file with the model; elements are the same when their UIDs are.
  ///
  /// - Parameters:
  ///   - stored: What the file holds; empty for a new one.
  ///   - model: What the program says.
  ///   - location: The store's directory, for messages.
  /// - Throws: ``ObjectBoxError/schema(message:)`` when the two cannot be versions of one schema.
  init(stored: StoreSchema, model: StoreSchema, location: String) throws {
    let checks = SchemaChecks(location: location)
    try checks.compareLast("entity", of: nil, stored: stored.lastEntity, model: model.lastEntity)
    try checks.compareLast("index", of: nil, stored: stored.lastIndex, model: model.lastIndex)
    try checks.compareLast(
      "relation",
      of: nil,
      stored: stored.lastRelation,
      model: model.lastRelation
    )
    let storedByID = Dictionary(
      stored.entities.map { ($0.identity.id, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    for entity in model.entities {
      if let old = storedByID[entity.identity.id] {
        try checks.compare(entity, with: old)
        try compare(entity, with: old, checks: checks)
        try RelationComparison(stored: stored, model: model, checks: checks)
          .compareToOnes(of: entity, with: old)
      } else {
        try checks.checkNotMoved(entity, in: stored)
        addedEntities.append(entity)
        relaidEntities.append(entity)
        for property in entity.properties where property.index != nil {
          addedIndexes.append((entity, property))
        }
        addedCompoundIndexes += entity.compoundIndexes.map { (entity, $0) }
      }
    }
    let modelIDs = Set(model.entities.map(\.identity.id))
    for old in stored.entities where !modelIDs.contains(old.identity.id) {
      removedEntities.append(old)
      removedIndexIDs += old.properties.compactMap { $0.index?.id }
      removedIndexIDs += old.compoundIndexes.map(\.identity.id)
    }
    removedRelationIDs = try RelationComparison(stored: stored, model: model, checks: checks)
      .removedIDs()
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
      case (nil, .some): addedIndexes.append((entity, property))
      case (.some(let index), nil): removedIndexIDs.append(index.id)
      case (.some(let index), .some(let new)):
        // Another form of the keys, such as hash instead of value, is another index.
        if index != new || before.map(Self.keyForm) != Self.keyForm(property)
          || before?.collation != property.collation
          || before?.vectorIndexForm != property.vectorIndexForm
        {
          removedIndexIDs.append(index.id)
          addedIndexes.append((entity, property))
        }
      case (nil, nil): break
      }
    }
    let ids = Set(entity.properties.map(\.identity.id))
    for gone in old.properties where !ids.contains(gone.identity.id) {
      if let index = gone.index { removedIndexIDs.append(index.id) }
    }
    compareCompoundIndexes(entity, with: old)
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
      if !isKept { addedCompoundIndexes.append((entity, index)) }
    }
  }

  /// What decides the keys of an index, and whether its content must be unique.
  private static func keyForm(_ property: PropertySchema) -> UInt32 {
    let flags: [PropertyFlags] = [
      .indexHash, .indexHash64, .unsigned, .indexPartialSkipZero, .indexPartialSkipNull, .unique,
    ]
    let mask = flags.reduce(0) { $0 | $1.rawValue }
    return (property.flags & mask) | UInt32(property.type.rawValue) << 24
  }
}
