import ObjectBoxSyncProtocol
import Testing

@testable import ObjectBoxCluster
@testable import ObjectBoxSyncServer

/// Deltas whose changes exceed the limits of a delta.
@Suite(.enabled(if: TestServer.isThere, TestServer.reason))
struct LargeDeltaTests {
  private static let changes: DeltaReading.ChangeLimits = {
    var limits = DeltaReading.ChangeLimits()
    limits.count = 100
    limits.bytes = 10_000
    return limits
  }()
  private static let parts: ResetBuilder.Limits = {
    var limits = ResetBuilder.Limits()
    limits.partSize = 10_000
    return limits
  }()

  private struct Unexpected: Error {}

  private func filled(_ owners: [Int64] = [0, 1, 2]) async throws -> (TestServerLog, Follower) {
    let test = try await TestServerLog()
    try await test.sql(
      #"INSERT INTO @"Item" (id, owner, value) SELECT g, g % 4, g FROM generate_series(1, 2000) AS g"#
    )
    var follower = Follower(test, owners: owners)
    follower.changeLimits = Self.changes
    repeat { try await follower.follow() } while !follower.progress.isComplete
    return (test, follower)
  }

  /// Takes the answer of a request, with the parts before its delta.
  ///
  /// - Returns: The sizes of all answers in bytes.
  private func take(
    _ follower: inout Follower,
    between: (_ step: Int) async throws -> Void = { _ in }
  ) async throws -> [Int] {
    let reading = ResetReading(
      follower.test.serverLog,
      pageBytes: 10_000,
      limits: Self.parts,
      changes: Self.changes
    )
    var answer = try await follower.read().answer
    var sizes: [Int] = []
    for step in 0..<1_000 {
      switch answer {
      case .delta(let delta):
        follower.take(delta)
        return sizes + [WireMessage.delta(delta).encoded().count]
      case .refine(let refine):
        sizes.append(WireMessage.refine(refine).encoded().count)
        follower.stagingArea(refine)
        try await between(step)
        var builder = DigestBuilder(dividing: refine.ranges, size: max(refine.size, 1))
        for (key, row) in follower.copy.sorted(by: { $0.key < $1.key }) {
          builder.add(row, at: key)
        }
        let digests = Digests(
          deltaRequest: follower.deltaRequest,
          epoch: refine.base.latest.epoch,
          base: refine.base,
          stagingArea: follower.stagingArea,
          ranges: refine.size == 0 ? RangeDigests(wanting: refine.ranges) : builder.finish(),
          rest: refine.rest
        )
        answer = try await reading.read(digests, granted: follower.rules)
      case .reset, .forked: throw Unexpected()
      }
    }
    throw Unexpected()
  }

  private func table(of follower: Follower) async throws -> [UInt64: String] {
    try await follower.read().table
  }

  @Test func `many changed objects come in parts, and the delta shows all of them`() async throws {
    let (test, old) = try await filled()
    var follower = old
    try await test.sql(#"UPDATE @"Item" SET value = value + 1, owner = (owner + id) % 4"#)
    try await test.sql(#"DELETE FROM @"Item" WHERE id % 10 = 3"#)
    let sizes = try await take(&follower)
    #expect(sizes.count > 3)
    // A part, and the next object; before, one message had 2,000 objects.
    #expect(try #require(sizes.max()) < 12_000)
    #expect(try await follower.table == table(of: follower))
    try await test.sql(#"UPDATE @"Item" SET value = 0 WHERE id = 1"#)
    #expect(try await take(&follower).count == 1)
    #expect(try await follower.table == table(of: follower))
  }

  @Test func `objects that change again between the parts are right in the delta`() async throws {
    let (test, old) = try await filled()
    var follower = old
    try await test.sql(#"UPDATE @"Item" SET value = value + 1"#)
    _ = try await take(&follower) { step in
      guard step < 5 else { return }
      try await test.sql(
        #"UPDATE @"Item" SET value = -1, owner = 3 - owner WHERE id % 5 = \#(step)"#
      )
      try await test.sql(#"DELETE FROM @"Item" WHERE id % 50 = \#(step)"#)
    }
    #expect(try await follower.table == table(of: follower))
  }

  @Test func `large objects come in parts, however few they are`() async throws {
    let (test, old) = try await filled()
    var follower = old
    try await test.sql(#"UPDATE @"Item" SET title = repeat('x', 3000) WHERE id <= 40"#)
    let sizes = try await take(&follower)
    #expect(sizes.count > 3)
    #expect(try #require(sizes.max()) < 15_000)
    #expect(try await follower.table == table(of: follower))
  }

  @Test func `changes of objects that a device does not see cost it a delta without objects`()
    async throws
  {
    let (test, old) = try await filled([7])
    var follower = old
    try await test.sql(#"UPDATE @"Item" SET value = value + 1"#)
    #expect(try await take(&follower).count == 1)
    #expect(follower.lastDelta?.rows.isEmpty == true)
  }

  @Test func `the log is read in pages, and not behind the limit with the request`() async throws {
    let (test, follower) = try await filled()
    try await test.sql(#"UPDATE @"Item" SET value = value + 1"#)
    for id in 1...30 { try await test.sql(#"UPDATE @"Item" SET value = 0 WHERE id = \#(id)"#) }
    let log = LogReading(test.serverLog, .ending(behind: 50))
    let (count, first, isEnded) = try await test.serverLog.rollingBack { connection in
      let rows = try await connection.run(
        ServerHeader.statements(test.serverLog, follower.deltaRequest)
          + log.statements(since: follower.cursor)
      )
      let logged = try ServerHeader(test.serverLog, rows).logged
      let changes = rows.dropFirst(ServerHeader.results)
      var count = 0
      try await log.forEach(since: follower.cursor, logged, on: connection) { _ in count += 1 }
      return (count, log.entries(changes, logged).count, log.isEnded(changes))
    }
    #expect(count == 2_030)
    // The row of the log that reaches the limit has 1,024 changes at the most.
    #expect(first < 50 + 1_024)
    #expect(isEnded)
  }
}
