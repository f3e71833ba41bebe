import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport
import ObjectBoxTesting
import Testing

/// Properties that come from several properties of an earlier model, through generated code.
struct MergedTests {
  private let folder: TemporaryDirectory
  private var path: String { folder.path + "/store" }

  init() throws { folder = try TemporaryDirectory() }

  private func model(isEarlier: Bool) throws -> URL {
    try MigratedModel(
      "ObjectBoxGeneratedCodeTests",
      folder: folder.path,
      entities: ["Merged", "MergedOwner"]
    )
    .write(isEarlier: isEarlier)
  }

  private static let house: [String: (any Sendable)?] = [
    "name": "House", "street": "Main St", "number": Int32(7), "x": 1.5, "y": Float(2),
    "areas": [Int32(8), 9], "made": Date(timeIntervalSince1970: 5), "born": "1990", "owner": 1,
  ]

  private func fill(_ objects: [[String: (any Sendable)?]] = [house, ["name": "Hut"]]) throws {
    let store = try Store(directoryPath: path, modelJSON: try model(isEarlier: true))
    try store.box(named: "MergedOwner").put(["first": "Ada", "last": "Lovelace"])
    for object in objects { try store.box(named: "Merged").put(object) }
    store.close()
  }

  @Test func `functions fill structs and classes, and relations and indexes are right`() throws {
    try fill()
    for _ in 0..<2 {
      let store = try Store(directoryPath: path)
      let box = store.box(for: Merged.self)
      let house = try #require(try box.get(1))
      #expect(house.name == "House")
      #expect(house.address == "House, Main St 7, 1990")
      #expect(house.place == Merged.Place(x: 1.5, y: 2))
      #expect(house.size == .large)
      #expect(house.owner.target?.full == "Ada Lovelace")
      #expect(house.owner.target?.things.map(\.id) == [1])
      let hut = try #require(try box.get(2))
      #expect(hut.address == "Hut,  0, 0")
      #expect(hut.place == nil && hut.size == .small && hut.owner.target == nil)
      #expect(try box.query { Merged.address == "Hut,  0, 0" }.build().findIds() == [2])
      store.close()
    }
  }

  @Test
  func `an object that the function refuses is told with its old values, and the store stays`()
    throws
  {
    try fill([Self.house, ["name": "Hut", "number": Int32(-1)]])
    #expect {
      _ = try Store(directoryPath: path)
    } throws: { error in
      let text = "\(error)"
      return text.contains("'Merged'") && text.contains("ID 2") && text.contains("number '-1'")
        && text.contains("NoNumber")
    }
    let store = try Store(directoryPath: path, modelJSON: try model(isEarlier: true))
    #expect(try store.box(named: "Merged").get(2)?["number"] as? Int == -1)
    store.close()
  }

  @Test func `a model file without the function leaves a store that needs it alone`() throws {
    try fill()
    let present = try model(isEarlier: false)
    #expect {
      _ = try Store(directoryPath: path, modelJSON: present)
    } throws: { error in
      "\(error)".contains("the program, which must open the store first")
    }
    try Store(directoryPath: path).close()
    let store = try Store(directoryPath: path, modelJSON: present)
    #expect(
      try store.box(named: "Merged").get(1)?["address"] as? String == "House, Main St 7, 1990"
    )
    store.close()
  }

  @Test(.onPlainFiles("ObjectBoxTesting copies data.mdb"))
  func `a migration test tells all old properties of the function of whole objects`() throws {
    try fill()
    let test = try Store.openForMigrationTest(path) { try Store(configuration: $0) }
    let changes = test.changes.map(\.description)
    for change in [
      "Merged.address: propertyMigrated from 'street, number, x, y, areas, made', 2 objects",
      "Merged.year: propertyMigrated from 'born', 2 objects",
      "Merged.street: propertyRemoved, 2 objects",
      "MergedOwner.full: propertyMigrated from 'first, last', 1 object",
    ] {
      #expect(changes.contains(change), "\(changes)")
    }
    #expect(try test.store.box(for: Merged.self).get(2)?.address == "Hut,  0, 0")
    test.close()
  }
}
