/// The entities and standalone relations that are no longer in the model, but have data in the file.
///
/// Their indexes are dropped, and rebuilt when the elements come back. Their tables keep their
/// names until another element gets the same ID. Then the tables get names with the UID.
package struct RetiredSchema: Hashable, Sendable {
  package struct Entity: Hashable, Sendable {
    /// The schema without indexes and relations.
    package var schema: EntitySchema
    package var layouts: [RecordLayout.Definition]
    /// The ID sequence.
    var lastID: UInt64
    var hasMoved = false
    package var objectCount: Int
    var sizeInBytes: Int

    package var table: String {
      hasMoved ? "retired/e\(schema.identity.uid)" : SystemTable.objects(entity: schema.identity.id)
    }
  }

  package struct Relation: Hashable, Sendable {
    package var identity: SchemaIdentity
    var sourceUID: UInt64
    package var sourceName: String
    var targetUID: UInt64
    var targetName: String
    var hasMoved = false
    var linkCount: Int
    /// The size of both tables in bytes.
    var sizeInBytes: Int

    package var forward: String {
      hasMoved ? "retired/r\(name)" : SystemTable.relation(identity.id)
    }
    package var backward: String {
      hasMoved ? "retired/b\(name)" : SystemTable.backlink(identity.id)
    }
    private var name: String { "\(identity.uid)/\(sourceUID)/\(targetUID)" }

    /// Returns whether a relation of an entity is this relation, by UIDs.
    func `is`(_ relation: RelationSchema, of entity: EntitySchema) -> Bool {
      identity.uid == relation.identity.uid && sourceUID == entity.identity.uid
        && targetUID == relation.target.uid
    }
  }

  package var entities: [Entity] = []
  package var relations: [Relation] = []

  /// No retired data.
  package init() {}

  var isEmpty: Bool { entities.isEmpty && relations.isEmpty }

  var tableCount: Int { entities.count + 2 * relations.count }

  /// Returns the index of the retired entity with a UID; nil if there is none.
  func index(ofEntity uid: UInt64) -> Int? {
    entities.firstIndex { $0.schema.identity.uid == uid }
  }
}

// MARK: - Values of removed properties

extension RecordLayout.Definition {
  /// The UID that marks discarded values; no property has it.
  static let discardedUID = UInt64.max

  /// Discards the values of properties that an entity does not have.
  mutating func discardValues(exceptOf entity: EntitySchema) {
    for index in properties.indices {
      let property = properties[index]
      let isOwn = entity.properties.contains {
        $0.identity.id == property.id && $0.identity.uid == property.uid
      }
      if !isOwn { properties[index].uid = Self.discardedUID }
    }
  }

  /// Returns the property of the layout with the same identity; nil if there is none.
  ///
  /// The ID is not enough: a model may have given it to another property.
  func property(_ property: PropertySchema) -> Property? {
    properties.first { $0.id == property.identity.id && $0.holds(property) }
  }

  /// The property IDs of an entity under which records of the layout hold values of other properties.
  package func hiddenIDs(in entity: EntitySchema) -> Set<UInt32> {
    var hidden: Set<UInt32> = []
    let stored = properties.byKey(\.id)
    for place in entity.properties.indices {
      let id = entity.properties[place].identity.id
      if let property = stored[id], !property.holds(entity.properties[place]) { hidden.insert(id) }
    }
    return hidden
  }
}

extension RecordLayout.Definition.Property {
  /// Returns whether the values belong to a property with the same ID.
  fileprivate func holds(_ property: PropertySchema) -> Bool {
    uid == property.identity.uid && SchemaChecks.areCompatible(type, property.type)
  }
}
