public import ObjectBox

extension DynamicBox {
  /// Stores a new object, or changes the stored one with the ID in `values`.
  ///
  /// In a stored object the named properties change and all others keep their values; nil makes a
  /// property null. In a new object, properties without a value are null. Integers of any type are
  /// accepted if they fit the property's type. Floating point properties also accept integers,
  /// relations accept IDs. See ``DynamicObject`` for the types of all values.
  ///
  ///     let id = try notes.put(["title": "Milk", "stars": 3])
  ///     try notes.put(["id": id, "stars": 5])  // the title stays
  ///
  /// - Parameters:
  ///   - values: Values by property name; without an ID, or with ID 0, the object is new.
  ///   - mode: Whether the object must or must not exist.
  /// - Returns: The object's ID.
  /// - Throws: `ObjectBoxError`: `illegalArgument` for a name that the entity lacks and for a value
  ///   out of range, `propertyTypeMismatch` for a value of another type, `constraintViolated` for
  ///   null where the model forbids it, others as for a put of `Box`.
  @discardableResult
  public func put(_ values: [String: Any?], mode: PutMode = .put) throws -> Id {
    let put = try DynamicPut(values, of: entity)
    return try writing(hasSteps: false) { try put.store($0, $1, mode) }
  }

  /// Stores an object with all its values.
  ///
  /// - Parameters:
  ///   - object: An object of this entity.
  ///   - mode: Whether the object must or must not exist.
  /// - Returns: The object's ID.
  /// - Throws: `ObjectBoxError` as for values by name.
  @discardableResult
  public func put(_ object: DynamicObject, mode: PutMode = .put) throws -> Id {
    guard object.entity.schema.identity == entity.schema.identity else {
      throw ObjectBoxError.illegalArgument(
        message: "cannot put an object of '\(object.entityName)' into the box of '\(entity.name)'; "
          + "use the box of its entity"
      )
    }
    return try put(object.values, mode: mode)
  }

  /// Stores objects in one transaction; all or none.
  ///
  /// - Parameters:
  ///   - objects: The values of each object by property name.
  ///   - mode: Whether the objects must or must not exist.
  /// - Returns: The IDs, in the order of the objects.
  /// - Throws: `ObjectBoxError` as for one object.
  @discardableResult
  public func put(_ objects: [[String: Any?]], mode: PutMode = .put) throws -> [Id] {
    let puts = try objects.map { try DynamicPut($0, of: entity) }
    guard !puts.isEmpty else { return [] }
    return try writing { writer, state in try puts.map { try $0.store(writer, state, mode) } }
  }

  /// Stores objects with all their values in one transaction; all or none.
  ///
  /// - Parameters:
  ///   - objects: Objects of this entity.
  ///   - mode: Whether the objects must or must not exist.
  /// - Returns: The IDs, in the order of the objects.
  /// - Throws: `ObjectBoxError` as for one object.
  @discardableResult
  public func put(_ objects: [DynamicObject], mode: PutMode = .put) throws -> [Id] {
    guard !objects.isEmpty else { return [] }
    return try writing { _, _ in try objects.map { try put($0, mode: mode) } }
  }
}

/// The values of one object, checked against its entity.
private struct DynamicPut {
  private let entity: DynamicEntity
  /// The ID; 0 for a new object.
  private var id: UInt64 = 0
  /// The values by property ID; nil for null.
  private var values: [UInt32: DynamicValue?] = [:]

  init(_ values: [String: Any?], of entity: DynamicEntity) throws {
    self.entity = entity
    // Sorted by name, so that the same fault is reported each time.
    for (name, value) in values.sorted(by: { $0.key < $1.key }) {
      let property = try entity.property(name)
      let encoder = DynamicEncoder(entity: entity, property: property)
      let content = DynamicEncoder.content(of: value)
      if property.has(.id) {
        id = try content.map(encoder.id) ?? 0
      } else {
        self.values[property.identity.id] = .some(try content.map(encoder.encode))
      }
    }
  }

  /// Stores the object in the open transaction and returns its ID.
  func store(_ writer: ObjectWriter, _ state: StoreThreadState, _ mode: PutMode) throws -> UInt64 {
    let chosen = try writer.chooseID(given: id, mode: mode)
    let stored = try writer.table.record(chosen, in: writer.transaction.storage)
    try state.withBuilder(writer.layout) { builder in
      let record = try builder.record(of: writer.table.schema, id: chosen) {
        // A record may be damaged if all of its values are replaced.
        var isChecked = false
        for property in entity.schema.properties where !property.has(.id) {
          if let value = values[property.identity.id] {
            value?.collect(builder, property)
          } else if let stored {
            if !isChecked { try writer.table.records.check(stored) }
            isChecked = true
            builder.scratch.copy(propertyID: property.identity.id, from: stored)
          }
          try checkNull(property, stored)
        }
      }
      try writer.put(record, id: chosen, isNew: id == 0, mode: mode)
    }
    return chosen
  }

  /// Throws for null in a property that must not be null.
  private func checkNull(_ property: PropertySchema, _ stored: RecordReader?) throws {
    guard property.has(.notNull) else { return }
    let isGiven = values[property.identity.id].map { $0 != nil }
    guard isGiven ?? (stored.flatMap { property.value(in: $0) } != nil) else {
      throw ObjectBoxError.constraintViolated(
        message:
          "'\(entity.name).\(property.name)' must not be null, says the model; give it a value"
      )
    }
  }
}
