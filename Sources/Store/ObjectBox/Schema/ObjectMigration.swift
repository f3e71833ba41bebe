/// Fills new properties of an entity by a function that receives each object as a whole.
///
/// Generated code adds one for an entity with properties that list names in the annotation `migratedFrom`.
package struct ObjectMigration: Sendable {
  /// Calls the function for an object.
  ///
  /// Receives the old values, and a record with all values except the ones that the function makes. Returns the
  /// object's record after the call, which is valid until the next call.
  package typealias Body = (OldValues, RecordReader) throws -> RecordReader

  /// The properties that the function fills and a store lacks; all of them in a model.
  package private(set) var propertyIDs: Set<UInt32>
  /// The old properties by their names in the earlier model, in the order of their IDs.
  package let sources: [PropertySchema]
  /// Returns the body for the objects of one file.
  ///
  /// Its argument is the model. It makes the context of the bindings, because a file that is being opened cannot
  /// provide it.
  package let begin: @Sendable (StoreSchema) throws -> Body

  init(
    filling propertyIDs: Set<UInt32>,
    from sources: [PropertySchema],
    _ begin: @escaping @Sendable (StoreSchema) throws -> Body
  ) {
    self.propertyIDs = propertyIDs
    self.sources = sources.sorted { $0.identity.id < $1.identity.id }
    self.begin = begin
  }

  /// Returns the migration for some of its properties; nil if it fills none of them.
  func filling(_ ids: (UInt32) -> Bool) -> ObjectMigration? {
    var copy = self
    copy.propertyIDs = propertyIDs.filter(ids)
    return copy.propertyIDs.isEmpty ? nil : copy
  }

  /// Returns the reason why the function cannot read the values of a stored property; nil if it can.
  ///
  /// - Parameters:
  ///   - type: The type of the stored values.
  ///   - stored: The property.
  ///   - entity: The entity.
  /// - Returns: The fault in words.
  package func fault(
    reading type: PropertyType,
    of stored: SchemaIdentity,
    in entity: EntitySchema
  ) -> String? {
    let source = sources.first {
      $0.identity == stored && !SchemaChecks.areCompatible($0.type, type)
    }
    return source.map {
      "\(Self.title(entity)) reads '\($0.name)' as \($0.type), and its values are stored as "
        + "\(type); run the generator again"
    }
  }

  /// Describes an error that the function threw.
  ///
  /// - Parameters:
  ///   - error: The error.
  ///   - entity: The entity.
  ///   - old: The record with the old values.
  ///   - quoting: The rule of the store.
  /// - Returns: Entity, ID, old values and error in words.
  package func failure(
    _ error: any Error,
    of entity: EntitySchema,
    _ old: RecordReader,
    _ quoting: ValueQuoting
  ) -> String {
    let values = sources.map { "\($0.name) \($0.words(in: old))" }.joined(separator: ", ")
    return "\(Self.title(entity)) failed for the object with ID \(old.id)"
      + quoting.words(", whose old values are \(values)", else: "") + ": "
      + quoting.words(of: error)
  }

  private static func title(_ entity: EntitySchema) -> String {
    "the migration of '\(entity.name)'"
  }
}

/// The migrations that the objects of an entity need.
struct EntityMigration {
  var entity: EntitySchema
  /// The functions of single properties.
  var properties: [PropertyMigration]
  /// The function of whole objects, which runs after the functions of properties.
  var object: ObjectMigration?
}

/// A migration that generated code has added to its entity.
enum DeclaredMigration: Sendable {
  case property(PropertyMigration)
  case object(ObjectMigration)
}

extension EntitySchema {
  /// The functions of single properties.
  var propertyMigrations: [PropertyMigration] {
    migrations.value.compactMap { if case .property(let migration) = $0 { migration } else { nil } }
  }

  /// The function of whole objects.
  private var objectMigration: ObjectMigration? {
    for case .object(let migration) in migrations.value { return migration }
    return nil
  }

  /// Returns the migrations of properties that an earlier schema of the entity lacks; nil if there are none.
  ///
  /// The schema in the file therefore shows which migrations have run.
  func migration(after old: EntitySchema) -> EntityMigration? {
    let isMissing = { (id: UInt32) in
      self.properties.contains { own in
        own.identity.id == id && !old.properties.contains { $0.identity.uid == own.identity.uid }
      }
    }
    let missing = propertyMigrations.filter { isMissing($0.propertyID) }
    let object = objectMigration?.filling(isMissing)
    guard !missing.isEmpty || object != nil else { return nil }
    return EntityMigration(entity: self, properties: missing, object: object)
  }

  /// Returns the migration of whole objects if it fills one of the properties with the given IDs;
  /// else nil.
  package func objectMigration(filling ids: Set<UInt32>) -> ObjectMigration? {
    objectMigration?.filling(ids.contains)
  }
}
