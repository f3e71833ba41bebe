public import ObjectBox

extension LiveObject {
  // MARK: To-one relations

  /// Sets a to-one relation of the object, and stores it.
  ///
  ///     try live.write { _ in try order.set(\.customer, to: ann) }
  ///
  /// - Parameters:
  ///   - relation: A to-one relation that the entity stores.
  ///   - target: An object of a live view of this store; nil for no target.
  /// - Throws: `ObjectBoxError`: `notInWriteTransaction`, `invalidated` when either object is gone,
  ///   `differentStore`, `wrongIsolation`, `illegalArgument` for a property that is not stored,
  ///   others as for a put.
  public func set<T>(_ relation: KeyPath<E, ToOne<T>>, to target: LiveObject<T>?) throws {
    try checkSetting()
    if let target {
      try live.store.checkSame(as: target.live.store)
      try target.checkThere()
    }
    try set(relation, to: target?.id)
  }

  /// Sets a to-one relation of the object, and stores it; puts a new target.
  ///
  /// - Parameters:
  ///   - relation: A to-one relation that the entity stores.
  ///   - target: An instance; only the ID of a stored instance counts. A new instance of a class
  ///     gets its ID.
  /// - Throws: `ObjectBoxError`: `notInWriteTransaction`, `invalidated` when the object is gone,
  ///   `wrongIsolation`, `illegalArgument` for a property that is not stored, others as for a put.
  public func set<T>(_ relation: KeyPath<E, ToOne<T>>, to target: T) throws {
    try checkSetting()
    try checkThere()
    try Box<E>(store: live.store).writingUndoably { _, _ in
      try set(relation, to: EntityId<T>(try Box<T>(store: live.store).idStoring(target)))
    }
  }

  private func checkSetting() throws {
    try live.checkWriting("a to-one relation of '\(E.entityInfo.entityName)' was to be set")
  }

  private func set<T>(_ relation: KeyPath<E, ToOne<T>>, to id: EntityId<T>?) throws {
    let entity = try value()
    entity[keyPath: relation].targetId = id
    live.didWrite()
    let box = Box<E>(store: live.store)
    try box.writingUndoably { _, _ in
      try box.put(entity, mode: .update)
      guard try value()[keyPath: relation].targetId == id else {
        throw ObjectBoxError.illegalArgument(
          message:
            "cannot set '\(relation)' of '\(E.entityInfo.entityName)': it is no to-one relation that the "
            + "entity stores; set it on the object that has it"
        )
      }
    }
  }
}
