/// Puts, gets and removes the objects of one entity in a store.
///
/// Every call runs in the thread's open transaction, or in one of its own. Any thread may use a
/// box. A box keeps its store open.
///
///     let notes = store.box(for: Note.self)
///     let id = try notes.put(Note(title: "Milk"))
///     let note = try notes.get(id)
public final class Box<E>: CustomDebugStringConvertible, Sendable
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// The type of the object ID of the entity.
  public typealias IdType = E.EntityBindingType.IdType

  package let store: Store
  private let entityTable: EntityTable?
  /// True when objects have identity.
  let isOfClass = Box.isClass

  package init(store: Store) {
    self.store = store
    entityTable = store.file.table(entity: E.entityInfo.entitySchemaId)
  }

  /// True when objects have identity, so that a new ID can be written back to them.
  static var isClass: Bool { E.self is AnyClass }

  /// Returns the entity's table.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` when the model of the store lacks the
  ///   entity.
  package func table() throws -> EntityTable {
    guard let entityTable else { throw Box.missing(in: store) }
    return entityTable
  }

  /// Returns the error for an entity that the store's model lacks.
  static func missing(in store: Store) -> ObjectBoxError {
    .illegalArgument(
      message: "'\(E.entityInfo.entityName)' (ID \(E.entityInfo.entitySchemaId)) is not in the "
        + "model that the store at '\(store.directoryPath)' was opened with; run the generator "
        + "again, or open the store by the initialiser of the module that declares it"
    )
  }

  /// Runs a body in a read transaction.
  package func reading<T>(_ body: (EntityTable, Transaction) throws -> T) throws -> T {
    try running(isWritable: false) { table, transaction, _ in try body(table, transaction) }
  }

  /// Runs a body in a write transaction.
  func writing<T>(
    _ body: (ObjectWriter, StoreThreadState) throws -> T
  ) throws -> T {
    try running(isWritable: true) { table, transaction, state in
      try body(try ObjectWriter(table, in: transaction), state)
    }
  }

  /// Runs an operation of several steps in a write transaction.
  ///
  /// If the transaction continues after a failure, the failure undoes this operation alone.
  package func writingUndoably<T>(
    if isNeeded: Bool = true,
    _ body: (ObjectWriter, StoreThreadState) throws -> T
  ) throws -> T {
    guard isNeeded else { return try writing(body) }
    return try running(isWritable: true) { table, transaction, state in
      try transaction.undoing { try body(try ObjectWriter(table, in: transaction), state) }
    }
  }

  /// True when a removal has several steps.
  var isLinked: Bool { entityTable?.links.isLinked ?? false }

  private func running<T>(
    isWritable: Bool,
    _ body: (EntityTable, Transaction, StoreThreadState) throws -> T
  ) throws -> T {
    try store.checkOpen()
    let table = try table()
    return try store.inTransaction(isWritable: isWritable) { try body(table, $0, $1) }
  }

  // MARK: Counting

  /// Returns whether the box holds no object.
  ///
  /// Throws ``ObjectBoxError`` when the store is closed or cannot be read.
  ///
  ///     if try notes.isEmpty() { try notes.put(Note(title: "Welcome")) }
  public func isEmpty() throws -> Bool { try count(limit: 1) == 0 }

  /// Returns the number of objects.
  ///
  ///     let count = try notes.count()
  ///     let isLarge = try notes.count(limit: 1000) == 1000  // stops counting there
  ///
  /// - Parameter limit: The number to stop counting at; 0 to count all.
  /// - Returns: The number of objects, at most a non-zero `limit`.
  /// - Throws: ``ObjectBoxError`` when the store is closed or cannot be read.
  /// - Complexity: O(1)
  public func count(limit: Int = 0) throws -> Int {
    try ObjectBoxError.checkPart(limit: limit)
    let count = try reading { table, transaction in
      try table.count(in: transaction.storage)
    }
    return limit > 0 ? min(limit, count) : count
  }

  /// Returns whether an object has the given ID.
  ///
  /// - Parameter entityId: An ID; 0 is none.
  /// - Returns: True when the object exists.
  /// - Throws: ``ObjectBoxError`` when the store is closed or cannot be read.
  public func contains(_ entityId: IdType) throws -> Bool { try contains([entityId]) }

  /// Returns whether every given ID has an object.
  ///
  /// - Parameter ids: IDs; the result for none is true.
  /// - Returns: True when all objects exist.
  /// - Throws: ``ObjectBoxError`` when the store is closed or cannot be read.
  public func contains(_ ids: [IdType]) throws -> Bool {
    try reading { table, transaction in
      try ids.allSatisfy { id in
        try table.contains(id.value, in: transaction.storage)
      }
    }
  }

  /// Returns whether an object has the given ID.
  package func contains(id: UInt64) throws -> Bool {
    try reading { table, transaction in try table.contains(id, in: transaction.storage) }
  }

  /// Returns whether every given ID has an object.
  ///
  /// - Parameter ids: IDs; the result for none is true.
  /// - Returns: True when all objects exist.
  /// - Throws: ``ObjectBoxError`` when the store is closed or cannot be read.
  public func contains(_ ids: IdType...) throws -> Bool { try contains(ids) }

  /// The type and entity, such as `<ObjectBox.Box Note>`.
  public var debugDescription: String { "<ObjectBox.Box \(E.self)>" }
}
