import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxSync
import ObjectBoxSyncProtocol
import ObjectBoxSyncTestSupport
import ObjectBoxTestSupport
import ObjectBoxTool
import Testing

/// The view of synchronization, without the network.
struct BrowserSyncTests {
  private let test: BrowsedStore

  init() throws {
    test = try BrowsedStore(
      NotesModel.json.replacing(#""name":"Note","#, with: #""name":"Note","flags":2,"#)
    )
  }

  @Test func `a store that was never synchronized has no view of it`() throws {
    #expect(try test.json("api/schema")["sync"] is NSNull)
    let answer = test.get("api/sync")
    #expect(answer.status == 404)
    #expect(try test.json(of: answer)["fault"] as? String == "the store was never synchronized")
  }

  @Test func `the view has what waits and what was rejected, also IDs that JavaScript would round`()
    throws
  {
    let notes = try test.store.box(named: "Note")
    let synced = try SyncedStore(test.store)
    try notes.put(["slug": "one"])
    let rejection = Rejection(entity: EntityUID(1000), property: PropertyUID(1002), reason: .unique)
    try synced.receive(
      Delta(
        answering: try synced.deltaRequest(),
        deciding: try synced.upload(limit: 10),
        .rejected(rejection)
      )
    )
    try notes.put((0..<150).map { ["slug": "new \($0)", "stars": 1] })
    let counts = try test.json("api/schema")["sync"] as? [String: Int]
    #expect(counts == ["waiting": 1, "rejected": 1])
    let status = try test.json("api/sync")
    #expect(status["waiting"] as? Int == 1)
    let oldest = try #require(status["oldest"] as? [String: Any])
    #expect(oldest["writeCount"] as? Int == 150)
    let writes = try #require(oldest["writes"] as? [[String: Any]])
    #expect(writes.count == 100)
    #expect(writes.first?["entity"] as? String == "Note")
    #expect(writes.first?["properties"] as? [String] == ["slug", "stars"])
    #expect(writes.allSatisfy { $0["id"] is String })
    let rejected = try #require((status["rejections"] as? [[String: Any]])?.first)
    let part = try #require((rejected["parts"] as? [[String: Any]])?.first)
    #expect(part["reason"] as? String == "unique")
    #expect(part["property"] as? String == "slug")
  }
}
