import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxLive
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

struct FullStoreRemovalTests {
  enum Way: CaseIterable {
    case singly, byIDs, atOnce, query, batches, transactions
  }

  @Test(arguments: Way.allCases)
  func `a store that is full can be emptied and filled again`(_ way: Way) throws {
    let full = try FullStore()
    try full.fill()
    let ids = try full.people.query().build().findIds().map(\.value)
    var random = SplitMix(seed: 3)
    let order = ids.shuffled(using: &random)
    switch way {
    case .singly: for id in order { try full.people.remove(id) }
    case .byIDs: try full.people.remove(order)
    case .atOnce: try full.people.removeAll()
    case .query: try full.people.query().build().remove()
    case .batches:
      #expect(try full.people.query().build().remove(inBatchesOf: 25) == UInt64(ids.count))
    case .transactions:
      try full.store.write { transaction in
        for id in order { try transaction.remove(EntityId<Person>(id)) }
      }
    }
    #expect(try full.people.isEmpty())
    #expect(try full.pages() <= full.removalLimit())
    try full.expectSound()
    try full.fill(from: 50_000)
    #expect(try full.people.count() >= ids.count)
    #expect(try full.pages() <= full.removalLimit())
    try full.expectSound()
  }

  @Test func `removing in batches takes no more pages than one batch`() throws {
    let full = try FullStore()
    try full.fill()
    let before = try full.pages()
    try full.people.query().build().remove(inBatchesOf: 10)
    #expect(try full.people.isEmpty())
    #expect(try full.pages() <= before + 40)
  }

  @Test func `cascades remove from a store that is full`() throws {
    let relations = try RelationStore(RelationModel(customerRule: .cascade))
    let store = relations.store
    let customers = (0..<50).map { Customer("\($0)") }
    try relations.customers.put(customers)
    let orders = (0..<3000).map { number in
      let order = Order("\(number)")
      order.customer.targetId = EntityId(customers[number % 50].id)
      return order
    }
    try relations.orders.put(orders)
    store.maximumSize = try store.statistics.pages * store.statistics.pageSizeInBytes
    #expect(
      fullMessage { try relations.customers.put((0..<5000).map { Customer("\($0)") }) } != nil
    )
    for customer in customers { try relations.customers.remove(customer) }
    #expect(try relations.orders.isEmpty())
    #expect(try store.verify().faults == [])
  }

  @Test(.disabled(if: Sanitizer.isPresent, "a sanitizer takes addresses of its own"))
  func `removing stops at twice the limit while a snapshot holds a version, and names it`()
    throws
  {
    let full = try FullStore()
    try full.fill()
    let ids = try full.people.query().build().findIds().map(\.value)
    let snapshot = try full.store.freeze()
    var random = SplitMix(seed: 5)
    var order = ids.shuffled(using: &random)
    var message: String?
    while message == nil, let id = order.popLast() {
      message = fullMessage { try full.people.remove(id) }
    }
    let told = try #require(message)
    for part in ["twice", "wait for version", "snapshot", "FullStoreRemovalTests.swift", "let go"] {
      #expect(told.contains(part), "\(told)")
    }
    #expect(try full.pages() <= full.removalLimit())
    // The other objects remain, and the snapshot shows all objects.
    #expect(try full.people.count() == order.count + 1)
    #expect(try snapshot.count(Person.self) == ids.count)
    try full.expectSound()
    snapshot.invalidate()
    try full.people.query().build().remove(inBatchesOf: 20)
    #expect(try full.people.isEmpty())
    #expect(try full.pages() <= full.removalLimit())
    try full.expectSound()
  }

  @Test func `a query removes its results in batches, though not inside of a transaction`()
    throws
  {
    let full = try FullStore()
    try full.people.put((0..<300).map { FullStore.person($0) })
    let query = try full.people.query { Person.age < 50 }.build()
    #expect(throws: ObjectBoxError.self) { try query.remove(inBatchesOf: 0) }
    #expect(throws: ObjectBoxError.self) {
      try full.store.write { _ in try query.remove(inBatchesOf: 10) }
    }
    #expect(try full.people.count() == 300)
    let commits = try full.store.statistics.commits
    #expect(try query.remove(inBatchesOf: 40) == 150)
    #expect(try full.store.statistics.commits == commits + 4)
    #expect(try full.people.count() == 150)
    #expect(try query.count() == 0)
  }

  @Test func `an index of nearest neighbours is emptied in a store that is full`() throws {
    let sights = try SightStore(sizeInKilobytes: 400)
    var number = 0
    while fullMessage({
      try sights.box.put(
        (0..<10).map { Sight([Float((number + $0) % 31), Float((number + $0) / 31)]) }
      )
    }) == nil {
      number += 10
    }
    #expect(number > 0)
    try sights.box.query().build().remove(inBatchesOf: 10)
    #expect(try sights.box.isEmpty())
    #expect(try sights.store.verify().faults == [])
  }
}
