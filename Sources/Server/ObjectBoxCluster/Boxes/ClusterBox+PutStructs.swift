public import ObjectBox

extension ClusterBox {
  /// Stores a struct, and returns a copy with its ID, which may be declared with `let`.
  ///
  /// Also stores the to-many relations of a new struct; the copy's relations belong to the copy.
  /// One round trip. One more for each entity whose IDs must be reserved.
  ///
  /// - Parameters:
  ///   - entity: The struct; with ID 0 it is new and gets the next ID.
  ///   - mode: Whether the struct must or must not exist.
  /// - Returns: The struct with its ID, and the values that a `get` returns.
  /// - Throws: The same errors as `put`.
  public func put(struct entity: E, mode: PutMode = .put) async throws -> E {
    try await put(structs: [entity], mode: mode)[0]
  }

  /// Stores structs in one transaction, all or none, and returns copies of them with their IDs.
  ///
  /// Takes as many round trips as one struct.
  ///
  /// - Parameters:
  ///   - entities: The structs; each with ID 0 is new and gets the next ID.
  ///   - mode: Whether the structs must or must not exist.
  /// - Returns: The structs with their IDs, in the same order.
  /// - Throws: The same errors as `put`.
  public func put(structs entities: [E], mode: PutMode = .put) async throws -> [E] {
    if entities.isEmpty { return [] }
    guard case .transaction(let transaction) = source else {
      return try await cluster.write {
        try await ClusterBox(.transaction($0)).put(structs: entities, mode: mode)
      }
    }
    // The buffer cannot undo puts that replace objects, so these are sent at once, in a savepoint.
    if cluster.writing.mayReplaceLinked(try table().entityID) {
      return try await transaction.savepoint { try await putCopies(entities, mode, transaction) }
    }
    return try await putCopies(entities, mode, transaction)
  }

  private func putCopies(
    _ entities: [E],
    _ mode: PutMode,
    _ transaction: ClusterTransaction
  ) async throws -> [E] {
    let mark = transaction.buffer.mark()
    do {
      let ids = try await putAndReturnIDs(entities, mode: mode).map(\.value)
      return try await transaction.buffer.copies(of: entities, ids: ids)
    } catch {
      transaction.buffer.rollBack(to: mark)
      throw error
    }
  }
}
