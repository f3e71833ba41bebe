public import ObjectBox

/// Objects as a snapshot shows them: all objects of an entity, the objects that meet a condition, or the
/// objects of a relation.
///
/// They never change, and any thread may use them. The query runs on first use. As a collection
/// they contain handles, which read on demand; `find` makes instances.
///
/// A class, so that the IDs that the query found are cached.
public final class FrozenResults<E>: FrozenHandle
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// The results in a snapshot.
  public typealias Frozen = FrozenResults<E>
  /// The results in a live view.
  public typealias Live = LiveResults<E>
  /// Instances of the objects.
  public typealias Resolved = [E]

  /// The snapshot that shows the objects; retained by the results.
  public let snapshot: Snapshot
  private let selection: Selection
  private let found = Guarded<[UInt64]?>(nil)

  /// Makes the results of a selection that fits the model.
  init(_ selection: Selection, in snapshot: Snapshot) {
    self.snapshot = snapshot
    self.selection = selection
  }

  /// Returns the results in a live view.
  ///
  /// - Parameter live: A view of the same store.
  /// - Returns: The results; nil when the view does not show the relation's host.
  /// - Throws: `ObjectBoxError`: `differentStore`, `invalidated`.
  public func thaw(in live: LiveStore) throws -> LiveResults<E>? {
    try snapshot.store.checkSame(as: live.store)
    return try live.hasHost(of: selection) ? live.results(selection) : nil
  }

  /// The selection; for the library itself.
  public func __identity() -> ManagedIdentity {
    ManagedIdentity(snapshot.store, .results(selection))
  }

  /// Returns the results in a snapshot; for the library itself.
  public static func __frozen(
    _ identity: ManagedIdentity,
    in snapshot: Snapshot
  ) throws -> FrozenResults<E>? {
    guard let selection = identity.selection else { return nil }
    return try snapshot.hasHost(of: selection) ? snapshot.results(selection) : nil
  }

  /// Returns the objects in a transaction; for the library itself.
  public static func __resolved(
    _ identity: ManagedIdentity,
    in transaction: ReadTransaction
  ) throws -> [E]? {
    let store = transaction.store
    guard let selection = identity.selection, try selection.isHostThere(store) else { return nil }
    return try selection.query(Box<E>(store: store)).find()
  }

  // MARK: Reading

  /// The IDs of the objects, in order.
  ///
  /// Throws `ObjectBoxError.invalidated(message:)` when the snapshot has been invalidated.
  public var ids: [EntityId<E>] {
    get throws { try numbers().map { EntityId($0) } }
  }

  /// Returns the objects as independent instances.
  ///
  /// Throws `ObjectBoxError.invalidated(message:)` when the snapshot has been invalidated.
  public func find() throws -> [E] { try snapshot.instances(try numbers(), E.self) }

  /// Returns the values of a property, in the order of the objects, without making objects.
  ///
  /// - Parameter property: The property.
  /// - Returns: A value for each object.
  /// - Throws: `ObjectBoxError`: `invalidated`, or `illegalArgument` when the model lacks the
  ///   property.
  public func values<V: RecordValue, R>(of property: Property<E, V, R>) throws -> [V.Projection] {
    let numbers = try numbers()
    return try snapshot.reading { store in
      let projection = try RecordProjection(property, store.file)
      var values: [V.Projection] = []
      values.reserveCapacity(numbers.count)
      try Box<E>(store: store).reading { table, transaction in
        let scan = try RecordScan(table, in: transaction)
        // A `for` loop would allocate at each step in unoptimised builds.
        var index = 0
        while index < numbers.count {
          if let record = try scan.record(id: numbers[index]) {
            values.append(projection.value(in: record))
          }
          index += 1
        }
      }
      return values
    }
  }

  /// Returns the IDs; runs the query once.
  private func numbers() throws -> [UInt64] {
    if snapshot.isInvalidated { _ = try snapshot.version() }
    if let found = found.withLock({ $0 }) { return found }
    // Outside of the lock: all threads find the same IDs.
    let ids = try snapshot.ids(selection, E.self)
    found.withLock { $0 = ids }
    return ids
  }

  /// The IDs; after the snapshot's invalidation, the cached IDs.
  private var knownNumbers: [UInt64] {
    (try? numbers()) ?? found.copy ?? []
  }

  // MARK: Narrowing

  /// Returns the objects that also meet a condition, in the same order.
  ///
  /// - Parameter condition: Returns the condition; called at once.
  /// - Returns: Results of the same snapshot.
  /// - Throws: `ObjectBoxError`: `invalidated`, or when the condition does not fit the model.
  public func query(_ condition: () -> QueryCondition<E>) throws -> FrozenResults<E> {
    try snapshot.results(selection.narrowed(by: condition().condition))
  }

  /// Returns the objects ordered by a property, after earlier orders.
  ///
  /// - Parameters:
  ///   - property: Any property of the entity.
  ///   - flags: Default: ascending, nulls first, strings compared without case in every script.
  /// - Returns: Results of the same snapshot.
  /// - Throws: `ObjectBoxError`: `invalidated`, or when the property is not in the model.
  public func ordered<T>(
    by property: Property<E, T, Void>,
    flags: [OrderFlags] = []
  ) throws -> FrozenResults<E> {
    try snapshot.results(selection.ordered(by: property, flags))
  }
}

extension FrozenResults: RandomAccessCollection {
  /// Returns handles one by one, without allocations.
  public struct Iterator: IteratorProtocol {
    fileprivate let snapshot: Snapshot
    fileprivate let numbers: [UInt64]
    fileprivate var position = 0

    /// Returns the next handle; nil after the last.
    public mutating func next() -> FrozenObject<E>? {
      guard position < numbers.count else { return nil }
      defer { position += 1 }
      return FrozenObject(EntityId(numbers[position]), in: snapshot)
    }
  }

  /// Begins at the first handle; runs the query.
  public func makeIterator() -> Iterator { Iterator(snapshot: snapshot, numbers: knownNumbers) }

  /// Zero.
  public var startIndex: Int { 0 }

  /// The number of objects; runs the query.
  ///
  /// Zero if the snapshot was invalidated before.
  public var endIndex: Int { knownNumbers.count }

  /// The object at an index.
  public subscript(position: Int) -> FrozenObject<E> {
    FrozenObject(EntityId(knownNumbers[position]), in: snapshot)
  }
}
