import ObjectBox
import ObjectBoxGenerator
import ObjectBoxModelTools
import ObjectBoxTestSupport
import Testing

/// The model tools predict what the runtime does with stored data.
struct ModelToolContractTests {
  private let folder: TemporaryDirectory

  init() throws {
    folder = try TemporaryDirectory()
  }

  /// A model with the entity Probe: an ID, and properties given as JSON.
  private func document(
    _ properties: String...,
    last: String,
    lastIndex: String = "0:0"
  ) throws -> ModelDocument {
    let id = "{ \"id\": \"1:1001\", \"name\": \"id\", \"type\": 6, \"flags\": 1 }"
    let text = """
      { "entities": [{ "id": "1:1000", "name": "Probe", "lastPropertyId": "\(last)",
        "properties": [\(([id] + properties).joined(separator: ", "))] }],
        "lastEntityId": "1:1000", "lastIndexId": "\(lastIndex)" }
      """
    let (model, diagnostics) = ModelDocument.parse(text, path: "m")
    return try #require(model, "\(diagnostics.map(\.description))")
  }

  @discardableResult
  private func open(_ model: ModelDocument, _ name: String = "store") throws -> RetiredData {
    let builder = try ModelBuilder()
    for entity in model.entities {
      if entity.name == "Other" {
        let other = try builder.entityBuilder(
          for: OtherProbe.self,
          id: entity.id.id,
          uid: entity.id.uid
        )
        try other.addProperty(name: "id", type: .long, flags: [.id], id: 1, uid: 1901)
        try other.lastProperty(id: 1, uid: 1901)
        continue
      }
      let entityBuilder = try builder.entityBuilder(
        for: Probe.self,
        id: entity.id.id,
        uid: entity.id.uid
      )
      for property in entity.properties {
        let type = ObjectBox.PropertyType(rawValue: property.type ?? 0)
        try entityBuilder.addProperty(
          name: property.name,
          type: try #require(type),
          flags: [.id, .indexed, .unique, .unsigned, .indexHash].filter {
            property.flags.rawValue & $0.rawValue != 0
          },
          id: property.id.id,
          uid: property.id.uid,
          indexId: property.indexID?.id ?? 0,
          indexUid: property.indexID?.uid ?? 0
        )
      }
      try entityBuilder.lastProperty(id: entity.lastPropertyID.id, uid: entity.lastPropertyID.uid)
    }
    builder.lastEntity(id: model.lastEntityID.id, uid: model.lastEntityID.uid)
    builder.lastIndex(id: model.lastIndexID.id, uid: model.lastIndexID.uid)
    let store = try Store(model: builder.finish(), directory: folder.path + "/" + name)
    defer { store.close() }
    return try store.statistics.retiredData
  }

  private func opens(_ model: ModelDocument, _ name: String = "store") -> Bool {
    (try? open(model, name)) != nil
  }

  @Test(arguments: SchemaPropertyType.allCases)
  func `a type change is said to be refused exactly when the runtime refuses it`(
    type: SchemaPropertyType
  ) throws {
    func model(_ type: SchemaPropertyType) throws -> ModelDocument {
      try document(
        "{ \"id\": \"2:1002\", \"name\": \"it\", \"type\": \(type.rawValue) }",
        last: "2:1002"
      )
    }
    let old = try model(type)
    try open(old)
    for other in SchemaPropertyType.allCases where other != type {
      let new = try model(other)
      let difference = try #require(ModelComparison.differences(from: old, to: new).first)
      #expect(difference.effect.contains("refused") != opens(new), "\(type) to \(other)")
      // Restores the model for the next type.
      try open(old)
    }
  }

  @Test(arguments: [
    ("{ \"id\": \"2:1002\", \"name\": \"other\", \"type\": 6 }", "2:1002", "1:2000"),
    ("{ \"id\": \"2:1002\", \"name\": \"it\", \"type\": 6, \"flags\": 8192 }", "2:1002", "1:2000"),
    (
      "{ \"id\": \"2:1002\", \"name\": \"it\", \"type\": 6, \"flags\": 8, \"indexId\": \"1:2000\" }",
      "2:1002", "1:2000"
    ),
    (
      "{ \"id\": \"2:1002\", \"name\": \"it\", \"type\": 6, \"flags\": 40, \"indexId\": \"1:2000\" }",
      "2:1002", "1:2000"
    ),
    ("{ \"id\": \"2:1003\", \"name\": \"it\", \"type\": 6 }", "2:1003", "1:2000"),
    ("{ \"id\": \"3:1002\", \"name\": \"it\", \"type\": 6 }", "3:1002", "1:2000"),
    ("{ \"id\": \"3:1003\", \"name\": \"it\", \"type\": 6 }", "3:1003", "1:2000"),
    ("{ \"id\": \"2:1002\", \"name\": \"it\", \"type\": 6, \"flags\": 1 }", "2:1002", "1:2000"),
    ("{ \"id\": \"2:1002\", \"name\": \"it\", \"type\": 6 }", "2:1002", "0:0"),
    ("{ \"id\": \"2:1002\", \"name\": \"it\", \"type\": 6 }", "3:1003", "1:2001"),
  ])
  func `other changes are said to be refused exactly when the runtime refuses them`(
    property: String,
    last: String,
    lastIndex: String
  ) throws {
    let old = try document(
      "{ \"id\": \"2:1002\", \"name\": \"it\", \"type\": 6 }",
      last: "2:1002",
      lastIndex: "1:2000"
    )
    try open(old)
    let new = try document(property, last: last, lastIndex: lastIndex)
    let effects = ModelComparison.differences(from: old, to: new).map(\.effect)
    // An empty store breaks no constraint, so only effects that begin with the refusal count.
    let isRefused = effects.contains { $0.hasPrefix("a store of the old model is refused") }
    #expect(isRefused != opens(new), "\(effects)")
  }

  @Test func `an entity that is said to be removed is what the runtime keeps as retired`() throws {
    let other = """
      { "id": "2:1900", "name": "Other", "lastPropertyId": "1:1901",
        "properties": [{ "id": "1:1901", "name": "id", "type": 6, "flags": 1 }] }
      """
    func model(_ entities: String...) throws -> ModelDocument {
      let text = """
        { "entities": [\(entities.joined(separator: ", "))], "lastEntityId": "2:1900" }
        """
      let (model, diagnostics) = ModelDocument.parse(text, path: "m")
      return try #require(model, "\(diagnostics.map(\.description))")
    }
    let probe = """
      { "id": "1:1000", "name": "Probe", "lastPropertyId": "1:1001",
        "properties": [{ "id": "1:1001", "name": "id", "type": 6, "flags": 1 }] }
      """
    let both = try model(probe, other)
    let one = try model(probe)
    #expect(try open(both).isEmpty)
    let removed = ModelComparison.differences(from: both, to: one)
      .filter { $0.kind == .entityRemoved }
    #expect(removed.map(\.uid) == [1900])
    #expect(try open(one).entities.map(\.uid) == removed.map(\.uid))
    #expect(try open(both).isEmpty)
  }

  // MARK: Merges

  private func merged(
    _ base: ModelDocument,
    _ ours: ModelDocument,
    _ theirs: ModelDocument
  ) throws -> (model: ModelDocument, notes: [String]) {
    let places = ElementPlaces(text: ours.text, path: "m")
    let result = ModelMerge.merge(base: base, ours: ours, theirs: theirs, places: places)
    let model = try #require(result.model, "\(result.diagnostics.map(\.description))")
    return (model, result.diagnostics.map(\.description))
  }

  @Test func `stores of ours open with the merged model, those of theirs as the note says`() throws
  {
    let base = try document(last: "1:1001")
    let ours = try document("{ \"id\": \"2:1002\", \"name\": \"a\", \"type\": 6 }", last: "2:1002")
    let theirs = try document(
      "{ \"id\": \"2:1003\", \"name\": \"b\", \"type\": 6 }",
      last: "2:1003"
    )
    try open(base, "base")
    try open(ours, "ours")
    try open(theirs, "theirs")
    let (model, notes) = try merged(base, ours, theirs)
    #expect(opens(model, "base"))
    #expect(opens(model, "ours"))
    #expect(!opens(model, "theirs"))
    #expect(notes.count == 1 && notes[0].contains("is refused by the merged one"))
  }

  @Test func `indexes that got other IDs are built anew in stores of both sides`() throws {
    func model(_ a: String, _ b: String, lastIndex: String) throws -> ModelDocument {
      try document(
        "{ \"id\": \"2:1002\", \"name\": \"a\", \"type\": 6\(a) }",
        "{ \"id\": \"3:1003\", \"name\": \"b\", \"type\": 6\(b) }",
        last: "3:1003",
        lastIndex: lastIndex
      )
    }
    let base = try model("", "", lastIndex: "0:0")
    let ours = try model(", \"flags\": 8, \"indexId\": \"1:2000\"", "", lastIndex: "1:2000")
    let theirs = try model("", ", \"flags\": 8, \"indexId\": \"1:2001\"", lastIndex: "1:2001")
    let same = try model(", \"flags\": 8, \"indexId\": \"1:2002\"", "", lastIndex: "1:2002")
    for (name, other) in [("theirs", theirs), ("same", same)] {
      try open(ours, "ours-\(name)")
      try open(other, name)
      let merged = try merged(base, ours, other).model
      #expect(opens(merged, "ours-\(name)"))
      #expect(opens(merged, name))
    }
  }

  @Test func `a store of theirs opens when the element with the same ID was removed again`() throws
  {
    let base = try document(last: "1:1001")
    let ours = try document("{ \"id\": \"2:1002\", \"name\": \"a\", \"type\": 6 }", last: "2:1002")
    let theirs = try document(last: "2:1003")
    try open(theirs, "theirs")
    #expect(!opens(ours, "theirs"))
    #expect(opens(try merged(base, ours, theirs).model, "theirs"))
  }
}

/// An entity whose objects no test stores.
private struct Probe: Entity, EntityInspectable, __EntityRelatable {
  typealias EntityType = Probe
  typealias EntityBindingType = ProbeBinding
  static let entityInfo = EntityInfo(name: "Probe", id: 1)
  static let entityBinding = ProbeBinding()
  var id: EntityId<Probe> = 0
  var _id: EntityId<Probe> { id }
}

private final class ProbeBinding: EntityBinding, Sendable {
  typealias EntityType = Probe
  typealias IdType = EntityId<Probe>
  init() {}
  func generatorBindingVersion() -> Int { 1 }
  func entityId(of entity: Probe) -> Id { entity.id.value }
  func collect(
    fromEntity entity: Probe,
    id: Id,
    propertyCollector: FlatBufferBuilder,
    store: Store
  ) {
    propertyCollector.collect(id, at: 4)
  }
  func createEntity(entityReader: RecordReader, store: Store) -> Probe {
    Probe(id: entityReader.read(at: 4))
  }
}

/// Another entity, which models remove and restore.
private enum OtherProbe: EntityInspectable {
  static let entityInfo = EntityInfo(name: "Other", id: 2)
  static let entityBinding = ProbeBinding()
}
