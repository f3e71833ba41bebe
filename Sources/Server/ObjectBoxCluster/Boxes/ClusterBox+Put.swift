public import ObjectBox

extension ClusterBox {
  // MARK: One object

  /// Stores a struct, or changes the stored one, and writes a new ID back.
  ///
  /// One round trip. One more when IDs must be reserved, such as for a program's first objects.
  ///
  /// - Parameters:
  ///   - entity: An object. With ID 0 it is new and gets the next ID. The ID stays used if the surrounding transaction
  ///     is rolled back.
  ///   - mode: Whether the object must or must not exist.
  /// - Returns: The object's ID.
  /// - Throws: `ObjectBoxError`: `uniqueViolation`; `constraintViolated` when a relation forbids
  ///   the removal of an object whose unique value is replaced; `illegalArgument` for an ID that
  ///   was never assigned, or a value that PostgreSQL cannot hold; `unknown` with code 10210 or
  ///   10211 when the mode forbids the put. `ClusterError`. In a transaction, errors of the server
  ///   are thrown by its next read or its end.
  @discardableResult
  public func put(_ entity: inout E, mode: PutMode = .put) async throws -> IdType {
    let id = try await putAll([entity], mode: mode)[0]
    if !Self.isClass { E.entityBinding.setStructEntityId(of: &entity, to: id) }
    return IdType(id)
  }

  /// Stores an object, or changes the stored one; an instance of a class gets its new ID.
  ///
  /// Also stores new targets of its relations, and the changes of its to-many relations; see
  /// `ToMany`. One round trip. One more when IDs must be reserved, such as for a program's first
  /// objects.
  ///
  ///     let note = Note(title: "Milk")
  ///     try await notes.put(note)  // sets `note.id`
  ///
  /// - Parameters:
  ///   - entity: An object; with ID 0 it is new and gets the next ID.
  ///   - mode: Whether the object must or must not exist.
  /// - Returns: The object's ID.
  /// - Throws: The same errors as ``put(_:mode:)-(E,_)``.
  @discardableResult
  public func put(_ entity: E, mode: PutMode = .put) async throws -> IdType {
    IdType(try await putAll([entity], mode: mode)[0])
  }

  // MARK: Many objects

  /// Stores objects in one transaction; all or none.
  ///
  /// One round trip. One more when IDs must be reserved, and two more for 2,000 new objects or
  /// more.
  ///
  /// - Parameters:
  ///   - entities: Objects; instances of classes get their new IDs. The collection may be empty.
  ///   - mode: Whether the objects must or must not exist.
  /// - Throws: The same errors as for a single object.
  public func put<C: Collection>(_ entities: C, mode: PutMode = .put) async throws
  where C.Element == E {
    _ = try await putAll(entities, mode: mode)
  }

  /// Stores objects in one transaction; all or none.
  ///
  /// One round trip. One more when IDs must be reserved, and two more for 2,000 new objects or
  /// more.
  ///
  /// - Parameters:
  ///   - entities: Objects; instances of classes get their new IDs.
  ///   - mode: Whether the objects must or must not exist.
  /// - Throws: The same errors as for a single object.
  public func put(_ entities: [E], mode: PutMode = .put) async throws {
    _ = try await putAll(entities, mode: mode)
  }

  /// Stores objects in one transaction; all or none.
  ///
  /// One round trip. One more when IDs must be reserved, and two more for 2,000 new objects or
  /// more.
  ///
  /// - Parameters:
  ///   - entities: Objects; instances of classes get their new IDs.
  ///   - mode: Whether the objects must or must not exist.
  /// - Throws: The same errors as for a single object.
  public func put(_ entities: E..., mode: PutMode = .put) async throws {
    _ = try await putAll(entities, mode: mode)
  }

  /// Stores structs in one transaction, all or none, and writes new IDs back.
  ///
  /// One round trip. One more when IDs must be reserved, and two more for 2,000 new objects or
  /// more.
  ///
  /// - Parameters:
  ///   - entities: Objects; new objects get their IDs.
  ///   - mode: Whether the objects must or must not exist.
  /// - Throws: The same errors as for a single object.
  public func put(_ entities: inout [E], mode: PutMode = .put) async throws {
    let ids = try await putAll(entities, mode: mode)
    if Self.isClass { return }
    for index in ids.indices {
      E.entityBinding.setStructEntityId(of: &entities[index], to: ids[index])
    }
  }

  /// Stores objects in one transaction, all or none, and returns their IDs.
  ///
  /// One round trip. One more when IDs must be reserved, and two more for 2,000 new objects or
  /// more.
  ///
  /// - Parameters:
  ///   - entities: Objects; instances of classes get their new IDs.
  ///   - mode: Whether the objects must or must not exist.
  /// - Returns: The IDs, in the order of the objects.
  /// - Throws: The same errors as for a single object.
  @discardableResult
  public func putAndReturnIDs<C: Collection>(
    _ entities: C,
    mode: PutMode = .put
  ) async throws -> [IdType] where C.Element == E {
    try await putAll(entities, mode: mode).map { IdType($0) }
  }

  /// Stores objects in one transaction, all or none, and returns their IDs.
  ///
  /// One round trip. One more when IDs must be reserved, and two more for 2,000 new objects or
  /// more.
  ///
  /// - Parameters:
  ///   - entities: Objects; instances of classes get their new IDs.
  ///   - mode: Whether the objects must or must not exist.
  /// - Returns: The IDs, in the order of the objects.
  /// - Throws: The same errors as for a single object.
  @discardableResult
  public func putAndReturnIDs(_ entities: E..., mode: PutMode = .put) async throws -> [IdType] {
    try await putAndReturnIDs(entities, mode: mode)
  }

  // MARK: Implementation

  private static var isClass: Bool { E.self is AnyClass }

  private func putAll(_ entities: some Collection<E>, mode: PutMode) async throws -> [UInt64] {
    let table = try table()
    switch source {
    case .transaction(let transaction):
      if cluster.writing.mayReplaceLinked(table.entityID) {
        return try await transaction.putReplacing(entities, mode: mode)
      }
      return try await transaction.buffer.put(entities, mode: mode)
    case .newest(let cluster):
      if entities.isEmpty { return [] }
      if cluster.writing.mayReplaceLinked(table.entityID) {
        return try await cluster.write { transaction in
          try await transaction.putReplacing(entities, mode: mode)
        }
      }
      let buffer = WriteBuffer(cluster)
      let ids = try await buffer.put(entities, mode: mode)
      do {
        try await cluster.commit(buffer)
      } catch {
        throw await buffer.explained(error)
      }
      return ids
    }
  }
}
