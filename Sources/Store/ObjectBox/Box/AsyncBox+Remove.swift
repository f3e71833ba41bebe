extension AsyncBox {
  // MARK: One object

  /// Queues the removal of an object; a missing object is no error.
  ///
  /// Nothing is removed when a relation with `onDelete = "restrict"` forbids it. Objects that one
  /// call passes are removed together.
  ///
  /// - Parameter id: An ID.
  /// - Throws: ``ObjectBoxError`` when the store is closed or read-only, or there was no room in
  ///   time.
  public func remove(_ id: EntityId<E>) throws { try enqueueRemovals(CollectionOfOne(id.value)) }

  /// Queues the removal of an object; a missing object is no error.
  ///
  /// - Parameter id: An ID.
  /// - Throws: ``ObjectBoxError`` when the store is closed or read-only, or there was no room in
  ///   time.
  public func remove<I: UntypedIdBase>(_ id: I) throws {
    try enqueueRemovals(CollectionOfOne(id.value))
  }

  /// Queues the removal of the stored object with the ID of the given object; a missing object is
  /// no error.
  ///
  /// - Parameter entity: An object.
  /// - Throws: ``ObjectBoxError`` when the store is closed or read-only, or there was no room in
  ///   time.
  public func remove(_ entity: E) throws {
    try enqueueRemovals(CollectionOfOne(E.entityBinding.entityId(of: entity)))
  }

  // MARK: Many objects

  /// Queues the removal of objects; missing objects are no error.
  ///
  /// - Parameter entities: Objects.
  /// - Throws: ``ObjectBoxError`` when the store is closed or read-only, or there was no room in
  ///   time.
  public func remove<C: Collection>(_ entities: C) throws where C.Element == E {
    let binding = E.entityBinding
    try enqueueRemovals(entities.map { binding.entityId(of: $0) })
  }

  /// Queues the removal of objects; missing objects are no error.
  ///
  /// - Parameter entities: Objects.
  /// - Throws: ``ObjectBoxError`` when the store is closed or read-only, or there was no room in
  ///   time.
  public func remove(_ entities: E...) throws { try remove(entities) }

  /// Queues the removal of the objects with the given IDs; missing objects are no error.
  ///
  /// - Parameter ids: IDs.
  /// - Throws: ``ObjectBoxError`` when the store is closed or read-only, or there was no room in
  ///   time.
  public func remove<C: Collection>(_ ids: C) throws where C.Element == EntityId<E> {
    try enqueueRemovals(ids.map(\.value))
  }

  /// Queues the removal of the objects with the given IDs; missing objects are no error.
  ///
  /// - Parameter ids: IDs.
  /// - Throws: ``ObjectBoxError`` when the store is closed or read-only, or there was no room in
  ///   time.
  public func remove(_ ids: EntityId<E>...) throws { try enqueueRemovals(ids.map(\.value)) }

  /// Queues the removal of the objects with the given IDs; missing objects are no error.
  ///
  /// - Parameter ids: IDs.
  /// - Throws: ``ObjectBoxError`` when the store is closed or read-only, or there was no room in
  ///   time.
  public func remove<I: UntypedIdBase, C: Collection>(_ ids: C) throws where C.Element == I {
    try enqueueRemovals(ids.map(\.value))
  }

  /// Queues the removal of the objects with the given IDs; missing objects are no error.
  ///
  /// - Parameter ids: IDs.
  /// - Throws: ``ObjectBoxError`` when the store is closed or read-only, or there was no room in
  ///   time.
  public func remove<I: UntypedIdBase>(_ ids: I...) throws {
    try enqueueRemovals(ids.map(\.value))
  }
}
