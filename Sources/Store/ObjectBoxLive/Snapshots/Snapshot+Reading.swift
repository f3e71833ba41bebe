public import ObjectBox

extension Snapshot {
  // MARK: Objects

  /// Returns an object.
  ///
  /// - Parameter id: Its ID.
  /// - Returns: A handle; nil when the snapshot has no such object.
  /// - Throws: `ObjectBoxError.invalidated(message:)`.
  public func object<E>(_ id: EntityId<E>) throws -> FrozenObject<E>? {
    try contains(id) ? FrozenObject(id, in: self) : nil
  }

  /// Returns an object.
  ///
  /// - Parameters:
  ///   - type: The entity.
  ///   - id: The object's ID.
  /// - Returns: A handle; nil when the snapshot has no such object.
  /// - Throws: `ObjectBoxError.invalidated(message:)`.
  public func object<E>(_ type: E.Type, _ id: Id) throws -> FrozenObject<E>? {
    try object(EntityId<E>(id))
  }

  /// Returns an object; the result type states the entity.
  ///
  ///     let person: FrozenObject<Person>? = try snapshot.object(id)
  ///
  /// - Parameter id: The object's ID.
  /// - Returns: A handle; nil when the snapshot has no such object.
  /// - Throws: `ObjectBoxError.invalidated(message:)`.
  public func object<E, I: UntypedIdBase>(_ id: I) throws -> FrozenObject<E>? {
    try object(EntityId<E>(id.value))
  }

  // Disfavoured: an integer literal would be ambiguous with the overload for `Id`.
  /// Returns an object.
  ///
  /// - Parameters:
  ///   - type: The entity.
  ///   - id: The object's ID.
  /// - Returns: A handle; nil when the snapshot has no such object.
  /// - Throws: `ObjectBoxError.invalidated(message:)`.
  @_disfavoredOverload
  public func object<E>(_ type: E.Type, _ id: EntityId<E>) throws -> FrozenObject<E>? {
    try object(id)
  }

  /// Returns the number of objects of an entity.
  ///
  /// - Parameter type: The entity.
  /// - Returns: The number of objects in the snapshot.
  /// - Throws: `ObjectBoxError.invalidated(message:)`.
  /// - Complexity: O(1)
  public func count<E>(_ type: E.Type) throws -> Int
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try reading { try Box<E>(store: $0).count() }
  }

  // MARK: Results

  /// Returns the objects of an entity, by ascending ID.
  ///
  /// - Parameter type: The entity.
  /// - Returns: Results, whose query runs on first use.
  /// - Throws: `ObjectBoxError.invalidated(message:)`.
  public func query<E>(_ type: E.Type) throws -> FrozenResults<E> {
    try results(Selection())
  }

  /// Returns the objects that meet a condition.
  ///
  ///     let best = try snapshot.query(Note.self) { Note.stars == 5 }
  ///     let titles = best.map(\.title)
  ///
  /// - Parameters:
  ///   - type: The entity.
  ///   - condition: Returns the condition; called at once.
  /// - Returns: Results, whose query runs on first use.
  /// - Throws: `ObjectBoxError`: `invalidated`, or when the condition does not fit the model.
  public func query<E>(
    _ type: E.Type,
    _ condition: () -> QueryCondition<E>
  ) throws -> FrozenResults<E> {
    try results(Selection(of: condition().condition))
  }

  /// Returns the results of a query builder, with its conditions, links and orders.
  ///
  /// - Parameter builder: A builder of a box of this store; it is not changed.
  /// - Returns: Results, whose query runs on first use.
  /// - Throws: `ObjectBoxError`: `invalidated`, `differentStore`, or when a condition does not fit
  ///   the model.
  public func query<E>(builder: QueryBuilder<E>) throws -> FrozenResults<E> {
    try results(try selection(of: builder))
  }

  /// Checks a selection, and returns its objects.
  func results<E>(_ selection: Selection) throws -> FrozenResults<E> {
    FrozenResults(try checked(selection, E.self), in: self)
  }
}
