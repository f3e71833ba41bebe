public import ObjectBox

extension LiveStore {
  // MARK: Objects

  /// Returns the handle of an object, which moves with the view; nil when the view does not show
  /// the object.
  public func object<E>(_ id: EntityId<E>) throws -> LiveObject<E>? {
    guard let value = try instance(id) else { return nil }
    return LiveObject(id, value, in: self)
  }

  /// Returns the handle of an object, which moves with the view; nil when the view does not show
  /// the object.
  public func object<E>(_ type: E.Type, _ id: Id) throws -> LiveObject<E>? {
    try object(EntityId<E>(id))
  }

  /// Returns an object; the result type states the entity.
  ///
  ///     let person: LiveObject<Person>? = try live.object(id)
  ///
  /// - Parameter id: The object's ID.
  /// - Returns: A handle, which moves with the view; nil when the view does not show the object.
  /// - Throws: `ObjectBoxError`: `wrongIsolation`, `closed`.
  public func object<E, I: UntypedIdBase>(_ id: I) throws -> LiveObject<E>? {
    try object(EntityId<E>(id.value))
  }

  // Disfavoured: an integer literal would be ambiguous with the overload for `Id`.
  /// Returns an object.
  ///
  /// - Parameters:
  ///   - type: The entity.
  ///   - id: The object's ID.
  /// - Returns: A handle, which moves with the view; nil when the view does not show the object.
  /// - Throws: `ObjectBoxError`: `wrongIsolation`, `closed`.
  @_disfavoredOverload
  public func object<E>(_ type: E.Type, _ id: EntityId<E>) throws -> LiveObject<E>? {
    try object(id)
  }

  /// Returns the number of objects of an entity that the view shows, without a search.
  public func count<E>(_ type: E.Type) throws -> Int
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try reading { try Box<E>(store: $0).count() }
  }

  // MARK: Results

  /// Returns the objects of an entity by ascending ID, as results that move with the view.
  public func query<E>(_ type: E.Type) throws -> LiveResults<E> {
    try results(Selection())
  }

  /// Returns the objects that meet a condition.
  ///
  ///     let best = try live.query(Note.self) { Note.stars == 5 }.ordered(by: Note.title)
  ///     print(best.first?.title ?? "none")
  ///
  /// - Parameters:
  ///   - type: The entity.
  ///   - condition: Returns the condition; called at once.
  /// - Returns: Results, which move with the view.
  /// - Throws: `ObjectBoxError`: `wrongIsolation`, `closed`, or when the condition does not fit the
  ///   model.
  public func query<E>(
    _ type: E.Type,
    _ condition: () -> QueryCondition<E>
  ) throws -> LiveResults<E> {
    try results(Selection(of: condition().condition))
  }

  /// Returns the results of a query builder, with its conditions, links and orders.
  ///
  /// - Parameter builder: A builder of a box of this store; it is not changed.
  /// - Returns: Results, which move with the view.
  /// - Throws: `ObjectBoxError`: `wrongIsolation`, `closed`, `differentStore`, or when a condition
  ///   does not fit the model.
  public func query<E>(builder: QueryBuilder<E>) throws -> LiveResults<E> {
    try results(try selection(of: builder))
  }

  /// Checks a selection, and returns its objects.
  func results<E>(_ selection: Selection) throws -> LiveResults<E> {
    LiveResults(try checked(selection, E.self), in: self)
  }
}
