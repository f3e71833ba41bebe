internal import ObjectBox

/// A view whose version boxes and queries can read; the reads that ``Snapshot`` and ``LiveStore``
/// share.
protocol ReadableView: StoreView {
  /// Runs a body that reads the view's version; inside a write, including its changes.
  ///
  /// - Parameter body: Gets the store for its boxes and queries.
  /// - Returns: The result of the body.
  /// - Throws: Errors of the body, and ``ObjectBoxError``: `invalidated`, `wrongIsolation`,
  ///   `closed`, `maxReadersExceeded`.
  func reading<T>(_ body: (Store) throws -> T) throws -> T
}

extension ReadableView {
  // MARK: Objects

  /// Returns whether the view has an object, without making an instance.
  @inline(__always)
  func contains<E>(_ id: EntityId<E>) throws -> Bool
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try reading { store in
      guard let table = store.file.tableReference(entity: E.entityInfo.entitySchemaId) else {
        // Throws the error that describes the damage.
        return try Box<E>(store: store).contains(id: id.value)
      }
      return try store.transactions.inTransaction(isWritable: false) { transaction, _ in
        try table._withUnsafeGuaranteedRef { table in
          try transaction.withStorage { try table.contains(id.value, in: $0) }
        }
      }
    }
  }

  /// Returns a new instance of an object; nil when the view has none.
  @inline(__always)
  func instance<E>(_ id: EntityId<E>) throws -> E?
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try reading { try Box<E>(store: $0).get(id) }
  }

  /// Returns the value of an object's property, read from its record; null when there is no object.
  @inline(__always)
  func value<E, V: RecordValue, R>(
    of property: Property<E, V, R>,
    _ id: EntityId<E>
  ) throws -> V.Projection {
    try reading { store in
      try store.transactions.inTransaction(isWritable: false) { transaction, _ in
        try RecordProjection(property, store.file).value(of: id.value, transaction) ?? V.__null
      }
    }
  }

  /// Passes the stored bytes of an object's property to a body; nil without a value.
  @inline(__always)
  func withBytes<E, V: RecordValue, T>(
    of property: Property<E, V, Void>,
    _ id: EntityId<E>,
    _ body: (RawSpan) throws -> T
  ) throws -> T? {
    try reading { store in
      try store.transactions.inTransaction(isWritable: false) { transaction, _ in
        try RecordProjection(property, store.file).withBytes(of: id.value, transaction, body)
      }
    }
  }

  // MARK: Results

  /// Returns a selection that fits the model.
  ///
  /// - Throws: ``ObjectBoxError``: `propertyTypeMismatch` or `illegalArgument` when it does not.
  func checked<E>(_ selection: Selection, _ type: E.Type) throws -> Selection
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try reading { try selection.check(on: try Box<E>(store: $0).table(), in: $0.file) }
    return selection
  }

  /// Returns the selection of a query builder.
  ///
  /// - Throws: ``ObjectBoxError/differentStore(message:)`` for a box of another store.
  func selection<E>(of builder: QueryBuilder<E>) throws -> Selection {
    try store.checkSame(as: builder.box.store)
    return builder.selection
  }

  /// Returns the IDs of the objects of a selection, in order.
  func ids<E>(_ selection: Selection, _ type: E.Type) throws -> [UInt64]
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try reading { try selection.ids(Box<E>(store: $0)) }
  }

  /// Returns new instances of the objects with the given IDs.
  func instances<E>(_ ids: [UInt64], _ type: E.Type) throws -> [E]
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try reading { try Box<E>(store: $0).objects(ids) }
  }

  /// Returns whether the host of a selected relation exists; true without a relation.
  func hasHost(of selection: Selection) throws -> Bool {
    try reading { try selection.isHostThere($0) }
  }
}

extension Store {
  /// Throws ``ObjectBoxError/differentStore(message:)`` for an instance of another store.
  func checkSame(as other: Store) throws {
    guard other.openStore === openStore else {
      throw ObjectBoxError.differentStore(
        message:
          "something of the store at '\(other.directoryPath)' was used with the one at "
          + "'\(directoryPath)'; use both with one store, or copy the objects"
      )
    }
  }
}
