/// A queued put of a new object with an ID that is already chosen.
struct ObjectPut<E>: QueuedPut
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  let box: Box<E>
  let entity: E
  let id: UInt64

  func store() throws {
    try box.writing { writer, state in
      try state.withBuilder(writer.layout) { builder in
        let binding = E.entityBinding
        let record = try binding.record(
          of: entity,
          id: id,
          in: builder,
          writer.table.schema,
          box.store
        )
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
      box.forget(entity, writer.transaction.puts)
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
  /// Also finds the ID of an object that this thread is putting, before the object has it.
  func knownID(of entity: E) -> UInt64 {
    let given = E.entityBinding.entityId(of: entity)
    guard given == 0, let identity = PutQueue.identity(of: entity, isOfClass: isOfClass),
      let transaction = ThreadContext.current.state(for: store.transactions).current,
      transaction.isWritable
    else { return given }
    return transaction.puts.id(of: identity) ?? 0
  }

  /// Forgets an object; its new ID is set, or is about to be set.
  func forget(_ entity: E, _ puts: PutQueue) {
    if let identity = PutQueue.identity(of: entity, isOfClass: isOfClass) { puts.forget(identity) }
  }

  private func queue(_ entity: E, given: UInt64, isAgain: Bool) throws -> UInt64 {
    try writing { writer, _ in
      let puts = writer.transaction.puts
      let (id, isKnown) = try puts.id(of: entity, given: given, isOfClass: isOfClass) {
        try writer.chooseID(given: given, mode: .put)
      }
      if isAgain || !isKnown { puts.add(ObjectPut(box: self, entity: entity, id: id)) }
      return id
    }
  }
}
