/// The ID and UID of an element in the model.
package struct SchemaIdentity: Hashable, Sendable {
  package var id: UInt32
  package var uid: UInt64

  package init(id: UInt32, uid: UInt64) {
    self.id = id
    self.uid = uid
  }
}

/// The whole schema of a store, from the model builder or the store file.
package struct StoreSchema: Hashable, Sendable {
  package var entities: [EntitySchema] = []
  package var lastEntity = SchemaIdentity(id: 0, uid: 0)
  package var lastIndex = SchemaIdentity(id: 0, uid: 0)
  package var lastRelation = SchemaIdentity(id: 0, uid: 0)
}

extension StoreSchema {
  /// Returns the index of the entity with a name in `entities`; nil if there is none.
  package func index(ofEntity name: String) -> Int? {
    entities.firstIndex { $0.name == name }
  }

  /// Returns the index of the entity with an ID in `entities`; nil when there is none.
  package func index(ofEntity id: UInt32) -> Int? {
    entities.firstIndex { $0.identity.id == id }
  }

  /// The same schema with all elements in the order of their IDs.
  ///
  /// Generated code adds elements in the order of declarations; model files list them by ID.
  package var inOrderOfIDs: StoreSchema {
    // Checked first: most lists are in order, and sorting copies them.
    func sort<T>(_ elements: inout [T], by id: (T) -> UInt32) {
      let isSorted = elements.indices.dropFirst().allSatisfy {
        id(elements[$0 - 1]) <= id(elements[$0])
      }
      if !isSorted { elements.sort { id($0) < id($1) } }
    }
    var sorted = self
    sort(&sorted.entities) { $0.identity.id }
    for index in sorted.entities.indices {
      sort(&sorted.entities[index].properties) { $0.identity.id }
      sort(&sorted.entities[index].relations) { $0.identity.id }
      sort(&sorted.entities[index].compoundIndexes) { $0.identity.id }
      sort(&sorted.entities[index].fullTextIndexes) { $0.identity.id }
    }
    return sorted
  }
}

extension StoreSchema {
  /// Makes a schema of a part of a model.
  package init(of entities: [EntitySchema], lastEntity: SchemaIdentity?) {
    self.init(entities: entities)
    if let lastEntity { self.lastEntity = lastEntity }
  }

  /// The names of the standalone relations in order; nil for relations without a name.
  var relationNames: [String?] { entities.flatMap { $0.relations.map(\.name.value) } }

  /// Gives relations without a name the names that they have in another schema.
  mutating func takeRelationNames(from other: StoreSchema) {
    guard relationNames.contains(nil) else { return }
    let known = other.entities.flatMap(\.relations).byKey(\.identity.uid)
    for entity in entities.indices {
      for relation in entities[entity].relations.indices {
        let uid = entities[entity].relations[relation].identity.uid
        guard entities[entity].relations[relation].name.value == nil, let old = known[uid] else {
          continue
        }
        entities[entity].relations[relation].name = old.name
      }
    }
  }
}

/// The schema of one entity.
package struct EntitySchema: Hashable, Sendable {
  package var identity: SchemaIdentity
  package var name: String
  package var flags: UInt32 = 0
  package var externalName: String?
  package var properties: [PropertySchema] = []
  package var relations: [RelationSchema] = []
  package var compoundIndexes: [CompoundIndexSchema] = []
  package var fullTextIndexes: [FullTextIndexSchema] = []
  package var lastProperty = SchemaIdentity(id: 0, uid: 0)
  /// Functions that fill new properties; only generated code has them.
  ///
  /// Ignored in equality: the schema of a file has none. One array, since each put copies the schema.
  var migrations = IgnoredInEquality<[DeclaredMigration]>(value: [])

  package func property(id: UInt32) -> PropertySchema? {
    properties.first { $0.identity.id == id }
  }

  package func property(uid: UInt64) -> PropertySchema? {
    properties.first { $0.identity.uid == uid }
  }

  /// Returns the properties with the IDs in their order, without those that the entity lacks.
  package func properties(ids: [UInt32]) -> [PropertySchema] { ids.compactMap(property(id:)) }

  /// Returns a property's name for messages.
  package func propertyName(_ id: UInt32) -> String { property(id: id)?.name ?? "property \(id)" }
}

/// The schema of a property; a to-one relation is a property of type `relation`.
package struct PropertySchema: Hashable, Sendable {
  package var identity: SchemaIdentity
  package var name: String
  package var type: PropertyType
  /// The raw value of the ``PropertyFlags``.
  package var flags: UInt32 = 0
  /// Nil when the property has no index.
  package var index: SchemaIdentity?
  /// The name of the target entity of a to-one relation.
  package var targetEntityName: String?
  package var hnsw: HnswParameters?
  package var externalName: String?
  package var externalType: UInt32 = 0
  /// The collation of a text property with an index.
  package var collation = Collation.binary
  /// For a to-one relation: the effect of removing the target on the objects that refer to it.
  package var onDelete = DeleteRule.nullify

  package func has(_ flag: PropertyFlags) -> Bool { flags & flag.rawValue != 0 }
}

/// The schema of an index over several properties.
package struct CompoundIndexSchema: Hashable, Sendable {
  package var identity: SchemaIdentity
  package var isUnique: Bool
  /// The properties in the order of the key.
  package var propertyIDs: [UInt32]
}

/// The schema of one standalone to-many relation.
package struct RelationSchema: Hashable, Sendable {
  package var identity: SchemaIdentity
  package var target: SchemaIdentity
  /// The name; nil if the model does not give it.
  ///
  /// Ignored in equality: a file with other names still fits the model.
  var name = IgnoredInEquality<String?>(value: nil)
  package var externalName: String?
  package var externalType: UInt32 = 0
  /// The effect of removing a source object on its targets.
  package var onDelete = DeleteRule.nullify
  /// The effect of removing a target on its source objects.
  package var onTargetDelete = DeleteRule.nullify

  /// The name; if it is unknown, a name made from the ID, such as `relation1`.
  package var title: String { name.value ?? "relation\(identity.id)" }
}

/// The parameters of a nearest-neighbour index.
package struct HnswParameters: Hashable, Sendable {
  package var dimensions: Int
  package var neighborsPerNode: UInt32?
  package var indexingSearchCount: UInt32?
  package var flags: UInt32 = 0
  package var distanceType: UInt16?
  package var reparationBacklinkProbability: Float?
  package var vectorCacheHintSizeInKilobytes: Int?
}

extension HnswParameters {
  /// Makes the default parameters for vectors with a number of dimensions.
  package init(dimensions: Int) { self.dimensions = dimensions }
}
