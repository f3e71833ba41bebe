/// A stored object as a live view shows it.
///
/// A class, since it changes.
public final class LiveObject<E>: Managed
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// The object in a snapshot.
  public typealias Frozen = FrozenObject<E>
  /// The object in a live view.
  public typealias Live = LiveObject<E>

  /// The view that shows it.
  public let live: LiveStore
  /// The object's ID.
  public let id: EntityId<E>

  init(_ id: EntityId<E>, in live: LiveStore) {
    self.live = live
    self.id = id
  }

  /// False: it changes.
  public var isFrozen: Bool { false }

  /// True when the object is gone.
  public var isInvalidated: Bool { (try? live.object(id)) == nil }

  /// Returns the object in the snapshot of the view's version.
  public func freeze() throws -> FrozenObject<E> {
    guard let frozen = try live.freeze().object(id) else {
      throw ObjectBoxError.notInSnapshot(message: "the object is not in the snapshot")
    }
    return frozen
  }

  /// Returns the object in a live view.
  public func thaw(in live: LiveStore) throws -> LiveObject<E>? {
    live === self.live ? self : try live.object(id)
  }

  /// The object's ID; for the library itself.
  public func __identity() -> ManagedIdentity {
    ManagedIdentity(live.store.forReading(), .object(id: id.value))
  }
}
