internal import Foundation

extension EntityBuilder
where T: EntityInspectable & SendableMetatype, T == T.EntityBindingType.EntityType {
  /// Fills new properties by a function of the whole stored object, when a store that lacks one of them is
  /// opened.
  ///
  /// The body is called for each object whose record was written without one of the properties, after the
  /// bodies of ``PropertyBuilder/migrated(from:uid:type:_:)``, in the transaction that upgrades the schema. It
  /// gets the object with the values of all other properties. Only properties that the record lacks are stored.
  /// If it throws, or sets the ID, a relation or a property that is not in the list, the store is not opened
  /// and stays as it was. It is called on the thread that opens the store, and must not use the store.
  ///
  /// - Parameters:
  ///   - propertyIds: The numbers of the properties, which were added before.
  ///   - sources: The old properties, with their names in the earlier model.
  ///   - body: Sets the properties of the object.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` without properties, for a number that the
  ///   entity lacks, for its ID or a relation, and for an ID or UID of 0.
  /// - Complexity: When a store is migrated, O(objects), each of which is made and encoded.
  public func migrated(
    _ propertyIds: [UInt32],
    from sources: [(name: String, id: UInt32, uid: UInt64, type: PropertyType)],
    _ body: @escaping @Sendable (OldValues, inout T) throws -> Void
  ) throws {
    let filled = Set(propertyIds)
    let known = entity.properties.filter { !$0.has(.id) && $0.type != .relation }
    guard !filled.isEmpty, filled.isSubset(of: known.map(\.identity.id)) else {
      throw ObjectBoxError.illegalArgument(
        message:
          "the migration of '\(entity.name)' fills the properties \(propertyIds), which are not all "
          + "values of the entity; run the generator again"
      )
    }
    let sources = try sources.map { source in
      PropertySchema(
        identity: try ModelCheck.identity(
          id: source.id,
          uid: source.uid,
          of: "the source of a migration"
        ),
        name: source.name,
        type: source.type
      )
    }
    let id = entity.identity.id
    let migration = ObjectMigration(filling: filled, from: sources) { model in
      guard let entity = model.entities.first(where: { $0.identity.id == id }) else {
        throw ObjectBoxError.illegalState(
          message: "the model lacks the entity with ID \(id); run the generator again"
        )
      }
      return try MigratedObject<T>(entity, filled, in: model).body(body)
    }
    model.change(entity: index) { $0.migrations.value.append(.object(migration)) }
  }
}

/// Makes and encodes the objects of one entity for the function of a migration.
private struct MigratedObject<E>
where E: EntityInspectable, E == E.EntityBindingType.EntityType {
  private let binding: E.EntityBindingType
  private let entity: EntitySchema
  /// The properties whose values must stay.
  private let kept: [PropertySchema]
  private let layout: RecordLayout
  private let store: Store
  private let table: EntityTable

  init(_ entity: EntitySchema, _ filled: Set<UInt32>, in model: StoreSchema) throws {
    binding = E.entityBinding
    self.entity = entity
    kept = entity.properties.filter { !filled.contains($0.identity.id) && !$0.has(.id) }
    layout = RecordLayout(of: entity)
    var model = model
    // Without entities to synchronize, the store in memory starts no synchronization.
    for index in model.entities.indices { model.entities[index].flags = 0 }
    let configuration = Store.Configuration(
      directory: Store.inMemoryPrefix + "migration-\(UUID().uuidString)"
    )
    store = try Store(schema: model, configuration: configuration)
      .forReading(.elsewhere(MigrationHost()))
    guard let table = store.file.table(entity: entity.identity.id) else {
      throw ObjectBoxError.illegalState(message: "a store in memory lacks '\(entity.name)'")
    }
    self.table = table
  }

  func body(_ change: @escaping (OldValues, inout E) throws -> Void) -> ObjectMigration.Body {
    let before = FlatBufferBuilder(layout: layout)
    let after = FlatBufferBuilder(layout: layout)
    return { old, record in
      var object = try binding.createEntity(entityReader: record, store: store)
      let earlier = try encode(object, record.id, in: before)
      let relations = toManys(of: object)
      try change(old, &object)
      guard binding.entityId(of: object) == record.id else { throw Self.changed("the ID") }
      let isSame = toManys(of: object).elementsEqual(relations) { $0 === $1 }
      guard isSame, !relations.contains(where: \.__hasChanges) else {
        throw Self.changed("a to-many relation")
      }
      let later = try encode(object, record.id, in: after)
      for property in kept
      where !RecordDifference.isEqual(earlier, later, propertyID: property.identity.id) {
        throw Self.changed("'\(property.name)'")
      }
      return later
    }
  }

  /// Encodes an object; the record is valid until the next use of the builder.
  private func encode(
    _ object: E,
    _ id: UInt64,
    in builder: FlatBufferBuilder
  ) throws -> RecordReader {
    let bytes = try binding.record(of: object, id: id, in: builder, entity, store)
    guard let reader = RecordReader(record: bytes, id: id, layout: layout.view) else {
      throw ObjectBoxError.illegalState(message: "'\(entity.name)' has a record without a layout")
    }
    return reader
  }

  private func toManys(of object: E) -> [any __RelationInMemory] {
    guard RelationKinds.of(object, table).contains(.toMany) else { return [] }
    var found: [any __RelationInMemory] = []
    binding.visitRelations(of: object) { if $0.__isToMany { found.append($0) } }
    return found
  }

  private static func changed(_ name: String) -> ObjectBoxError {
    .illegalState(
      message:
        "it has changed \(name), and a migration only fills the properties whose annotation "
        + "'migratedFrom' has a list; leave the others as they are, and change them in a write"
    )
  }
}

/// Answers the relations of objects while a file is being opened: nothing can be read or put then.
private final class MigrationHost: RelationHost {
  var readingError: ObjectBoxError {
    .illegalState(
      message:
        "a migration cannot read related objects, since the store is not open yet; use the "
        + "'targetId' of a to-one relation, or fill the property in a write"
    )
  }

  var writingError: ObjectBoxError {
    .illegalState(
      message:
        "a migration cannot set related objects, since the store is not open yet; set them in a write"
    )
  }

  func idPuttingOnTheWay<E>(_ object: E) throws -> UInt64
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    throw writingError
  }

  func relatedObjects<S>(of link: RelationLink) throws -> [S]
  where S: EntityInspectable & __EntityRelatable, S == S.EntityBindingType.EntityType {
    throw readingError
  }

  func apply<S>(added: [S], removed: [S], to link: RelationLink) throws
  where S: EntityInspectable & __EntityRelatable, S == S.EntityBindingType.EntityType {
    throw writingError
  }

  func onRollback(_ action: @escaping () -> Void) {}
}
