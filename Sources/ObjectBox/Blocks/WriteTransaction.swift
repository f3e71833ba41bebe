/// The reads and writes of a block, which are committed together or not at all.
///
/// A block that ends commits, unless it has committed or cancelled itself; one that throws rolls back. An
/// operation that throws has changed nothing, even one of several steps; a block that catches the error goes
/// on. When the operation cannot be undone, since the file is full or the disk fails, all later operations
/// and the commit throw the same error.
///
/// After a rollback, instances of classes that were new have the ID 0 again.
///
/// A class, since its deinitializer rolls back.
public final class WriteTransaction: ReadTransaction {
  /// Ends the transaction.
  package let ending: any WriteEnding
  /// The live view that writes.
  package var follower: (any WriteFollower)?
  /// True once it has been rolled back by `cancelWrite`.
  package private(set) var isCancelled = false

  package init(_ store: Store, _ transaction: Transaction, ending: any WriteEnding) {
    self.ending = ending
    transaction.takesIDsBack = true
    transaction.undoesFailures = true
    super.init(store, transaction)
  }

  deinit {
    if !isEnded { ending.abandon() }
  }

  // MARK: Ending

  /// Commits the transaction; the block goes on without it.
  ///
  /// - Parameter tokens: Observers of this store that are not told.
  /// - Throws: ``ObjectBoxError``: `notInWriteTransaction` when it has ended, `foreignToken`, `dbFull` and
  ///   others when it cannot be committed, which roll it back.
  public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
    try checkCanEnd(skipping: tokens)
    end()
    try ending.commit()
    follower?.didCommit()
  }

  /// Rolls the transaction back; does nothing when it has ended.
  ///
  /// The block goes on without it. The completion of an asynchronous write then gets
  /// ``WriteCancellation/byCancelWrite``. Inside a visit or a transaction that has joined it, the rollback waits for
  /// the end of that; until then reads go on, and writes throw `transactionEnded`.
  public func cancelWrite() {
    guard !isEnded else { return }
    end()
    isCancelled = true
    ending.cancel()
  }

  /// Ends an open transaction at the end of its block: commits it, or rolls it back after a failure.
  func endBlock(failure: (any Error)? = nil) throws {
    guard !isEnded else { return }
    if failure == nil { try commitWrite() } else { cancelWrite() }
  }

  /// Throws when the transaction has ended, or an inner one is open.
  package func checkCanEnd(skipping tokens: [NotificationToken] = []) throws {
    let skipping = try store.openStore.commits.skipping(tokens)
    guard !isEnded else {
      throw ObjectBoxError.notInWriteTransaction(
        message: "the write transaction has ended already; it can be committed once"
      )
    }
    let transaction = try checkUsable()
    guard transaction.depth == 1 else {
      throw ObjectBoxError.illegalState(
        message:
          "cannot commit inside runInTransaction, which joined this transaction; let that end first"
      )
    }
    if !tokens.isEmpty { transaction.skipped = skipping }
  }

  // MARK: Writing

  /// Stores a struct, or changes the stored one, and writes a new ID back.
  ///
  /// - Parameters:
  ///   - entity: An object; with ID 0 it is new and gets the next ID, also when this is rolled back later.
  ///   - mode: Whether the object must or must not exist.
  /// - Returns: The object's ID.
  /// - Throws: ``ObjectBoxError`` as for a box, and `transactionEnded`.
  @discardableResult
  public func put<E>(_ entity: inout E, mode: PutMode = .put) throws -> E.EntityBindingType.IdType
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try box(E.self).put(&entity, mode: mode)
  }

  /// Stores an object, or changes the stored one; an instance of a class gets its new ID.
  ///
  /// The changes of its to-many relations are stored with it.
  ///
  /// - Parameters:
  ///   - entity: An object; with ID 0 it is new and gets the next ID.
  ///   - mode: Whether the object must or must not exist.
  /// - Returns: The object's ID.
  /// - Throws: ``ObjectBoxError`` as for a box, and `transactionEnded`.
  @discardableResult
  public func put<E>(_ entity: E, mode: PutMode = .put) throws -> E.EntityBindingType.IdType
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try box(E.self).put(entity, mode: mode)
  }

  /// Stores objects.
  ///
  /// - Parameters:
  ///   - entities: Objects; instances of classes get their new IDs.
  ///   - mode: Whether the objects must or must not exist.
  /// - Throws: ``ObjectBoxError`` as for a box, and `transactionEnded`.
  public func put<E>(_ entities: [E], mode: PutMode = .put) throws
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try box(E.self).put(entities, mode: mode)
  }

  /// Changes a stored object: reads it, passes it to a block, and stores the result with changed to-many
  /// relations.
  ///
  /// - Parameters:
  ///   - id: The object's ID.
  ///   - change: Changes it; when it throws, the object is not stored.
  /// - Returns: The block's result; nil when there is no such object.
  /// - Throws: ``ObjectBoxError`` as for a put, `transactionEnded`, and the block's error.
  @discardableResult
  public func modify<E, R>(_ id: EntityId<E>, _ change: (inout E) throws -> R) throws -> R?
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    let box = try box(E.self)
    guard var entity = try box.get(id) else { return nil }
    let result = try change(&entity)
    try box.put(entity, mode: .update)
    return result
  }

  /// Removes the stored object that has the ID of the given one.
  ///
  /// - Parameter entity: An object.
  /// - Returns: False when it is not stored, else true.
  /// - Throws: ``ObjectBoxError``: `transactionEnded`, and `constraintViolated` when a relation forbids it.
  @discardableResult
  public func remove<E>(_ entity: E) throws -> Bool
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try box(E.self).remove([entity]) > 0
  }

  /// Removes the object with the given ID.
  ///
  /// - Parameter id: An ID.
  /// - Returns: False when there is no such object, else true.
  /// - Throws: ``ObjectBoxError``: `transactionEnded`, and `constraintViolated` when a relation forbids it.
  @discardableResult
  public func remove<E>(_ id: EntityId<E>) throws -> Bool
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try box(E.self).remove([id]) > 0
  }

  /// Removes all objects of an entity and returns their number.
  ///
  /// - Parameter type: The entity.
  /// - Returns: The number of removed objects.
  /// - Throws: ``ObjectBoxError``: `transactionEnded`, and `constraintViolated` when a relation forbids it.
  @discardableResult
  public func removeAll<E>(_ type: E.Type) throws -> UInt64
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try box(type).removeAll()
  }
}

/// The ending of a write transaction, which depends on the thread that began it.
package protocol WriteEnding: AnyObject {
  /// Commits and waits for the disk.
  func commit() throws
  /// Rolls back.
  func cancel()
  /// Asks for the commit; a failure is reported as unheard unless `isHeard`.
  func commitLater(
    isGroupingAllowed: Bool,
    isHeard: Bool,
    onComplete: (((any Error)?) -> Void)?
  ) -> AsyncTransactionID
  /// True when `onComplete` can be called in the isolation of the transaction.
  var canCallBack: Bool { get }
  /// Rolls back a released transaction, on any thread.
  func abandon()
}

/// A live view that writes, and shows the changes once they are committed.
package protocol WriteFollower: AnyObject {
  /// Called after the commit.
  func didCommit()
  /// Wraps the completion of an asynchronous commit.
  func following(_ onComplete: (((any Error)?) -> Void)?) -> ((any Error)?) -> Void
}
