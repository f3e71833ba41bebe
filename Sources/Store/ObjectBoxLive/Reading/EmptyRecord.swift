internal import ObjectBox

/// A record in which every property is null.
enum EmptyRecord {
  /// Makes an instance from the record.
  ///
  /// - Parameters:
  ///   - id: The ID of the instance.
  ///   - store: A store whose model has the entity.
  /// - Returns: An instance whose properties have their null values, and whose relations are empty.
  static func instance<E>(_ id: EntityId<E>, _ store: Store) -> E
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    guard let table = store.file.table(entity: E.entityInfo.entitySchemaId) else {
      fatalError("'\(E.entityInfo.entityName)' is not in the model of the store")
    }
    let layout = table.records.currentLayout
    return [UInt8](repeating: 0, count: layout.fixedSize).withUnsafeBytes { record in
      guard let reader = RecordReader(record: record, id: id.value, layout: layout.view) else {
        fatalError("a record of the size of its fixed part is a record")
      }
      do {
        return try E.entityBinding.createEntity(
          entityReader: reader,
          store: store.forReading(.nothing)
        )
      } catch {
        fatalError("a record without values has none that cannot be converted: \(error)")
      }
    }
  }
}
