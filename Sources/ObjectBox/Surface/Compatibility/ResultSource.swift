/// Where the objects that an observer is shown come from: a box, or a query with the parameters that it has
/// when they are read.
///
/// It does not keep the store open.
struct ResultSource<E>: Sendable
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  private let store: StoreReference
  /// Why there never was anything to read.
  private let fault: ObjectBoxError?
  /// Shared with the query, whose parameters may change on another thread; nil for a box.
  private let selection: Guarded<Selection>?

  /// All objects of a box.
  init(_ box: Box<E>) {
    store = StoreReference(store: box.store)
    fault = Self.fault(of: box.store)
    selection = nil
  }

  /// The results of a query; the query itself is for one thread at a time, and is not kept.
  init(_ query: Query<E>) {
    store = StoreReference(store: query.box.store)
    fault = Self.fault(of: query.box.store)
    selection = query.selection
  }

  private static func fault(of store: Store) -> ObjectBoxError? {
    store.isClosed ? store.closedError(as: ObjectBoxError.illegalState(message:)) : nil
  }

  /// Reads the objects as they are now; nil when the store instance has been closed or is gone.
  func read() throws(ObjectBoxError) -> [E]? {
    try read([E](), box: { try $0.all() }, query: { try $0.find() })
  }

  /// Reads the objects as they are now; nil when the store instance has been closed or is gone.
  func readContiguous() throws(ObjectBoxError) -> ContiguousArray<E>? {
    try read(
      ContiguousArray<E>(),
      box: { try $0.allContiguous() },
      query: { try $0.findContiguous() }
    )
  }

  private func read<C>(
    _ type: C,
    box readBox: (Box<E>) throws -> C,
    query readQuery: (Query<E>) throws -> C
  ) throws(ObjectBoxError) -> C? {
    if let fault { throw fault }
    guard let store = store.store, !store.isClosed else { return nil }
    let box = Box<E>(store: store)
    do {
      guard let selection = selection?.withLock({ $0 }) else { return try readBox(box) }
      return try readQuery(try selection.query(box))
    } catch {
      // It closed meanwhile.
      if store.isClosed { return nil }
      throw error as? ObjectBoxError ?? .unexpected(error: error)
    }
  }

  /// Listens to commits that change objects of the entity, or of those that links of the query lead to.
  ///
  /// - Parameters:
  ///   - onCommit: Called on the committing thread; must return at once.
  ///   - onEnd: Called once, when the subscription ends or the store instance closes.
  /// - Returns: The subscription; nil when the store is closed, or its model lacks the entity.
  func subscribe(
    onCommit: @escaping @Sendable () -> Void,
    onEnd: @escaping @Sendable () -> Void
  ) -> NotificationToken? {
    guard let store = store.store, !store.isClosed,
      let table = store.file.table(entity: E.entityInfo.entitySchemaId)
    else { return nil }
    let entities = selection?.withLock { $0 }.entities(in: store.file) ?? []
    let token = store.core.commits.subscribe(
      to: CommitInterest(entities: entities.union([table.number])),
      owner: ObjectIdentifier(store),
      onEnd: onEnd,
      onCommit: onCommit
    )
    // A store that closed between the two looks ended the others before this one was there.
    if store.isClosed { token.invalidate() }
    return token
  }
}

/// A store that is not kept open.
private final class StoreReference: Sendable {
  weak let store: Store?

  init(store: Store) {
    self.store = store
  }
}
