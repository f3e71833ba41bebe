internal import ObjectBox
internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol
internal import ObjectBoxSyncSchema

/// The three states of an object in a conflict, for a function of the program.
struct ConflictingObjects {
  let cluster: Cluster
  let serverLog: ServerLog
  let entity: SyncedEntity
  let conflict: Conflict

  /// Calls a function with objects of the states, and returns the values of its result.
  ///
  /// - Throws: The error of the function; `Rejection` for a value from the device that does not fit its property;
  ///   `ObjectBoxError` for a value of the result that the database cannot have.
  func resolved<E>(by function: (E, E, E) throws -> E) throws -> PropertyList<PropertyValue>
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    let result = try function(
      object(conflict.base),
      object(conflict.mine),
      object(conflict.theirs)
    )
    return try cluster.withRecord(of: result, in: entity.table, id: conflict.key.id) { record in
      PropertyList(
        entity.table.columns.dropFirst().map { ($0.uid, SyncColumn($0.property).value(in: record)) }
      )
    }
  }

  private func object<E>(_ values: PropertyList<PropertyValue>) throws -> E
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try WrittenObject(
      cluster: cluster,
      serverLog: serverLog,
      entity: entity,
      key: conflict.key,
      values: values
    ).object(E.self)
  }
}
