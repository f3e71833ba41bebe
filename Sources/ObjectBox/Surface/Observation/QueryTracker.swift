/// The state of an observer of the results of a query.
struct QueryTracker<E>: CollectionTracking
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  let interest: ChangeInterest
  private let query: QuerySnapshot
  /// Reads in pinned transactions; does not keep the store open.
  private let store: Store
  var tracker: ChangeTracker

  /// Begins with the present parameters of a query.
  ///
  /// - Throws: ``ObjectBoxError`` when the model lacks the entity or one of the properties.
  init(_ query: Query<E>, properties: [any ObservedProperty<E>]?) throws {
    let table = try query.box.table()
    let snapshot = QuerySnapshot(query)
    self.query = snapshot
    store = query.box.store.forReading()
    interest = .tables(snapshot.entities(in: query.box.store.file).union([table.number]))
    tracker = try ChangeTracker(table, properties: properties)
  }

  func ids(at pin: PinnedRead) throws -> [UInt64] {
    try pin.reading { try query.query(Box<E>(store: store)).findIds().map(\.value) }
  }
}
