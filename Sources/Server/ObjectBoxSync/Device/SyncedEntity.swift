internal import ObjectBox
internal import ObjectBoxStorage
internal import ObjectBoxSyncProtocol
internal import ObjectBoxSyncSchema

/// One synchronized entity of an open store.
///
/// A class, so that passing it on retains only one reference.
final class SyncedEntity: Sendable {
  let uid: EntityUID
  let table: EntityTable
  /// The synchronized properties, by ascending UID: all except the ID and to-one relations to entities that are not
  /// synchronized.
  let properties: [SyncedProperty]
  /// The same properties, prepared for reading records.
  let columns: [SyncedColumn]
  /// The indexes of all columns.
  let columnIndexes: [Int]
  /// The to-one relations among the properties.
  let toOnes: [ToOne]
  /// The standalone relations from this entity to a synchronized one.
  let relations: [SyncedRelation]

  /// True if programs may choose the IDs of new objects.
  let isAssignable: Bool

  init(
    uid: EntityUID,
    table: EntityTable,
    properties: [SyncedProperty],
    relations: [SyncedRelation]
  ) {
    self.uid = uid
    self.table = table
    self.properties = properties.sorted { $0.uid < $1.uid }
    self.relations = relations
    let places = Dictionary(
      uniqueKeysWithValues: table.schema.properties.enumerated().map { index, property in
        (PropertyUID(property.identity.uid), PropertySet(index: index))
      }
    )
    columns = self.properties.map {
      SyncedColumn(
        uid: $0.uid,
        column: SyncColumn($0.schema),
        target: $0.target,
        place: places[$0.uid] ?? .all
      )
    }
    columnIndexes = Array(columns.indices)
    toOnes = self.properties.compactMap { property in
      property.target.map { ToOne(property: property.uid, target: $0) }
    }
    isAssignable = table.schema.properties.contains { $0.has(.id) && $0.has(.idSelfAssignable) }
  }

  /// Returns the origin of a new object's ID: assigned, or chosen by the program.
  ///
  /// Entities whose IDs programs may choose have no leased IDs, only IDs of random blocks.
  func origin(of id: UInt64) -> Operation.IDOrigin {
    isAssignable && id < IDBlock.leasedLimit ? .chosen : .assigned
  }

  /// Returns a row with null instead of 0 in to-one relations, as in records and on servers.
  func withoutEmptyTargets(_ row: Row) -> Row {
    var row = row
    for relation in toOnes where row.values[relation.property] == .integer(0) {
      row.values[relation.property] = .null
    }
    return row
  }

  /// Reads the values of a record.
  func values(of record: RecordReader) -> PropertyList<PropertyValue> {
    PropertyList(columns.map { ($0.uid, $0.column.value(in: record)) })
  }

  /// Returns a record with some values.
  func record(of values: PropertyList<PropertyValue>, id: UInt64) throws -> [UInt8] {
    let builder = FlatBufferBuilder(layout: table.records.currentLayout)
    let record = try builder.record(of: table.schema, id: id, keeping: nil) { set in
      for property in properties {
        if let value = values[property.uid] { _ = property.schema.set(syncValue: value, set) }
      }
    }
    return Array(record)
  }
}

/// One synchronized property, prepared for reading records; it has no references.
struct SyncedColumn: Sendable {
  let uid: PropertyUID
  let column: SyncColumn
  /// The target of a to-one relation; nil for other properties.
  let target: EntityUID?
  /// The bit of the property in the noted changes of an object.
  let place: PropertySet
}

/// A to-one relation from one synchronized entity to another.
struct ToOne: Sendable {
  let property: PropertyUID
  let target: EntityUID
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
  /// The entities by ascending UID.
  let ordered: [SyncedEntity]
  /// The entities by their numbers.
  private let numbered: [Int: SyncedEntity]
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
    ordered = entities.values.sorted { $0.uid < $1.uid }
    numbered = Dictionary(uniqueKeysWithValues: ordered.map { ($0.table.number, $0) })
    rules = SyncRules(file.schema)
  }

  /// The descriptions of the entities for the server.
  var descriptions: [EntityDescription] {
    ordered.map { EntityDescription($0.table.schema) }
  }

  /// Returns the first part with a conflict rule that differs between the server and this model.
  ///
  /// - Parameter shared: The shared entities and properties, in the server's description.
  /// - Returns: The part in words, or nil if the rules are equal.
  func otherRule(in shared: [EntityDescription]) -> String? {
    for own in descriptions {
      guard let other = shared.first(where: { $0.entity == own.entity }) else { continue }
      if own.conflictFlags != other.conflictFlags {
        return words(for: ModelPart(entity: own.entity, part: nil))
      }
      for property in own.properties {
        let same = other.properties.first { $0.property == property.property }
        guard let same, same.conflictFlags != property.conflictFlags else { continue }
        return words(for: ModelPart(entity: own.entity, part: property.property))
      }
    }
    return nil
  }

  /// Returns words for a part of the model.
  func words(for part: ModelPart) -> String {
    guard let entity = entities[part.entity] else {
      return "the entity with UID \(part.entity.value)"
    }
    guard let uid = part.part else { return "'\(entity.table.name)'" }
    let property = entity.table.schema.property(uid: uid.value)
    guard let property else {
      return "a property or relation of '\(entity.table.name)' with UID \(uid.value)"
    }
    return "'\(entity.table.name).\(property.name)'"
  }

  /// The numbers of the entities.
  var numbers: Set<Int> { Set(numbered.keys) }

  subscript(uid: EntityUID) -> SyncedEntity? { entities[uid] }
  subscript(number: Int) -> SyncedEntity? { numbered[number] }

  /// Returns values with references in place of the IDs of to-one relations.
  ///
  /// - Parameters:
  ///   - values: The values of an object.
  ///   - entity: Its entity.
  ///   - reference: Returns a reference to an object.
  /// - Returns: The values.
  /// - Throws: Errors of `reference`.
  func targets(
    _ values: PropertyList<PropertyValue>,
    _ entity: EntityUID,
    _ reference: (ObjectKey) throws -> ObjectReference
  ) rethrows -> PropertyList<PropertyValue> {
    var result = values
    for relation in entities[entity]?.toOnes ?? [] {
      guard let id = values[relation.property]?.integerValue else { continue }
      let key = ObjectKey(entity: relation.target, id: UInt64(bitPattern: id))
      result[relation.property] = .target(try reference(key))
    }
    return result
  }

  /// Returns a relation of a synchronized entity.
  func relation(_ uid: PropertyUID, of entity: EntityUID) -> SyncedRelation? {
    entities[entity]?.relations.first { $0.uid == uid }
  }
}
