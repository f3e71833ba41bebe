/// Objects as a live view shows them.
///
/// A class, since it changes.
public final class LiveResults<E>: Managed
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// The results in a snapshot.
  public typealias Frozen = FrozenResults<E>
  /// The results in a live view.
  public typealias Live = LiveResults<E>

  /// The view that shows them.
  public let live: LiveStore
  let selection: Selection

  init(_ selection: Selection, in live: LiveStore) {
    self.live = live
    self.selection = selection
  }

  /// False: they change.
  public var isFrozen: Bool { false }

  /// True when they are those of a relation whose object is gone.
  public var isInvalidated: Bool { (try? thaw(in: live)) == nil }

  /// Returns the results in the snapshot of the view's version.
  public func freeze() throws -> FrozenResults<E> { try live.freeze().results(selection) }

  /// Returns the results in a live view.
  public func thaw(in live: LiveStore) throws -> LiveResults<E>? {
    live === self.live ? self : try live.results(selection)
  }

  /// Which objects are meant; for the library itself.
  public func __identity() -> ManagedIdentity {
    ManagedIdentity(live.store.forReading(), .results(selection))
  }
}
