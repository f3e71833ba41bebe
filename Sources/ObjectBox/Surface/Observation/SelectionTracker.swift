/// Computes the changes of a selection.
struct SelectionTracker<E>: CollectionTracking
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  let interest: ChangeInterest
  private let selection: Selection
  /// The store for reads in pinned transactions; not kept open.
  private let store: Store
  var tracker: ChangeTracker

  /// Makes the tracker of a selection that fits the model.
  ///
  /// - Throws: ``ObjectBoxError`` when the model lacks the entity or one of the properties.
  init(_ selection: Selection, _ box: Box<E>, properties: [any ObservedProperty<E>]?) throws {
    let table = try box.table()
    self.selection = selection
    store = box.store.forReading()
    interest = .tables(selection.entities(in: store.file).union([table.number]))
    tracker = try ChangeTracker(table, properties: properties)
  }

  func ids(at pin: PinnedRead) throws -> [UInt64] {
    try pin.reading { try selection.ids(Box<E>(store: store)) }
  }
}
