public import ObjectBox

extension ClusterBox {
  // MARK: One object

  /// Removes the object with the given ID, and the references to it.
  ///
  /// To-one relations that lead to the object become null; its entries in to-many relations are removed. A relation
  /// with `onDelete` also removes the related objects, or makes them forbid the removal. These rules hold for every
  /// removal, including the removal of an object whose unique value is replaced. Objects removed by a rule are not
  /// counted in results, and forbid nothing.
  ///
  /// One round trip. Two if to-one relations lead to the entity or it has delete rules, and one
  /// more for each level of objects that the rules remove.
  ///
  /// - Parameter id: An ID.
  /// - Returns: False for ID 0, else true.
  /// - Throws: `ObjectBoxError.notFound` when there is no such object;
  ///   `ObjectBoxError.constraintViolated` when a relation with `onDelete = "restrict"` forbids the
  ///   removal: nothing is removed. `ClusterError`.
  @discardableResult
  public func remove<I: UntypedIdBase>(_ id: I) async throws -> Bool {
    try await removeOne(id.value)
  }

  /// Removes the object with the given ID.
  ///
  /// - Parameter id: An ID.
  /// - Returns: False for ID 0, else true.
  /// - Throws: `ObjectBoxError.notFound` when there is no such object; `ClusterError`.
  @discardableResult
  public func remove(_ id: EntityId<E>) async throws -> Bool { try await removeOne(id.value) }

  /// Removes the stored object that has the ID of the given one.
  ///
  /// - Parameter entity: An object.
  /// - Returns: False when it was never stored, else true.
  /// - Throws: `ObjectBoxError.notFound` when it is no longer stored; `ClusterError`.
  @discardableResult
  public func remove(_ entity: E) async throws -> Bool {
    try await removeOne(E.entityBinding.entityId(of: entity))
  }

  private func removeOne(_ id: UInt64) async throws -> Bool {
    let table = try table()
    guard id != 0 else { return false }
    guard try await removeAll([id]) > 0 else { throw WriteRefusal.nothingToRemove(id, table) }
    return true
  }

  // MARK: Many objects

  /// Removes objects in one transaction.
  ///
  /// As many round trips as for one object.
  ///
  /// - Parameter entities: Objects; objects that are not stored are skipped.
  /// - Returns: The number of removed objects.
  /// - Throws: The same errors as for one object, except `notFound`.
  @discardableResult
  public func remove<C: Collection>(_ entities: C) async throws -> UInt64 where C.Element == E {
    let binding = E.entityBinding
    return try await removeAll(entities.map { binding.entityId(of: $0) })
  }

  /// Removes objects in one transaction.
  ///
  /// As many round trips as for one object.
  ///
  /// - Parameter entities: Objects; objects that are not stored are skipped.
  /// - Returns: The number of removed objects.
  /// - Throws: The same errors as for one object, except `notFound`.
  @discardableResult
  public func remove(_ entities: E...) async throws -> UInt64 {
    let binding = E.entityBinding
    return try await removeAll(entities.map { binding.entityId(of: $0) })
  }

  /// Removes the objects with the given IDs in one transaction.
  ///
  /// As many round trips as for one object.
  ///
  /// - Parameter ids: IDs; IDs without an object are skipped.
  /// - Returns: The number of removed objects.
  /// - Throws: The same errors as for one object, except `notFound`.
  @discardableResult
  public func remove(_ ids: [Id]) async throws -> UInt64 { try await removeAll(ids) }

  // A single ID uses the overload that returns whether the object existed.
  /// Removes the objects with the given IDs in one transaction.
  ///
  /// - Parameter ids: IDs; IDs without an object are skipped.
  /// - Returns: The number of removed objects.
  /// - Throws: The same errors as for one object, except `notFound`.
  @_disfavoredOverload
  @discardableResult
  public func remove(_ ids: Id...) async throws -> UInt64 { try await removeAll(ids) }

  /// Removes the objects with the given IDs in one transaction.
  ///
  /// As many round trips as for one object.
  ///
  /// - Parameter ids: IDs; IDs without an object are skipped.
  /// - Returns: The number of removed objects.
  /// - Throws: The same errors as for one object, except `notFound`.
  @discardableResult
  public func remove<I: UntypedIdBase, C: Collection>(_ ids: C) async throws -> UInt64
  where C.Element == I {
    try await removeAll(ids.map(\.value))
  }

  // A single ID uses the overload that returns whether the object existed.
  /// Removes the objects with the given IDs in one transaction.
  ///
  /// - Parameter ids: IDs; IDs without an object are skipped.
  /// - Returns: The number of removed objects.
  /// - Throws: The same errors as for one object, except `notFound`.
  @_disfavoredOverload
  @discardableResult
  public func remove<I: UntypedIdBase>(_ ids: I...) async throws -> UInt64 {
    try await removeAll(ids.map(\.value))
  }

  /// Removes the objects with the given IDs in one transaction.
  ///
  /// As many round trips as for one object.
  ///
  /// - Parameter ids: IDs; IDs without an object are skipped.
  /// - Returns: The number of removed objects.
  /// - Throws: The same errors as for one object, except `notFound`.
  @discardableResult
  public func remove<C: Collection>(_ ids: C) async throws -> UInt64
  where C.Element == EntityId<E> {
    try await removeAll(ids.map(\.value))
  }

  /// Removes the objects with the given IDs in one transaction.
  ///
  /// - Parameter ids: IDs; IDs without an object are skipped.
  /// - Returns: The number of removed objects.
  /// - Throws: The same errors as for one object, except `notFound`.
  @discardableResult
  public func remove(_ ids: EntityId<E>...) async throws -> UInt64 {
    try await removeAll(ids.map(\.value))
  }

  /// Removes all objects; their IDs are not used again.
  ///
  /// One round trip. With delete rules three, and one more for each level of objects that the rules remove. The cost
  /// grows with the number of removed objects, and with the number of objects whose to-one relations become null.
  ///
  /// - Returns: The number of removed objects.
  /// - Throws: The same errors as for one object, except `notFound`.
  @discardableResult
  public func removeAll() async throws -> UInt64 {
    let table = try table()
    if table.hasDeleteRules {
      return try await inTransaction { transaction in
        var removal = ClusterRemoval(in: transaction, of: table)
        return UInt64(try await removal.run(nil, of: table))
      }
    }
    var count = 0
    try await flushing { try $0.removeAll(of: table) { count = $0 } }
    return UInt64(count)
  }

  /// Removes the objects with the given IDs, and returns how many of them existed.
  func removeAll(_ ids: [UInt64]) async throws -> UInt64 {
    let table = try table()
    let ids = Set(ids.filter { $0 != 0 && $0 <= IDCounters.maximumID }).sorted()
    if ids.isEmpty { return 0 }
    if table.isRemovedAlone {
      var count = 0
      try await flushing { try $0.remove(ids, of: table) { count = $0 } }
      return UInt64(count)
    }
    return try await inTransaction { transaction in
      var removal = ClusterRemoval(in: transaction, of: table)
      return UInt64(try await removal.run(ids, of: table))
    }
  }

  /// Runs a body in the transaction of the box, or in a new one.
  private func inTransaction<T>(
    _ body: (ClusterTransaction) async throws -> T
  ) async throws -> T {
    switch source {
    case .newest(let cluster): try await cluster.write(body)
    case .transaction(let transaction): try await body(transaction)
    }
  }

  /// Sends the statements that a body adds to the buffer, and waits for their results.
  private func flushing(_ body: (WriteBuffer) throws -> Void) async throws {
    switch source {
    case .newest(let cluster):
      let buffer = WriteBuffer(cluster)
      try body(buffer)
      try await cluster.commit(buffer)
    case .transaction(let transaction):
      try body(transaction.buffer)
      _ = try await transaction.run([])
    }
  }
}
