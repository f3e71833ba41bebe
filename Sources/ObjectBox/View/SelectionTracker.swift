/// Follows the objects of a selection.
struct SelectionTracker<E>: ChangeTracking
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// A new version of the results.
  struct Step: Sendable {
    /// How they differ from those of the step before; nil for the first one.
    var changes: ChangeSet?
  }

  let interest: ChangeInterest
  private let selection: Selection
  /// Reads in pinned transactions; does not keep the store open.
  private let store: Store
  private var tracker: ChangeTracker

  /// - Throws: ``ObjectBoxError`` when the model lacks the entity or one of the properties.
  init(_ selection: Selection, _ store: Store, properties: [any ObservedProperty<E>]?) throws {
    self.selection = selection
    self.store = store.forReading()
    let core = store.core
    let table = try Box<E>(store: store).table()
    let others = (selection.condition?.linkTargets ?? []) + [selection.related?.hostEntity ?? 0]
    interest = .tables(
      Set(others.compactMap { core.table(entity: $0)?.number }).union([table.number])
    )
    tracker = ChangeTracker(
      entity: table.number,
      properties: try PropertySet(properties?.map(\.propertyId), in: table.schema)
    )
  }

  private func ids(at pin: PinnedRead) throws -> [UInt64] {
    try pin.reading { try selection.ids(E.self, store) }
  }

  mutating func begin(at pin: PinnedRead) throws -> Step? {
    tracker.shift(to: try ids(at: pin))
    return Step(changes: nil)
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
    return set.map { Step(changes: $0) }
  }
}
