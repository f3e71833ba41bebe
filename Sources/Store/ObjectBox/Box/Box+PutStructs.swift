// Functions for generated code of structs with to-many relations: they store a struct and return a copy.
extension Box {
  /// Stores a struct and returns a copy that a block makes, in one transaction; for generated code.
  ///
  /// - Parameters:
  ///   - entity: The struct; with ID 0 it is new and gets the next ID.
  ///   - copy: Makes the copy from the struct, its ID and the store.
  /// - Returns: The copy.
  /// - Throws: ``ObjectBoxError`` like ``put(_:mode:)-swift.method``, or the block's error; then nothing is stored.
  public func __put(
    struct entity: E,
    copy: (E, E.EntityBindingType.IdType, Store) throws -> E
  ) throws -> E {
    try store.runInTransaction {
      let id: E.EntityBindingType.IdType = try put(entity)
      return try copy(entity, id, store)
    }
  }

  /// Stores structs and returns copies that a block makes, in one transaction; for generated code.
  ///
  /// - Parameters:
  ///   - entities: The structs; each with ID 0 is new and gets the next ID.
  ///   - copy: Makes the copy from a struct, its ID and the store.
  /// - Returns: The copies, in the same order.
  /// - Throws: ``ObjectBoxError`` like ``put(_:mode:)-swift.method``, or the block's error; then nothing is stored.
  public func __put(
    structs entities: [E],
    copy: (E, E.EntityBindingType.IdType, Store) throws -> E
  ) throws -> [E] {
    if entities.isEmpty { return [] }
    return try store.runInTransaction {
      let ids: [E.EntityBindingType.IdType] = try putAndReturnIDs(entities)
      return try zip(entities, ids).map { try copy($0, $1, store) }
    }
  }
}
