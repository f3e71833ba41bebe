/// Objects as a snapshot shows them: all of an entity, those that meet a condition, or those of a relation.
///
/// They never change, and may be used from all threads. They are found when they are first looked at.
/// As a collection they hold handles, which read when they are asked; `find` makes instances.
///
/// A class, since it keeps what it has found.
public final class FrozenResults<E>: FrozenHandle
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// The results in a snapshot.
  public typealias Frozen = FrozenResults<E>
  /// The results in a live view.
  public typealias Live = LiveResults<E>

  /// The snapshot that shows them, and lives as long.
  public let snapshot: Snapshot
  let selection: Selection
  private let found = Guarded<[UInt64]?>(nil)

  /// The selection must fit the model.
  init(_ selection: Selection, in snapshot: Snapshot) {
    self.snapshot = snapshot
    self.selection = selection
  }

  /// True: they never change.
  public var isFrozen: Bool { true }

  /// True once the snapshot has been invalidated.
  public var isInvalidated: Bool { snapshot.isInvalidated }

  /// Returns itself, whatever the caller's `file` and `line`.
  public func freeze(file: StaticString = #fileID, line: UInt = #line) -> FrozenResults<E> { self }

  /// Returns what is found in a live view.
  ///
  /// - Parameter live: A view of the same store.
  /// - Returns: Nil when they are those of a relation whose object is not there.
  /// - Throws: ``ObjectBoxError``: `differentStore`, `invalidated`.
  public func thaw(in live: LiveStore) throws -> LiveResults<E>? {
    try snapshot.checkSameStore(as: live.store)
    return try live.results(selection)
  }

  /// Which objects are meant; for the library itself.
  public func __identity() -> ManagedIdentity {
    ManagedIdentity(snapshot.store, .results(selection))
  }

  /// Returns what is found in a snapshot; for the library itself.
  public static func __frozen(
    _ identity: ManagedIdentity,
    in snapshot: Snapshot
  ) throws -> FrozenResults<E>? {
    guard let selection = identity.selection else { return nil }
    let isThere = try snapshot.reading { try selection.isHostThere(snapshot.reader) }
    return isThere ? try snapshot.results(selection) : nil
  }

  // MARK: Reading

  /// The IDs of the objects, in their order.
  ///
  /// Throws ``ObjectBoxError/invalidated(message:)`` when the snapshot has been invalidated.
  public var ids: [EntityId<E>] {
    get throws { try numbers().map { EntityId($0) } }
  }

  /// Returns the objects as instances of their own, which belong to nobody.
  ///
  /// Throws ``ObjectBoxError/invalidated(message:)`` when the snapshot has been invalidated.
  public func find() throws -> [E] {
    try snapshot.reading { try Box<E>(store: snapshot.reader).objects(try numbers()) }
  }

  /// The IDs; found once.
  func numbers() throws -> [UInt64] {
    if snapshot.isInvalidated { _ = try snapshot.version() }
    if let found = found.withLock({ $0 }) { return found }
    // Outside of the lock: another thread may be reading for the same, and finds the same.
    let ids = try snapshot.reading { try selection.ids(E.self, snapshot.reader) }
    found.withLock { $0 = ids }
    return ids
  }

  /// The IDs as far as they are known when the snapshot has been invalidated.
  private var knownNumbers: [UInt64] {
    (try? numbers()) ?? found.withLock { $0 } ?? []
  }

  // MARK: Further

  /// Returns those that meet a condition as well, in the same order.
  ///
  /// - Parameter condition: What they must meet; it is called at once.
  /// - Returns: Results of the same snapshot.
  /// - Throws: ``ObjectBoxError``: `invalidated`, or when the condition does not fit the model.
  public func query(_ condition: () -> QueryCondition<E>) throws -> FrozenResults<E> {
    try snapshot.results(selection.narrowed(by: condition().condition))
  }

  /// Returns them ordered by a property; earlier orders decide first.
  ///
  /// - Parameters:
  ///   - property: Any property of the entity.
  ///   - flags: By default ascending, nulls first, strings without regard to the case of ASCII letters.
  /// - Returns: Results of the same snapshot.
  /// - Throws: ``ObjectBoxError``: `invalidated`, or when the property is not in the model.
  public func ordered<T>(
    by property: Property<E, T, Void>,
    flags: [OrderFlags] = []
  ) throws -> FrozenResults<E> {
    try snapshot.results(selection.ordered(by: QueryOrder(property, flags)))
  }
}

extension FrozenResults: RandomAccessCollection {
  /// Goes through the handles; takes no memory for each.
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

  /// Begins at the first handle; finds the objects.
  public func makeIterator() -> Iterator { Iterator(snapshot: snapshot, numbers: knownNumbers) }

  /// The place of the first object.
  public var startIndex: Int { 0 }

  /// The place behind the last object; finds them, and is 0 when the snapshot was invalidated before.
  public var endIndex: Int { knownNumbers.count }

  /// The object at a place.
  public subscript(position: Int) -> FrozenObject<E> {
    FrozenObject(EntityId(knownNumbers[position]), in: snapshot)
  }
}
