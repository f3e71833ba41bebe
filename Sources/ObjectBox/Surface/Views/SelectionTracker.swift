/// Follows the objects of a selection.
struct SelectionTracker<E>: CollectionTracking
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  let interest: ChangeInterest
  private let selection: Selection
  /// Reads in pinned transactions; does not keep the store open.
  private let store: Store
  var tracker: ChangeTracker

  /// - Throws: ``ObjectBoxError`` when the model lacks the entity or one of the properties.
  init(_ selection: Selection, _ store: Store, properties: [any ObservedProperty<E>]?) throws {
    self.selection = selection
    self.store = store.forReading()
    let file = store.file
    let table = try Box<E>(store: store).table()
    let others = (selection.condition?.linkTargets ?? []) + [selection.related?.hostEntity ?? 0]
    interest = .tables(
      Set(others.compactMap { file.table(entity: $0)?.number }).union([table.number])
    )
    tracker = try ChangeTracker(table, properties: properties)
  }

  func ids(at pin: PinnedRead) throws -> [UInt64] {
    try pin.reading { try selection.ids(E.self, store) }
  }
}
