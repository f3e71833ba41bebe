public import ObjectBox

/// The objects of one entity in a store, accessed by property names.
///
///     let people = try store.box(named: "Person")
///     let id = try people.put(["email": "ada@example.org", "age": 36])
///     let found = try people.query { $0["email"].startsWith("ada") }.build().find()
///
/// Every call runs in the thread's open transaction or in its own, as calls of a `Box` do;
/// observers are notified of the changes. Any thread may use a box. It keeps its store open.
public struct DynamicBox: Sendable, CustomDebugStringConvertible {
  let store: Store
  let entity: DynamicEntity

  init(_ entity: DynamicEntity, _ store: Store) {
    self.entity = entity
    self.store = store
  }

  /// The name of the entity.
  public var entityName: String { entity.name }

  /// The names of all properties, in the order of their IDs.
  public var names: [String] { entity.names }

  func reading<T>(_ body: (Transaction) throws -> T) throws -> T {
    try store.checkOpen()
    return try store.inTransaction(isWritable: false) { transaction, _ in
      try body(transaction)
    }
  }

  /// Runs an operation in a write transaction; if an operation of several steps throws, it is
  /// undone alone.
  func writing<T>(
    hasSteps: Bool = true,
    _ body: (ObjectWriter, StoreThreadState) throws -> T
  ) throws -> T {
    try store.checkOpen()
    return try store.inTransaction(isWritable: true) { transaction, state in
      try transaction.undoing(if: hasSteps) {
        try body(try ObjectWriter(entity.table, in: transaction), state)
      }
    }
  }

  // MARK: Reading

  /// Returns the object with the given ID.
  ///
  /// - Parameter id: An ID; 0 is none.
  /// - Returns: The object, or nil when there is none.
  /// - Throws: `ObjectBoxError` when the store is closed or the record cannot be decoded.
  public func get(_ id: Id) throws -> DynamicObject? { try get([id]).first }

  /// Returns the objects with the given IDs, in the order of `ids`.
  ///
  /// - Parameter ids: IDs; those without an object are skipped.
  /// - Returns: The objects.
  /// - Throws: `ObjectBoxError` when the store is closed or a record cannot be decoded.
  public func get(_ ids: [Id]) throws -> [DynamicObject] {
    try reading { transaction in
      let scan = try RecordScan(entity.table, in: transaction)
      return try ids.compactMap { id in
        try scan.record(id: id).map { record in
          try entity.table.records.check(record)
          return DynamicObject(record, entity, store)
        }
      }
    }
  }

  /// Returns the object of a record, which need not be stored.
  package func object(from record: RecordReader) -> DynamicObject {
    DynamicObject(record, entity, store)
  }

  /// Returns all objects, by ascending ID.
  ///
  /// Throws `ObjectBoxError` when the store is closed or a record cannot be decoded.
  public func all() throws -> [DynamicObject] { try query().build().find() }

  /// Returns the number of objects.
  ///
  /// Throws `ObjectBoxError` when the store is closed or cannot be read.
  public func count() throws -> Int {
    try reading { try entity.table.count(in: $0.storage) }
  }

  /// Returns whether an object has the given ID.
  ///
  /// Throws `ObjectBoxError` when the store is closed or cannot be read.
  public func contains(_ id: Id) throws -> Bool {
    try reading { try entity.table.contains(id, in: $0.storage) }
  }

  // MARK: Removing

  /// Removes the object with the given ID and all references to it, by the delete rules of the
  /// model.
  ///
  /// - Parameter id: An ID.
  /// - Returns: False when there is no such object.
  /// - Throws: `ObjectBoxError.constraintViolated(message:)` when a relation forbids it; others
  ///   when the store is closed, read-only or full.
  @discardableResult
  public func remove(_ id: Id) throws -> Bool { try remove([id]) > 0 }

  /// Removes the objects with the given IDs in one transaction.
  ///
  /// - Parameter ids: IDs; those without an object are skipped.
  /// - Returns: The number of objects removed.
  /// - Throws: `ObjectBoxError` as for one object; nothing is removed then.
  @discardableResult
  public func remove(_ ids: [Id]) throws -> UInt64 {
    try writing { writer, _ in try writer.remove(ids: ids) }
  }

  /// Removes all objects; their IDs are not assigned again.
  ///
  /// Throws `ObjectBoxError` as for one object. Returns the number of objects removed.
  @discardableResult
  public func removeAll() throws -> UInt64 { try writing { writer, _ in try writer.removeAll() } }

  /// The type and entity, such as `<ObjectBox.DynamicBox Note>`.
  public var debugDescription: String { "<ObjectBox.DynamicBox \(entity.name)>" }
}

extension Store {
  /// Returns the box of the entity with a name; the program needs no type for it.
  ///
  ///     for note in try store.box(named: "Note").all() { print(note.id, note["title"] ?? "") }
  ///
  /// - Parameter name: The name in the model, case-sensitive.
  /// - Returns: The box, which keeps the store open.
  /// - Throws: `ObjectBoxError`: `illegalArgument` when the model has no such entity,
  ///   `illegalState` when the store is closed.
  public func box(named name: String) throws -> DynamicBox {
    try checkOpen()
    return DynamicBox(try DynamicEntity(named: name, in: file), self)
  }
}
