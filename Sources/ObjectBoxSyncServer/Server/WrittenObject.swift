internal import ObjectBox
internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol
internal import ObjectBoxSyncSchema

/// An object that a device writes, before or after the write, for functions of the program.
struct WrittenObject {
  let cluster: Cluster
  let entity: SyncedEntity
  let key: ObjectKey
  let values: PropertyList<PropertyValue>

  /// Returns the object.
  ///
  /// - Throws: `ObjectBoxError` when a value does not fit its property.
  func object<E>(_ type: E.Type) throws -> E
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    try withRecord { try cluster.object(type, in: $0) }
  }

  /// Returns true if the object fulfils a condition without links.
  ///
  /// - Throws: `ObjectBoxError` when the condition does not fit the entity, or a value its property.
  func fulfils(_ condition: Condition) throws -> Bool {
    let filter = try RecordFilter(condition, entity: entity.table.schema)
    return try withRecord { filter.passes($0) }
  }

  private func withRecord<T>(_ body: (RecordReader) throws -> T) throws -> T {
    var wrong: PropertySchema?
    let result = try cluster.withRecord(of: entity.table, id: key.id) { set in
      for column in entity.table.columns {
        guard let value = values[column.uid] else { continue }
        if !column.property.set(syncValue: value, set) { wrong = wrong ?? column.property }
      }
    } _: { record in
      wrong == nil ? try body(record) : nil
    }
    guard let result else {
      throw Rejection(
        entity: key.entity,
        property: wrong.map { PropertyUID($0.identity.uid) },
        reason: .value
      )
    }
    return result
  }
}
