extension EntityBuilder {
  /// Adds the migration of whole objects.
  ///
  /// - Parameters:
  ///   - propertyIDs: The properties that it fills.
  ///   - sources: The old properties.
  ///   - begin: Makes the body of the migration; receives the filled properties, the model and the ID of the entity.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` if no property is given, for a property that the entity
  ///   lacks, and for its ID or a relation.
  func setMigration(
    filling propertyIDs: [UInt32],
    from sources: [PropertySchema],
    _ begin: @escaping @Sendable (Set<UInt32>, StoreSchema, UInt32) throws -> ObjectMigration.Body
  ) throws {
    let filled = Set(propertyIDs)
    let known = entity.properties.filter { !$0.has(.id) && $0.type != .relation }
    guard !filled.isEmpty, filled.isSubset(of: known.map(\.identity.id)) else {
      throw ObjectBoxError.illegalArgument(
        message:
          "the migration of '\(entity.name)' fills the properties \(propertyIDs), which are not all "
          + "values of the entity; run the generator again"
      )
    }
    let id = entity.identity.id
    let migration = ObjectMigration(filling: filled, from: sources) { try begin(filled, $0, id) }
    model.change(entity: index) { $0.migrations.value.append(.object(migration)) }
  }
}
