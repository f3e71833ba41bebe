import ObjectBoxSyncProtocol
import Testing

@testable import ObjectBoxCluster
@testable import ObjectBoxSyncServer

@Suite(.enabled(if: TestServer.isThere, TestServer.reason))
struct ResetTests {
  /// A server with 400 items and a label, and a follower of three of four owners.
  private func filled() async throws -> (TestServerLog, Follower) {
    let test = try await TestServerLog()
    try await test.sql(
      """
      INSERT INTO @"Item" (id, owner, value, title) SELECT g, g % 4, g, 'title ' || g
      FROM generate_series(1, 400) AS g
      """
    )
    try await test.sql(#"INSERT INTO @"Label" (id) VALUES (1)"#)
    var follower = Follower(test, owners: [0, 1, 2])
    try await follower.follow()
    return (test, follower)
  }

  /// Lets objects leave, come, change, be removed, and get another pair.
  private func change(_ test: TestServerLog) async throws {
    try await test.sql(#"UPDATE @"Item" SET owner = 3 WHERE id = 41"#)
    try await test.sql(#"UPDATE @"Item" SET owner = 1 WHERE id = 43"#)
    try await test.sql(#"UPDATE @"Item" SET value = 0 WHERE id = 144"#)
    try await test.sql(#"DELETE FROM @"Item" WHERE id = 201"#)
    try await test.sql("INSERT INTO @objectbox_relation_5001 (source, target) VALUES (398, 1)")
    try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (1000, 1), (2000000000000, 2)"#)
  }

  private func digests(
    of follower: Follower,
    size: Int,
    _ refine: Refine? = nil
  ) -> Digests {
    let ranges = refine?.ranges ?? [KeyRange(allOf: TestServerLog.item)]
    let size = refine?.size ?? size
    var builder = DigestBuilder(dividing: ranges, size: size)
    for (key, row) in follower.copy.sorted(by: { $0.key < $1.key }) { builder.add(row, at: key) }
    return Digests(
      deltaRequest: follower.deltaRequest,
      epoch: follower.epoch,
      base: refine?.base,
      stagingArea: follower.stagingArea,
      ranges: size == 0 ? RangeDigests(wanting: ranges) : builder.finish(),
      rest: refine?.rest ?? []
    )
  }

  /// Compares a follower's copy with the server, and takes the delta.
  ///
  /// - Parameters:
  ///   - follower: The follower.
  ///   - size: The number of objects in a range of the first digests.
  ///   - reading: Answers the digests.
  ///   - between: Runs before each further step.
  /// - Returns: The delta and the number of steps.
  /// - Throws: `Unexpected` for another answer; errors of the database.
  private func reset(
    _ follower: inout Follower,
    size: Int,
    _ reading: ResetReading,
    between: () async throws -> Void = {}
  ) async throws -> (delta: Delta, steps: Int) {
    var next = digests(of: follower, size: size)
    for steps in 1...100 {
      switch try await reading.read(next, granted: follower.rules) {
      case .delta(let delta):
        follower.take(delta)
        return (delta, steps)
      case .refine(let refine):
        follower.stagingArea(refine)
        next = digests(of: follower, size: size, refine)
        try await between()
      case .reset, .forked: throw Unexpected()
      }
    }
    throw Unexpected()
  }

  private struct Unexpected: Error {}

  private func limits(_ change: (inout ResetBuilder.Limits) -> Void) -> ResetBuilder.Limits {
    var limits = ResetBuilder.Limits()
    limits.directCount = 0
    change(&limits)
    return limits
  }

  @Test(arguments: [(3, 1 << 20), (5_000, 1 << 20), (5_000, 100)], [1, 10, 40])
  func `digests bring a copy up to date, and only what differs travels`(
    page: (count: Int, bytes: Int),
    size: Int
  ) async throws {
    let (test, old) = try await filled()
    var follower = old
    try await change(test)
    let reading = ResetReading(
      test.serverLog,
      pageSize: page.count,
      pageBytes: page.bytes,
      limits: limits { _ in }
    )
    let (delta, steps) = try await reset(&follower, size: size, reading)
    #expect(steps == [1: 1, 10: 2, 40: 3][size])
    // 43, 144 and 398, the new objects, and neighbours of those that left, came or were removed.
    #expect(delta.rows.count <= 10)
    // The reset's cursor goes on with the log.
    try await test.sql(#"UPDATE @"Item" SET value = 9 WHERE id = 1"#)
    let table = try await follower.follow()
    #expect(follower.table == table)
  }

  @Test func `changes between the steps are in the delta`() async throws {
    let (test, old) = try await filled()
    var follower = old
    try await change(test)
    var step = 0
    let (_, steps) = try await reset(
      &follower,
      size: 40,
      ResetReading(test.serverLog, limits: limits { _ in })
    ) {
      step += 1
      // In ranges that were equal, and in one that was not.
      try await test.sql(#"UPDATE @"Item" SET value = -\#(step) WHERE id IN (330, 340, 145)"#)
      try await test.sql(#"DELETE FROM @"Item" WHERE id = \#(300 + step)"#)
      try await test.sql(#"UPDATE @"Item" SET owner = 3 WHERE id = \#(309 + 4 * step)"#)
      try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (\#(500 + step), 0)"#)
    }
    #expect(steps == 3 && step == 2)
    #expect(follower.table == (try await test.items(of: follower)))
  }

  // Each part is read at a moment of its own, and objects of earlier parts change between them.
  @Test(arguments: [3, 5_000])
  func `objects that exceed a part come in several, and the delta makes them one state`(
    pageSize: Int
  ) async throws {
    let (test, old) = try await filled()
    var follower = old
    try await test.sql(#"UPDATE @"Item" SET value = -value WHERE id > 100"#)
    try await test.sql(#"DELETE FROM @"Item" WHERE id BETWEEN 200 AND 230"#)
    let limits = limits { $0.partSize = 1_000 }
    var step = 0
    let (delta, _) = try await reset(
      &follower,
      size: 40,
      ResetReading(test.serverLog, pageSize: pageSize, limits: limits)
    ) {
      step += 1
      try await test.sql(#"UPDATE @"Item" SET value = \#(step) WHERE id IN (105, 399)"#)
      try await test.sql(#"DELETE FROM @"Item" WHERE id = \#(105 + step)"#)
      try await test.sql(#"UPDATE @"Item" SET owner = 3 WHERE id = \#(305 + step)"#)
      try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (\#(200 + step), 1)"#)
    }
    #expect(step >= 6)
    #expect(delta.stagingArea != 0 && delta.scopes.isComplete)
    // The first part's objects are in the delta only if they have changed since.
    #expect(delta.rows.count < 100)
    #expect(follower.table == (try await test.items(of: follower)))
  }

  @Test func `a comparison begins anew when the log does not go back to its beginning`()
    async throws
  {
    let (test, follower) = try await filled()
    try await change(test)
    let reading = ResetReading(test.serverLog, limits: limits { _ in })
    let first = digests(of: follower, size: 40)
    guard case .refine(let refine) = try await reading.read(first, granted: follower.rules) else {
      throw Unexpected()
    }
    // As after a restored backup.
    let cursor = refine.base.cursor
    let base = ComparisonBase(
      cursor: Cursor(
        snapshot: cursor.snapshot,
        epoch: Epoch(
          system: cursor.epoch.system + 1,
          database: cursor.epoch.database,
          timeline: cursor.epoch.timeline
        ),
        position: cursor.position
      ),
      scopes: refine.base.scopes,
      latest: refine.base.latest
    )
    let other = Refine(state: refine.state, base: base, ranges: refine.ranges, size: refine.size)
    let second = digests(of: follower, size: 40, other)
    guard case .reset(let reset) = try await reading.read(second, granted: follower.rules) else {
      Issue.record("the comparison goes on")
      return
    }
    #expect(reset.state == follower.deltaRequest.state && reset.endsComparison)
  }
}

extension TestServerLog {
  /// The items that a follower should have, in the form of ``Follower/table``.
  fileprivate func items(of follower: Follower) async throws -> [UInt64: String] {
    var fresh = Follower(self, linked: follower.rules, where: follower.condition)
    return try await fresh.follow()
  }
}
