extension PropertyBuilder {
  /// Fills the property from a property of an earlier model when a store is opened that lacks this
  /// property, and returns the builder.
  ///
  /// The body is called for each stored object with a record that was written without this property, in the transaction
  /// that upgrades the schema. If it throws, the store is not opened and does not change. It is called on the thread
  /// that opens the store, and must not use the store.
  ///
  /// - Parameters:
  ///   - id: The number of the old property in the entity.
  ///   - uid: The UID of the old property.
  ///   - type: The type of the stored values.
  ///   - body: Reads the old value at its slot, and passes the new value to the builder.
  /// - Returns: The builder.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` for an ID or UID of 0, and for the
  ///   property itself.
  @discardableResult
  public func migrated(
    from id: UInt32,
    uid: UInt64,
    type: PropertyType,
    _ body: @escaping @Sendable (FlatBufferReader, FlatBufferBuilder) throws -> Void
  ) throws -> PropertyBuilder {
    let source = PropertySchema(
      identity: try ModelCheck.identity(id: id, uid: uid, of: "the source of a migration"),
      name: "",
      type: type
    )
    try model.change(entity: entity) { entity in
      let own = entity.properties[property]
      guard own.identity.id != id, own.identity.uid != uid, !own.has(.id) else {
        throw ObjectBoxError.illegalArgument(
          message: "'\(entity.name).\(own.name)' is migrated from itself, or is the ID; run the "
            + "generator again"
        )
      }
      entity.migrations.value.append(
        .property(PropertyMigration(propertyID: own.identity.id, source: source, body: body))
      )
    }
    return self
  }
}
