import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport
import ObjectBoxTesting
import Testing

/// The changes that a migration test tells, between two model files.
struct MigrationChangeTests {
  private let folder: TemporaryDirectory
  private var path: String { folder.path + "/store" }

  init() throws { folder = try TemporaryDirectory() }

  private static let earlier = #"""
    {"entities":[
      {"id":"1:1001","name":"Person","lastPropertyId":"5:1105","properties":[
        {"id":"1:1101","name":"id","type":6,"flags":1},
        {"id":"2:1102","name":"name","type":9},
        {"id":"3:1103","name":"birthday","type":9},
        {"id":"4:1104","name":"age","type":5,"flags":8,"indexId":"1:1201"},
        {"id":"5:1105","name":"teamId","type":11,"flags":520,"indexId":"2:1202","relationTarget":"Team"}
      ],"relations":[{"id":"1:1301","name":"teams","targetId":"2:1002"}]},
      {"id":"2:1002","name":"Team","lastPropertyId":"1:1111","properties":[
        {"id":"1:1111","name":"id","type":6,"flags":1}],"relations":[]},
      {"id":"3:1003","name":"Old","lastPropertyId":"1:1121","properties":[
        {"id":"1:1121","name":"id","type":6,"flags":1}],"relations":[]}
    ],"lastEntityId":"3:1003","lastIndexId":"2:1202","lastRelationId":"1:1301","modelVersion":5}
    """#

  private static let later = #"""
    {"entities":[
      {"id":"1:1001","name":"Member","lastPropertyId":"6:1106","properties":[
        {"id":"1:1101","name":"id","type":6,"flags":1},
        {"id":"2:1102","name":"title","type":9},
        {"id":"4:1104","name":"age","type":5,"flags":8192},
        {"id":"5:1105","name":"teamId","type":11,"flags":520,"indexId":"2:1202","relationTarget":"Group"},
        {"id":"6:1106","name":"note","type":9,"flags":8,"indexId":"3:1203"}
      ],"relations":[{"id":"2:1302","name":"friends","targetId":"1:1001"}],
      "compoundIndexes":[{"id":"4:1204","properties":["2:1102","4:1104"],"unique":false}]},
      {"id":"2:1002","name":"Group","lastPropertyId":"1:1111","properties":[
        {"id":"1:1111","name":"id","type":6,"flags":1}],"relations":[]},
      {"id":"4:1004","name":"New","lastPropertyId":"1:1131","properties":[
        {"id":"1:1131","name":"id","type":6,"flags":1}],"relations":[]}
    ],"lastEntityId":"4:1004","lastIndexId":"4:1204","lastRelationId":"2:1302","modelVersion":5}
    """#

  private func file(_ model: String) throws -> URL {
    let url = URL(fileURLWithPath: folder.path + "/model.json")
    try Data(model.utf8).write(to: url)
    return url
  }

  private func fill() throws {
    let store = try Store(directoryPath: path, modelJSON: try file(Self.earlier))
    for name in ["Ada", "Jim"] { _ = try store.box(named: "Person").put(["name": name]) }
    _ = try store.box(named: "Old").put([:])
    store.close()
  }

  @Test(.onPlainFiles("ObjectBoxTesting copies data.mdb"))
  func `each kind of change is told with its names and its number of objects`() throws {
    try fill()
    let model = try file(Self.later)
    let test = try Store.openForMigrationTest(path) {
      try Store(configuration: $0, modelJSON: model)
    }
    #expect(
      test.changes.map(\.description) == [
        "Member: entityRenamed from 'Person', 2 objects",
        "Member.title: propertyRenamed from 'name', 2 objects",
        "Member.age: propertyChanged, 2 objects",
        "Member.note: propertyAdded, 2 objects",
        "Member.birthday: propertyRemoved, 2 objects",
        "Member.note: indexAdded, 2 objects",
        "Member.title, age: indexAdded, 2 objects",
        "Member.age: indexRemoved, 2 objects",
        "Member.friends: relationAdded, 2 objects",
        "Member.teams: relationRemoved, 2 objects",
        "Group: entityRenamed from 'Team', 0 objects",
        "New: entityAdded, 0 objects",
        "Old: entityRemoved, 1 object",
      ]
    )
    #expect(try test.store.box(named: "Member").get(1)?["title"] as? String == "Ada")
    test.close()
  }

  @Test(.onPlainFiles("ObjectBoxTesting copies data.mdb"))
  func `a store of the present model has no changes`() throws {
    try fill()
    let model = try file(Self.earlier)
    let test = try Store.openForMigrationTest(path + "/data.mdb") {
      try Store(configuration: $0, modelJSON: model)
    }
    #expect(test.changes == [])
  }

  @Test func `a path without a store is refused`() throws {
    #expect {
      _ = try Store.openForMigrationTest(path) { try Store(configuration: $0) }
    } throws: { error in
      guard case ObjectBoxError.storageGeneral(let message) = error else { return false }
      return message.contains("\(path)/data.mdb")
    }
  }
}
