internal import Dispatch

/// Reads the objects of an observer: all objects of a box, or the results of a query with its
/// parameters at each read.
///
/// Does not keep the store open.
struct ResultSource<E>: Sendable
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  private weak let store: Store?
  /// The error of every read if the store was closed at the beginning.
  private let fault: ObjectBoxError?
  /// Shared with the query, whose parameters may change on another thread; nil for a box.
  private let selection: Guarded<Selection>?

  /// All objects of a box.
  init(_ box: Box<E>) {
    self.init(box.store, nil)
  }

  /// The results of a query.
  ///
  /// Does not retain the query, which only one thread at a time may use.
  init(_ query: Query<E>) {
    self.init(query.box.store, query.selection.share())
  }

  private init(_ store: Store, _ selection: Guarded<Selection>?) {
    self.store = store
    self.selection = selection
    fault = store.isClosed ? store.closedError(as: ObjectBoxError.illegalState(message:)) : nil
  }

  /// Reads the current objects; nil when the store instance is closed or released.
  func read() throws(ObjectBoxError) -> [E]? {
    if let fault { throw fault }
    guard let store, !store.isClosed else { return nil }
    let box = Box<E>(store: store)
    do {
      guard let selection = selection?.withLock({ $0 }) else { return try box.all() }
      return try selection.query(box).find()
    } catch {
      // Closed during the read.
      if store.isClosed { return nil }
      throw error as? ObjectBoxError ?? .unexpected(error: error)
    }
  }

  /// Subscribes to commits that change objects of the entity, or of entities in the query's links.
  ///
  /// - Parameters:
  ///   - listener: Called for each of these commits.
  ///   - onEnd: Called once, when the subscription ends or the store instance closes.
  /// - Returns: The subscription; nil when the store is closed, or its model lacks the entity.
  func subscribe(
    _ listener: any CommitListener,
    onEnd: @escaping @Sendable () -> Void
  ) -> NotificationToken? {
    guard let store, !store.isClosed,
      let table = store.file.table(entity: E.entityInfo.entitySchemaId)
    else { return nil }
    let entities = selection?.copy.entities(in: store.file) ?? []
    return store.subscribe(
      listener,
      to: CommitInterest(entities: entities.union([table.number])),
      onEnd: onEnd
    )
  }

  /// Subscribes a handler that gets the objects; a closed store does not call it.
  func observe(
    _ flags: Observer.Flags,
    _ queue: DispatchQueue,
    _ handler: @escaping ([E], ObjectBoxError?) -> Void
  ) -> Observer {
    Observer(self, flags, queue) {
      do throws(ObjectBoxError) {
        if let objects = try read() { handler(objects, nil) }
      } catch {
        handler([], error)
      }
    }
  }
}
