/// Follows the results of a query.
struct QueryTracker<E>: ChangeTracking
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// A new version of the results.
  struct Step: Sendable {
    var version: Int
    /// All results at that version, in their order.
    var ids: [UInt64]
    /// How they differ from those of the step before; nil for the first one.
    var changes: ChangeSet?
  }

  let interest: ChangeInterest
  private let query: QuerySnapshot
  /// Reads in pinned transactions; does not keep the store open.
  private let store: Store
  private var tracker: ChangeTracker

  /// Takes a query with its present parameters.
  ///
  /// - Throws: ``ObjectBoxError`` when the model lacks the entity or one of the properties.
  init(_ query: Query<E>, properties: [any ObservedProperty<E>]?) throws {
    let table = try query.box.table()
    let snapshot = QuerySnapshot(query)
    self.query = snapshot
    store = query.box.store.forReading()
    interest = .tables(snapshot.entities(in: query.box.store.core).union([table.number]))
    tracker = ChangeTracker(
      entity: table.number,
      properties: try PropertySet(properties?.map(\.propertyId), in: table.schema)
    )
  }

  private func ids(at pin: PinnedRead) throws -> [UInt64] {
    try pin.reading { try query.query(Box<E>(store: store)).findIds().map(\.value) }
  }

  mutating func begin(at pin: PinnedRead) throws -> Step? {
    tracker.shift(to: try ids(at: pin))
    return Step(version: pin.version, ids: tracker.ids, changes: nil)
  }

  mutating func advance(
    to pin: PinnedRead,
    by changes: [Int: EntityChanges]?,
    leavingOut silence: [Int: EntityChanges]?
  ) throws -> Step? {
    let ids = try ids(at: pin)
    let set: ChangeSet?
    switch (changes, silence) {
    case (nil, _):
      tracker.shift(to: ids)
      set = nil
    case (let changes?, nil): set = tracker.advance(to: ids, by: changes)
    case (let changes?, let silence?):
      set = tracker.advance(to: ids, by: changes, leavingOut: silence)
    }
    return set.map { Step(version: pin.version, ids: ids, changes: $0) }
  }
}
