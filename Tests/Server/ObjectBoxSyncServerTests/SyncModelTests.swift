import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxSync
import ObjectBoxSyncProtocol
import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxCluster
@testable import ObjectBoxSyncServer

/// Stores and servers whose models have different ages: the earlier one lacks the title of an item.
@Suite(
  .enabled(if: TestServer.isThere, TestServer.reason),
  .enabled(if: hasWebSockets, "libwebsockets is missing"),
  .timeLimit(.minutes(15))
)
struct SyncModelTests {
  /// An open store of a device, and its client.
  struct Program {
    let store: Store
    let items: DynamicBox
    let client: any SyncClient

    init(_ folder: TemporaryDirectory, _ port: Int, hasTitles: Bool) throws {
      let model = TestServerLog.model(syncsItems: true, syncsNotes: false, hasTitles: hasTitles)
      store = try Store(
        directoryPath: folder.path + "/store",
        modelJSON: URL(fileURLWithPath: try folder.write(model, to: "model.json"))
      )
      items = try store.box(named: "Item")
      client = try Sync.makeClient(
        configuration: .init(store: store, url: "ws://127.0.0.1:\(port)")
      )
    }

    func title(_ id: UInt64) throws -> String? {
      try items.get(id)?["title"] as? String
    }

    /// Waits until a condition holds after one of the store's commits.
    func wait(until isDone: () throws -> Bool) async throws {
      let commits = try SyncedStore(store)
      if try isDone() { return }
      for await _ in commits.changes {
        if try isDone() { return }
      }
    }

    func close() {
      client.close()
      store.close()
    }
  }

  @Test
  func `a program that gains a property gets its values, and what it wrote before leaves them`()
    async throws
  {
    let test = try await TestServerLog()
    let server = try await test.serve()
    try await test.sql(
      #"INSERT INTO @"Item" (id, owner, title) VALUES (1, 5, 'one'), (2, 6, 'two'), (3, 7, NULL)"#
    )
    let folder = try TemporaryDirectory()
    let old = try Program(folder, server.port, hasTitles: false)
    try old.client.start()
    try await old.wait { try old.items.count() == 3 }
    old.close()
    let new = try Program(folder, server.port, hasTitles: true)
    // A program reads the title as empty, and puts it back with its change.
    try new.items.put(["id": 1, "owner": 8, "title": ""])
    try new.items.put(["id": 3, "owner": 7, "title": "three"])
    try new.client.start()
    try await new.wait { try new.title(1) == "one" && new.title(2) == "two" }
    // A delta that has decisions alone changes no object.
    for await count in new.client.decisions where count == 0 { break }
    #expect(try new.title(3) == "three")
    #expect(
      try await test.sql(#"SELECT owner::text, title FROM @"Item" ORDER BY id"#)
        == [["8", "one"], ["6", "two"], ["7", "three"]]
    )
    await server.stop()
  }

  @Test func `a transaction with a property that the server lacks waits for a server that has it`()
    async throws
  {
    let test = try await TestServerLog(hasTitles: false)
    let earlier = try await test.serve()
    let port = earlier.port
    let folder = try TemporaryDirectory()
    let device = try Program(folder, port, hasTitles: true)
    try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (1, 5)"#)
    try device.client.start()
    try await device.wait { try device.items.contains(1) }
    // What both know travels.
    try device.items.put(["id": 1, "owner": 6])
    for await count in device.client.decisions where count == 0 { break }
    let id = try device.items.put(["owner": 7, "title": "new"])
    try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (2, 5)"#)
    try await device.wait { try device.items.contains(2) }
    #expect(try device.client.waitingCount() == 1)
    #expect(try device.title(id.value) == "new")
    await earlier.stop()
    let updated = try await TestServerLog(in: test.namespace)
    let later = try await updated.serve(port: port)
    for await count in device.client.decisions where count == 0 { break }
    #expect(try device.client.rejections().isEmpty)
    #expect(
      try await updated.sql(#"SELECT owner::text, title FROM @"Item" ORDER BY owner"#)
        == [["5", nil], ["6", nil], ["7", "new"]]
    )
    await later.stop()
  }
}
