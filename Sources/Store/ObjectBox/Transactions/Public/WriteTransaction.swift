/// The reads and writes of a block, committed together or not at all.
///
/// The end of the block commits, unless the block has committed or cancelled; an error rolls back.
/// An operation that throws has changed nothing, even if it has several steps, and a block that
/// catches the error continues. If the operation cannot be undone (a full file, a failing disk),
/// all later operations and the commit throw the same error.
///
/// After a rollback, new instances of classes have ID 0 again. Releasing the open transaction rolls
/// it back.
public final class WriteTransaction: ReadTransaction {
  /// Ends the transaction.
  package let ending: any TransactionEnd
  /// The live view that runs this write.
  package var follower: (any WritingView)?
  /// True once it has been rolled back by `cancelWrite`.
  package private(set) var isCancelled = false

  package init(_ store: Store, _ transaction: Transaction, ending: any TransactionEnd) {
    self.ending = ending
    transaction.takesIDsBack = true
    transaction.failure.undoesOperations = true
    super.init(store, transaction)
  }

  deinit {
    if !isEnded { ending.abandon() }
  }

  // MARK: Ending

  /// Commits the transaction; the block continues without it.
  ///
  /// - Parameter tokens: Observers of this store to leave out.
  /// - Throws: ``ObjectBoxError``: `notInWriteTransaction` when it has ended, `foreignToken`;
  ///   `dbFull` and others when the commit fails, which roll it back.
  public func commitWrite(withoutNotifying tokens: [NotificationToken] = []) throws {
    try checkCanEnd(skipping: tokens)
    end()
    try ending.commit()
    follower?.didCommit()
  }

  /// Rolls the transaction back; does nothing when it has ended.
  ///
  /// The block continues without it. The completion of an asynchronous write gets
  /// ``WriteCancellation/byCancelWrite``. While a visit or an inner transaction is open, the
  /// rollback waits for its end; until then reads continue, and writes throw `transactionEnded`.
  public func cancelWrite() {
    guard !isEnded else { return }
    end()
    isCancelled = true
    ending.cancel()
  }

  /// Runs the body of a block, and rolls back if it throws.
  func run<R>(_ body: (WriteTransaction) throws -> R) throws -> R {
    do { return try body(self) } catch {
      cancelWrite()
      throw error
    }
  }

  /// Throws when the transaction has ended, or an inner transaction is open.
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
  ///   - entity: An object. With ID 0 it is new and gets the next ID, and keeps it after a
  ///     rollback.
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
  /// Also stores the changes of its to-many relations.
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

  /// Changes a stored object: reads it, passes it to a block, and stores the result and its changed
  /// to-many relations.
  ///
  ///     let stars = try store.write { transaction in
  ///       try transaction.modify(id) { note in
  ///         note.stars += 1
  ///         return note.stars
  ///       }
  ///     }
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

  /// Removes the stored object with the ID of the given object.
  ///
  /// - Parameter entity: An object.
  /// - Returns: False when it is not stored, else true.
  /// - Throws: ``ObjectBoxError``: `transactionEnded`, and `constraintViolated` when a relation
  ///   forbids it.
  @discardableResult
  public func remove<E>(_ entity: E) throws -> Bool
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try box(E.self).remove([entity]) > 0
  }

  /// Removes the object with the given ID.
  ///
  /// - Parameter id: An ID.
  /// - Returns: False when there is no such object, else true.
  /// - Throws: ``ObjectBoxError``: `transactionEnded`, and `constraintViolated` when a relation
  ///   forbids it.
  @discardableResult
  public func remove<E>(_ id: EntityId<E>) throws -> Bool
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try box(E.self).remove([id]) > 0
  }

  /// Removes all objects of an entity and returns their number.
  ///
  /// - Parameter type: The entity.
  /// - Returns: The number of removed objects.
  /// - Throws: ``ObjectBoxError``: `transactionEnded`, and `constraintViolated` when a relation
  ///   forbids it.
  @discardableResult
  public func removeAll<E>(_ type: E.Type) throws -> UInt64
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try box(type).removeAll()
  }
}

/// Ends a write transaction; the ways differ by the thread that began it.
package protocol TransactionEnd: AnyObject {
  /// Commits and waits for the disk.
  func commit() throws
  /// Rolls back.
  func cancel()
  /// Requests the commit; a failure is reported as unheard unless `isHeard`.
  func commitLater(
    isGroupingAllowed: Bool,
    isHeard: Bool,
    onComplete: (((any Error)?) -> Void)?
  ) -> AsyncTransactionID
  /// True when `onComplete` can be called in the transaction's isolation.
  var canCallBack: Bool { get }
  /// Rolls back a released transaction; called on any thread.
  func abandon()
}

/// A live view that writes, and shows the changes after the commit.
package protocol WritingView: AnyObject {
  /// Called after the commit.
  func didCommit()
  /// Wraps the completion of an asynchronous commit.
  func following(_ onComplete: (((any Error)?) -> Void)?) -> ((any Error)?) -> Void
}
