import ObjectBoxSyncProtocol
import Testing

@testable import ObjectBoxCluster
@testable import ObjectBoxSyncServer

/// A device's copy of the items in its scopes, kept by cuts.
struct Follower {
  private(set) var test: TestHub
  let rules: [LinkedScope]
  /// The rules with their links as the last cut has resolved them.
  private var grants: Grants
  /// The condition in SQL of the items in the scopes.
  let condition: String
  /// True to forget the transactions in progress: the greatest number alone is the cursor.
  var isNaive = false
  var fillLimit: Int?
  var changeLimits = CutReading.ChangeLimits()
  private(set) var copy: [ObjectKey: Row] = [:]
  private(set) var cursor: Cursor?
  private(set) var marks = ScopeMarks()
  private(set) var lastCut: Cut?
  /// The first object of the last cut.
  var firstRow: Row? { lastCut?.rows.first { _ in true }?.row }
  private(set) var parts: [ResetPart] = []
  /// The key of the parts.
  private(set) var stage: UInt64 = 0

  init(
    _ test: TestHub,
    _ granted: [Scope] = [Scope(entity: TestHub.item)],
    where condition: String = "true"
  ) {
    self.init(test, linked: granted.map { LinkedScope($0) }, where: condition)
  }

  init(_ test: TestHub, linked rules: [LinkedScope], where condition: String) {
    self.test = test
    self.rules = rules
    grants = Grants(rules)
    self.condition = condition
  }

  /// A follower of the items whose owner has one of the given numbers.
  init(_ test: TestHub, owners: [Int64]) {
    self.init(
      test,
      owners.map { Scope(entity: TestHub.item, property: TestHub.owner, value: .integer($0)) },
      where: "owner IN (\(owners.map(String.init).joined(separator: ", ")))"
    )
  }

  /// The epoch that the hub has, as a reset would tell it.
  var epoch: Epoch { cursor?.epoch ?? Epoch(system: 0, database: 0, timeline: 0) }

  var want: Want {
    let device = DeviceIdentity(Identifier128(high: 1, low: 1))
    return Want(
      state: StateKey(device: device, edition: 0),
      cursor: cursor,
      scopes: marks,
      confirmed: 0
    )
  }

  /// The answer, and the items of the database at its snapshot.
  struct Reading {
    let answer: CutReading.Answer
    let table: [UInt64: String]
    let grants: Grants
  }

  /// Reads an answer and, in the same snapshot, the table by SQL of the test's own.
  func read() async throws -> Reading {
    let hub = test.hub
    let reading = CutReading(hub, fillLimit: fillLimit, limits: changeLimits)
    return try await hub.transaction(reading.statements(want)) { connection, rows in
      var grants = grants
      var end: [Statement] = []
      let answer = try await reading.answer(
        want,
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

  /// Keeps the part of a reset until the cut.
  mutating func stage(_ refine: Refine) {
    guard let part = refine.part, refine.stage == stage else { return }
    parts.append(part)
    stage = refine.nextStage
  }

  /// Applies a cut to the copy.
  mutating func take(_ cut: Cut) {
    if cut.stage != 0 {
      #expect(cut.stage == stage)
      for part in parts {
        for key in copy.keys where part.ranges.contains(where: { $0.contains(key) }) {
          copy[key] = nil
        }
        for row in part.rows { copy[row.key] = row.row }
      }
    }
    (parts, stage) = ([], 0)
    let isLower = cut.scopes.areLower(than: marks)
    for (key, row) in copy
    where cut.ranges.contains(where: { $0.contains(key) })
      || isLower && !cut.scopes.contain(row.values, at: key)
    {
      copy[key] = nil
    }
    for key in cut.leaves { copy[key] = nil }
    for row in cut.rows { copy[row.key] = row.row }
    cursor = cut.cursor
    if isNaive {
      let snapshot = TransactionSnapshot(xmax: cut.cursor.snapshot.xmax, inProgress: [])
      cursor = Cursor(
        snapshot: snapshot,
        epoch: cut.cursor.epoch,
        position: cut.cursor.position
      )
    }
    marks = cut.scopes
    lastCut = cut
  }

  /// Reads a cut and applies it.
  ///
  /// - Returns: The table at the cut's snapshot.
  @discardableResult
  mutating func follow() async throws -> [UInt64: String] {
    let reading = try await read()
    guard case .cut(let cut) = reading.answer else {
      Issue.record("the hub answered \(reading.answer)")
      return [:]
    }
    take(cut)
    grants = reading.grants
    return reading.table
  }

  /// Ends the connection: links are resolved anew.
  mutating func reconnect() { grants = Grants(rules) }

  /// Goes on with another connection to the same hub.
  mutating func moves(to hub: TestHub) { test = hub }

  /// Begins anew.
  mutating func refill() async throws {
    forget()
    try await follow()
  }

  /// Replaces the copy by a state.
  mutating func forget() {
    copy = [:]
    cursor = nil
    marks = ScopeMarks()
  }

  /// The copy in the form of ``Reading/table``.
  var table: [UInt64: String] {
    var table: [UInt64: String] = [:]
    for (key, row) in copy where key.entity == TestHub.item {
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

extension CutReading {
  /// Reads a cut for a user whose rules have no links resolved yet.
  func read(_ want: Want, granted: [LinkedScope]) async throws -> Answer {
    var grants = Grants(granted)
    return try await read(want, granted: &grants)
  }
}

extension ResetReading {
  /// Reads an answer for a user whose rules have no links resolved yet.
  func read(_ digests: Digests, granted: [LinkedScope]) async throws -> CutReading.Answer {
    var grants = Grants(granted)
    return try await read(digests, granted: &grants)
  }
}
