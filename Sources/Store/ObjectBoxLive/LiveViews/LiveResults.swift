public import ObjectBox

/// Objects as a live view shows them: all objects of an entity, the objects that meet a condition, or the
/// objects of a relation.
///
/// They change with the view: the query runs again on the next use. As a collection they contain
/// handles; `find` makes instances. An iteration covers the objects found at its beginning, so
/// objects may be removed meanwhile. An index is valid until the view moves.
///
/// They may be used in the isolation of their view only.
public class LiveResults<E>: Managed
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// The results in a snapshot.
  public typealias Frozen = FrozenResults<E>
  /// The results in a live view.
  public typealias Live = LiveResults<E>
  /// Instances of the objects.
  public typealias Resolved = [E]

  /// The view that shows the objects.
  public let live: LiveStore
  let selection: Selection
  let generation: Int
  private var held: [UInt64] = []
  /// The view's epoch when the IDs were found; -1 for none.
  private var heldEpoch = -1
  /// The number of these results among the view's results with tracked reads.
  private(set) lazy var readNumber = live.nextResultsNumber()

  /// Makes the results of a selection that fits the model.
  init(_ selection: Selection, in live: LiveStore, _ generation: Int? = nil) {
    self.live = live
    self.selection = selection
    self.generation = generation ?? live.generation
  }

  /// False: the results change with the view.
  public var isFrozen: Bool { false }

  /// True when the view was invalidated, or the host of a relation is gone.
  ///
  /// Stops the process outside of the isolation of the view.
  public var isInvalidated: Bool {
    live.requireIsolation()
    let isInvalidated = isGone
    if live.isTrackingRead { track(.presence, isInvalidated) { $0.isGone } }
    return isInvalidated
  }

  private var isGone: Bool {
    guard live.generation == generation else { return true }
    return (try? live.hasHost(of: selection)) != true
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

  /// Returns the results in the snapshot of the view's version.
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
  /// - Returns: The results, themselves in their own view; nil when the view does not show the
  ///   relation's host.
  /// - Throws: `ObjectBoxError`: `differentStore`, `invalidated`, `wrongIsolation`.
  public func thaw(in live: LiveStore) throws -> LiveResults<E>? {
    try checkValid()
    try self.live.store.checkSame(as: live.store)
    if live === self.live { return self }
    return try live.hasHost(of: selection) ? live.results(selection) : nil
  }

  /// Returns itself, whatever the caller's isolation, `file` and `line`.
  ///
  /// Throws `ObjectBoxError`: `invalidated`, `wrongIsolation`.
  public func thaw(
    isolation: isolated (any Actor)? = #isolation,
    file: StaticString = #fileID,
    line: UInt = #line
  ) throws -> LiveResults<E>? { try thaw(in: live) }

  /// The selection; for the library itself.
  ///
  /// Throws ``ObjectBoxError``: `invalidated`, `wrongIsolation`.
  public func __identity() throws -> ManagedIdentity {
    try checkValid()
    return ManagedIdentity(live.store.forReading(), .results(selection))
  }

  // MARK: Reading

  /// The IDs of the objects, in order.
  ///
  /// Throws `ObjectBoxError`: `invalidated`, `wrongIsolation`, `closed`.
  public var ids: [EntityId<E>] {
    get throws { try numbers(for: .objects).map { EntityId($0) } }
  }

  /// Returns the objects as independent instances.
  ///
  /// Throws `ObjectBoxError`: `invalidated`, `wrongIsolation`, `closed`.
  public func find() throws -> [E] {
    try live.instances(try numbers(for: .content), E.self)
  }

  /// Returns the IDs; runs the query once for each version, and at each call inside a write.
  func numbers() throws -> [UInt64] {
    try checkValid()
    let isWriting = live.store.isInWriteTransaction
    if !isWriting, heldEpoch == live.epoch { return held }
    let ids = try live.ids(selection, E.self)
    if !isWriting {
      held = ids
      heldEpoch = live.epoch
    }
    return ids
  }

  /// Returns the IDs; notes what is read of them when Observation tracks the read.
  private func numbers(for part: ReadPart) throws -> [UInt64] {
    let numbers = try numbers()
    if live.isTrackingRead { track(part) }
    return numbers
  }

  /// The IDs, or the last known IDs when the view cannot be read.
  private var knownNumbers: [UInt64] {
    live.requireIsolation()
    return (try? numbers()) ?? held
  }

  /// Returns the IDs or the last known IDs; notes what is read of them when Observation tracks the
  /// read.
  private func knownNumbers(for part: ReadPart) -> [UInt64] {
    let numbers = knownNumbers
    if live.isTrackingRead { track(part) }
    return numbers
  }

  private func track(_ part: ReadPart) {
    switch part {
    case .count: track(part, knownNumbers.count) { $0.knownNumbers.count }
    case .content: track(part, contentHash(knownNumbers)) { $0.contentHash($0.knownNumbers) }
    default: track(part, knownNumbers) { $0.knownNumbers }
    }
  }

  /// Returns the handle of an object by its ID.
  func handle(_ number: UInt64) -> LiveObject<E> {
    let id = EntityId<E>(number)
    let value = live.generation == generation ? try? live.object(id) : nil
    // Nil when the object was removed since then, or the view was invalidated.
    return value ?? LiveObject(gone: id, in: live, generation)
  }

  // MARK: Narrowing

  /// Returns the objects that also meet a condition, in the same order.
  ///
  /// - Parameter condition: Returns the condition; called at once.
  /// - Returns: Results of the same view.
  /// - Throws: `ObjectBoxError`: `invalidated`, or when the condition does not fit the model.
  public func query(_ condition: () -> QueryCondition<E>) throws -> LiveResults<E> {
    try checkValid()
    return try live.results(selection.narrowed(by: condition().condition))
  }

  /// Returns the objects ordered by a property, after earlier orders.
  ///
  /// - Parameters:
  ///   - property: Any property of the entity.
  ///   - flags: Default: ascending, nulls first, strings compared without case in every script.
  /// - Returns: Results of the same view.
  /// - Throws: `ObjectBoxError`: `invalidated`, `wrongIsolation`, or when the property is not in
  ///   the model.
  public func ordered<T>(
    by property: Property<E, T, Void>,
    flags: [OrderFlags] = []
  ) throws -> LiveResults<E> {
    try checkValid()
    return try live.results(selection.ordered(by: property, flags))
  }
}

extension LiveResults: RandomAccessCollection {
  /// A range of the results.
  public typealias SubSequence = Slice<LiveResults<E>>

  /// Zero.
  public var startIndex: Int { 0 }

  /// The number of objects; the last known number when the view was invalidated.
  ///
  /// Stops the process outside of the isolation of the view.
  public var endIndex: Int { knownNumbers(for: .count).count }

  /// The object at an index.
  public subscript(position: Int) -> LiveObject<E> {
    handle(knownNumbers(for: .objects)[position])
  }

  /// The objects in a range of indices.
  public subscript(bounds: Range<Int>) -> Slice<LiveResults<E>> {
    Slice(base: self, bounds: bounds)
  }

  /// Returns an iterator over the current objects.
  public func makeIterator() -> AnyIterator<LiveObject<E>> {
    var numbers = knownNumbers(for: .objects).makeIterator()
    return AnyIterator { numbers.next().map(self.handle) }
  }

  /// Returns the results of a function for each current object, which the function may remove.
  ///
  /// - Parameter transform: Gets a handle.
  /// - Returns: Its results, in order.
  /// - Throws: The function's error.
  public func map<T, F: Error>(
    _ transform: (LiveObject<E>) throws(F) -> T
  ) throws(F) -> [T] {
    var results: [T] = []
    for number in knownNumbers(for: .objects) { results.append(try transform(handle(number))) }
    return results
  }
}
