import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

struct ModelFileTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  private var file: Data? { FileManager.default.contents(atPath: folder.path + "/store/data.mdb") }

  @discardableResult
  private func open(_ model: String) throws -> Store { try DynamicStore.open(folder, model) }

  private static func changed(_ old: String, _ new: String) -> String {
    DynamicStore.model.replacingOccurrences(of: old, with: new)
  }

  private static let broken: [(String, String, String)] = [
    ("\"modelVersion\": 5", "\"modelVersion\": 3", "version 3"),
    ("\"modelVersionParserMinimum\": 4", "\"modelVersionParserMinimum\": 6", "version 6"),
    ("\"id\": \"2:2000\"", "\"id\": \"1:2000\"", "same ID 1"),
    ("\"id\": \"2:2000\"", "\"id\": \"2:1000\"", "1000"),
    ("\"lastEntityId\": \"3:3000\"", "\"lastEntityId\": \"2:2000\"", "above lastEntityId"),
    ("\"lastEntityId\": \"3:3000\"", "\"lastEntityId\": \"3:777\"", "777"),
    ("\"lastPropertyId\": \"2:2002\"", "\"lastPropertyId\": \"1:2001\"", "above lastPropertyId"),
    ("\"id\": \"2:1002\", \"name\"", "\"id\": \"1:1002\", \"name\"", "same ID 1"),
    ("\"id\": \"2:2002\"", "\"id\": \"2:1002\"", "1002"),
    ("\"id\": \"2:1002\", \"name\"", "\"id\": \"2:255\", \"name\"", "out of range"),
    ("8000000", "1002", "twice"),
    ("\"name\": \"Dog\"", "\"name\": \"person\"", "'person'"),
    ("\"name\": \"city\"", "\"name\": \"Name\"", "'Name'"),
    ("\"id\": \"1:2001\"", "\"id\": 12001", "\"id:uid\""),
    ("\"flags\": 520", "\"flags\": -1", "-1"),
    ("\"name\": \"Dog\"", "\"nam\": \"Dog\"", "\"name\" is missing"),
    ("\"lastEntityId\": \"3:3000\",\n", "", "no lastEntityId"),
    ("\"lastPropertyId\": \"2:2002\",", "", "no lastPropertyId"),
    ("\"name\": \"age\", \"type\": 5", "\"name\": \"age\", \"type\": 99", "type 99"),
    ("\"name\": \"age\", \"type\": 5", "\"name\": \"age\"", "\"type\" is missing"),
    ("\"relationTarget\": \"Person\"", "\"relationTarget\": \"Cat\"", "'Cat', which is missing"),
    ("\"targetId\": \"2:2000\"", "\"targetId\": \"9:2000\"", "9:2000"),
    ("\"onDelete\": \"cascade\"", "\"onDelete\": \"burn\"", "\"cascade\""),
    ("\"collation\": \"nocase\"", "\"collation\": 5", "\"nocase\""),
    ("\"flags\": 129", "\"flags\": 0", "flag of an ID"),
    ("\"indexId\": \"2:1101\"", "\"indexId\": \"1:1101\"", "two indexes"),
    ("[\"2:1002\", \"4:1004\"]", "[\"2:1002\"]", "at least two"),
    ("[\"2:1002\", \"4:1004\"]", "[\"2:1002\", \"40:1004\"]", "property 40"),
    ("\"unique\": true", "\"unique\": 1", "a Boolean"),
    ("\"entities\": [", "\"entities\": 5, \"x\": [", "an array"),
    ("\"lastIndexId\"", "\"lastEntityId\"", "stands here twice"),
    ("\"entities\": [\n", "<<<<<<< HEAD\n  \"entities\": [\n", "merge conflict"),
    ("\"version\": 1\n}", "\"version\": 1", "the file ends"),
    ("\"version\": 1\n}", "\"version\": 1 } x", "behind the end"),
    ("\"version\": 1", "\"version\": 1x", "expected"),
  ]

  @Test(arguments: broken)
  func `a broken model is refused with its place, and the store stays as it was`(
    old: String,
    new: String,
    words: String
  ) throws {
    try open(DynamicStore.model).box(named: "Person").put(["name": "Ada"])
    let before = file
    let model = Self.changed(old, new)
    try #require(model != DynamicStore.model)
    let text = message { try open(model) }
    #expect(text.contains(words), "\(text)")
    #expect(text.contains(#/schema: .*model.json:[0-9]+:[0-9]+: /#), "\(text)")
    #expect(file == before)
  }

  @Test(arguments: Array(stride(from: 0, to: DynamicStore.model.count, by: 97)))
  func `a model file that was cut is refused with its place, and makes no store`(length: Int) {
    let text = message { try open(String(DynamicStore.model.prefix(length))) }
    #expect(text.contains(#/model.json:[0-9]+:[0-9]+: /#), "\(text)")
    #expect(file == nil)
  }

  @Test func `a missing file and one that is no text are told by name`() throws {
    let url = folder.url.appendingPathComponent("none.json")
    let path = folder.path + "/store"
    #expect(message { _ = try Store(directoryPath: path, modelJSON: url) }.contains("none.json"))
    try Data([0x7B, 0xFF]).write(to: url)
    #expect(
      message { _ = try Store(directoryPath: path, modelJSON: url) }.contains("none.json:1:1")
    )
    #expect(file == nil)
  }

  @Test func `an older version of the file, and one with keys of other tools, is read`() throws {
    let store = try open(
      """
      { "entities" : [ { "id" : "1:1000", "lastPropertyId" : "2:2049", "name" : "A", "flags": 2,
        "properties" : [ { "id" : "1:2048", "name" : "id", "type": 6, "flags": 65 },
          { "id" : "2:2049", "name" : "x", "type": 5, "flags": 6, "externalName": null } ] } ],
        "lastEntityId" : "1:1000", "modelVersion" : 4, "retiredEntityUids" : [
        ], "other" : { "unknown" : [1.5e3, null, true, "\\u00e9"] } }
      """
    )
    let box = try store.box(named: "A")
    #expect(try box.put(["x": 5]) == 1)
    #expect(box.names == ["id", "x"])
  }

  @Test func `the store is upgraded to a changed model, and keeps the values that stay`() throws {
    try open(DynamicStore.model).box(named: "Person").put(["name": "Ada", "age": 36])
    let model = Self.changed(
      "\"name\": \"age\", \"type\": 5, \"flags\": 8, \"indexId\": \"2:1101\"",
      "\"name\": \"years\", \"type\": 5"
    )
    .replacingOccurrences(
      of: "\"lastPropertyId\": \"9:1009\"",
      with: "\"lastPropertyId\": \"10:1010\""
    )
    .replacingOccurrences(
      of: "{ \"id\": \"2:1002\", \"name\": \"name\", \"type\": 9 },",
      with: """
        { "id": "2:1002", "name": "name", "type": 9, "flags": 8, "indexId": "7:1106" },
        { "id": "10:1010", "name": "nick", "type": 9 },
        """
    )
    .replacingOccurrences(of: "\"lastIndexId\": \"6:1105\"", with: "\"lastIndexId\": \"7:1106\"")
    let people = try open(model).box(named: "Person")
    let ada = try #require(try people.get(1))
    #expect(ada["years"] as? Int == 36)
    #expect(ada["nick"] == nil)
    try people.put(["id": 1, "nick": "A"])
    #expect(try people.get(1)?["years"] as? Int == 36)
    let query = try people.query { $0["name"] == "Ada" }.build()
    #expect(try query.findIds() == [1])
    #expect(try query.explain().contains("index on 'name'"))
    #expect(try !people.query { $0["years"] == 36 }.build().explain().contains("index"))
  }

  @Test func `a model that does not fit the store is refused as with bindings`() throws {
    try open(DynamicStore.model).box(named: "Person").put(["name": "Ada"])
    let before = file
    #expect(message { try open(Self.changed("2:1002", "2:1502")) }.contains("'Person.name'"))
    #expect(
      message {
        try open(Self.changed("\"name\": \"name\", \"type\": 9", "\"name\": \"name\", \"type\": 5"))
      }
      .contains("stored as string and the model says int; to keep the values, restore model.json")
    )
    let otherID = Self.changed("\"type\": 6, \"flags\": 129", "\"type\": 6").replacingOccurrences(
      of: "{ \"id\": \"2:2002\", \"name\": \"name\", \"type\": 9 }",
      with: "{ \"id\": \"2:2002\", \"name\": \"name\", \"type\": 6, \"flags\": 1 }"
    )
    let role = message { try open(otherID) }
    #expect(role.contains("'Dog.id' is the ID in the store and a value in the model; restore"))
    #expect(!role.contains("migratedFrom"))
    #expect(file == before)
  }

  @Test
  func `a nearest-neighbour index keeps the parameters of the store, and none is made without`()
    throws
  {
    let model = """
      { "entities": [ { "id": "1:1001", "lastPropertyId": "3:303", "name": "Sight", "properties": [
          { "id": "1:301", "name": "id", "type": 6, "flags": 1 },
          { "id": "2:302", "name": "vector", "type": 28, "flags": 8, "indexId": "1:100" },
          { "id": "3:303", "name": "kind", "type": 5 } ] } ],
        "lastEntityId": "1:1001", "lastIndexId": "1:100" }
      """
    #expect(message { try open(model) }.contains("'Sight.vector' has a nearest-neighbour index"))
    do {
      let builder = try ModelBuilder()
      let entity = try builder.entityBuilder(for: Sight.self, id: 1, uid: 1001)
      try entity.addProperty(name: "id", type: .long, flags: .id, id: 1, uid: 301)
      try entity.addProperty(name: "kind", type: .int, id: 3, uid: 303)
      try entity.addProperty(
        name: "vector",
        type: .floatVector,
        flags: .indexed,
        id: 2,
        uid: 302,
        indexId: 1,
        indexUid: 100
      ).hnswParams(
        dimensions: 2,
        neighborsPerNode: nil,
        indexingSearchCount: nil,
        flags: nil,
        distanceType: .cosine,
        reparationBacklinkProbability: nil,
        vectorCacheHintSizeKB: nil
      )
      try entity.lastProperty(id: 3, uid: 303)
      builder.lastEntity(id: 1, uid: 1001)
      builder.lastIndex(id: 1, uid: 100)
      let store = try Store(model: builder.finish(), directory: folder.path + "/store")
      try store.box(for: Sight.self).put([Sight([1, 0]), Sight([0, 1])])
    }
    let before = file
    let store = try DynamicStore.open(folder, model, readOnly: true)
    let query = try store.box(named: "Sight")
      .query { $0["vector"].nearestNeighbors(queryVector: [0.1, 1], maxCount: 1) }.build()
    #expect(try query.findIds() == [2])
    store.close()
    #expect(file == before)
    let writer = try DynamicStore.open(folder, model)
    let sights = try writer.box(named: "Sight")
    #expect(try sights.put(["vector": [0.5, 0.5]]) == 3)
    #expect(message { try sights.put(["vector": [0.5]]) }.contains("dimensions"))
    #expect(
      try sights.query { $0["vector"].nearestNeighbors(queryVector: [1, 1], maxCount: 1) }
        .build().findIds() == [3]
    )
  }
}
