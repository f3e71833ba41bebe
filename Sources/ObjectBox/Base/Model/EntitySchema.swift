/// The number and the lasting identity of an element in the model.
struct SchemaIdentity: Hashable, Sendable {
  var id: UInt32
  var uid: UInt64
}

/// The whole schema of a store, from the model builder or the store file.
struct StoreSchema: Hashable, Sendable {
  var entities: [EntitySchema] = []
  var lastEntity = SchemaIdentity(id: 0, uid: 0)
  var lastIndex = SchemaIdentity(id: 0, uid: 0)
  var lastRelation = SchemaIdentity(id: 0, uid: 0)
}

extension StoreSchema {
  /// The same schema with all elements in the order of their IDs.
  ///
  /// Generated code adds elements in the order of their declarations, model files list them by ID.
  var inOrderOfIDs: StoreSchema {
    func sort<T>(_ elements: inout [T], by identity: KeyPath<T, SchemaIdentity>) {
      elements.sort { $0[keyPath: identity].id < $1[keyPath: identity].id }
    }
    var sorted = self
    sort(&sorted.entities, by: \.identity)
    for index in sorted.entities.indices {
      sort(&sorted.entities[index].properties, by: \.identity)
      sort(&sorted.entities[index].relations, by: \.identity)
      sort(&sorted.entities[index].compoundIndexes, by: \.identity)
    }
    return sorted
  }
}

/// The schema of one entity.
struct EntitySchema: Hashable, Sendable {
  var identity: SchemaIdentity
  var name: String
  var flags: UInt32 = 0
  var externalName: String?
  var properties: [PropertySchema] = []
  var relations: [RelationSchema] = []
  var compoundIndexes: [CompoundIndexSchema] = []
  var lastProperty = SchemaIdentity(id: 0, uid: 0)
}

/// The schema of one property; a to-one relation is a property of type `relation`.
struct PropertySchema: Hashable, Sendable {
  var identity: SchemaIdentity
  var name: String
  var type: PropertyType
  /// The raw value of the ``PropertyFlags``.
  var flags: UInt32 = 0
  /// Nil when the property has no index.
  var index: SchemaIdentity?
  /// The name of the target entity of a to-one relation.
  var targetEntityName: String?
  var hnsw: HnswParameters?
  var externalName: String?
  var externalType: UInt32 = 0
  /// Of a text with an index: how the index tells texts apart.
  var collation = Collation.binary
  /// Of a to-one relation: effect on the objects that have it when their target is removed.
  var onDelete = DeleteRule.nullify

  func has(_ flag: PropertyFlags) -> Bool { flags & flag.rawValue != 0 }
}

/// The schema of an index over several properties.
struct CompoundIndexSchema: Hashable, Sendable {
  var identity: SchemaIdentity
  var isUnique: Bool
  /// In the order of the key.
  var propertyIDs: [UInt32]
}

/// The schema of one standalone to-many relation.
struct RelationSchema: Hashable, Sendable {
  var identity: SchemaIdentity
  var target: SchemaIdentity
  /// The name in a model file; nil elsewhere, since generated code and store files have only the IDs.
  var name = Uncompared<String?>(value: nil)
  var externalName: String?
  var externalType: UInt32 = 0
  /// Effect on the targets when an object that has them is removed.
  var onDelete = DeleteRule.nullify
  /// Effect on the objects that have a target when the target is removed.
  var onTargetDelete = DeleteRule.nullify
}

/// The parameters of a nearest-neighbour index.
struct HnswParameters: Hashable, Sendable {
  var dimensions: Int
  var neighborsPerNode: UInt32?
  var indexingSearchCount: UInt32?
  var flags: UInt32 = 0
  var distanceType: UInt16?
  var reparationBacklinkProbability: Float?
  var vectorCacheHintSizeInKilobytes: Int?
}
