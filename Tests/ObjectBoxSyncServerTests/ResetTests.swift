import ObjectBoxSyncProtocol
import Testing

@testable import ObjectBoxCluster
@testable import ObjectBoxSyncServer

@Suite(.enabled(if: TestServer.isThere, TestServer.reason))
struct ResetTests {
  @Test(arguments: [3, 5_000])
  func `digests bring a copy up to date, and only differing ranges travel`(
    pageSize: Int
  ) async throws {
    let test = try await TestHub()
    try await test.sql(
      #"INSERT INTO @"Item" (id, owner, value) SELECT g, g % 4, g FROM generate_series(1, 200) AS g"#
    )
    try await test.sql(#"INSERT INTO @"Label" (id) VALUES (1)"#)
    var follower = Follower(test, owners: [0, 1, 2])
    try await follower.follow()
    // Left, came, changed, removed, with another pair; all in three ranges of ten IDs.
    try await test.sql(#"UPDATE @"Item" SET owner = 3 WHERE id = 41"#)
    try await test.sql(#"UPDATE @"Item" SET owner = 1 WHERE id = 43"#)
    try await test.sql(#"UPDATE @"Item" SET value = 0 WHERE id = 44"#)
    try await test.sql(#"DELETE FROM @"Item" WHERE id = 101"#)
    try await test.sql("INSERT INTO @objectbox_relation_5001 (source, target) VALUES (198, 1)")
    var ranges = RangeDigests(width: 10)
    for (key, row) in follower.copy { ranges.add(row, at: key) }
    let answer = try await ResetReading(test.hub, pageSize: pageSize).read(
      Digests(want: follower.want, ranges: ranges),
      granted: follower.granted
    )
    guard case .cut(let cut) = answer else {
      Issue.record("the hub answered \(answer)")
      return
    }
    #expect(Set(cut.ranges.map(\.index)) == [4, 10, 19])
    #expect(cut.rows.count < 30)
    follower.take(cut)
    // The reset's cursor goes on with the log.
    try await test.sql(#"UPDATE @"Item" SET value = 9 WHERE id = 1"#)
    let table = try await follower.follow()
    #expect(follower.table == table)
  }
}
