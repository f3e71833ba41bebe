import Foundation
import ObjectBox
import Testing

extension Collection {
  fileprivate subscript(safe index: Index) -> Element? {
    indices.contains(index) ? self[index] : nil
  }
}

struct RelationContractTests {
  private let stores: SaleStore
  private let shops: Box<Shop>
  private let sales: Box<Sale>
  private let tags: Box<Tag>

  init() throws {
    stores = try SaleStore()
    shops = stores.shops
    sales = stores.sales
    tags = stores.tags
  }

  // MARK: To one

  @Test func `a to-one relation is made from nil, an object or by assignment`() {
    let none: ToOne<Shop> = nil
    #expect(!none.hasValue && none.target == nil && none.targetId == nil)
    let shop = Shop(name: "A")
    let some = ToOne<Shop>(shop)
    #expect(some.hasValue && some.target === shop && some.targetId == nil)
    #expect(ToOne<Shop>(nil).hasValue == false)
    some.target = nil
    #expect(!some.hasValue)
    some.targetId = 7
    #expect(some.hasValue && some.targetId == 7 && some.target == nil)
    some.targetId = nil
    #expect(!some.hasValue)
    #expect(ToOne<Shop>.Target.self == Shop.self)
    #expect("\(none)" == "ToOne(nil)")
    #expect("\(ToOne(Tag(name: "x")))" == "ToOne(x)")
  }

  @Test func `a new target is put with its host, and read through both`() throws {
    let sale = Sale(name: "bread", shop: Shop(name: "A"))
    try sales.put(sale)
    let shop = try #require(sale.shop.target)
    #expect(shop.id != 0)
    #expect(try shops.get(shop.id)?.name == "A")
    let read = try #require(try sales.get(sale.id))
    #expect(read.shop.targetId == shop.id)
    #expect(read.shop.target?.name == "A")
    #expect(read.shop.target?.sales[safe: 0]?.shop.target?.sales.count == 1)
  }

  @Test func `the ID of a target that was new shows after a reset`() throws {
    let sale = Sale(name: "bread", shop: Shop(name: "A"))
    try sales.put(sale)
    #expect(sale.shop.targetId == nil)
    #expect(sale.shop.target?.name == "A")
    sale.shop.reset()
    #expect(sale.shop.targetId == 1)
    #expect(sale.shop.target?.name == "A")
    sale.shop.reset()
    let shop = try #require(try shops.get(1))
    shop.name = "B"
    try shops.put(shop)
    #expect(sale.shop.target?.name == "B")
    shop.name = "C"
    try shops.put(shop)
    #expect(sale.shop.target?.name == "B")
    sale.shop.reset()
    #expect(sale.shop.target?.name == "C")
  }

  @Test func `a relation without a box stays with its ID until it is attached`() throws {
    try shops.put(Shop(name: "A"))
    let relation: ToOne<Shop> = nil
    relation.targetId = 1
    #expect(relation.target == nil)
    relation.attach(to: shops)
    #expect(relation.target?.name == "A")
    #expect(relation.debugDescription.contains("ToOne"))
  }

  @Test func `an ID that leads to nobody gives nil, and the same ID changes nothing`() throws {
    let sale = Sale(name: "bread")
    try sales.put(sale)
    sale.shop.targetId = 99
    #expect(sale.shop.target == nil)
    #expect(sale.shop.targetId == 99)
    let shop = Shop(name: "A")
    try shops.put(shop)
    sale.shop.target = shop
    sale.shop.targetId = shop.id
    #expect(sale.shop.target === shop)
  }

  @Test func `a removed target is gone from queries and backlinks`() throws {
    let shop = Shop(name: "A")
    try sales.put([Sale(name: "a", shop: shop), Sale(name: "b", shop: shop)])
    let stored = try #require(try shops.all().first)
    #expect(stored.sales.count == 2)
    try shops.remove(stored)
    #expect(stored.sales.count == 2)
    #expect(try sales.all().allSatisfy { $0.shop.targetId == nil })
    #expect(try sales.query { Sale.shop.isEqual(to: 1) }.build().count() == 0)
  }

  // MARK: To many

  @Test func `objects of a new host are put with it, and the first relation belongs to nothing`()
    throws
  {
    let shop = Shop(name: "A")
    let early = shop.sales
    #expect(!early.canInteractWithDb)
    shop.sales.append(Sale(name: "a"))
    shop.sales.append(contentsOf: [Sale(name: "b"), Sale(name: "c")])
    #expect(early === shop.sales)
    #expect(early.hasPendingDbChanges)
    try shops.put(shop)
    #expect(shop.sales !== early)
    #expect(shop.sales.canInteractWithDb && !shop.sales.hasPendingDbChanges)
    #expect(shop.sales.map(\.name) == ["a", "b", "c"])
    #expect(try sales.all().allSatisfy { $0.shop.targetId == shop.id })
    #expect(kindThrown { try early.applyToDb() } == "cannotRelateToUnsavedEntities")
  }

  @Test func `nothing to apply is no error, without a host either`() throws {
    let relation: ToMany<Sale> = nil
    try relation.applyToDb()
    try ToMany<Sale>().applyToDb()
    relation.reset()
    #expect(relation.isEmpty)
    #expect(!relation.canInteractWithDb)
    #expect(
      kindThrown { _ = try relation.getUncachedIdsFromDb() } == "cannotRelateToUnsavedEntities"
    )
    try relation.resolveFromDb()
    #expect(relation.resolved)
  }

  @Test func `a relation is a collection that keeps what it is`() throws {
    let shop = Shop(name: "A")
    try shops.put(shop)
    var toMany = shop.sales
    toMany.append(Sale(name: "a"))
    toMany.insert(Sale(name: "b"), at: 0)
    toMany += [Sale(name: "c"), Sale(name: "d"), Sale(name: "e")]
    #expect(toMany === shop.sales)
    #expect(shop.sales.map(\.name) == ["b", "a", "c", "d", "e"])
    #expect(toMany.remove(at: 1).name == "a")
    #expect(toMany.removeFirst().name == "b")
    #expect(toMany.removeLast().name == "e")
    toMany.removeAll(where: { $0.name == "d" })
    #expect(toMany === shop.sales)
    #expect(toMany.startIndex == 0 && toMany.endIndex == 1 && toMany.count == 1)
    #expect(toMany.first?.name == "c" && toMany[0].name == "c")
    #expect(toMany.reversed().reversed().canInteractWithDb)
    #expect(toMany.reversed().map(\.name) == ["c"])
    toMany.replaceSubrange(0..<1, with: [Sale(name: "x"), Sale(name: "y")])
    #expect(shop.sales.map(\.name) == ["x", "y"])
    toMany.removeAll()
    #expect(toMany === shop.sales && toMany.isEmpty)
  }

  @Test func `new contents of a relation are stored, and an empty one as well`() throws {
    let shop = Shop(name: "A")
    try shops.put(shop)
    shop.sales.append(Sale(name: "a"))
    shop.sales.replace([Sale(name: "z")])
    try shop.sales.applyToDb()
    #expect(try sales.all().map(\.name) == ["z"])
    shop.sales.removeAll(keepingCapacity: true)
    try shop.sales.applyToDb()
    #expect(try sales.all().map(\.shop.hasValue) == [false])
  }

  @Test func `changes of a backlink reach the to-one relations when they are applied`() throws {
    let shop = Shop(name: "A")
    try shops.put(shop)
    let kept = Sale(name: "kept")
    let cancelled = Sale(name: "cancelled")
    shop.sales.append(contentsOf: [kept, cancelled])
    shop.sales.removeAll(where: { $0 === cancelled })
    #expect(shop.sales.hasPendingDbChanges)
    try shop.sales.applyToDb()
    #expect(!shop.sales.hasPendingDbChanges)
    #expect(cancelled.id == 0 && !cancelled.shop.hasValue)
    #expect(kept.shop.targetId == shop.id)
    #expect(try sales.all().map(\.name) == ["kept"])
    shop.sales.removeAll(where: { $0 === kept })
    try shop.sales.applyToDb()
    #expect(!kept.shop.hasValue)
    #expect(try shop.sales.getUncachedFromDb().isEmpty)
    #expect(try sales.count() == 1)
  }

  @Test func `what is added and taken back is no change, in either order`() throws {
    let sale = Sale(name: "a")
    let tag = Tag(name: "x")
    sale.tags.append(tag)
    try sales.put(sale)
    sale.tags.removeAll()
    #expect(sale.tags.hasPendingDbChanges)
    sale.tags.append(tag)
    #expect(!sale.tags.hasPendingDbChanges)
    sale.tags.append(Tag(name: "y"))
    sale.tags.removeLast()
    #expect(!sale.tags.hasPendingDbChanges)
  }

  @Test func `a standalone relation is changed from both ends`() throws {
    let sale = Sale(name: "a")
    sale.tags.append(contentsOf: [Tag(name: "x"), Tag(name: "y")])
    try sales.put(sale)
    #expect(try tags.all().map(\.name) == ["x", "y"])
    let tag = try #require(try tags.get(1))
    #expect(tag.sales.map(\.name) == ["a"])
    tag.sales.append(Sale(name: "b"))
    try tag.sales.applyToDb()
    #expect(try sales.count() == 2)
    let ids: [Id] = try tag.sales.getUncachedIdsFromDb()
    #expect(ids == [1, 2])
    let other = Tag(name: "z")
    other.sales.append(sale)
    try tags.put(other)
    #expect(sale.tags.map(\.name) == ["x", "y"])
    sale.tags.reset()
    #expect(!sale.tags.resolved)
    #expect(sale.tags.description == "(unresolved)")
    #expect(sale.tags.map(\.name) == ["x", "y", "z"])
    #expect(sale.tags.resolved)
    #expect("\(sale.tags)" == "[x, y, z]")
    try tags.remove(other)
    #expect(try sale.tags.getUncachedFromDb().map(\.name) == ["x", "y"])
    try sales.remove(sale)
    #expect(try tag.sales.getUncachedFromDb().map(\.name) == ["b"])
  }

  @Test func `targets come in the order of their IDs, each once`() throws {
    let all = (0..<3).map { Tag(name: "\($0)") }
    try tags.put(all)
    let sale = Sale(name: "a")
    sale.tags.append(contentsOf: [all[2], all[0], all[2]])
    try sales.put(sale)
    sale.tags.reset()
    #expect(sale.tags.map(\.name) == ["0", "2"])
  }

  @Test func `a backlink needs a stored host`() async {
    await #expect(processExitsWith: .failure) {
      let stores = try SaleStore()
      let box = stores.sales
      withExtendedLifetime(stores) {
        _ = ToMany<Sale>.backlink(sourceBox: box, sourceProperty: Sale.shop, targetId: 0)
      }
    }
  }

  // MARK: Links

  @Test func `links find hosts by their related objects, before and after other parts`() throws {
    let a = Shop(name: "A")
    let red = Tag(name: "red")
    let first = Sale(name: "bread", shop: a)
    first.tags.append(red)
    let second = Sale(name: "milk", shop: a)
    second.tags.append(contentsOf: [red, Tag(name: "cold")])
    try sales.put([first, second, Sale(name: "bread", shop: Shop(name: "B"))])

    let toOne = try sales.query { Sale.name == "bread" }
      .link(Sale.shop) { Shop.name == "A" }
      .build()
    #expect(try toOne.findIds() == [1])
    let toMany = try sales.query().link(Sale.tags) { Tag.name == "red" }
      .ordered(by: Sale.name, flags: .descending)
      .build()
    #expect(try toMany.find().map(\.name) == ["milk", "bread"])
    let both = try sales.query()
      .link(Sale.shop, conditions: { Shop.name.startsWith("A") })
      .link(Sale.tags, conditions: { Tag.name == "cold" || Tag.name == "x" })
      .build()
    #expect(try both.find().map(\.name) == ["milk"])
    let backlink = try shops.query().link(Shop.sales) { Sale.name == "bread" }.build()
    #expect(try backlink.find().map(\.name) == ["A", "B"])
    #expect(try backlink.count() == 2)
    let reverse = try tags.query().link(Tag.sales) { Sale.name == "milk" }.build()
    #expect(try reverse.find().map(\.name) == ["red", "cold"])
  }

  @Test func `a to-one relation is compared with typed IDs and numbers`() throws {
    try sales.put([
      Sale(name: "a", shop: Shop(name: "A")), Sale(name: "b", shop: Shop(name: "B")),
      Sale(name: "c"),
    ])
    let shop = try #require(try shops.get(2))
    func names(_ condition: QueryCondition<Sale>) throws -> [String] {
      try sales.query { condition }.build().find().map(\.name)
    }
    #expect(try names(Sale.shop == shop.id) == ["b"])
    #expect(try names(Sale.shop == 1) == ["a"])
    #expect(try names(Sale.shop.isEqual(to: 2)) == ["b"])
    #expect(try names(Sale.shop.isNotNil()) == ["a", "b"])
    #expect(try names(Sale.shop.isNil()) == ["c"])
    let condition: PropertyQueryCondition<Sale, Id> = Sale.shop == 1
    #expect(try names("shop" .= condition) == ["a"])
  }
}
