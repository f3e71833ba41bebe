public import ObjectBox

/// The results of an observed query at one version of the store.
///
/// While the handler runs, objects are read at exactly that version. In three cases the current
/// objects are read, without removed ones: after the handler, in loops over ``ChangeSequence``, and
/// when one call covers several versions with silent writes in between. The results then keep no
/// version alive.
public final class ObservedResults<E>: Sendable
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// The number of the commit.
  public let version: Int
  /// The IDs of the results at that version, in order.
  public let ids: [EntityId<E>]
  private let pin: Guarded<PinnedRead?>
  private weak let store: Store?

  init(_ step: CollectionStep, _ pin: PinnedRead?, _ store: Store?) {
    version = step.version
    ids = step.ids.map { EntityId($0) }
    self.pin = Guarded(pin)
    self.store = store
  }

  /// Releases the version.
  func release() {
    _ = pin.take()
  }

  /// The number of results at the version.
  public var count: Int { ids.count }

  /// True when there are no results at the version.
  public var isEmpty: Bool { ids.isEmpty }

  /// Reads all results.
  ///
  /// Returns new instances, in the order of `ids`. Throws `ObjectBoxError` when the store is closed
  /// or cannot be read.
  public func find() throws -> [E] {
    try reading { try $0.objects(ids.map(\.value)) }
  }

  /// Reads one of the results.
  ///
  /// - Parameter position: A position in `ids`.
  /// - Returns: A new instance; nil when the object is gone.
  /// - Throws: `ObjectBoxError` when the store is closed or cannot be read.
  public func object(at position: Int) throws -> E? {
    let id = ids[position].value
    return try reading { try $0.objects([id]).first }
  }

  private func reading<T>(_ body: (Box<E>) throws -> T) throws -> T {
    guard let store, !store.isClosed else {
      throw ObjectBoxError.closed(
        message: "the store of observed results is closed; read them while it is open"
      )
    }
    let box = Box<E>(store: store)
    guard let pin = pin.copy else { return try body(box) }
    return try pin.reading { try body(box) }
  }
}
