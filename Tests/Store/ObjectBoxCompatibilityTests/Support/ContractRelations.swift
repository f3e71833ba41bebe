import Foundation
import ObjectBox

// Entities with relations of all kinds, with bindings as the generator writes them.

class Shop: Entity {
  var id: EntityId<Shop> = 0
  var name: String
  var sales: ToMany<Sale> = nil

  init(name: String = "") {
    self.name = name
  }
}

class Sale: Entity {
  var id: Id = 0
  var name: String
  var shop: ToOne<Shop> = nil
  var tags: ToMany<Tag> = nil

  init(name: String = "", shop: Shop? = nil) {
    self.name = name
    self.shop.target = shop
  }
}

class Tag: Entity, CustomStringConvertible {
  var id: Id = 0
  var name: String
  var sales: ToMany<Sale> = nil
  var description: String { name }

  init(name: String = "") {
    self.name = name
  }
}

extension Shop: __EntityRelatable {
  typealias EntityType = Shop
  var _id: EntityId<Shop> { id }
}

extension Shop: EntityInspectable {
  typealias EntityBindingType = ShopBinding
  static var entityInfo = EntityInfo(name: "Shop", id: 1)
  static var entityBinding = ShopBinding()
  static var name: Property<Shop, String, Void> { .init(propertyId: 2) }
  static var sales: ToManyProperty<Sale> {
    ToManyProperty(.valuePropertyId(3))
  }
}

class ShopBinding: EntityBinding {
  typealias EntityType = Shop
  typealias IdType = EntityId<Shop>
  required init() {}
  func generatorBindingVersion() -> Int { 1 }
  func setEntityIdUnlessStruct(of entity: Shop, to entityId: Id) { entity.id = EntityId(entityId) }
  func entityId(of entity: Shop) -> Id { entity.id.value }
  func collect(
    fromEntity entity: Shop,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) throws {
    let name = propertyCollector.prepare(string: entity.name)
    propertyCollector.collect(id, at: 4)
    propertyCollector.collect(dataOffset: name, at: 6)
  }
  func postPut(fromEntity entity: Shop, id: Id, store: Store) throws {
    if entityId(of: entity) == 0 {
      let sales = ToMany<Sale>.backlink(
        sourceBox: store.box(for: Sale.self),
        sourceProperty: Sale.shop,
        targetId: EntityId<Shop>(id)
      )
      if !entity.sales.isEmpty { sales.replace(entity.sales) }
      entity.sales = sales
      try entity.sales.applyToDb()
    }
  }
  func createEntity(entityReader: RecordReader, store: Store) -> Shop {
    let shop = Shop()
    shop.id = entityReader.read(at: 4)
    shop.name = entityReader.read(at: 6)
    shop.sales = ToMany<Sale>.backlink(
      sourceBox: store.box(for: Sale.self),
      sourceProperty: Sale.shop,
      targetId: EntityId<Shop>(shop.id.value)
    )
    return shop
  }
}

extension Sale: __EntityRelatable {
  typealias EntityType = Sale
  var _id: EntityId<Sale> { EntityId(id) }
}

extension Sale: EntityInspectable {
  typealias EntityBindingType = SaleBinding
  static var entityInfo = EntityInfo(name: "Sale", id: 2)
  static var entityBinding = SaleBinding()
  static var name: Property<Sale, String, Void> { .init(propertyId: 2) }
  static var shop: Property<Sale, EntityId<Shop>, Shop> { .init(propertyId: 3) }
  static var tags: ToManyProperty<Tag> { ToManyProperty(.relationId(1)) }
}

class SaleBinding: EntityBinding {
  typealias EntityType = Sale
  typealias IdType = Id
  required init() {}
  func generatorBindingVersion() -> Int { 1 }
  func setEntityIdUnlessStruct(of entity: Sale, to entityId: Id) { entity.id = entityId }
  func entityId(of entity: Sale) -> Id { entity.id }
  func collect(
    fromEntity entity: Sale,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) throws {
    let name = propertyCollector.prepare(string: entity.name)
    propertyCollector.collect(id, at: 4)
    try propertyCollector.collect(entity.shop, at: 8, store: store)
    propertyCollector.collect(dataOffset: name, at: 6)
  }
  func postPut(fromEntity entity: Sale, id: Id, store: Store) throws {
    if entityId(of: entity) == 0 {
      entity.shop.attach(to: store.box(for: Shop.self))
      let tags = ToMany<Tag>.relation(
        sourceId: EntityId<Sale>(id),
        targetBox: store.box(for: Tag.self),
        relationId: 1
      )
      if !entity.tags.isEmpty { tags.replace(entity.tags) }
      entity.tags = tags
      try entity.tags.applyToDb()
    }
  }
  func setToOneRelation(_ propertyId: obx_schema_id, of entity: Sale, to entityId: Id?) {
    switch propertyId {
    case 3: entity.shop.targetId = entityId.map { EntityId<Shop>($0) }
    default: fatalError("Attempt to change nonexistent ToOne relation with ID \(propertyId)")
    }
  }
  func createEntity(entityReader: RecordReader, store: Store) -> Sale {
    let sale = Sale()
    sale.id = entityReader.read(at: 4)
    sale.name = entityReader.read(at: 6)
    sale.shop = entityReader.read(at: 8, store: store)
    sale.tags = ToMany<Tag>.relation(
      sourceId: EntityId<Sale>(sale.id),
      targetBox: store.box(for: Tag.self),
      relationId: 1
    )
    return sale
  }
}

extension Tag: __EntityRelatable {
  typealias EntityType = Tag
  var _id: EntityId<Tag> { EntityId(id) }
}

extension Tag: EntityInspectable {
  typealias EntityBindingType = TagBinding
  static var entityInfo = EntityInfo(name: "Tag", id: 4)
  static var entityBinding = TagBinding()
  static var name: Property<Tag, String, Void> { .init(propertyId: 2) }
  static var sales: ToManyProperty<Sale> { ToManyProperty(.backlinkRelationId(1)) }
}

class TagBinding: EntityBinding {
  typealias EntityType = Tag
  typealias IdType = Id
  required init() {}
  func generatorBindingVersion() -> Int { 1 }
  func setEntityIdUnlessStruct(of entity: Tag, to entityId: Id) { entity.id = entityId }
  func entityId(of entity: Tag) -> Id { entity.id }
  func collect(
    fromEntity entity: Tag,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) throws {
    let name = propertyCollector.prepare(string: entity.name)
    propertyCollector.collect(id, at: 4)
    propertyCollector.collect(dataOffset: name, at: 6)
  }
  func postPut(fromEntity entity: Tag, id: Id, store: Store) throws {
    if entityId(of: entity) == 0 {
      let sales = ToMany<Sale>.backlink(
        sourceBox: store.box(for: Sale.self),
        targetId: EntityId<Tag>(id),
        relationId: 1
      )
      if !entity.sales.isEmpty { sales.replace(entity.sales) }
      entity.sales = sales
      try entity.sales.applyToDb()
    }
  }
  func createEntity(entityReader: RecordReader, store: Store) -> Tag {
    let tag = Tag()
    tag.id = entityReader.read(at: 4)
    tag.name = entityReader.read(at: 6)
    tag.sales = ToMany<Sale>.backlink(
      sourceBox: store.box(for: Sale.self),
      targetId: EntityId<Tag>(tag.id),
      relationId: 1
    )
    return tag
  }
}

/// A store of entities with relations; deletes its folder on deinit.
final class SaleStore {
  let path = ContractStore.freshPath()
  let store: Store

  init() throws {
    store = try Store(model: try Self.model(), directory: path, maxDbSizeInKByte: 500)
  }

  deinit {
    store.close()
    try? FileManager.default.removeItem(atPath: path)
  }

  private static func model() throws -> OpaquePointer {
    let modelBuilder = try ModelBuilder()
    let shop = try modelBuilder.entityBuilder(for: Shop.self, id: 1, uid: 1)
    try shop.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 11)
    try shop.addProperty(name: "name", type: .string, id: 2, uid: 12)
    try shop.lastProperty(id: 2, uid: 12)
    let sale = try modelBuilder.entityBuilder(for: Sale.self, id: 2, uid: 2)
    try sale.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 21)
    try sale.addProperty(name: "name", type: .string, id: 2, uid: 22)
    try sale.addToOneRelation(
      name: "shop",
      targetEntityInfo: Shop.entityInfo,
      flags: [.indexed, .indexPartialSkipZero],
      id: 3,
      uid: 23,
      indexId: 1,
      indexUid: 101
    )
    try sale.addToManyRelation(id: 1, uid: 201, targetId: 4, targetUid: 4)
    try sale.lastProperty(id: 3, uid: 23)
    let tag = try modelBuilder.entityBuilder(for: Tag.self, id: 4, uid: 4)
    try tag.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 41)
    try tag.addProperty(name: "name", type: .string, id: 2, uid: 42)
    try tag.lastProperty(id: 2, uid: 42)
    modelBuilder.lastEntity(id: 4, uid: 4)
    modelBuilder.lastIndex(id: 1, uid: 101)
    modelBuilder.lastRelation(id: 1, uid: 201)
    return modelBuilder.finish()
  }

  var shops: Box<Shop> { store.box() }
  var sales: Box<Sale> { store.box() }
  var tags: Box<Tag> { store.box() }
}
