internal import ObjectBox
internal import ObjectBoxStorage
internal import ObjectBoxSyncProtocol
internal import ObjectBoxSyncSchema

/// One synchronized entity of an open store.
struct SyncedEntity: Sendable {
  let uid: EntityUID
  let table: EntityTable
  /// The synchronized properties: all but the ID, and but to-one relations to entities that are not
  /// synchronized.
  let properties: [SyncedProperty]
  /// The standalone relations from this entity to a synchronized one.
  let relations: [SyncedRelation]

  /// True if programs may choose the IDs of new objects.
  var isAssignable: Bool {
    table.schema.properties.contains { $0.has(.id) && $0.has(.idSelfAssignable) }
  }

  /// Returns a row with null instead of 0 in to-one relations, as records and servers have it.
  func withoutEmptyTargets(_ row: Row) -> Row {
    var row = row
    for property in properties where property.target != nil {
      if row.values[property.uid] == .integer(0) { row.values[property.uid] = .null }
    }
    return row
  }

  /// Reads the values of a record.
  func values(of record: RecordReader) -> PropertyList<PropertyValue> {
    PropertyList(properties.map { ($0.uid, $0.schema.syncValue(in: record)) })
  }
}

/// One synchronized property.
struct SyncedProperty: Sendable {
  let uid: PropertyUID
  let schema: PropertySchema
  /// The target of a to-one relation; nil for other properties.
  let target: EntityUID?
}

/// One synchronized standalone relation.
struct SyncedRelation: Sendable {
  let uid: PropertyUID
  let table: RelationTable
  let target: EntityUID
}

/// The synchronized entities of an open store.
struct SyncedModel: Sendable {
  let entities: [EntityUID: SyncedEntity]
  /// The entities' UIDs by their numbers.
  let uids: [Int: EntityUID]
  let rules: SyncRules

  init(_ file: StoreFile) {
    let synced = file.tables.filter(\.schema.isSynchronized)
    let uids = Dictionary(
      uniqueKeysWithValues: synced.map { ($0.number, EntityUID($0.schema.identity.uid)) }
    )
    let names = Dictionary(
      uniqueKeysWithValues: synced.map { ($0.name, EntityUID($0.schema.identity.uid)) }
    )
    var entities: [EntityUID: SyncedEntity] = [:]
    for table in synced {
      let uid = EntityUID(table.schema.identity.uid)
      entities[uid] = SyncedEntity(
        uid: uid,
        table: table,
        properties: table.schema.properties.compactMap { property in
          if property.has(.id) { return nil }
          let target = property.targetEntityName.flatMap { names[$0] }
          if property.type == .relation, target == nil { return nil }
          return SyncedProperty(
            uid: PropertyUID(property.identity.uid),
            schema: property,
            target: target
          )
        },
        relations: table.schema.relations.compactMap { schema in
          guard let relation = file.relation(id: schema.identity.id),
            let target = uids[relation.target]
          else { return nil }
          return SyncedRelation(
            uid: PropertyUID(schema.identity.uid),
            table: relation,
            target: target
          )
        }
      )
    }
    self.entities = entities
    self.uids = uids
    rules = SyncRules(file.schema)
  }

  /// The descriptions of the entities for the server.
  var descriptions: [EntityDescription] {
    entities.values.sorted { $0.uid < $1.uid }.map { EntityDescription($0.table.schema) }
  }

  /// The numbers of the entities.
  var numbers: Set<Int> { Set(uids.keys) }

  subscript(uid: EntityUID) -> SyncedEntity? { entities[uid] }
  subscript(number: Int) -> SyncedEntity? { uids[number].flatMap { entities[$0] } }

  /// Returns values in which references replace the IDs of to-one relations.
  ///
  /// - Parameters:
  ///   - values: The values of an object.
  ///   - entity: Its entity.
  ///   - reference: Returns a reference to an object.
  /// - Returns: The values.
  /// - Throws: What `reference` throws.
  func targets(
    _ values: PropertyList<PropertyValue>,
    _ entity: EntityUID,
    _ reference: (ObjectKey) throws -> ObjectReference
  ) rethrows -> PropertyList<PropertyValue> {
    var result = values
    for property in entities[entity]?.properties ?? [] {
      guard let target = property.target, let id = values[property.uid]?.integerValue else {
        continue
      }
      let key = ObjectKey(entity: target, id: UInt64(bitPattern: id))
      result[property.uid] = .target(try reference(key))
    }
    return result
  }

  /// Returns a relation of a synchronized entity.
  func relation(_ uid: PropertyUID, of entity: EntityUID) -> SyncedRelation? {
    entities[entity]?.relations.first { $0.uid == uid }
  }
}
