internal import ObjectBox

/// Computes the changes of a selection.
struct SelectionTracker<E>: CollectionObserverTracker
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  let interest: ChangeInterest
  private let selection: Selection
  /// The store for reads in pinned transactions; does not keep the file open.
  private let store: Store
  var tracker: ResultIDs
  /// The properties that decide the IDs and their order; nil when other objects count too.
  private let deciding: PropertySet?

  /// Up to this number of changed objects, they are read instead of searching again.
  private static var maximumReadCount: Int { 64 }

  /// Makes the tracker of a selection that fits the model.
  ///
  /// - Throws: ``ObjectBoxError`` when the model lacks the entity or one of the properties.
  init(_ selection: Selection, _ box: Box<E>, properties: [any ObservedProperty<E>]?) throws {
    let table = try box.table()
    self.selection = selection
    store = box.store.forReading()
    interest = .tables(selection.entities(in: store.file).union([table.number]))
    tracker = try ResultIDs(table, properties: properties)
    deciding = selection.decidingProperties(of: table.schema)
  }

  func ids(at pin: PinnedRead) throws -> [UInt64] {
    try pin.reading { try selection.ids(Box<E>(store: store)) }
  }

  func ids(
    at pin: PinnedRead,
    after earlier: [UInt64],
    by changes: [EntityChanges]
  ) throws -> [UInt64]? {
    guard let deciding, !changes.contains(where: { $0.hasRemovedAll || $0.isUnknown }) else {
      return nil
    }
    var touched: Set<UInt64> = []
    for (id, change) in changes.lazy.flatMap(\.objects) {
      if case .updated(let properties) = change, properties.isDisjoint(with: deciding) { continue }
      touched.insert(id)
    }
    if touched.isEmpty { return earlier }
    guard selection.orders.isEmpty, touched.count <= Self.maximumReadCount else { return nil }
    let read = touched.sorted()
    let found = try pin.reading { try selection.matches(among: read, in: Box<E>(store: store)) }
    return SortedIDs.replacing(read, by: found, in: earlier)
  }
}
