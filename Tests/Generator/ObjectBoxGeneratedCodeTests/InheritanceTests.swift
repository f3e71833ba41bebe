import Foundation
import ObjectBox
import ObjectBoxLive
import ObjectBoxSearch
import ObjectBoxTestSupport
import Testing

/// Entities that inherit properties from annotated base classes, by generated code.
struct InheritanceTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private func store() throws -> Store { try Store(directoryPath: folder.path + "/store") }

  private func purchase(_ title: String, at seconds: Double, total: Double = 1) -> Purchase {
    let purchase = Purchase(title, total: total)
    purchase.createdAt = Date(timeIntervalSince1970: seconds)
    purchase.stage = .paid
    purchase.text = "a \(title) for the garden"
    purchase.extras = ["weight": 3]
    return purchase
  }

  @Test func `inherited properties are stored, and read after the store is opened again`() throws {
    var store = try store()
    let shed = purchase("shed", at: 100, total: 9.5)
    shed.isSelected = true
    shed.reads = 7
    shed.buyer.target = Buyer("Ada")
    shed.marks.append(Mark(id: 0, name: "large"))
    try store.box(for: Purchase.self).put(shed)
    #expect(shed.id == 1)
    store.close()

    store = try self.store()
    defer { store.close() }
    let found = try #require(try store.box(for: Purchase.self).get(1))
    #expect(found.title == "shed" && found.total == 9.5 && found.label == "paid 1")
    #expect(found.createdAt == Date(timeIntervalSince1970: 100))
    #expect(found.text == "a shed for the garden" && found.extras == ["weight": 3])
    #expect(found.buyer.target?.name == "Ada")
    #expect(found.marks.map(\.name) == ["large"])
    #expect(!found.isSelected && found.reads == 0)
  }

  @Test func `queries, orders and indexes take inherited properties`() throws {
    let store = try store()
    defer { store.close() }
    let box: Box<Purchase> = store.box()
    try box.put([
      purchase("shed", at: 300), purchase("spade", at: 100), purchase("seeds", at: 200),
    ])
    let late = try box.query { Purchase.createdAt.isAfter(Date(timeIntervalSince1970: 150)) }
      .ordered(by: Purchase.createdAt).build()
    #expect(try late.find().map(\.title) == ["seeds", "shed"])
    #expect(try late.explain().description.contains("createdAt"))
    let short = try box.query { .title != "spade" && .total > 0.5 && .stage == 2 }.build()
    #expect(try short.count() == 2)
    #expect(try box.query { Purchase.text.matches("spade garden") }.build().findIds() == [2])
    #expect(try box.query().build().property(Purchase.title).findStrings().count == 3)
    #expect(try box.get(where: Purchase.title, equals: "seeds")?.id == 3)
  }

  @Test func `inherited relations link, and backlinks lead to each entity`() throws {
    let store = try store()
    defer { store.close() }
    let shed = purchase("shed", at: 1)
    let ada = Buyer("Ada")
    shed.buyer.target = ada
    shed.marks.append(Mark(id: 0, name: "large"))
    let offer = Offer("fence", days: 3)
    offer.buyer.target = ada
    try store.box(for: Purchase.self).put(shed)
    try store.box(for: Offer.self).put(offer)
    let offers = try store.box(for: Offer.self).query { .days > 1 }
      .link(Offer.buyer) { Buyer.name == "Ada" && Buyer.createdAt < Date() }.build()
    #expect(try offers.find().map(\.title) == ["fence"])
    let buyer = try #require(try store.box(for: Buyer.self).get(ada.id))
    #expect(buyer.purchases.map(\.title) == ["shed"])
    let mark = try #require(try store.box(for: Mark.self).all().first)
    #expect(mark.purchases.map(\.title) == ["shed"])
  }

  @Test func `unique values of a base are unique within each entity`() throws {
    let store = try store()
    defer { store.close() }
    try store.box(for: Purchase.self).put(purchase("shed", at: 1))
    try store.box(for: Offer.self).put(Offer("shed"))
    #expect(throws: ObjectBoxError.self) {
      try store.box(for: Purchase.self).put(purchase("shed", at: 2))
    }
    #expect(try store.box(for: Purchase.self).count() == 1)
  }

  @Test func `handles of snapshots and live views read inherited members`() throws {
    let store = try store()
    defer { store.close() }
    try store.box(for: Purchase.self).put(purchase("shed", at: 5))
    let live = try store.live()
    let handle = try #require(try live.object(Purchase.self, 1))
    try live.write { transaction in try transaction.modify(handle) { $0.title = "barn" } }
    #expect(handle.title == "barn" && handle.stage == .paid && handle.label == "paid 1")
    #expect(try handle[Purchase.createdAt] == Date(timeIntervalSince1970: 5))
    let frozen = try #require(try store.freeze().object(Purchase.self, 1))
    #expect(frozen.title == "barn")
  }
}
