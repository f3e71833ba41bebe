import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport
import Testing

/// A store that is opened with generated code and, in turn, with the model file.
struct ModelFileTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private static var model: URL {
    URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("model-ObjectBoxGeneratedCodeTests.json")
  }

  private func path(_ name: String) -> String { folder.path + "/" + name }

  private func file(_ name: String) throws -> Data {
    try Data(contentsOf: URL(fileURLWithPath: path(name) + "/data.mdb"))
  }

  /// Opens a store with generated code, and closes it after the body.
  private func typed(_ name: String, _ body: (Store) throws -> Void) throws {
    let store = try Store(directoryPath: path(name))
    try body(store)
    store.close()
  }

  /// Opens a store with the model file, and closes it after the body.
  private func dynamic(_ name: String, _ body: (Store) throws -> Void) throws {
    let store = try Store(directoryPath: path(name), modelJSON: Self.model)
    try body(store)
    store.close()
  }

  private func message(_ body: () throws -> Void) -> String {
    do {
      try body()
      return "no error"
    } catch {
      return "\(error)"
    }
  }

  // MARK: The same objects in both forms

  private static let date = Date(timeIntervalSince1970: 1_234.5)
  private static let uuid = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))

  private static var everything: Everything {
    let object = Everything()
    object.bool = true
    object.int8 = .min
    object.uint8 = .max
    object.int16 = .min
    object.uint16 = .max
    object.int32 = .min
    object.uint32 = .max
    object.int64 = .min
    object.uint64 = .max
    object.int = .max
    object.uint = .max
    object.float = 1.5
    object.double = 0.1
    object.string = "é"
    object.data = Data([1, 2])
    object.bytes = [3]
    object.date = date
    object.precise = date
    object.flex = Data([4])
    object.int32s = [1, -1]
    object.int64s = [.max]
    object.floats = [0.5]
    object.strings = ["a", ""]
    object.color = .green
    object.price = Money(cents: 99)
    object.default = "d"
    return object
  }

  private static let everythingByName: [String: any Sendable] = [
    "bool": true, "int8": Int8.min, "uint8": UInt8.max, "int16": Int16.min, "uint16": UInt16.max,
    "int32": Int32.min, "uint32": UInt32.max, "int64": Int64.min, "uint64": UInt64.max,
    "int": Int.max, "uint": UInt.max, "float": 1.5, "double": 0.1, "string": "é",
    "data": Data([1, 2]), "bytes": [3] as [UInt8], "date": date, "precise": date,
    "flex": Data([4]), "int32s": [1, -1], "int64s": [Int.max], "floats": [0.5],
    "strings": ["a", ""], "color": "green", "price": 99, "renamed": "d",
  ]

  private func writeTyped(_ store: Store) throws {
    try store.box(for: Everything.self).put(Self.everything)
    try store.box(for: Nothing.self).put(.empty(key: 7))
    try store.runInTransaction {
      try store.box(for: Customer.self).put([Customer("Ada"), Customer("Bob")])
    }
    let order = Order("shoes")
    order.customer.targetId = 2
    try store.box(for: Order.self).put(order)
    let ada = try #require(try store.box(for: Customer.self).get(1 as Id))
    ada.watched.append(order)
    try ada.watched.applyToDb()
    let root = Folder("/Ä")
    try store.box(for: Folder.self).put(root)
    let document = Document(40_000)
    document.title = "x"
    document.kind = -3
    document.date = Self.date
    document.folder.targetId = 1
    try store.box(for: Document.self).put(document)
  }

  private func writeByName(_ store: Store) throws {
    try store.box(named: "Everything").put(Self.everythingByName)
    try store.box(named: "Nothing").put(["key": 7])
    try store.box(named: "Customer").put([["name": "Ada"], ["name": "Bob"]])
    let order = try store.box(named: "Order").put(["name": "shoes", "customer": 2])
    try store.box(named: "Order").add([1], to: "watchers", of: order)
    try store.box(named: "Folder").put(["path": "/Ä"])
    try store.box(named: "Document").put([
      "number": 40_000, "title": "x", "kind": -3, "date": Self.date, "folder": 1,
    ])
  }

  // MARK: Tests

  @Test func `the model file is the model of generated code, to the last flag`() throws {
    var configuration = Store.Configuration(directory: path("store"))
    configuration.sharesOpenStore = true
    let typed = try Store(configuration: configuration)
    // Opening shares the store only if the models are equal.
    let dynamic = try Store(configuration: configuration, modelJSON: Self.model)
    let id = try dynamic.box(named: "Customer").put(["name": "Ada"])
    #expect(try typed.box(for: Customer.self).get(id)?.name == "Ada")
  }

  @Test(.onPlainFiles("compares data.mdb"))
  func `opening by the other one leaves every byte as it is`() throws {
    try typed("store", writeTyped)
    let before = try file("store")
    try dynamic("store") { _ = try $0.box(named: "Order").all() }
    #expect(try file("store") == before)
    try typed("store") { _ = try $0.box(for: Order.self).all() }
    #expect(try file("store") == before)
  }

  @Test(.onPlainFiles("compares data.mdb"))
  func `both write the same bytes: records, index entries and relations`() throws {
    for name in ["typed", "dynamic"] { try typed(name) { _ in } }
    try typed("typed", writeTyped)
    try dynamic("dynamic", writeByName)
    #expect(try file("typed") == file("dynamic"))
  }

  @Test func `what generated code has written is read by names`() throws {
    try typed("store", writeTyped)
    try dynamic("store") { store in
      let object = try #require(try store.box(named: "Everything").get(1))
      for (name, value) in Self.everythingByName {
        let found = try #require(object[name])
        #expect(
          "\(found)".hasSuffix("\(value)") || found as? Data == Data(value as? [UInt8] ?? []),
          "\(name): \(found) \(value)"
        )
      }
      let nothing = try #require(try store.box(named: "Nothing").get(7))
      #expect(nothing.names.allSatisfy { $0 == "key" || nothing[$0] == nil })
      let order = try #require(try store.box(named: "Order").all().first)
      #expect(order["customer"] as? Id == 2)
      #expect(try order.targets("watchers") == [1])
      #expect(try store.box(named: "Customer").sources("Order", "customer", of: 2) == [1])
      let document = try store.box(named: "Document").query { properties in
        let number: DynamicCondition = properties["number"] == 40_000
        return number && properties["title"] == "x"
      }.build()
      #expect(try document.findFirst()?["folder"] as? Id == 1)
    }
  }

  private func expectEverything(_ object: Everything) {
    let expected = Self.everything
    #expect(object.bool)
    #expect(object.int8 == .min)
    #expect(object.uint8 == .max)
    #expect(object.uint32 == .max)
    #expect(object.uint64 == .max)
    #expect(object.int == .max)
    #expect(object.float == 1.5)
    #expect(object.string == "é")
    #expect(object.data == expected.data)
    #expect(object.bytes == [3])
    #expect(object.date == Self.date)
    #expect(object.precise == Self.date)
    #expect(object.flex == Data([4]))
    #expect(object.int32s == [1, -1])
    #expect(object.int64s == [.max])
    #expect(object.floats == [0.5])
    #expect(object.strings == ["a", ""])
    #expect(object.color == .green)
    #expect(object.price == Money(cents: 99))
    #expect(object.default == "d")
  }

  @Test func `what was written by names is read by generated code`() throws {
    try typed("store") { _ in }
    try dynamic("store", writeByName)
    try typed("store") { store in
      expectEverything(try #require(try store.box(for: Everything.self).get(1 as Id)))
      #expect(try store.box(for: Nothing.self).get(7 as EntityId<Nothing>) == .empty(key: 7))
      let order = try #require(try store.box(for: Order.self).all().first)
      #expect(order.customer.target?.name == "Bob")
      #expect(order.watchers.map(\.name) == ["Ada"])
      #expect(order.watchers.first?.watched.map(\.name) == ["shoes"])
      let bob = try store.box(for: Customer.self).get(where: Customer.name, equals: "Bob")
      #expect(bob?.orders.map(\.name) == ["shoes"])
      let documents = store.box(for: Document.self)
      let document = try #require(try documents.get(where: Document.number, equals: 40_000))
      let kind: Int8 = -3
      #expect(document.kind == kind)
    }
  }

  @Test func `plans and violations are the same in words`() throws {
    try typed("store", writeTyped)
    var plans: [String] = []
    var faults: [String] = []
    try typed("store") { store in
      let documents = store.box(for: Document.self)
      plans = [
        try store.box(for: Customer.self).query { Customer.name == "Ada" }.build().explain(),
        try documents.query { Document.number > 5 }.ordered(by: Document.number).build().explain(),
        try documents.query { Document.kind == -3 && Document.date > Self.date }.build().explain(),
        try store.box(for: Folder.self).query {
          Folder.path.isEqual(to: "/ä", caseSensitive: false)
        }.build().explain(),
        try store.box(for: Order.self).query { Order.customer.link { Customer.name == "Bob" } }
          .build().explain(),
      ]
      faults = [
        message { try store.box(for: Customer.self).put(Customer("Ada")) },
        message { try store.box(for: Folder.self).put(Folder("/ä")) },
        message { try documents.put(Document(40_000)) },
        message {
          let document = Document(1)
          document.title = "x"
          document.folder.targetId = 1
          try documents.put(document)
        },
      ]
    }
    try dynamic("store") { store in
      let documents = try store.box(named: "Document")
      let byName = [
        try store.box(named: "Customer").query { $0["name"] == "Ada" }.build().explain(),
        try documents.query { $0["number"] > 5 }.ordered(by: "number").build().explain(),
        try documents.query { $0["kind"] == -3 && $0["date"] > Self.date }.build().explain(),
        try store.box(named: "Folder").query {
          $0["path"].isEqual(to: "/ä", caseSensitive: false)
        }.build().explain(),
        try store.box(named: "Order").query { $0["customer"].link { $0["name"] == "Bob" } }.build()
          .explain(),
      ]
      #expect(byName == plans)
      let found = [
        message { try store.box(named: "Customer").put(["name": "Ada"]) },
        message { try store.box(named: "Folder").put(["path": "/ä"]) },
        message { try documents.put(["number": 40_000]) },
        message { try documents.put(["number": 1, "title": "x", "folder": 1]) },
      ]
      #expect(found == faults)
      #expect(found.allSatisfy { $0.contains("uniqueViolation") })
    }
  }

  @Test func `delete rules and nearest-neighbour indexes hold for both`() throws {
    try typed("store") { store in
      try writeTyped(store)
      let place = Place()
      place.position = [48, 16]
      try store.box(for: Place.self).put(place)
      let sub = Folder("/Ä/sub")
      sub.parent.targetId = 1
      try store.box(for: Folder.self).put(sub)
    }
    try dynamic("store") { store in
      let places = try store.box(named: "Place")
      try places.put(["position": [-33, 151]])
      let near = try places.query {
        $0["position"].nearestNeighbors(queryVector: [-34, 150], maxCount: 1)
      }.build()
      #expect(try near.findIds() == [2])
      // The removal cascades to the folder's children and their documents.
      #expect(try store.box(named: "Folder").remove(1))
      #expect(try store.box(named: "Folder").count() == 0)
      #expect(try store.box(named: "Document").count() == 0)
    }
    try typed("store") { store in
      let query = try store.box(for: Place.self).query {
        Place.position.nearestNeighbors(queryVector: [-34, 150], maxCount: 2)
      }.build()
      #expect(try query.findIdsWithScores().map(\.id) == [2, 1])
      #expect(try store.box(for: Document.self).isEmpty())
    }
  }
}
