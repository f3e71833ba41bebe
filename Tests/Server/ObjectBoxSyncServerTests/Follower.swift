import ObjectBoxSyncProtocol
import Testing

@testable import ObjectBoxCluster
@testable import ObjectBoxSyncServer

/// A device's copy of the items in its scopes, kept by deltas.
struct Follower {
  private(set) var test: TestServerLog
  let rules: [LinkedScope]
  /// The rules with their links as the last delta has resolved them.
  private var grants: Grants
  /// The condition in SQL of the items in the scopes.
  let condition: String
  /// True to forget the transactions in progress: the greatest number alone is the cursor.
  var isNaive = false
  var fillLimit: Int?
  var changeLimits = DeltaReading.ChangeLimits()
  private(set) var copy: [ObjectKey: Row] = [:]
  private(set) var cursor: Cursor?
  private(set) var progress = ScopeProgress()
  private(set) var lastDelta: Delta?
  /// The first object of the last delta.
  var firstRow: Row? { lastDelta?.rows.first { _ in true }?.row }
  private(set) var parts: [ResetPart] = []
  /// The key of the parts.
  private(set) var stagingArea: UInt64 = 0

  init(
    _ test: TestServerLog,
    _ granted: [Scope] = [Scope(entity: TestServerLog.item)],
    where condition: String = "true"
  ) {
    self.init(test, linked: granted.map { LinkedScope($0) }, where: condition)
  }

  init(_ test: TestServerLog, linked rules: [LinkedScope], where condition: String) {
    self.test = test
    self.rules = rules
    grants = Grants(rules)
    self.condition = condition
  }

  /// A follower of the items whose owner has one of the given numbers.
  init(_ test: TestServerLog, owners: [Int64]) {
    self.init(
      test,
      owners.map {
        Scope(entity: TestServerLog.item, property: TestServerLog.owner, value: .integer($0))
      },
      where: "owner IN (\(owners.map(String.init).joined(separator: ", ")))"
    )
  }

  /// The epoch that the server has, as a reset would tell it.
  var epoch: Epoch { cursor?.epoch ?? Epoch(system: 0, database: 0, timeline: 0) }

  var deltaRequest: DeltaRequest {
    let device = DeviceIdentity(Identifier128(high: 1, low: 1))
    return DeltaRequest(
      state: StateKey(device: device, edition: 0),
      cursor: cursor,
      scopes: progress,
      confirmed: 0
    )
  }

  /// The answer, and the items of the database at its snapshot.
  struct Reading {
    let answer: DeltaReading.Answer
    let table: [UInt64: String]
    let grants: Grants
  }

  /// Reads an answer and, in the same snapshot, the table by SQL of the test's own.
  func read() async throws -> Reading {
    let serverLog = test.serverLog
    let reading = DeltaReading(serverLog, fillLimit: fillLimit, limits: changeLimits)
    return try await serverLog.transaction(reading.statements(deltaRequest)) { connection, rows in
      var grants = grants
      var end: [Statement] = []
      let answer = try await reading.answer(
        deltaRequest,
        granted: &grants,
        rows,
        connection,
        ending: &end
      )
      let lines = try await test.sql(
        """
        SELECT id::text, concat_ws('|', coalesce(owner::text, '-'), coalesce(value::text, '-'),
          coalesce(title, '-'), (SELECT coalesce(string_agg(target::text, ',' ORDER BY target), '')
            FROM @objectbox_relation_5001 WHERE source = id)) FROM @"Item" WHERE \(condition)
        """,
        on: connection
      )
      var table: [UInt64: String] = [:]
      for line in lines { table[UInt64(line[0] ?? "") ?? 0] = line[1] }
      return Reading(answer: answer, table: table, grants: grants)
    }
  }

  /// Keeps the part of a reset until the delta.
  mutating func stagingArea(_ refine: Refine) {
    guard let part = refine.part, refine.stagingArea == stagingArea else { return }
    parts.append(part)
    stagingArea = refine.nextStagingArea
  }

  /// Applies a delta to the copy.
  mutating func take(_ delta: Delta) {
    if delta.stagingArea != 0 {
      #expect(delta.stagingArea == stagingArea)
      for part in parts {
        for key in copy.keys where part.ranges.contains(where: { $0.contains(key) }) {
          copy[key] = nil
        }
        for row in part.rows { copy[row.key] = row.row }
      }
    }
    (parts, stagingArea) = ([], 0)
    let isLower = delta.scopes.areLower(than: progress)
    for (key, row) in copy
    where delta.ranges.contains(where: { $0.contains(key) })
      || isLower && !delta.scopes.contain(row.values, at: key)
    {
      copy[key] = nil
    }
    for key in delta.leaves { copy[key] = nil }
    for row in delta.rows { copy[row.key] = row.row }
    cursor = delta.cursor
    if isNaive {
      let snapshot = TransactionSnapshot(xmax: delta.cursor.snapshot.xmax, inProgress: [])
      cursor = Cursor(
        snapshot: snapshot,
        epoch: delta.cursor.epoch,
        position: delta.cursor.position
      )
    }
    progress = delta.scopes
    lastDelta = delta
  }

  /// Reads a delta and applies it.
  ///
  /// - Returns: The table at the delta's snapshot.
  @discardableResult
  mutating func follow() async throws -> [UInt64: String] {
    let reading = try await read()
    guard case .delta(let delta) = reading.answer else {
      Issue.record("the server answered \(reading.answer)")
      return [:]
    }
    take(delta)
    grants = reading.grants
    return reading.table
  }

  /// Ends the connection: links are resolved anew.
  mutating func reconnect() { grants = Grants(rules) }

  /// Goes on with another connection to the same server.
  mutating func moves(to serverLog: TestServerLog) { test = serverLog }

  /// Begins anew.
  mutating func refill() async throws {
    forget()
    try await follow()
  }

  /// Replaces the copy by a state.
  mutating func forget() {
    copy = [:]
    cursor = nil
    progress = ScopeProgress()
  }

  /// The copy in the form of ``Reading/table``.
  var table: [UInt64: String] {
    var table: [UInt64: String] = [:]
    for (key, row) in copy where key.entity == TestServerLog.item {
      let values = [PropertyUID(1002), PropertyUID(1003), PropertyUID(1004)].map { property in
        switch row.values[property] {
        case .integer(let number): "\(number)"
        case .bytes(let bytes): String(decoding: bytes, as: UTF8.self)
        default: "-"
        }
      }
      let targets = row.pairs.map { "\($0.target.id)" }.joined(separator: ",")
      table[key.id] = (values + [targets]).joined(separator: "|")
    }
    return table
  }
}

extension DeltaReading {
  /// Reads a delta for a user whose rules have no links resolved yet.
  func read(_ deltaRequest: DeltaRequest, granted: [LinkedScope]) async throws -> Answer {
    var grants = Grants(granted)
    return try await read(deltaRequest, granted: &grants)
  }
}

extension ResetReading {
  /// Reads an answer for a user whose rules have no links resolved yet.
  func read(_ digests: Digests, granted: [LinkedScope]) async throws -> DeltaReading.Answer {
    var grants = Grants(granted)
    return try await read(digests, granted: &grants)
  }
}
