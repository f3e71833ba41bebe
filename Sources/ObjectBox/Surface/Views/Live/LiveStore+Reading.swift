extension LiveStore {
  // MARK: Objects

  /// Returns an object.
  ///
  /// - Parameter id: Its ID.
  /// - Returns: A handle, which goes along with the view; nil when the view shows no such object.
  /// - Throws: ``ObjectBoxError``: `wrongIsolation`, `closed`, or when the record cannot be decoded.
  public func object<E>(_ id: EntityId<E>) throws -> LiveObject<E>?
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    guard let value = try reading({ try Box<E>(store: $0).get(id) }) else { return nil }
    return LiveObject(id, value, in: self)
  }

  /// Returns an object.
  ///
  /// - Parameters:
  ///   - type: The entity.
  ///   - id: The object's ID.
  /// - Returns: A handle, which goes along with the view; nil when the view shows no such object.
  /// - Throws: ``ObjectBoxError``: `wrongIsolation`, `closed`, or when the record cannot be decoded.
  public func object<E>(_ type: E.Type, _ id: Id) throws -> LiveObject<E>?
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try object(EntityId<E>(id))
  }

  /// Returns the number of objects of an entity.
  ///
  /// - Parameter type: The entity.
  /// - Returns: How many the view shows.
  /// - Throws: ``ObjectBoxError``: `wrongIsolation`, `closed`.
  /// - Complexity: O(1)
  public func count<E>(_ type: E.Type) throws -> Int
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try reading { try Box<E>(store: $0).count() }
  }

  // MARK: Results

  /// Returns the objects of an entity, in the order of their IDs.
  ///
  /// - Parameter type: The entity.
  /// - Returns: Results, which go along with the view.
  /// - Throws: ``ObjectBoxError``: `wrongIsolation`, `closed`.
  public func query<E>(_ type: E.Type) throws -> LiveResults<E>
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try selected(Selection())
  }

  /// Returns the objects that meet a condition.
  ///
  /// - Parameters:
  ///   - type: The entity.
  ///   - condition: What they must meet; it is called at once.
  /// - Returns: Results, which go along with the view.
  /// - Throws: ``ObjectBoxError``: `wrongIsolation`, `closed`, or when the condition does not fit the model.
  public func query<E>(
    _ type: E.Type,
    _ condition: () -> QueryCondition<E>
  ) throws -> LiveResults<E>
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try selected(Selection(condition: condition().condition))
  }

  /// Returns what a query would find, with its conditions, links and orders.
  ///
  /// - Parameter builder: Of a box of this store; it is not changed.
  /// - Returns: Results, which go along with the view.
  /// - Throws: ``ObjectBoxError``: `wrongIsolation`, `closed`, `differentStore`, or when a condition does
  ///   not fit the model.
  public func query<E>(builder: QueryBuilder<E>) throws -> LiveResults<E>
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try store.checkSame(as: builder.box.store)
    return try selected(Selection(condition: builder.condition, orders: builder.orders))
  }

  /// Returns the objects of a selection, which is checked here.
  func selected<E>(_ selection: Selection) throws -> LiveResults<E>
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try reading { _ = try selection.query(E.self, $0) }
    return LiveResults(selection, in: self)
  }

  /// Returns the objects of a selection; nil when it is a relation of an object that is gone.
  func results<E>(_ selection: Selection) throws -> LiveResults<E>?
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try reading { try selection.isHostThere($0) } ? try selected(selection) : nil
  }
}
