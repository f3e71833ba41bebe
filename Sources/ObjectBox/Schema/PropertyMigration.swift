/// Fills a new property from a property of an earlier model.
///
/// Generated code adds one for each property with the annotation `migratedFrom`.
struct PropertyMigration: Sendable {
  /// Reads the old value from a record, and passes the new value to the builder of the record that
  /// replaces it.
  typealias Body = @Sendable (FlatBufferReader, FlatBufferBuilder) throws -> Void

  /// The property that is filled.
  let propertyID: UInt32
  /// The old property, whose name is unknown.
  let source: PropertySchema
  let body: Body
}

extension EntitySchema {
  /// Returns the migrations of properties that an earlier schema of the entity lacks.
  ///
  /// The schema in the file therefore tells which migrations have run.
  func migrations(after old: EntitySchema) -> [PropertyMigration] {
    migrations.value.filter { migration in
      uid(ofProperty: migration.propertyID).map { uid in
        !old.properties.contains { $0.identity.uid == uid }
      } ?? false
    }
  }

  /// The schema with the properties of earlier layouts whose values are still stored.
  ///
  /// A record in the layout of this schema has all values of an older record.
  func keepingValues(of layouts: [RecordLayout.Definition]) -> EntitySchema {
    var kept = self
    var ids = Set(properties.map(\.identity.id))
    for property in layouts.reversed().flatMap(\.properties)
    where !property.isObjectID && property.uid != RecordLayout.Definition.discardedUID {
      guard ids.insert(property.id).inserted else { continue }
      kept.properties.append(
        PropertySchema(
          identity: SchemaIdentity(id: property.id, uid: property.uid),
          name: "",
          type: property.type
        )
      )
    }
    return kept
  }
}
