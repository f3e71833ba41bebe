/// Fills a new property from a property of an earlier model.
///
/// Generated code adds one for each property with the annotation `migratedFrom`.
package struct PropertyMigration: Sendable {
  /// Reads the old value from a record, and passes the new value to the builder of the record that
  /// replaces it.
  package typealias Body = @Sendable (FlatBufferReader, FlatBufferBuilder) throws -> Void

  /// The property that is filled.
  package let propertyID: UInt32
  /// The old property; its name is unknown.
  package let source: PropertySchema
  package let body: Body

  /// Returns the reason why the function cannot read values of a stored type; nil if it can.
  package func fault(reading stored: PropertyType, of entity: EntitySchema) -> String? {
    SchemaChecks.areCompatible(stored, source.type)
      ? nil
      : "\(title(in: entity)) reads values of type \(source.type), and they are stored as "
        + "\(stored); run the generator again"
  }

  /// Describes an error that the function threw.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - entity: The entity.
  ///   - old: The record with the old value.
  ///   - quoting: The rule of the store.
  /// - Returns: Property, ID, old value and error in words.
  package func failure(
    _ error: any Error,
    of entity: EntitySchema,
    _ old: RecordReader,
    _ quoting: ValueQuoting
  ) -> String {
    let value = quoting.words(", whose old value is \(source.words(in: old))", else: "")
    return "\(title(in: entity)) failed for the object with ID \(old.id)\(value): "
      + quoting.words(of: error)
  }

  private func title(in entity: EntitySchema) -> String {
    let property = entity.property(id: propertyID)
    return "the migration of '\(entity.name).\(property?.name ?? "")'"
  }
}

extension PropertySchema {
  /// Returns the value of a record in words, cut after 200 characters.
  func words(in record: RecordReader) -> String {
    value(in: record).map { String("'\($0)'".prefix(200)) } ?? "null"
  }
}

extension EntitySchema {
  /// Returns the migrations of the properties with the given IDs.
  package func migrations(filling ids: Set<UInt32>) -> [PropertyMigration] {
    propertyMigrations.filter { ids.contains($0.propertyID) }
  }

  /// The schema, with the properties of earlier layouts that still have stored values.
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
