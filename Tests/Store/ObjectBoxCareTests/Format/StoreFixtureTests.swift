import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxRuntimeTestSupport
import ObjectBoxSearch
import ObjectBoxTestSupport
import Testing

/// Recorded store files: this version reads them completely, and writes the same.
///
/// `OBJECTBOX_RECORD_FIXTURES=1 swift test --filter StoreFixtureTests` writes missing files, and
/// never overwrites a file.
struct StoreFixtureTests {
  /// A committed store file with the JSON text beside it.
  struct Recorded: CustomTestStringConvertible, Sendable {
    let folder: URL
    /// The text as JSON, decoded once for all tests.
    private let decoded: Result<JSON, any Error>
    var testDescription: String { folder.lastPathComponent }

    init(folder: URL) {
      self.folder = folder
      decoded = Result {
        let text = try Data(contentsOf: folder.appendingPathComponent("contents.json"))
        return try JSONDecoder().decode(JSON.self, from: text)
      }
    }

    /// The objects whose texts are no decimals.
    var unreadableIDs: [UInt64?] {
      testDescription == "decimals" ? [21, 22, 23, 24, 25] : []
    }

    func contents() throws -> JSON { try decoded.get() }

    /// The contents without the name of the model.
    func comparable() throws -> [String: JSON] {
      try contents().members.filter { $0.key != "model" }
    }

    /// Returns the model and entities of the store; nil when this version does not know them.
    func fixture() throws -> StoreFixture? {
      StoreFixture.all[try contents().members["model"]?.string ?? ""]
    }

    /// Copies the store into a fresh folder, and returns its path.
    func copy(to directory: TemporaryDirectory) throws -> String {
      let path = directory.path + "/store"
      try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
      try FileManager.default.copyItem(
        atPath: folder.appendingPathComponent("data.mdb").path,
        toPath: path + "/data.mdb"
      )
      return path
    }
  }

  static let stores = Repository.fixtures.appendingPathComponent("Stores")

  static let recorded: [Recorded] = {
    if ProcessInfo.processInfo.environment["OBJECTBOX_RECORD_FIXTURES"] == "1" { recordMissing() }
    let names = (try? FileManager.default.contentsOfDirectory(atPath: stores.path)) ?? []
    return names.sorted().map { Recorded(folder: stores.appendingPathComponent($0)) }
  }()

  /// Writes the missing fixtures with the code of this version.
  private static func recordMissing() {
    for fixture in StoreFixture.all.values {
      let folder = stores.appendingPathComponent(fixture.model)
      guard !FileManager.default.fileExists(atPath: folder.path) else { continue }
      do {
        let directory = try TemporaryDirectory()
        let path = directory.path + "/store"
        try fixture.write(path: path)
        var members = try StoreDump.json(path: path, fixture).members
        members["model"] = .text(fixture.model)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
          atPath: path + "/data.mdb",
          toPath: folder.appendingPathComponent("data.mdb").path
        )
        let text = try JSON.object(members).text() + "\n"
        try Data(text.utf8).write(to: folder.appendingPathComponent("contents.json"))
      } catch {
        Issue.record(error, "cannot record the fixture '\(fixture.model)'")
      }
    }
  }

  @Test func `there is a fixture of each model, small enough to keep`() throws {
    let models = try Self.recorded.map { try $0.contents().members["model"]?.string ?? "" }
    #expect(Set(models) == Set(StoreFixture.all.keys))
    for fixture in Self.recorded {
      let file = fixture.folder.appendingPathComponent("data.mdb").path
      let size = try FileManager.default.attributesOfItem(atPath: file)[.size] as? Int
      #expect(try #require(size) <= 200 * 1024, "\(fixture.testDescription)")
    }
  }

  @Test(arguments: recorded)
  func `a recorded store holds what it held`(_ recorded: Recorded) throws {
    let fixture = try #require(try recorded.fixture())
    let directory = try TemporaryDirectory()
    let path = try recorded.copy(to: directory)
    let expected = try recorded.comparable()
    let found = try StoreDump.json(path: path, fixture).members
    #expect(found.keys.sorted() == expected.keys.sorted())
    for (name, part) in expected {
      for (element, value) in part.members {
        // Names the element that differs.
        #expect(found[name]?.members[element] == value, "\(name) \(element)")
      }
      #expect(found[name] == part, "\(name)")
    }
  }

  @Test(arguments: recorded)
  func `a recorded store stays whole when its objects are written again`(
    _ recorded: Recorded
  ) throws {
    let fixture = try #require(try recorded.fixture())
    let directory = try TemporaryDirectory()
    let path = try recorded.copy(to: directory)
    let before = try recorded.contents().members
    let store = try fixture.open(path: path)
    // Puts and removals check the indexes that they change; removals also check relations.
    try store.runInTransaction {
      for entity in fixture.entities { try writeAgain(entity, store) }
    }
    store.close()
    #expect(try Store.verify(directory: path).faults.map(\.objectID) == recorded.unreadableIDs)
    #expect(try RawStore(path: path).value("format") == [6, 0, 0, 0])
    let after = try StoreDump.json(path: path, fixture).members
    #expect(after["indexes"] == before["indexes"])
    #expect(after["relations"] == before["relations"])
    #expect(after["words"] == before["words"])
    for entity in fixture.entities {
      let name = entity.info.entityName
      func part(_ key: String, of content: [String: JSON]) -> JSON? {
        content["entities"]?.members[name]?.members[key]
      }
      #expect(part("objects", of: after) == part("objects", of: before), "\(name)")
      #expect(part("sequence", of: after) != .null, "\(name)")
      let current = (part("layoutCount", of: before)?.int ?? 0) - 1
      #expect(
        part("layouts", of: after)?.members.values.allSatisfy { $0 == .integer(current) } == true,
        "\(name)"
      )
    }
    for (index, graph) in before["graphs"]?.members ?? [:] {
      let nodes = after["graphs"]?.members[index]?.members["nodes"]?.members
      #expect(nodes?.keys.sorted() == graph.members["nodes"]?.members.keys.sorted())
    }
  }

  /// Puts each object unchanged, in the newest layout, and puts and removes a new object.
  private func writeAgain<E: FixtureEntity>(_ entity: E.Type, _ store: Store) throws {
    let box = store.box(for: FixtureObject<E>.self)
    let objects = try box.all()
    #expect(!objects.isEmpty)
    // Changing all values removes the object's index entries; putting it back restores them.
    for object in objects {
      try box.put(FixtureObject<E>(id: object.id))
      try box.put(object)
    }
    let highest = try box.put(FixtureObject<E>())
    #expect(try #require(objects.map(\.id).max()) < highest)
    try box.remove(highest)
    #expect(try box.vectorIndexFaults() == [])
    #expect(try box.fullTextFaults() == [])
  }

  @Test(arguments: recorded)
  func `the indexes of a recorded store find its objects`(_ recorded: Recorded) throws {
    let fixture = try #require(try recorded.fixture())
    let directory = try TemporaryDirectory()
    let store = try fixture.open(path: try recorded.copy(to: directory))
    for entity in fixture.entities { try searchEach(entity, store) }
  }

  private func searchEach<E: FixtureEntity>(_ entity: E.Type, _ store: Store) throws {
    let box = store.box(for: FixtureObject<E>.self)
    let objects = try box.all()
    for property in E.properties where property.index != 0 {
      for object in objects {
        guard let value = object.values[property.name] else { continue }
        let search = FixtureSearch<E>(property)
        guard let condition = search.condition(value) else { continue }
        let query = try box.query { condition }.build()
        let expected = objects.filter { search.matches($0.values[property.name], value) }.map(\.id)
        #expect(try query.findIds().map(\.value) == expected, "\(property.name) \(value)")
        let skipsZero = property.flags.contains(.indexPartialSkipZero) && value == 0
        let plan = try query.explain()
        // Conditions on floating point numbers use no index.
        if !skipsZero, property.type != .float, property.type != .double {
          #expect(plan.contains("index on '\(property.name)'"), "\(value): \(plan)")
        }
      }
      guard property.graph == nil else {
        try searchNearest(property, objects, box)
        continue
      }
      let isNil = try box.query { Property<FixtureObject<E>, Int64?, Void>(property).isNil() }
        .build()
      let without = objects.filter { $0.values[property.name] == nil }.map(\.id)
      #expect(try isNil.findIds().map(\.value) == without, "\(property.name)")
    }
    for index in E.compoundIndexes {
      try searchTogether(index, objects, box)
    }
    for index in E.fullTextIndexes where index.name == nil {
      try searchWords(index, objects, box)
    }
  }

  private func searchWords<E: FixtureEntity>(
    _ index: FixtureFullTextIndex,
    _ objects: [FixtureObject<E>],
    _ box: Box<FixtureObject<E>>
  ) throws {
    let property = try #require(E.properties.first { $0.id == index.properties[0] })
    let texts = objects.map { object -> (Id, Set<String>) in
      let words = object.values[property.name]?.string?.split { !$0.isLetter && !$0.isNumber } ?? []
      return (object.id, Set(words.map { $0.lowercased() }))
    }
    for word in Set(texts.flatMap(\.1)) where word.count > 2 && word.allSatisfy(\.isASCII) {
      let query = try box.query {
        Property<FixtureObject<E>, String?, Void>(property).matches(word)
      }
      .build()
      let expected = texts.filter { $0.1.contains(word) }.map(\.0)
      #expect(try query.findIds().map(\.value) == expected, "\(word)")
    }
  }

  private func searchNearest<E: FixtureEntity>(
    _ property: FixtureProperty,
    _ objects: [FixtureObject<E>],
    _ box: Box<FixtureObject<E>>
  ) throws {
    let vector = Property<FixtureObject<E>, HnswIndexPropertyType, Void>(property)
    let target = [Float](repeating: 1, count: property.graph?.dimensions ?? 0)
    let all = try box.query { vector.nearestNeighbors(queryVector: target, maxCount: 100) }.build()
    let expected = objects.filter { $0.values[property.name] != nil }.map(\.id)
    #expect(try all.findIdsWithScores().map(\.id).sorted() == expected)
  }

  private func searchTogether<E: FixtureEntity>(
    _ index: FixtureCompoundIndex,
    _ objects: [FixtureObject<E>],
    _ box: Box<FixtureObject<E>>
  ) throws {
    let properties = index.properties.compactMap { id in E.properties.first { $0.id == id } }
    let searches = properties.map { FixtureSearch<E>($0) }
    for object in objects {
      let values = properties.compactMap { object.values[$0.name] }
      guard values.count == properties.count else { continue }
      let conditions = zip(searches, values).compactMap { $0.condition($1) }
      guard conditions.count == properties.count, let first = conditions.first else { continue }
      let all = conditions.dropFirst().reduce(first) { $0 && $1 }
      let expected = objects.filter { other in
        zip(searches, properties).enumerated().allSatisfy { place, part in
          part.0.matches(other.values[part.1.name], values[place])
        }
      }
      #expect(
        try box.query { all }.build().findIds().map(\.value) == expected.map(\.id),
        "\(index.id)"
      )
    }
  }

  @Test(arguments: recorded)
  func `this version writes what the fixture holds`(_ recorded: Recorded) throws {
    let fixture = try #require(try recorded.fixture())
    let directory = try TemporaryDirectory()
    let path = directory.path + "/store"
    try fixture.write(path: path)
    let expected = try recorded.comparable()
    let found = try StoreDump.json(path: path, fixture).members
    for (name, part) in expected {
      if name == "graphs" {
        // Each version chooses the links.
        let counts = [found[name] ?? part, part].map {
          $0.members.mapValues { $0.members["count"] }
        }
        #expect(counts[0] == counts[1])
      } else {
        #expect(found[name] == part, "\(name)")
      }
    }
  }

  @Test func `recorded retired data comes back with the model that wrote it`() throws {
    let recorded = try #require(Self.recorded.first { try $0.fixture()?.model == "retired" })
    let directory = try TemporaryDirectory()
    let path = try recorded.copy(to: directory)
    // Retires the crates first, so that the rooms can take their ID back.
    try StoreFixture.open(StoreFixture.retired.steps[1], path: path).close()
    let model = try FixtureModel.builder(
      [RoomEntity.self, ShelfEntity.self, PlainToolEntity.self],
      lastIndex: 1,
      lastRelation: 2
    )
    let store = try Store(model: model.finish(), directory: path)
    let rooms = try store.box(for: FixtureObject<RoomEntity>.self).all()
    #expect(rooms.map(\.values) == [["name": "hall", "area": "60.5"], ["name": "attic"]])
    let tools = try store.box(for: FixtureObject<PlainToolEntity>.self).all()
    #expect(tools.map(\.values) == ["saw", "awl", "vice", "axe"].map { ["name": .text($0)] })
    let shelf = store.relation(1, of: 1, ShelfEntity.self, to: RoomEntity.self)
    #expect(try shelf.getUncachedFromDb().map(\.id) == [1, 2])
    let id = try store.box(for: FixtureObject<RoomEntity>.self).put(FixtureObject<RoomEntity>())
    #expect(id == 4)
  }

  @Test func `the relations of a recorded store lead to its objects from both ends`() throws {
    for recorded in Self.recorded {
      guard let fixture = try recorded.fixture(), fixture.model == "relations" else { continue }
      let directory = try TemporaryDirectory()
      let store = try fixture.open(path: try recorded.copy(to: directory))
      let topics = try store.relation(1, of: 1, BookEntity.self, to: TopicEntity.self)
        .getUncachedFromDb()
      #expect(topics.map(\.id) == [1, 2, 3])
      let books = ToMany<FixtureObject<BookEntity>>.backlink(
        sourceBox: store.box(for: FixtureObject<BookEntity>.self),
        targetId: EntityId<FixtureObject<TopicEntity>>(3),
        relationId: 1
      )
      #expect(try books.getUncachedIdsFromDb() == [1, 3])
      // The delete rules come from the stored schema.
      #expect(throws: ObjectBoxError.self) { try store.remove(TopicEntity.self, [3]) }
      #expect(throws: ObjectBoxError.self) { try store.remove(AuthorEntity.self, [2]) }
      try store.remove(AuthorEntity.self, [1])
      #expect(try store.box(for: FixtureObject<BookEntity>.self).all().map(\.id) == [3, 5, 6])
    }
  }
}
