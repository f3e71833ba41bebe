internal import ObjectBox

extension MigrationChange {
  /// Compares the schema of a store before and after an upgrade; UIDs identify the elements.
  static func between(_ before: StoreContents, _ after: StoreSchema) -> [MigrationChange] {
    var changes: [MigrationChange] = []
    for entity in after.entities {
      if let old = before.entity(uid: entity.identity.uid) {
        changes += between(old, entity, count: before.count(of: old)) { target, oldTarget in
          after.uid(ofEntity: target) == before.schema.uid(ofEntity: oldTarget)
        }
      } else {
        changes.append(MigrationChange(.entityAdded, entity))
      }
    }
    let uids = Set(after.entities.map(\.identity.uid))
    for old in before.schema.entities where !uids.contains(old.identity.uid) {
      changes.append(MigrationChange(.entityRemoved, old, count: before.count(of: old)))
    }
    return changes
  }

  private init(
    _ kind: Kind,
    _ entity: EntitySchema,
    _ member: String? = nil,
    from oldName: String? = nil,
    count: Int = 0
  ) {
    self.kind = kind
    self.entity = entity.name
    self.member = member
    self.oldName = oldName
    objectCount = count
  }

  private static func between(
    _ old: EntitySchema,
    _ entity: EntitySchema,
    count: Int,
    isSameTarget: (String?, String?) -> Bool
  ) -> [MigrationChange] {
    var changes: [MigrationChange] = []
    func add(_ kind: Kind, _ member: String? = nil, from oldName: String? = nil) {
      changes.append(MigrationChange(kind, entity, member, from: oldName, count: count))
    }
    if old.name != entity.name { add(.entityRenamed, from: old.name) }
    for property in entity.properties {
      if let before = old.property(uid: property.identity.uid) {
        if before.name != property.name { add(.propertyRenamed, property.name, from: before.name) }
        if !property.isEqual(to: before)
          || !isSameTarget(property.targetEntityName, before.targetEntityName)
        {
          add(.propertyChanged, property.name)
        }
      } else if let migration = entity.migrations(filling: [property.identity.id]).first {
        let source = old.property(uid: migration.source.identity.uid)
        add(.propertyMigrated, property.name, from: source?.name)
      } else if let migration = entity.objectMigration(filling: [property.identity.id]) {
        let sources = migration.sources.compactMap { old.property(uid: $0.identity.uid)?.name }
        let names = sources.isEmpty ? nil : sources.joined(separator: ", ")
        add(.propertyMigrated, property.name, from: names)
      } else {
        add(.propertyAdded, property.name)
      }
    }
    for gone in old.properties where entity.property(uid: gone.identity.uid) == nil {
      add(.propertyRemoved, gone.name)
    }
    let (indexes, oldIndexes) = (entity.indexes, old.indexes)
    for (uid, names) in indexes where !oldIndexes.contains(where: { $0.uid == uid }) {
      add(.indexAdded, names)
    }
    for (uid, names) in oldIndexes where !indexes.contains(where: { $0.uid == uid }) {
      add(.indexRemoved, names)
    }
    let isSame = { (a: RelationSchema, b: RelationSchema) in a.identity == b.identity }
    for relation in entity.relations where !old.relations.contains(where: { isSame($0, relation) })
    {
      add(.relationAdded, relation.title)
    }
    for relation in old.relations where !entity.relations.contains(where: { isSame($0, relation) })
    {
      add(.relationRemoved, relation.title)
    }
    return changes
  }
}

extension EntitySchema {
  /// The UIDs of all indexes, with the names of their properties.
  fileprivate var indexes: [(uid: UInt64, names: String)] {
    func names(_ ids: [UInt32]) -> String {
      properties(ids: ids).map(\.name).joined(separator: ", ")
    }
    return properties.compactMap { property in property.index.map { ($0.uid, property.name) } }
      + compoundIndexes.map { ($0.identity.uid, names($0.propertyIDs)) }
      + fullTextIndexes.map { ($0.identity.uid, names($0.parts.map(\.propertyID))) }
  }
}

extension StoreSchema {
  fileprivate func uid(ofEntity name: String?) -> UInt64? {
    entities.first { $0.name == name }?.identity.uid
  }
}

extension PropertySchema {
  /// Returns whether two properties are equal apart from names and the presence of an index.
  fileprivate func isEqual(to other: PropertySchema) -> Bool {
    let indexFlags: [PropertyFlags] = [.indexed, .indexHash, .indexHash64]
    let mask = ~indexFlags.reduce(0) { $0 | $1.rawValue }
    var (a, b) = (self, other)
    a.name = b.name
    a.externalName = b.externalName
    a.targetEntityName = b.targetEntityName
    a.index = nil
    b.index = nil
    a.flags &= mask
    b.flags &= mask
    return a == b
  }
}
