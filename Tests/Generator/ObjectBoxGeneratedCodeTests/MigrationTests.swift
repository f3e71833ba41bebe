import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport
import ObjectBoxTesting
import Testing

/// Properties whose values come from properties of an earlier model, through generated code.
struct MigrationTests {
  private let folder: TemporaryDirectory
  private var path: String { folder.path + "/store" }

  init() throws { folder = try TemporaryDirectory() }

  private func model(isEarlier: Bool) throws -> URL {
    try MigratedModel("ObjectBoxGeneratedCodeTests", folder: folder.path, entities: ["Moved"])
      .write(isEarlier: isEarlier)
  }

  private static let made = Date(timeIntervalSince1970: 1234.5)

  private static let ada: [String: (any Sendable)?] = [
    "born": "-100", "count": 7, "tags": "a b", "level": "high", "ratio": 0.5, "isOpen": 1,
    "scores": [Int32(1), 2], "price": 1.5, "made": made,
    "token": "01020304-0506-0708-090A-0B0C0D0E0F10", "place": "Köln", "full": "Ada Lovelace",
  ]

  private func fill(_ objects: [[String: (any Sendable)?]]) throws {
    let store = try Store(directoryPath: path, modelJSON: try model(isEarlier: true))
    for object in objects { _ = try store.box(named: "Moved").put(object) }
    store.close()
  }

  @Test func `values of every type pass through their functions`() throws {
    try fill([Self.ada, ["full": "Jim"]])
    let store = try Store(directoryPath: path)
    let box = store.box(for: Moved.self)
    let ada = try #require(try box.get(1))
    #expect(ada.born == Date(timeIntervalSince1970: -100))
    #expect(ada.count == "7")
    #expect(ada.tags == ["a", "b"])
    #expect(ada.level == .high)
    #expect(ada.ratio == 0.5)
    #expect(ada.isOpen)
    #expect(ada.scores == [0.5, 1])
    #expect(ada.price == Decimal(1.5))
    #expect(ada.made == Self.made)
    #expect(ada.token?.uuidString == "01020304-0506-0708-090A-0B0C0D0E0F10")
    #expect(ada.place == Moved.Place(city: "Köln"))
    #expect(ada.first == "Ada")
    #expect(ada.last == "Lovelace")
    #expect(try box.query { Moved.count == "7" }.build().findIds() == [1])
    store.close()
  }

  @Test func `null is nil, or zero or empty for parameters that are not optional`() throws {
    try fill([Self.ada, ["full": "Jim"]])
    let store = try Store(directoryPath: path)
    let jim = try #require(try store.box(for: Moved.self).get(2))
    #expect(jim.born == nil && jim.tags == nil && jim.price == nil && jim.made == nil)
    #expect(jim.count == "0" && jim.level == .low && jim.scores == [] && jim.place == nil)
    store.close()
  }

  @Test func `a value that its function refuses is told with the object, and the store stays`()
    throws
  {
    try fill([Self.ada, ["born": "soon", "full": "Jim"]])
    #expect {
      _ = try Store(directoryPath: path)
    } throws: { error in
      let text = "\(error)"
      return text.contains("'Moved.born'") && text.contains("ID 2") && text.contains("'soon'")
        && text.contains("NoNumber")
    }
    let store = try Store(directoryPath: path, modelJSON: try model(isEarlier: true))
    #expect(try store.box(named: "Moved").get(2)?["born"] as? String == "soon")
    store.close()
  }

  @Test func `a model file without functions leaves a store that needs them alone`() throws {
    try fill([Self.ada])
    let present = try model(isEarlier: false)
    #expect {
      _ = try Store(directoryPath: path, modelJSON: present)
    } throws: { error in
      "\(error)".contains("the program, which must open the store first")
    }
    try Store(directoryPath: path).close()
    try Store(directoryPath: path, modelJSON: present).close()
  }

  @Test(.onPlainFiles("ObjectBoxTesting copies data.mdb"))
  func `a migration test opens a copy, and tells what has changed`() throws {
    try fill([Self.ada, ["full": "Jim"]])
    let test = try Store.openForMigrationTest(path) { try Store(configuration: $0) }
    let changes = test.changes.map(\.description)
    #expect(changes.contains("Moved.born: propertyMigrated from 'born', 2 objects"), "\(changes)")
    #expect(changes.contains("Moved.last: propertyMigrated from 'full', 2 objects"), "\(changes)")
    #expect(changes.contains("Moved.born: propertyRemoved, 2 objects"), "\(changes)")
    #expect(changes.contains("Moved.count: indexAdded, 2 objects"), "\(changes)")
    #expect(try test.store.box(for: Moved.self).get(1)?.count == "7")
    try test.store.box(for: Moved.self).removeAll()
    let copy = test.store.directoryPath
    #expect(copy != path)
    test.close()
    #expect(!FileManager.default.fileExists(atPath: copy))
    let store = try Store(directoryPath: path, modelJSON: try model(isEarlier: true))
    #expect(try store.box(named: "Moved").get(1)?["count"] as? Int == 7)
    store.close()
  }

  @Test(.onPlainFiles("ObjectBoxTesting copies data.mdb"))
  func `a migration test of a refused store leaves no copy`() throws {
    try fill([["born": "soon"]])
    var copy = ""
    #expect {
      _ = try Store.openForMigrationTest(path) {
        copy = $0.directory
        return try Store(configuration: $0)
      }
    } throws: { "\($0)".contains("'soon'") }
    #expect(copy != "" && !FileManager.default.fileExists(atPath: copy))
  }
}
