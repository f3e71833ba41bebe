/// The store as it goes along with changes, for one actor, queue or thread.
///
/// A class, since it owns a read transaction.
public final class LiveStore: StoreView {
  private let pin: PinnedRead
  /// The store.
  public let store: Store

  init(_ store: Store) throws {
    self.store = store
    pin = try PinnedRead(store.core, .live)
  }

  /// False: it changes.
  public nonisolated var isFrozen: Bool { false }

  /// The number of the commit that is seen.
  public func version() throws -> Int { pin.version }

  /// Returns what never changes of what is seen now.
  public func freeze() throws -> Snapshot { Snapshot.of(pin, store) }

  /// Returns itself.
  public func thaw(isolation: isolated (any Actor)? = #isolation) throws -> LiveStore { self }

  /// Runs a block in a write transaction of the store.
  public func write<R>(_ body: (WriteTransaction) throws -> R) throws -> R {
    try store.writeOnThisThread(skipping: .keys([]), body)
  }

  /// Tells of changes of the store.
  public func observe(
    _ handler: @escaping (StoreNotification) -> Void
  ) throws -> NotificationToken {
    throw ObjectBoxError.featureNotAvailable(message: "live views cannot be observed yet")
  }

  /// Returns an object.
  public func object<E>(_ id: EntityId<E>) throws -> LiveObject<E>?
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try pin.reading { try Box<E>(store: store).contains(id.as(E.EntityBindingType.IdType.self)) }
      ? LiveObject(id, in: self) : nil
  }

  /// Returns the objects of a selection; nil when it is a relation of an object that is gone.
  func results<E>(_ selection: Selection) throws -> LiveResults<E>?
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try pin.reading { try selection.isHostThere(store) } ? LiveResults(selection, in: self) : nil
  }
}

extension EntityId {
  fileprivate func `as`<I: IdBase>(_ type: I.Type) -> I { I(value) }
}

extension Store {
  /// Returns the live view of an isolation.
  ///
  /// - Parameter isolation: The caller's.
  public func live(isolation: isolated (any Actor)? = #isolation) throws -> LiveStore {
    try LiveStore(self)
  }
}
