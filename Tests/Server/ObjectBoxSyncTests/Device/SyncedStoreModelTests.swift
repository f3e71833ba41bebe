import ObjectBox
import ObjectBoxDynamic
import ObjectBoxRuntimeTestSupport
import ObjectBoxSync
import ObjectBoxSyncProtocol
import Testing

/// Stores whose programs' models gain properties, and servers that lack properties.
struct SyncedStoreModelTests {
  /// The flags of a property whose greater value wins.
  private static let clock = 131_072

  private func logIn(_ device: TestDevice, without property: UInt64? = nil) throws {
    let model = try device.synced.hello().model.map { entity in
      EntityDescription(
        entity: entity.entity,
        properties: entity.properties.filter { $0.property.value != property },
        relations: entity.relations
      )
    }
    try device.synced.begin(model)
  }

  private func lastOperations(_ device: TestDevice) throws -> [Operation] {
    try #require(try device.synced.upload(limit: 100).transactions.last).operations
  }

  @Test
  func `a put leaves properties whose values the store has not received, also as a whole object`()
    throws
  {
    let model = SyncModel.model(flags: 2, rank: Self.clock)
    let server = try SyncModel.server(model)
    let one = try TestDevice(model: model)
    let id = try one.notes.put(["title": "one", "rank": 1, "price": 2.5])
    try one.sync(with: server)
    let earlier = SyncModel.model(flags: 2, rank: Self.clock, hasPrice: false)
    let two = try TestDevice(model: earlier)
    try logIn(two)
    try two.sync(with: server)
    try two.reopen(model: model)
    try two.notes.put(["id": id.value, "title": "two", "rank": 2, "price": 0.0])
    guard case .update(_, let values, _) = try #require(lastOperations(two).first) else {
      Issue.record("no update")
      return
    }
    #expect(values[PropertyUID(1005)] == nil)
    #expect(values[PropertyUID(1002)] == .bytes(Array("two".utf8)))
    try logIn(two)
    try two.sync(with: server)
    #expect(try two.notes.get(id)?["price"] as? Float == 2.5)
    #expect(try two.content() == (try one.take(from: server), try one.content()).1)
    #expect(try two.digests(server) == server.digests(size: TestDevice.digestSize))
    try two.notes.put(["id": id.value, "title": "two", "rank": 3, "price": 0.0])
    try two.sync(with: server)
    _ = try one.take(from: server)
    #expect(try one.notes.get(id)?["price"] as? Float == 0)
  }

  @Test(arguments: [
    (flags: 2, rank: 8), (2, 131_080), (2, 262_152), (1_073_741_826, 1_073_741_832),
    (536_870_914, 1_073_741_832),
  ])
  func `no rule of conflicts lets a transaction tell a property that it has not received`(
    rules: (flags: Int, rank: Int)
  ) throws {
    func model(hasPrice: Bool) -> String {
      SyncModel.model(flags: rules.flags, rank: rules.rank, hasPrice: hasPrice)
    }
    let server = try SyncModel.server(model(hasPrice: true))
    let one = try TestDevice(model: model(hasPrice: true))
    let ids = try (1...3).map { try one.notes.put(["title": "one", "rank": $0, "price": 2.5]) }
    try one.sync(with: server)
    let two = try TestDevice(model: model(hasPrice: false))
    try logIn(two)
    try two.sync(with: server)
    try two.reopen(model: model(hasPrice: true))
    try two.store.runInTransaction {
      for id in ids {
        try two.notes.put(["id": id.value, "title": "two", "rank": 7, "price": 0.0])
      }
      try two.notes.put(["title": "new", "rank": 8])
    }
    // Before the login, the transaction waits: the new object has a price.
    try logIn(two)
    for operation in try lastOperations(two) {
      guard case .update(_, let values, let base) = operation else { continue }
      #expect(values[PropertyUID(1005)] == nil)
      #expect(base?[PropertyUID(1005)] == nil)
    }
    try two.sync(with: server)
    for id in ids {
      #expect(try two.notes.get(id)?["price"] as? Float == 2.5)
      #expect(try two.notes.get(id)?["title"] as? String == "two")
    }
    #expect(try two.digests(server) == server.digests(size: TestDevice.digestSize))
  }

  @Test func `a typed object that is changed and put leaves a property that was not received`()
    throws
  {
    let server = try TypedDevice.server
    let one = try TypedDevice()
    let customer = try one.store.box(for: Customer.self).put(Customer("customer"))
    let id = try one.store.box(for: Order.self).put(Order("order"))
    try one.sync(with: server)
    let earlier = try TypedDevice(without: "name")
    try earlier.synced.begin(earlier.synced.hello().model)
    try earlier.sync(with: server)
    earlier.store.close()
    let two = try TypedDevice(folder: earlier.folder)
    let orders = two.store.box(for: Order.self)
    let order = try #require(try orders.get(id))
    #expect(order.name == "")
    order.customer.target = try two.store.box(for: Customer.self).get(customer)
    try orders.put(order)
    let operations = try #require(try two.synced.upload(limit: 100).transactions.last).operations
    guard case .update(_, let values, _) = try #require(operations.first) else {
      Issue.record("no update")
      return
    }
    #expect(operations.count == 1)
    #expect(values.elements.count == 1)
    try two.synced.begin(two.synced.hello().model)
    try two.synced.receive(try server.receive(try two.synced.upload(limit: 100)))
    let named = server.rows.values.filter { row in
      row.values.elements.contains { $0.value == .bytes(Array("order".utf8)) }
    }
    #expect(named.count == 1)
    #expect(
      named.first?.values.elements.contains { $0.value == .integer(Int64(customer.value)) }
        == true
    )
  }

  @Test func `a property that the server lacks does not differ in digests`() throws {
    let server = try SyncModel.server
    server.unknownProperties = [PropertyUID(1002)]
    let device = try TestDevice()
    try logIn(device, without: 1002)
    let id = try device.notes.put(["rank": 1])
    try device.sync(with: server)
    try device.notes.put(["id": id.value, "rank": 2])
    try device.sync(with: server)
    #expect(try device.digests(server) == server.digests(size: TestDevice.digestSize))
  }

  @Test func `another rule of conflicts on the server is found, and no other difference`() throws {
    let device = try TestDevice()
    let model = try device.synced.hello().model
    #expect(device.synced.otherRule(in: model) == nil)
    func other(_ json: String) throws -> String? {
      device.synced.otherRule(in: try TestDevice(model: json).synced.hello().model)
    }
    #expect(try other(SyncModel.model(flags: 2, hasPrice: false)) == nil)
    #expect(try other(SyncModel.resolved) == nil)
    #expect(try other(SyncModel.model(flags: 2, code: 536_872_992)) == "'Note.code'")
    #expect(try other(SyncModel.model(flags: 1_073_741_826)) == "'Note'")
  }

  @Test func `what waits for a property that the server lacks keeps its place, and is told`() throws
  {
    let server = try SyncModel.server
    let device = try TestDevice()
    try logIn(device, without: 1002)
    try device.notes.put(["rank": 1])
    try device.notes.put(["title": "later"])
    try device.notes.put(["rank": 3])
    #expect(try device.synced.upload(limit: 100).transactions.count == 1)
    #expect(try device.synced.unknownPart(ofWaiting: 0) == nil)
    #expect(try device.synced.unknownPart(ofWaiting: 1) == "'Note.title'")
    try device.sync(with: server)
    #expect(try device.synced.waitingCount == 2)
    #expect(try device.notes.count() == 3)
    try logIn(device)
    try device.sync(with: server)
    #expect(try device.synced.waitingCount == 0)
    #expect(
      server.rows.values.contains { $0.values[PropertyUID(1002)] == .bytes(Array("later".utf8)) }
    )
  }
}
