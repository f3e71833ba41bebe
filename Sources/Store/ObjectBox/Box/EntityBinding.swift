/// Encodes objects of an entity to records and makes objects from records; generated for each
/// entity.
///
/// Its methods are called inside a transaction, on the transaction's thread.
public protocol EntityBinding: AnyObject {
  /// The entity.
  associatedtype EntityType: Entity & EntityInspectable
  /// The type of its ID property.
  associatedtype IdType: IdBase

  /// Makes the binding.
  init()

  /// The version of the contract between generated code and runtime; must be 1.
  func generatorBindingVersion() -> Int

  /// Passes all properties of an object to the builder: first `prepare`, then `collect`.
  func collect(
    fromEntity entity: EntityType,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) throws

  /// Called after a put, inside its transaction and before a new ID is written back.
  func postPut(fromEntity entity: EntityType, id: Id, store: Store) throws

  /// Makes an object from a record; throws when a value does not fit the type of its property.
  func createEntity(entityReader: RecordReader, store: Store) throws -> EntityType

  /// Sets the ID of an instance of a class; does nothing for structs.
  func setEntityIdUnlessStruct(of entity: EntityType, to entityId: Id)

  /// Sets the ID of a struct.
  func setStructEntityId(of entity: inout EntityType, to entityId: Id)

  /// Returns the ID of an object, 0 for a new one.
  func entityId(of entity: EntityType) -> Id

  /// Sets the target of a to-one relation.
  func setToOneRelation(_ propertyId: obx_schema_id, of entity: EntityType, to entityId: Id?)

  /// Passes the to-one and to-many relations of an object to a block.
  func visitRelations(
    of entity: EntityType,
    _ visit: (any __RelationInMemory) throws -> Void
  ) rethrows
}

extension EntityBinding {
  /// Does nothing: the entity has no to-many relations.
  public func postPut(fromEntity entity: EntityType, id: Id, store: Store) throws {}

  /// Stops the process: the entity has no to-one relations.
  public func setToOneRelation(
    _ propertyId: obx_schema_id,
    of entity: EntityType,
    to entityId: Id?
  ) {
    fatalError("'\(EntityType.self)' has no to-one relation with property ID \(propertyId)")
  }

  /// Stops the process: the entity is not a struct with a variable ID.
  public func setStructEntityId(of entity: inout EntityType, to entityId: Id) {
    fatalError(
      "'\(EntityType.self)' is not a struct, or its ID is declared with `let`; put it by value"
    )
  }

  /// Does nothing: the entity is a struct.
  public func setEntityIdUnlessStruct(of entity: EntityType, to entityId: Id) {}
}

extension EntityBinding {
  /// Encodes an object; every put of an object by its binding calls this.
  ///
  /// - Parameters:
  ///   - object: The object.
  ///   - id: The object's ID, or the ID that it gets.
  ///   - builder: Makes the record, in the layout that it uses.
  ///   - schema: The entity.
  ///   - store: The store of the put; new targets of to-one relations are put there too.
  /// - Returns: The bytes of the record, valid until the builder makes the next one.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` for a value that cannot be stored; the
  ///   errors of the binding.
  package func record(
    of object: EntityType,
    id: UInt64,
    in builder: FlatBufferBuilder,
    _ schema: EntitySchema,
    _ store: Store
  ) throws -> UnsafeRawBufferPointer {
    try builder.record(of: schema, id: id) {
      do {
        try collect(fromEntity: object, id: id, propertyCollector: builder, store: store)
      } catch {
        throw store.file.quoting.conversionError(error)
      }
    }
  }

  /// Makes an object from a stored record with a valid checksum.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - table: The entity.
  ///   - store: The store that the object's relations read from.
  /// - Returns: A new object.
  /// - Throws: ``ObjectBoxError/fileCorrupt(message:)`` when the record is damaged, and the errors
  ///   of the binding.
  func object(
    of record: RecordReader,
    in table: EntityTable,
    _ store: Store
  ) throws -> EntityType {
    try table.records.check(record)
    do { return try createEntity(entityReader: record, store: store) } catch {
      throw table.quotable(error, of: record)
    }
  }
}

extension EntityTable {
  /// Returns the error of making an object; omits the record's values if the store's errors must not show values.
  @inline(never)
  fileprivate func quotable(_ error: any Error, of record: RecordReader) -> any Error {
    let quoting = records.quoting
    guard !quoting.isShown, case ObjectBoxError.propertyTypeMismatch = error else {
      return quoting.conversionError(error)
    }
    for property in schema.properties {
      if let type = property.encodedType,
        let bytes = record.bytes(record.field(propertyID: property.identity.id)),
        type.value(in: bytes) == nil
      {
        return type.unreadable(bytes, of: property.name, name, quoting, record.id)
      }
    }
    return error
  }
}
