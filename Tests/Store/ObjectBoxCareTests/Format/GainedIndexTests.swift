import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxDynamic
import ObjectBoxJSON
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Full-text indexes that recorded stores gain.
struct GainedIndexTests {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// Opens a copy of a fixture with a full-text index of each text; returns its path too.
  private func open(_ recorded: StoreFixtureTests.Recorded) throws -> (store: Store, path: String) {
    let path = try recorded.copy(to: folder)
    var configuration = Store.Configuration(directory: path)
    configuration.maxDbSizeInKByte = 4096
    let earlier = try Store(existing: configuration)
    var schema = earlier.schema
    earlier.close()
    for place in schema.entities.indices {
      let texts = schema.entities[place].properties.filter {
        $0.type == .string && $0.collation != .decimal
      }
      for property in texts {
        let identity = SchemaIdentity(
          id: schema.lastIndex.id + 1,
          uid: 777_000 + UInt64(schema.lastIndex.id)
        )
        schema.lastIndex = identity
        schema.entities[place].fullTextIndexes.append(
          FullTextIndexSchema(
            identity: identity,
            parts: [FullTextIndexSchema.Part(propertyID: property.identity.id)]
          )
        )
      }
    }
    return (try Self.open(schema, configuration), path)
  }

  private static func open(
    _ schema: StoreSchema,
    _ configuration: Store.Configuration
  ) throws -> Store {
    var writer = JSONWriter()
    schema.writeModelJSON(to: &writer)
    let model = try JSONParser.parse(String(decoding: writer.bytes, as: UTF8.self), path: "model")
    return try Store(schema: try StoreSchema(modelJSON: model), configuration: configuration)
  }

  @Test(arguments: StoreFixtureTests.recorded)
  func `a recorded store gains full-text indexes that find its words`(
    _ recorded: StoreFixtureTests.Recorded
  ) throws {
    let (store, path) = try open(recorded)
    var count = 0
    for entity in store.schema.entities {
      let box = try store.box(named: entity.name)
      for index in entity.fullTextIndexes {
        let name = index.title(in: entity)
        for object in try box.all() {
          guard let text = object[name] as? String,
            let word = text.split(whereSeparator: { !$0.isLetter && !$0.isNumber }).first,
            word.count < 50
          else { continue }
          let found = try box.query { $0[name].matches(String(word)) }.build().findIds()
          #expect(found.contains(object.id), "\(entity.name).\(name) \(word)")
          count += 1
        }
      }
    }
    let hasTexts = store.schema.entities.contains { !$0.fullTextIndexes.isEmpty }
    #expect(count > 0 || !hasTexts)
    store.close()
    #expect(try Store.verify(directory: path).faults.map(\.objectID) == recorded.unreadableIDs)
  }

  @Test func `a gained index follows its objects`() throws {
    let recorded = try #require(StoreFixtureTests.recorded.first { $0.testDescription == "types" })
    let (store, path) = try open(recorded)
    let box = try store.box(named: SampleEntity.info.entityName)
    func ids(_ text: String) throws -> [Id] {
      try box.query { $0["text"].matches(text) }.build().findIds()
    }
    #expect(try ids("grusse") == [2])
    try box.remove(2)
    let id = try box.put(["text": "Grüße again"])
    #expect(try ids("grusse") == [id])
    store.close()
    #expect(try Store.verify(directory: path).faults == [])
    var schema = store.schema
    for place in schema.entities.indices { schema.entities[place].fullTextIndexes = [] }
    try Self.open(schema, Store.Configuration(directory: path)).close()
    #expect(try Store.verify(directory: path).faults == [])
  }
}
