import ObjectBoxSyncProtocol
import Testing

@testable import ObjectBoxCluster
@testable import ObjectBoxSyncServer

@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .serialized)
struct FillTests {
  /// The entity `Label` has no relations, so that pages of it are read ahead.
  @Test(arguments: [("Item", "title", TestServerLog.item), ("Label", "name", TestServerLog.label)])
  func `a first fill passes over no object, however different their sizes are`(
    table: String,
    column: String,
    entity: EntityUID
  ) async throws {
    let test = try await TestServerLog()
    let count: UInt64 = 6_000
    func size(_ id: UInt64) -> Int {
      id == 3_000 ? 3_000_000 : id % 97 == 0 ? 60_000 : id % 5 == 0 ? 500 : 3
    }
    try await test.sql(
      """
      INSERT INTO @"\(table)" (id, \(column)) SELECT g, repeat('x', CASE WHEN g = 3000 THEN 3000000
        WHEN g % 97 = 0 THEN 60000 WHEN g % 5 = 0 THEN 500 ELSE 3 END)
      FROM generate_series(1, \(count)) AS g
      """
    )
    var follower = Follower(test, [Scope(entity: entity)])
    var ids: [UInt64] = []
    repeat {
      try await follower.follow()
      let delta = try #require(follower.lastDelta)
      var bytes = WireMessage.delta(delta).encoded().count
      for row in delta.rows {
        ids.append(row.key.id)
        guard case .bytes(let text) = row.row.values.elements.last?.value else { continue }
        #expect(text.count == size(row.key.id))
        if text.count == 3_000_000 { bytes -= text.count }
      }
      #expect(bytes < 2 << 20)
    } while !follower.progress.isComplete && ids.count <= count
    #expect(ids == Array(1...count))
  }

  @Test func `a page has neither IDs nor values beyond its limit of sizes`() async throws {
    let test = try await TestServerLog()
    try await test.sql(
      """
      INSERT INTO @"Label" (id, name) SELECT g, repeat('x', CASE WHEN g IN (3, 5) THEN 101 ELSE 100 END)
      FROM generate_series(1, 9) AS g
      """
    )
    let label = try #require(test.serverLog.entity(TestServerLog.label))
    let scopes = [Scope(entity: TestServerLog.label)]
    func page(
      _ size: ServerRows.SizeLimit,
      in ranges: [ClosedRange<UInt64>]? = nil
    ) async throws -> [[Int?]] {
      let page =
        ranges.map { ServerRows.page(label, scopes, in: $0, limit: 6, size: size) }
        ?? ServerRows.page(label, scopes, 2...9, limit: 6, size: size)
      let statement = try #require(page)
      let rows = try await test.serverLog.pool.withConnection { try await $0.run([statement])[0] }
      return (0..<rows.count).map { [rows.integer($0, 0), rows.bytes($0, 1)?.count] }
    }
    let none: [Int?] = [nil, nil]
    #expect(
      try await page(.object(100)) == [[2, 100], none, [4, 100], none, [6, 100], [7, 100]]
    )
    #expect(try await page(.page(201)) == [[2, 100], [3, 101], none, none, none, none])
    #expect(try await page(.page(201), in: [2...3, 8...9]) == [[2, 100], [3, 101], none, none])
    #expect(try await page(.page(202)) == [[2, 100], [3, 101], [4, 100], none, none, none])
    // The first object is read, whatever its size is.
    #expect(try await page(.page(1)) == [[2, 100], none, none, none, none, none])
  }
}
