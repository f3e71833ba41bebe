import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxSync
import ObjectBoxSyncProtocol
import ObjectBoxSyncTestSupport
import ObjectBoxTestSupport
import Testing

/// `objectbox sync-status`, and the warnings of verbs that write into a synchronized store.
struct SyncStatusTests {
  private let tool: BuiltProgram

  private static let model = """
    {"entities":[
      {"id":"1:901","name":"Item","flags":2,"lastPropertyId":"3:1003","properties":[
        {"id":"1:1001","name":"id","type":6,"flags":129},{"id":"2:1002","name":"owner","type":9},
        {"id":"3:1003","name":"count","type":6}],"relations":[]},
      {"id":"2:902","name":"Note","lastPropertyId":"2:2002","properties":[
        {"id":"1:2001","name":"id","type":6,"flags":1},{"id":"2:2002","name":"text","type":9}],
       "relations":[]}
     ],"lastEntityId":"2:902","lastIndexId":"0:0","lastRelationId":"0:0","modelVersion":5}
    """

  init() throws {
    tool = try BuiltProgram("objectbox")
    try tool.folder.write(Self.model, to: "model.json")
  }

  /// Opens the store `items`, and closes it after the body.
  private func withStore(_ body: (Store, DynamicBox) throws -> Void) throws {
    let store = try Store(
      directoryPath: tool.folder.path + "/items",
      modelJSON: tool.folder.url.appendingPathComponent("model.json")
    )
    defer { store.close() }
    try body(store, try store.box(named: "Item"))
  }

  /// Makes a store of which one transaction was rejected, and two wait.
  private func makeItems() throws {
    try withStore { store, items in
      let synced = try SyncedStore(store)
      try items.put(["id": 7, "owner": "bob", "count": 1])
      let upload = try synced.upload(limit: 10)
      let rejection = Rejection(
        entity: EntityUID(901),
        property: PropertyUID(1002),
        reason: .permission
      )
      try synced.receive(
        Delta(answering: try synced.deltaRequest(), deciding: upload, .rejected(rejection))
      )
      try items.put(["id": 8, "owner": "ada"])
      try items.put(["id": 8, "owner": "ada", "count": 5])
    }
  }

  @Test func `what waits and what was rejected is told in words`() throws {
    try makeItems()
    let result = try tool.run("sync-status", "items")
    #expect(result.status == 0, "\(result.errors)")
    let lines = result.output.split(separator: "\n").map { line in
      line.split(separator: " ").joined(separator: " ")
    }
    #expect(lines.contains("waiting 2 transactions"))
    #expect(lines.contains("rejected 1 transaction"))
    #expect(lines.contains("server its state has arrived"))
    #expect(lines.contains { $0.hasPrefix("oldest waiting transaction, written 20") })
    #expect(lines.contains("insert Item 8 owner, count"), "\(result.output)")
    #expect(lines.contains("rejected transaction 1, undone as a whole"))
    #expect(lines.contains("permission Item - owner"))
    #expect(lines.contains("insert Item 7 owner, count"))
  }

  @Test func `what waits and what was rejected is told as JSON, and the file stays as it is`()
    throws
  {
    try makeItems()
    let file = tool.folder.url.appendingPathComponent("items/data.mdb")
    let before = try Data(contentsOf: file)
    let result = try tool.run("sync-status", "items", "--format", "json")
    #expect(result.status == 0, "\(result.errors)")
    let report = try JSONDecoder().decode(Report.self, from: Data(result.output.utf8))
    #expect(report.waiting == 2)
    #expect(report.rejected == 1)
    #expect(report.hasServerState)
    #expect(report.device.count == 8)
    #expect(
      report.oldest?.writes == [
        .init(kind: "insert", entity: "Item", id: 8, properties: ["owner", "count"])
      ]
    )
    #expect(report.rejections.map(\.isWhole) == [true])
    #expect(
      report.rejections.first?.parts == [
        .init(reason: "permission", entity: "Item", id: 0, property: "owner")
      ]
    )
    #expect(report.rejections.first?.writes.map(\.id) == [7])
    #expect(try Data(contentsOf: file) == before)
  }

  private struct Report: Decodable {
    struct Write: Decodable, Equatable {
      let kind: String
      let entity: String
      let id: Int
      let properties: [String]
    }
    struct Part: Decodable, Equatable {
      let reason: String
      let entity: String
      let id: Int
      let property: String?
    }
    struct Oldest: Decodable {
      let writes: [Write]
    }
    struct Rejection: Decodable {
      let isWhole: Bool
      let parts: [Part]
      let writes: [Write]
    }
    let device: String
    let hasServerState: Bool
    let waiting: Int
    let rejected: Int
    let oldest: Oldest?
    let rejections: [Rejection]
  }

  @Test func `a program that has the store open does not keep the status from being read`() throws {
    try withStore { store, items in
      _ = try SyncedStore(store)
      for id in 1...3 { try items.put(["id": id]) }
      let result = try tool.run("sync-status", "items")
      #expect(result.status == 0, "\(result.errors)")
      #expect(result.output.contains("3 transactions"), "\(result.output)")
      #expect(result.output.contains("no state has arrived yet"))
    }
  }

  @Test func `a status can be read beside writers, which change what it reads`() throws {
    try withStore { store, items in
      let synced = try SyncedStore(store)
      DispatchQueue.concurrentPerform(iterations: 2) { side in
        #expect(throws: Never.self) {
          for round in 1...300 {
            if side == 0 {
              // Each round frees pages, and uses them again.
              try items.put(["id": round, "owner": String(repeating: "b", count: 10_000)])
              let rejection = Rejection(entity: EntityUID(901), property: nil, reason: .unique)
              let delta = Delta(
                answering: try synced.deltaRequest(),
                deciding: try synced.upload(limit: 10),
                .rejected(rejection)
              )
              try synced.receive(delta)
              for rejected in try synced.rejections { try synced.discard(rejected) }
            } else {
              let status = try #require(try SyncStatus.read(store))
              #expect(status.counts.waiting + status.counts.rejected <= 1)
              let isWaiting = status.counts.waiting != 0
              #expect((status.oldest != nil) == isWaiting)
              #expect(status.rejections.count == status.counts.rejected)
            }
          }
        }
      }
    }
  }

  @Test func `a store that was never synchronized has no status`() throws {
    try withStore { _, items in try items.put(["id": 1]) }
    let result = try tool.run("sync-status", "items")
    #expect(result.status == 1)
    #expect(result.errors == "error: the store in 'items' was never synchronized\n")
  }

  // MARK: Warnings

  private static let warning =
    "warning: this store is synchronized, and writes of this tool are not queued for the server: changes of 'Item' "
    + "stay on this device, and the server's objects replace them when these change\n"

  @Test func `an import into a synchronized entity warns, and other imports do not`() throws {
    try tool.folder.write("owner\nada\n", to: "items.csv")
    try tool.folder.write("text\nhello\n", to: "notes.csv")
    try withStore { _, items in try items.put(["id": 1]) }
    #expect(try tool.run("import", "items", "Item", "items.csv").errors == "stored 1 object\n")
    try withStore { store, _ in _ = try SyncedStore(store) }
    let result = try tool.run("import", "items", "Item", "items.csv")
    #expect(result.errors == Self.warning + "stored 1 object\n")
    #expect(result.status == 0)
    #expect(try tool.run("import", "items", "Note", "notes.csv").errors == "stored 1 object\n")
    // The warning is true.
    #expect(try tool.run("sync-status", "items").output.contains("2 transactions") == false)
  }

  @Test func `a load into a synchronized store warns, and one into a new store does not`() throws {
    try makeItems()
    let dump = try tool.run("dump", "items").output
    try tool.folder.write(dump, to: "items.jsonl")
    #expect(try tool.run("load", "new", "items.jsonl").errors == "stored 1 object\n")
    #expect(
      try tool.run("load", "items", "items.jsonl").errors == Self.warning + "stored 1 object\n"
    )
  }
}
