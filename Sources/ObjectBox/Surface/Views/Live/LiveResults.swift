/// Objects as a live view shows them: all of an entity, those that meet a condition, or those of a relation.
///
/// They change with the view, and are found again when they are looked at afterwards. As a collection they
/// hold handles; `find` makes instances. Iterating goes over what is found at its beginning, so objects may
/// be removed meanwhile. A place is valid until the view moves.
///
/// They may be used in the isolation of their view only. A class, since they change.
public class LiveResults<E>: Managed
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// The results in a snapshot.
  public typealias Frozen = FrozenResults<E>
  /// The results in a live view.
  public typealias Live = LiveResults<E>

  /// The view that shows them.
  public let live: LiveStore
  let selection: Selection
  let generation: Int
  private var held: [UInt64] = []
  /// Of the view when they were found; -1 for none.
  private var heldEpoch = -1

  /// The selection must fit the model.
  init(_ selection: Selection, in live: LiveStore, _ generation: Int? = nil) {
    self.live = live
    self.selection = selection
    self.generation = generation ?? live.generation
  }

  /// False: they change.
  public var isFrozen: Bool { false }

  /// True when the view was invalidated, or they are those of a relation whose object is gone.
  ///
  /// Stops the process outside of the isolation of the view.
  public var isInvalidated: Bool {
    live.requireIsolation()
    guard live.generation == generation else { return true }
    return (try? live.reading { try selection.isHostThere($0) }) != true
  }

  func checkValid() throws {
    try live.checkUsable()
    guard live.generation == generation else {
      throw ObjectBoxError.invalidated(
        message:
          "results of '\(E.entityInfo.entityName)' belong to a live view that was invalidated; ask "
          + "the view again"
      )
    }
  }

  /// Returns the results in the snapshot of the version that the view shows.
  ///
  /// - Parameters:
  ///   - file: The caller's file, for ``Store/activeVersions`` and warnings.
  ///   - line: The caller's line.
  /// - Returns: The frozen results.
  /// - Throws: ``ObjectBoxError``: `invalidated`, `wrongIsolation`, `closed`.
  public func freeze(
    file: StaticString = #fileID,
    line: UInt = #line
  ) throws -> FrozenResults<E> {
    try checkValid()
    return try live.freeze(file: file, line: line).results(selection)
  }

  /// Returns the results in a live view.
  ///
  /// - Parameter live: A view of the same store.
  /// - Returns: Nil when they are those of a relation whose object is gone there; results of that view
  ///   return themselves.
  /// - Throws: ``ObjectBoxError``: `differentStore`, `invalidated`, `wrongIsolation`.
  public func thaw(in live: LiveStore) throws -> LiveResults<E>? {
    try checkValid()
    try self.live.store.checkSame(as: live.store)
    return live === self.live ? self : try live.results(selection)
  }

  /// Returns itself, whatever the caller's isolation, `file` and `line`.
  ///
  /// Throws ``ObjectBoxError``: `invalidated`, `wrongIsolation`.
  public func thaw(
    isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID,
    line: UInt = #line
  ) throws -> LiveResults<E>? { try thaw(in: live) }

  /// Which objects are meant; for the library itself.
  ///
  /// Throws ``ObjectBoxError``: `invalidated`, `wrongIsolation`.
  public func __identity() throws -> ManagedIdentity {
    try checkValid()
    return ManagedIdentity(live.store.forReading(), .results(selection))
  }

  // MARK: Reading

  /// The IDs of the objects, in their order.
  ///
  /// Throws ``ObjectBoxError``: `invalidated`, `wrongIsolation`, `closed`.
  public var ids: [EntityId<E>] {
    get throws { try numbers().map { EntityId($0) } }
  }

  /// Returns the objects as instances of their own, which belong to nobody.
  ///
  /// Throws ``ObjectBoxError``: `invalidated`, `wrongIsolation`, `closed`.
  public func find() throws -> [E] {
    let numbers = try numbers()
    return try live.reading { try Box<E>(store: $0).objects(numbers) }
  }

  /// The IDs; found once for each version, and each time inside a write.
  func numbers() throws -> [UInt64] {
    try checkValid()
    let isWriting = live.store.isInWriteTransaction
    if !isWriting, heldEpoch == live.epoch { return held }
    let ids = try live.reading { try selection.ids(E.self, $0) }
    if !isWriting {
      held = ids
      heldEpoch = live.epoch
    }
    return ids
  }

  /// The IDs, or those that were seen last.
  private var knownNumbers: [UInt64] {
    live.requireIsolation()
    return (try? numbers()) ?? held
  }

  private func handle(_ number: UInt64) -> LiveObject<E> {
    let id = EntityId<E>(number)
    let value = live.generation == generation ? try? live.object(id) : nil
    // Gone: removed since they were found, or the view has been invalidated.
    return value ?? LiveObject(gone: id, in: live, generation)
  }

  // MARK: Further

  /// Returns those that meet a condition as well, in the same order.
  ///
  /// - Parameter condition: What they must meet; it is called at once.
  /// - Returns: Results of the same view.
  /// - Throws: ``ObjectBoxError``: `invalidated`, `wrongIsolation`, or when the condition does not fit the
  ///   model.
  public func query(_ condition: () -> QueryCondition<E>) throws -> LiveResults<E> {
    try checkValid()
    return try live.selected(selection.narrowed(by: condition().condition))
  }

  /// Returns them ordered by a property; earlier orders decide first.
  ///
  /// - Parameters:
  ///   - property: Any property of the entity.
  ///   - flags: By default ascending, nulls first, strings without regard to the case of ASCII letters.
  /// - Returns: Results of the same view.
  /// - Throws: ``ObjectBoxError``: `invalidated`, `wrongIsolation`, or when the property is not in the model.
  public func ordered<T>(
    by property: Property<E, T, Void>,
    flags: [OrderFlags] = []
  ) throws -> LiveResults<E> {
    try checkValid()
    return try live.selected(selection.ordered(by: QueryOrder(property, flags)))
  }
}

extension LiveResults: RandomAccessCollection {
  /// A range of the results.
  public typealias SubSequence = Slice<LiveResults<E>>

  /// The place of the first object.
  public var startIndex: Int { 0 }

  /// The place behind the last object; finds them.
  ///
  /// When the view was invalidated it is where it was last. Stops the process outside of the isolation.
  public var endIndex: Int { knownNumbers.count }

  /// The object at a place.
  public subscript(position: Int) -> LiveObject<E> { handle(knownNumbers[position]) }

  /// The objects at places.
  public subscript(bounds: Range<Int>) -> Slice<LiveResults<E>> {
    Slice(base: self, bounds: bounds)
  }

  /// Goes over what is found now.
  public func makeIterator() -> AnyIterator<LiveObject<E>> {
    var numbers = knownNumbers.makeIterator()
    return AnyIterator { numbers.next().map(self.handle) }
  }

  /// Returns what a function makes of each object that is found now, which it may remove.
  ///
  /// - Parameter transform: Is passed a handle.
  /// - Returns: Its results, in order.
  /// - Throws: What the function throws.
  public func map<T, F: Error>(
    _ transform: (LiveObject<E>) throws(F) -> T
  ) throws(F) -> [T] {
    var results: [T] = []
    for number in knownNumbers { results.append(try transform(handle(number))) }
    return results
  }
}
