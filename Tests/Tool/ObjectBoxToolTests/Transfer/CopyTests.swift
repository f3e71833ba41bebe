import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxCluster
import ObjectBoxEncryption
import ObjectBoxTestSupport
import ObjectBoxTool
import Testing

/// The tests' server, which `Scripts/postgres.sh run` starts.
enum CopyServer {
  static let address = ProcessInfo.processInfo.environment["OBJECTBOX_TEST_POSTGRES"]
  static let isThere: Bool = address != nil
  static let reason: Comment =
    "set OBJECTBOX_TEST_POSTGRES to the address of a server, or run the tests by 'Scripts/postgres.sh run'"

  static func configuration() -> Cluster.Configuration {
    var configuration = Cluster.Configuration(address ?? "")
    configuration.schema = "copy \(UUID().uuidString)"
    return configuration
  }
}

/// Copies between stores and databases.
@Suite(.enabled(if: CopyServer.isThere, CopyServer.reason))
struct CopyTests {
  private let folder: TemporaryDirectory
  private let configuration = CopyServer.configuration()

  init() throws {
    folder = try TemporaryDirectory()
  }

  private struct Stopped: Error {}

  /// The model of all types, without control characters in names, which a cluster refuses.
  private static let everything = ModelText.everything.replacing("\\n\\u0000", with: "")

  /// Copies on a separate thread that blocks, like the tool.
  private func copyBack(
    _ name: String = "back",
    progress: @escaping @Sendable (Int, Int) throws -> Void = { _, _ in }
  ) async throws -> CopyOutcome {
    let location = try StoreLocation(folder.path + "/" + name)
    return try await onThread { [configuration] in
      try CopyIntoStore(configuration, to: location, progress: progress).run()
    }
  }

  private func copy(
    _ store: Store,
    batchCount: Int = 16,
    progress: @escaping @Sendable (Int, Int) throws -> Void = { _, _ in }
  ) async throws -> CopyOutcome {
    try await onThread { [configuration] in
      var copy = CopyIntoDatabase(store, to: configuration, progress: progress)
      copy.batchCount = batchCount
      return try copy.run()
    }
  }

  private func onThread<T: Sendable>(
    _ body: @escaping @Sendable () throws -> T
  ) async throws -> T {
    try await withCheckedThrowingContinuation { continuation in
      Thread.detachNewThread { continuation.resume(with: Result { try body() }) }
    }
  }

  private func contents(_ name: String = "back") throws -> [String] {
    let store = try StoreLocation(folder.path + "/" + name).openToRead()
    defer { store.close() }
    return try RandomRecords.contents(store)
  }

  @Test(arguments: 1...6)
  func `objects of all types and relations come back as they were`(seed: Int) async throws {
    var random = SplitMix(seed: seed)
    let store = try folder.store("all", Self.everything)
    defer { store.close() }
    try RandomRecords.fillForDatabase(store, &random)
    let outcome = try await copy(store)
    let back = try await copyBack()
    #expect(back.objects == outcome.objects && back.pairs == outcome.pairs)
    #expect(try contents() == RandomRecords.contents(store))
  }

  @Test func `the schema, and IDs that were given out, come back`() async throws {
    try folder.makeNotes("notes")
    let store = try folder.store("notes", ModelText.notes)
    defer { store.close() }
    // PostgreSQL has no texts with U+0000.
    try store.box(named: "Author").put(["id": UInt64(2), "name": "Grace"])
    _ = try await copy(store)
    _ = try await copyBack()
    let back = try StoreLocation(folder.path + "/back").openToRead()
    #expect(
      ModelText.json(back.schema)
        == ModelText.json(store.schema)
    )
    back.close()
    let writable = try folder.store("back", ModelText.notes)
    defer { writable.close() }
    #expect(try writable.box(named: "Note").put(["slug": "new"]) == 4)
    #expect(throws: ObjectBoxError.self) { try writable.box(named: "Note").put(["slug": "one"]) }
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/back.copying"))
  }

  #if os(Linux) && OBJECTBOX_SODIUM
    @Test func `an interrupted copy of a database into an encrypted store goes on`() async throws {
      try folder.makeNotes("notes")
      let store = try folder.store("notes", ModelText.notes)
      defer { store.close() }
      try store.box(named: "Author").put(["id": UInt64(2), "name": "Grace"])
      _ = try await copy(store)
      var location = try StoreLocation(folder.path + "/sealed")
      location.encryption = .key([UInt8](0..<32))
      for stopsAt in [1, Int.max] {
        let outcome = try? await onThread { [configuration, location] in
          try CopyIntoStore(configuration, to: location) { done, _ in
            if done >= stopsAt { throw Stopped() }
          }.run()
        }
        #expect((outcome == nil) == (stopsAt == 1))
        #expect(outcome?.wentOn ?? true)
      }
      var sealed = try StoreLocation(folder.path + "/sealed")
      #expect(sealed.isEncrypted)
      sealed.encryption = location.encryption
      let back = try sealed.openToRead()
      defer { back.close() }
      #expect(try RandomRecords.contents(back) == RandomRecords.contents(store))
    }
  #endif

  @Test func `objects with full-text indexes come back, and a program builds the indexes again`()
    async throws
  {
    let store = try folder.store("articles", ArticlesModel.json)
    defer { store.close() }
    try ArticlesModel.fill(store)
    _ = try await copy(store)
    _ = try await copyBack()
    #expect(try contents() == RandomRecords.contents(store))
    let back = try folder.store("back", ArticlesModel.json)
    defer { back.close() }
    let query = try StoreQuery("Article", condition: #"words matches "swift""#, in: back).query
    #expect(try query.findIds() == [1, 2])
  }

  @Test func `an interrupted copy into a database goes on, and no program opens it meanwhile`()
    async throws
  {
    let store = try folder.store("notes", ModelText.notes)
    defer { store.close() }
    try store.box(named: "Author").put((1...50).map { ["name": "author \($0)"] })
    let ids = try store.box(named: "Note").put(
      (1...200).map { ["slug": "note \($0)", "author": UInt64($0 % 50 + 1)] }
    )
    for id in ids { try store.box(named: "Note").add([1, 2, 3], to: "readers", of: id) }
    for step in [0, 90, 300, 700, 900] {
      await #expect(throws: Stopped.self) {
        try await copy(store) { done, _ in if done > step { throw Stopped() } }
      }
      let plan = await #expect(throws: ClusterError.self) {
        try await Cluster.plan(modelJSON: modelFile(), configuration: configuration)
      }
      #expect(plan?.message.contains("not complete") == true, "\(String(describing: plan))")
    }
    await #expect(throws: ClusterError.self) { try await copyBack() }
    let outcome = try await copy(store)
    #expect(outcome.wentOn)
    #expect(outcome.objects == 250 && outcome.pairs == 600)
    #expect(try await Cluster.plan(modelJSON: modelFile(), configuration: configuration).isEmpty)
    _ = try await copyBack()
    #expect(try contents() == RandomRecords.contents(store))
  }

  private func modelFile() throws -> URL {
    URL(fileURLWithPath: try folder.write(ModelText.notes, to: "model.json"))
  }

  @Test func `an interrupted copy starts anew when the store has changed`() async throws {
    let store = try folder.store("notes", ModelText.notes)
    defer { store.close() }
    let authors = try store.box(named: "Author")
    try authors.put((1...50).map { ["name": "author \($0)"] })
    await #expect(throws: Stopped.self) { try await copy(store) { _, _ in throw Stopped() } }
    try authors.remove(UInt64(1))
    let outcome = try await copy(store)
    #expect(!outcome.wentOn && outcome.objects == 49)
    _ = try await copyBack()
    #expect(try contents() == RandomRecords.contents(store))
  }

  @Test func `an interrupted copy into a store goes on, and there is no store meanwhile`()
    async throws
  {
    let store = try folder.store("notes", ModelText.notes)
    defer { store.close() }
    try store.box(named: "Author").put((1...1_000).map { ["name": "author \($0)"] })
    try store.box(named: "Note").put((1...500).map { ["slug": "note \($0)"] })
    _ = try await copy(store)
    for step in [400, 1_200, 2_000] {
      await #expect(throws: Stopped.self) {
        try await copyBack { done, _ in if done > step { throw Stopped() } }
      }
      #expect(!FileManager.default.fileExists(atPath: folder.path + "/back"))
    }
    let outcome = try await copyBack()
    #expect(outcome.wentOn && outcome.objects == 1_500)
    #expect(try contents() == RandomRecords.contents(store))
  }

  @Test func `a database with objects, and a folder with files, are refused`() async throws {
    let store = try folder.store("notes", ModelText.notes)
    defer { store.close() }
    try store.box(named: "Author").put(["name": "Ada"])
    _ = try await copy(store)
    let again = await #expect(throws: ClusterError.self) {
      try await copy(store)
    }
    #expect(again?.message.contains("has objects of 'Author' already") == true)
    await #expect(throws: Failure.self) { try await copyBack("notes") }
  }

  @Test func `a text that PostgreSQL cannot hold is told with its object`() async throws {
    try folder.makeNotes("notes")
    let store = try folder.store("notes", ModelText.notes)
    defer { store.close() }
    let error = await #expect(throws: ObjectBoxError.self) {
      try await copy(store)
    }
    #expect(
      error?.message.contains("'Author' with ID 2: its 'name' has the character U+0000") == true
    )
  }

  @Test func `relations with a rule are copied before their targets, and are kept by the server`()
    async throws
  {
    let model = ModelText.notes.replacing(
      #""relationTarget":"Author"}"#,
      with: #""flags":520,"indexId":"2:5001","relationTarget":"Author","onDelete":"cascade"}"#
    ).replacing(#""lastIndexId":"1:5000""#, with: #""lastIndexId":"2:5001""#)
    let store = try folder.store("notes", model)
    defer { store.close() }
    try store.box(named: "Author").put(["name": "Ada"])
    try store.box(named: "Note").put(["slug": "one", "author": UInt64(1)])
    _ = try await copy(store)
    _ = try await copyBack()
    #expect(try contents() == RandomRecords.contents(store))
  }

  @Test func `the tool copies both ways and tells what a schema lacks`() async throws {
    let store = try folder.store("notes", ModelText.notes)
    try store.box(named: "Author").put(["name": "Ada"])
    let expected = try RandomRecords.contents(store)
    store.close()
    let tool = try BuiltProgram("objectbox")
    let address = configuration.address
    let schema = ["--schema", configuration.schema]
    let model = try modelFile().path
    let plan = try tool.run(["cluster", "plan", address, "--model", model] + schema)
    #expect(plan.status == 0 && plan.output.contains("\"Note\""), "\(plan)")
    let there = try tool.run(["copy", folder.path + "/notes", address] + schema)
    #expect(there.status == 0 && there.errors.contains("copied 1 object; counts"), "\(there)")
    let done = try tool.run(["cluster", "plan", address, "--model", model] + schema)
    #expect(done.status == 0 && done.output.isEmpty, "\(done)")
    let back = try tool.run(["copy", address, folder.path + "/back"] + schema)
    #expect(back.status == 0, "\(back)")
    #expect(try contents() == expected)
    #expect(try tool.run("copy", "a", "b").status == 2)
    #expect(try tool.run("cluster", "drop", address).status == 2)
    let nowhere = try tool.run("copy", "postgresql:///postgres?host=/nowhere", folder.path + "/x")
    #expect(nowhere.status == 1)
    #expect(!FileManager.default.fileExists(atPath: folder.path + "/x"))
  }
}
