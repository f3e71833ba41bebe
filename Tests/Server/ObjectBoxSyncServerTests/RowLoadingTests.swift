import Foundation
import ObjectBoxSyncProtocol
import ObjectBoxSyncSchema
import Testing

@testable import ObjectBoxCluster
@testable import ObjectBoxSyncServer

@Suite(.enabled(if: TestServer.isThere, TestServer.reason))
struct RowLoadingTests {
  /// A read of the whole table would make each other write of it a conflict, and would take time in
  /// proportion to the table.
  @Test func `the holder of a unique text is found without reading the table`() async throws {
    let test = try await TestServerLog()
    try await test.sql(
      #"INSERT INTO @"Code" (id, text) SELECT n, 't' || n FROM generate_series(1, 50) AS n"#
    )
    let rules = SyncRules(test.cluster.tables.model)
    let unique = try #require(rules[TestServerLog.code]?.uniques.first)
    var needs = Needs()
    needs.uniques = Set(
      ["t7", "none"].compactMap { text in
        UniqueKey(
          entity: TestServerLog.code,
          constraint: 0,
          of: unique,
          in: PropertyList([(TestServerLog.text, .bytes(Array(text.utf8)))])
        )
      }
    )
    let loading = RowLoading(serverLog: test.serverLog, cluster: test.cluster, rules: rules)
    let wholeTables = Statement(
      once: test.complete(
        #"SELECT count(*)::text FROM pg_locks WHERE mode = 'SIReadLock' AND locktype = 'relation' AND relation = '@"Code"'::regclass"#
      )
    )
    let (needed, found, locks) = try await test.cluster.write { [needs] writes in
      var rows = LoadedRows()
      try await loading.load(needs, into: &rows, in: writes)
      return (needs, rows.holders, try await writes.run([wholeTables])[0].text(0, 0))
    }
    #expect(needed.uniques.count == 2)
    #expect(found.values.compactMap { $0?.id } == [7])
    #expect(locks == "0")
  }

  @Test func `what another user has uploaded is refused, and tells nothing of its decision`()
    async throws
  {
    let test = try await TestServerLog()
    let ledger = UploadLedger(test.serverLog)
    let device = DeviceIdentity(Identifier128(high: 7, low: 7))
    let first = SyncTransaction(
      sequence: 1,
      token: TransactionToken(Identifier128(high: 8, low: 8)),
      previous: nil,
      time: HybridTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1_000)),
      operations: []
    )
    var record = DeviceRecord()
    let time = first.time
    record.advance(to: first, DecidedTransaction(decision: .accepted, time: time))
    try await test.cluster.write { [record, device] writes in
      try await ledger.store(.accepted, of: first, record, from: device, of: "ada", in: writes)
    }
    let other = DeviceIdentity(Identifier128(high: 1, low: 1))
    let decided = DecidedTransaction(decision: .accepted, time: time)
    #expect(try await ledger.admission(of: first, from: other, of: "ada").0 == .decided(decided))
    for user in ["eve", "", "ad"] {
      let error = await #expect(throws: Refused.self) {
        try await ledger.admission(of: first, from: other, of: user)
      }
      #expect(error?.code == .credentials)
    }
    // An upload with references to it learns nothing either.
    for (user, isTold) in [("ada", true), ("eve", false)] {
      let loading = RowLoading(
        serverLog: test.serverLog,
        cluster: test.cluster,
        rules: SyncRules(test.cluster.tables.model),
        user: user
      )
      let outcome = try await test.cluster.write { writes in
        var rows = LoadedRows()
        var needs = Needs()
        needs.makers = [first.token]
        try await loading.load(needs, into: &rows, in: writes)
        return rows.outcomes[first.token] ?? nil
      }
      #expect((outcome != nil) == isTold)
    }
  }
}
