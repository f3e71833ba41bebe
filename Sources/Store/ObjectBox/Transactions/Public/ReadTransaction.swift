/// The reads of a block, which all see one version of the store.
///
/// It must not leave the thread, and throws ``ObjectBoxError/transactionEnded(message:)`` after its
/// block. Boxes and queries of the store take part in it while the block runs.
public class ReadTransaction {
  /// The store.
  public let store: Store
  /// Nil once it has ended.
  private(set) var transaction: Transaction?
  private let thread = ThreadContext.current

  init(_ store: Store, _ transaction: Transaction) {
    self.store = store
    self.transaction = transaction
  }

  /// Marks the transaction as ended.
  package func end() {
    transaction = nil
  }

  /// True after a commit or cancellation, and after the end of the block.
  public var isEnded: Bool { transaction == nil }

  /// The version that the transaction sees; for a write transaction, the version that it creates.
  ///
  /// Throws ``ObjectBoxError/transactionEnded(message:)`` after its end.
  public func version() throws -> Int { try checkUsable().version }

  /// Returns the transaction.
  ///
  /// - Throws: ``ObjectBoxError``: `transactionEnded`, or `wrongIsolation` on another thread than
  ///   its own.
  @discardableResult
  package func checkUsable() throws -> Transaction {
    guard let transaction else {
      throw ObjectBoxError.transactionEnded(
        message: "the transaction has ended; use it inside its block only, and begin another one"
      )
    }
    guard ThreadContext.current === thread else {
      throw ObjectBoxError.wrongIsolation(
        message:
          "the transaction belongs to another thread; pass objects or references between threads, "
          + "and begin a transaction on each"
      )
    }
    guard thread.state(for: store.transactions).current === transaction else {
      throw ObjectBoxError.illegalState(
        message: "another transaction of the store is open inside this one; end that first"
      )
    }
    return transaction
  }

  package func box<E>(_ type: E.Type) throws -> Box<E> {
    try checkUsable()
    // A pending block of a closed instance still runs while another instance keeps the file open.
    return store.isClosed ? store.forReading().box(for: type) : store.box(for: type)
  }

  // MARK: Reading

  /// Returns the object with the given ID.
  ///
  /// - Parameters:
  ///   - type: The entity.
  ///   - id: An ID; 0 is none.
  /// - Returns: A new instance, or nil when there is none.
  /// - Throws: ``ObjectBoxError``: `transactionEnded`, or when the record cannot be decoded.
  public func get<E>(_ type: E.Type, _ id: Id) throws -> E?
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try box(type).get(id)
  }

  /// Returns the object with the given ID.
  ///
  /// - Parameter id: An ID; 0 is none.
  /// - Returns: A new instance, or nil when there is none.
  /// - Throws: ``ObjectBoxError``: `transactionEnded`, or when the record cannot be decoded.
  public func get<E>(_ id: EntityId<E>) throws -> E?
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try box(E.self).get(id)
  }

  /// Returns all objects of an entity, in the order of their IDs.
  ///
  /// - Parameter type: The entity.
  /// - Returns: New instances.
  /// - Throws: ``ObjectBoxError``: `transactionEnded`, or when a record cannot be decoded.
  public func all<E>(_ type: E.Type) throws -> [E]
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try box(type).all()
  }

  /// Returns the number of objects of an entity.
  ///
  /// - Parameter type: The entity.
  /// - Returns: The number of objects, including those put in this transaction.
  /// - Throws: ``ObjectBoxError``: `transactionEnded`.
  /// - Complexity: O(1)
  public func count<E>(_ type: E.Type) throws -> Int
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try box(type).count()
  }

  /// Returns a query for all objects of an entity.
  ///
  /// - Parameter type: The entity.
  /// - Returns: A query that reads in this transaction while it is open.
  /// - Throws: ``ObjectBoxError``: `transactionEnded`.
  public func query<E>(_ type: E.Type) throws -> Query<E> {
    try box(type).query().build()
  }

  /// Returns a query for the objects that meet a condition.
  ///
  /// - Parameters:
  ///   - type: The entity.
  ///   - condition: The condition that objects must meet.
  /// - Returns: A query that reads in this transaction while it is open.
  /// - Throws: ``ObjectBoxError``: `transactionEnded`, or when the condition does not fit the
  ///   model.
  public func query<E>(
    _ type: E.Type,
    _ condition: () -> QueryCondition<E>
  ) throws -> Query<E> {
    try box(type).query(condition).build()
  }
}
