/// A queued put of a new object, whose ID is already chosen.
struct ObjectPut<E>: QueuedPut
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  let box: Box<E>
  let entity: E
  let id: UInt64

  func store() throws {
    try box.writing { writer, state in
      try state.withBuilder(writer.layout) { builder in
        let binding = E.entityBinding
        let record = try box.encode(entity, binding, id: id, writer, builder)
        // `isNew` is false: a put of the object itself may have come first.
        try writer.put(record, id: id, isNew: false, mode: .put)
      }
    }
  }

  func finish() throws {
    let binding = E.entityBinding
    try binding.postPut(fromEntity: entity, id: id, store: box.store)
    try box.writing { writer, _ in
      if binding.entityId(of: entity) == 0 {
        box.noteNewID(of: entity, binding, writer.transaction)
      } else {
        try box.applyRelationChanges(of: entity, writer.table)
      }
      binding.setEntityIdUnlessStruct(of: entity, to: id)
      if let identity = box.identity(of: entity) { writer.transaction.puts.forget(identity) }
    }
  }
}

extension Box {
  /// Returns the ID of an object.
  ///
  /// A new object gets an ID and is put after the object that is being put now.
  ///
  /// Called inside a write transaction; the caller runs the queue.
  func idPuttingOnTheWay(_ entity: E) throws -> UInt64 {
    let given = E.entityBinding.entityId(of: entity)
    return try given != 0 ? given : queue(entity, given: given, isAgain: false)
  }

  /// Queues the put of an object, and returns its ID.
  ///
  /// Called inside a write transaction; the caller runs the queue.
  @discardableResult
  func putOnTheWay(_ entity: E) throws -> UInt64 {
    try queue(entity, given: E.entityBinding.entityId(of: entity), isAgain: true)
  }

  /// Returns the ID of an object, 0 for a new one.
  ///
  /// Knows the ID of an object that this thread is putting before the object has it.
  func knownID(of entity: E) -> UInt64 {
    let given = E.entityBinding.entityId(of: entity)
    guard given == 0, let identity = identity(of: entity),
      let transaction = ThreadContext.current.state(for: store.transactions).current,
      transaction.isWritable
    else { return given }
    return transaction.puts.id(of: identity) ?? 0
  }

  /// Returns an instance of a class as `AnyObject`; nil for a struct.
  fileprivate func identity(of entity: E) -> AnyObject? {
    // Safe for instances of classes. A checked cast would cost more than the rest of the put.
    isOfClass ? unsafeBitCast(entity, to: AnyObject.self) : nil
  }

  private func queue(_ entity: E, given: UInt64, isAgain: Bool) throws -> UInt64 {
    try writing { writer, _ in
      let puts = writer.transaction.puts
      let identity = given == 0 ? identity(of: entity) : nil
      let known = identity.flatMap { puts.id(of: $0) }
      if let known, !isAgain { return known }
      let id = try known ?? writer.chooseID(given: given, mode: .put)
      if let identity { puts.note(identity, id: id) }
      puts.add(ObjectPut(box: self, entity: entity, id: id))
      return id
    }
  }

  // MARK: Puts of objects with relations

  /// Stores one object of an entity with relations, and the new objects that it refers to.
  ///
  /// Returns its ID, which is not written back yet.
  ///
  /// `isAlone` is false for a step of an operation that can be undone alone.
  func putLinked(
    _ entity: E,
    mode: PutMode,
    _ writer: ObjectWriter,
    _ builder: FlatBufferBuilder,
    isAlone: Bool
  ) throws -> UInt64 {
    let binding = E.entityBinding
    let transaction = writer.transaction
    let puts = transaction.puts
    let given = binding.entityId(of: entity)
    let identity = given == 0 ? identity(of: entity) : nil
    let mark = transaction.undoesFailures ? transaction.mark : nil
    do {
      // An outer put may have begun with this object.
      let known = identity.flatMap { puts.id(of: $0) }
      let id = try known ?? writer.chooseID(given: given, mode: mode)
      if let identity, known == nil { puts.note(identity, id: id) }
      let record = try encode(entity, binding, id: id, writer, builder)
      let isNew = given == 0 && known == nil
      let mode = known == nil ? mode : .put
      // The put stores more than one record, so a failure must undo all of it.
      if let mark, isAlone, puts.isWaiting || hasRelationChanges(entity, writer.table) {
        try transaction.undoing(from: mark) {
          let writer = try ObjectWriter(writer.table, in: transaction)
          try putSteps(entity, binding, record, id: id, isNew: isNew, mode: mode, writer)
        }
      } else {
        try putSteps(entity, binding, record, id: id, isNew: isNew, mode: mode, writer)
      }
      if let identity { puts.forget(identity) }
      return id
    } catch {
      if let mark { transaction.restore(mark) } else { puts.clear() }
      throw error
    }
  }

  /// Stores the record of an object, then new objects that it refers to, then its relations.
  private func putSteps(
    _ entity: E,
    _ binding: E.EntityBindingType,
    _ record: UnsafeRawBufferPointer,
    id: UInt64,
    isNew: Bool,
    mode: PutMode,
    _ writer: ObjectWriter
  ) throws {
    try writer.put(record, id: id, isNew: isNew, mode: mode)
    try writer.transaction.puts.run()
    try binding.postPut(fromEntity: entity, id: id, store: store)
    // The binding itself applies the relation changes of new objects.
    if binding.entityId(of: entity) != 0 { try applyRelationChanges(of: entity, writer.table) }
  }

  /// Returns the record of an object, valid until the builder is used again.
  fileprivate func encode(
    _ entity: E,
    _ binding: E.EntityBindingType,
    id: UInt64,
    _ writer: ObjectWriter,
    _ builder: FlatBufferBuilder
  ) throws -> UnsafeRawBufferPointer {
    builder.scratch.begin(layout: writer.layout)
    try binding.collect(fromEntity: entity, id: id, propertyCollector: builder, store: store)
    return try builder.scratch.finish(of: writer.table.schema, id: id)
  }
}
