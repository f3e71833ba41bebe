public import ObjectBox

extension ClusterTransaction {
  /// Returns the box of an entity, whose calls are part of the transaction.
  ///
  /// - Parameter type: The entity type; may be left out when it can be inferred.
  /// - Returns: The box, which is valid until the end of the transaction.
  public func box<T>(for type: T.Type = T.self) -> ClusterBox<T>
  where T: EntityInspectable & __EntityRelatable, T == T.EntityBindingType.EntityType {
    ClusterBox(.transaction(self))
  }

  /// Returns the object with the given ID.
  ///
  /// One round trip, which also sends the buffered puts.
  ///
  /// - Parameters:
  ///   - type: The entity type.
  ///   - id: An ID; no object has ID 0.
  /// - Returns: A new instance, or nil when there is none.
  /// - Throws: `ClusterError`; errors of the puts before it.
  public func get<T, I: UntypedIdBase>(_ type: T.Type, _ id: I) async throws -> T?
  where T: EntityInspectable & __EntityRelatable, T == T.EntityBindingType.EntityType {
    try await box(for: T.self).get(id)
  }

  /// Returns the object with the given ID.
  ///
  /// - Parameters:
  ///   - type: The entity type.
  ///   - id: An ID; no object has ID 0.
  /// - Returns: A new instance, or nil when there is none.
  /// - Throws: `ClusterError`; errors of the puts before it.
  public func get<T>(_ type: T.Type = T.self, _ id: EntityId<T>) async throws -> T?
  where T: EntityInspectable & __EntityRelatable, T == T.EntityBindingType.EntityType {
    try await box(for: T.self).get(id)
  }

  /// Returns the object with the given ID.
  ///
  /// - Parameter id: An ID; no object has ID 0.
  /// - Returns: A new instance, or nil when there is none.
  /// - Throws: `ClusterError`; errors of the puts before it.
  public func get<T>(_ id: EntityId<T>) async throws -> T?
  where T: EntityInspectable & __EntityRelatable, T == T.EntityBindingType.EntityType {
    try await box(for: T.self).get(id)
  }

  /// Returns the object with the given ID; the result's type decides its entity.
  ///
  ///     let person: Person? = try await transaction.get(id)
  ///
  /// - Parameter id: An ID; no object has ID 0.
  /// - Returns: A new instance, or nil when there is none.
  /// - Throws: `ClusterError`; errors of the puts before it.
  public func get<T, I: UntypedIdBase>(_ id: I) async throws -> T?
  where T: EntityInspectable & __EntityRelatable, T == T.EntityBindingType.EntityType {
    try await box(for: T.self).get(id)
  }

  /// Does not compile: the entity of the ID is unknown.
  @available(
    *,
    unavailable,
    message: """
      an 'Id' does not say which entity it belongs to: write 'transaction.get(Person.self, \
      id)'
      """
  )
  public func get<I: UntypedIdBase>(_ id: I) async throws -> Never? { nil }

  /// Stores an object, or changes the stored one; an instance of a class gets its new ID.
  ///
  /// No round trip, unless IDs must be reserved: the next read or the commit sends the put.
  ///
  /// - Parameters:
  ///   - object: An object; with ID 0 it is new and gets the next ID.
  ///   - mode: Whether the object must or must not exist.
  /// - Returns: The object's ID.
  /// - Throws: `ObjectBoxError` for an object that cannot be stored.
  @discardableResult
  public func put<T>(_ object: T, mode: PutMode = .put) async throws -> T.EntityBindingType.IdType
  where T: EntityInspectable & __EntityRelatable, T == T.EntityBindingType.EntityType {
    try await box(for: T.self).put(object, mode: mode)
  }

  /// Stores objects; instances of classes get their new IDs.
  ///
  /// - Parameters:
  ///   - objects: Objects of one entity.
  ///   - mode: Whether the objects must or must not exist.
  /// - Throws: `ObjectBoxError` for an object that cannot be stored: none is stored.
  public func put<T>(_ objects: [T], mode: PutMode = .put) async throws
  where T: EntityInspectable & __EntityRelatable, T == T.EntityBindingType.EntityType {
    try await box(for: T.self).put(objects, mode: mode)
  }

  /// Removes the stored object that has the ID of the given one.
  ///
  /// - Parameter object: An object.
  /// - Returns: False when it was never stored, else true.
  /// - Throws: The same errors as `ClusterBox.remove`.
  @discardableResult
  public func remove<T>(_ object: T) async throws -> Bool
  where T: EntityInspectable & __EntityRelatable, T == T.EntityBindingType.EntityType {
    try await box(for: T.self).remove(object)
  }

  /// Removes the object with the given ID.
  ///
  /// - Parameter id: An ID.
  /// - Returns: False for ID 0, else true.
  /// - Throws: The same errors as `ClusterBox.remove`.
  @discardableResult
  public func remove<T>(_ id: EntityId<T>) async throws -> Bool
  where T: EntityInspectable & __EntityRelatable, T == T.EntityBindingType.EntityType {
    try await box(for: T.self).remove(id)
  }

  /// Removes the object with the given ID.
  ///
  /// - Parameters:
  ///   - type: The entity type.
  ///   - id: An ID.
  /// - Returns: False for ID 0, else true.
  /// - Throws: The same errors as `ClusterBox.remove`.
  @discardableResult
  public func remove<T, I: UntypedIdBase>(_ type: T.Type, _ id: I) async throws -> Bool
  where T: EntityInspectable & __EntityRelatable, T == T.EntityBindingType.EntityType {
    try await box(for: T.self).remove(id)
  }

  /// Removes the object with the given ID.
  ///
  /// - Parameters:
  ///   - type: The entity type.
  ///   - id: An ID.
  /// - Returns: False for ID 0, else true.
  /// - Throws: The same errors as `ClusterBox.remove`.
  @discardableResult
  public func remove<T>(_ type: T.Type, _ id: EntityId<T>) async throws -> Bool
  where T: EntityInspectable & __EntityRelatable, T == T.EntityBindingType.EntityType {
    try await box(for: T.self).remove(id)
  }

  /// Does not compile: the entity of the ID is unknown.
  @available(
    *,
    unavailable,
    message: """
      an 'Id' does not say which entity it belongs to: write 'transaction.remove(Person.self, \
      id)'
      """
  )
  @discardableResult
  public func remove<I: UntypedIdBase>(_ id: I) async throws -> Bool { false }

  // MARK: Replaced unique values

  /// Puts objects whose unique values may replace objects with relations; removes the replaced
  /// objects first.
  ///
  /// Two round trips, and the round trips of the removal. If objects of one call replace each
  /// other, they are put one by one.
  func putReplacing<E>(_ objects: some Collection<E>, mode: PutMode) async throws -> [UInt64]
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    if !buffer.isEmpty { _ = try await run([]) }
    let mark = buffer.mark()
    do {
      let ids = try await buffer.put(objects, mode: mode)
      if objects.count > 1, try buffer.hasReplacingRows {
        buffer.rollBack(to: mark)
        return try await savepoint {
          var ids: [UInt64] = []
          for object in objects {
            ids += try await putReplacing(CollectionOfOne(object), mode: mode)
          }
          return ids
        }
      }
      try await buffer.removeReplaced(in: self)
      return ids
    } catch {
      buffer.rollBack(to: mark)
      throw error
    }
  }
}
