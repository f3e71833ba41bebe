package import ObjectBox

/// The entity that several processes store.
package final class Row: Entity, EntityInspectable, __EntityRelatable {
  package typealias EntityType = Row
  package typealias EntityBindingType = RowBinding
  package static let entityInfo = EntityInfo(name: "Row", id: 1)
  package static let entityBinding = RowBinding()

  package var id: Id = 0
  package var number: Int64 = 0

  package var _id: EntityId<Row> { EntityId(id) }

  package init() {}
  package init(_ number: Int64) { self.number = number }

  package static var number: Property<Row, Int64, Void> { Property(propertyId: 2) }

  /// Makes the model of a store.
  ///
  /// - Parameter isNewer: Whether rows have one more property.
  /// - Returns: The model.
  /// - Throws: The errors of building the model.
  package static func model(isNewer: Bool = false) throws -> OpaquePointer {
    let builder = try ModelBuilder()
    let row = try builder.entityBuilder(for: Row.self, id: 1, uid: 1001)
    try row.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 1)
    try row.addProperty(
      name: "number",
      type: .long,
      flags: [.indexed],
      id: 2,
      uid: 2,
      indexId: 1,
      indexUid: 100
    )
    if isNewer { try row.addProperty(name: "extra", type: .long, id: 3, uid: 3) }
    try row.lastProperty(id: isNewer ? 3 : 2, uid: isNewer ? 3 : 2)
    builder.lastEntity(id: 1, uid: 1001)
    builder.lastIndex(id: 1, uid: 100)
    return builder.finish()
  }

  /// Opens a store of rows.
  package static func store(
    _ directory: String,
    isNewer: Bool = false,
    _ change: (inout Store.Configuration) -> Void = { _ in }
  ) throws -> Store {
    var configuration = Store.Configuration(directory: directory)
    configuration.maxDbSizeInKByte = 100_000
    change(&configuration)
    return try Store(model: try model(isNewer: isNewer), configuration: configuration)
  }
}

package final class RowBinding: EntityBinding, Sendable {
  package typealias EntityType = Row
  package typealias IdType = Id
  package init() {}
  package func generatorBindingVersion() -> Int { 1 }
  package func setEntityIdUnlessStruct(of entity: Row, to entityId: Id) { entity.id = entityId }
  package func entityId(of entity: Row) -> Id { entity.id }
  package func collect(
    fromEntity entity: Row,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) {
    propertyCollector.collect(id, at: 4)
    propertyCollector.collect(entity.number, at: 6)
  }
  package func createEntity(entityReader: FlatBufferReader, store: Store) -> Row {
    let row = Row()
    row.id = entityReader.read(at: 4)
    row.number = entityReader.read(at: 6)
    return row
  }
}
