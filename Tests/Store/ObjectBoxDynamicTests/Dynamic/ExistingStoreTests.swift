import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxRuntimeTestSupport
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

/// Stores that are opened under their stored schema.
struct ExistingStoreTests {
  private let folder: TemporaryDirectory
  private var configuration: Store.Configuration { .init(directory: folder.path + "/store") }

  init() throws {
    folder = try TemporaryDirectory()
  }

  private func make() throws {
    let store = try DynamicStore.open(folder)
    defer { store.close() }
    let dog = try store.box(named: "Dog").put(["name": "Rex"])
    let people = try store.box(named: "Person")
    let person = try people.put(["name": "Ada", "email": "ada@example.org"])
    try people.add([dog], to: "dogs", of: person)
  }

  @Test func `objects, indexes and relations are those of the model that made the file`() throws {
    try make()
    let store = try Store(existing: configuration)
    defer { store.close() }
    let people = try store.box(named: "Person")
    #expect(people.names.prefix(3) == ["id", "name", "email"])
    #expect(try people.get(1)?["name"] as? String == "Ada")
    #expect(try people.targets("dogs", of: 1) == [1])
    #expect(throws: ObjectBoxError.self) { try people.put(["email": "ada@example.org"]) }
    try people.put(["name": "Grace"])
    store.close()
    let again = try DynamicStore.open(folder)
    defer { again.close() }
    #expect(try again.box(named: "Person").count() == 2)
  }

  @Test func `a missing store is told, and nothing is made`() throws {
    #expect(message { _ = try Store(existing: configuration) }.contains("there is no store at"))
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/store"))
    let inMemory = Store.Configuration(directory: "memory:\(UUID().uuidString)")
    #expect(message { _ = try Store(existing: inMemory) }.contains("there is no store at"))
  }

  @Test func `a database of another program is no store`() throws {
    let path = folder.path + "/store"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: false)
    let environment = try StorageEnvironment(
      directory: path,
      options: .init(mapSizeInBytes: 1 << 20, maximumTableCount: 2)
    )
    let writing = try environment.beginWrite()
    _ = try writing.openTable("theirs", .plain, create: true)
    try writing.commit()
    environment.close()
    #expect(
      message { _ = try Store(existing: configuration) }.contains(
        "is a database of LMDB, and no store of this library"
      )
    )
  }

  @Test func `a read-only store refuses writes, and its file stays as it is`() throws {
    try make()
    let file = URL(fileURLWithPath: folder.path + "/store/data.mdb")
    let before = try Data(contentsOf: file)
    var configuration = configuration
    configuration.readOnly = true
    let store = try Store(existing: configuration)
    defer { store.close() }
    #expect(try store.box(named: "Dog").count() == 1)
    #expect(throws: ObjectBoxError.self) { try store.box(named: "Dog").removeAll() }
    #expect(try Data(contentsOf: file) == before)
  }

  @Test func `a store that is open in the process is shared where both agree`() throws {
    try make()
    var configuration = configuration
    let first = try Store(existing: configuration)
    defer { first.close() }
    #expect(message { _ = try Store(existing: configuration) }.contains("is still open"))
    configuration.sharesOpenStore = true
    let second = try Store(existing: configuration)
    defer { second.close() }
    try first.box(named: "Dog").put(["name": "Bello"])
    #expect(try second.box(named: "Dog").count() == 2)
  }

  @Test func `a model file gives the parameters of a new nearest-neighbour index`() throws {
    let model = """
      {"entities":[{"id":"1:1000","lastPropertyId":"2:1002","name":"Place","properties":[
        {"id":"1:1001","name":"id","type":6,"flags":1},
        {"id":"2:1002","name":"at","type":28,"flags":8,"indexId":"1:5000",
         "vectorIndex":{"dimensions":2,"distanceType":6,"neighborsPerNode":8}}],"relations":[]}],
       "lastEntityId":"1:1000","lastIndexId":"1:5000","lastRelationId":"0:0","modelVersion":5}
      """
    let store = try DynamicStore.open(folder, model)
    try store.box(named: "Place").put(["at": [Float(52.5), 13.4]])
    store.close()
    // Without parameters in the model file, the store's parameters apply.
    let start = try #require(model.range(of: ",\n   \"vectorIndex\""))
    let end = try #require(model.range(of: ":8}"))
    let plain = model.replacingCharacters(in: start.lowerBound..<end.upperBound, with: "")
    let again = try DynamicStore.open(folder, plain)
    defer { again.close() }
    #expect(try again.box(named: "Place").count() == 1)
    let broken = model.replacingOccurrences(of: "\"dimensions\":2", with: "\"dimensions\":\"2\"")
    #expect(message { _ = try DynamicStore.open(folder, broken) }.contains(":4:"))
  }
}
