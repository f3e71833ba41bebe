import Foundation
import ObjectBoxSyncProtocol
import Testing

@testable import ObjectBoxCluster
@testable import ObjectBoxSyncServer

@Suite(.enabled(if: TestServer.isThere, TestServer.reason))
struct PromotionTests {
  @Test func `a replica is refused, and after its promotion only cursors it has continue`()
    async throws
  {
    let folder = "/tmp/objectbox-sync-\(UUID().uuidString)"
    let primary = "postgresql:///postgres?host=\(folder)-a&user=postgres"
    try TestServer.script("start", "\(folder)-a")
    defer {
      try? TestServer.script("stop", "\(folder)-a")
      try? TestServer.script("stop", "\(folder)-b")
    }
    let test = try await TestServerLog(at: primary)
    var follower = Follower(test)
    try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (1, 1)"#)
    try await follower.follow()
    try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (2, 1)"#)

    // A copy of the present state, which gets nothing later.
    try TestServer.script("standby", "\(folder)-b", "\(folder)-a")
    let address = primary.replacing("\(folder)-a", with: "\(folder)-b")
    let standby = try await TestServer.connect(to: address)
    try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (3, 1)"#)
    let end = try await test.sql("SELECT pg_current_wal_flush_lsn()::text")[0][0] ?? ""
    let replayed = Statement(
      once: "SELECT pg_last_wal_replay_lsn() >= \(end.quotedText)::pg_lsn, pg_sleep(0.01)::text"
    )
    while try await standby.run([replayed])[0].bool(0, 0) != true {}
    let replica = ServerLog(try await TestServerLog.cluster(in: test.namespace, at: address))
    await #expect {
      try await DeltaReading(replica).read(follower.deltaRequest, granted: follower.rules)
    } throws: { error in
      guard case .replica(let message) = error as? ServerLogError else { return false }
      return message.contains("primary")
    }

    // The primary goes on alone: its last commit is lost.
    var late = follower
    _ = try await standby.run([Statement(once: "SELECT pg_promote()")])
    try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (4, 1)"#)
    try await late.follow()
    guard
      case .delta(let delta) = try await DeltaReading(replica).read(
        follower.deltaRequest,
        granted: follower.rules
      )
    else {
      Issue.record("the promoted server has all commits of the cursor")
      return
    }
    #expect(delta.cursor.epoch.timeline == 2)
    #expect(delta.rows.map(\.key.id) == [2, 3])
    guard case .reset = try await DeltaReading(replica).read(late.deltaRequest, granted: late.rules)
    else {
      Issue.record("the promoted server lacks a commit of the cursor")
      return
    }
  }
}
