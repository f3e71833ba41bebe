import Foundation
import ObjectBox
import ObjectBoxSyncProtocol
import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxCluster
@testable import ObjectBoxSyncServer

/// Rules that compare by other ways than equality, held to the WHERE of plain SQL.
@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .timeLimit(.minutes(15)))
struct ComparisonRuleTests {
  /// A random condition, and the SQL that says the same by itself.
  private struct Rule {
    let condition: Condition
    let sql: String
  }

  /// Random values of one property of `Value`, and their SQL.
  private enum Column: CaseIterable {
    case bool, byte, short, int, long, date, dateNano, float, double, string, unsignedLong,
      unsignedInt

    var number: Int {
      switch self {
      case .bool: 0
      case .byte: 1
      case .short: 2
      case .int: 3
      case .long: 4
      case .date: 5
      case .dateNano: 6
      case .float: 7
      case .double: 8
      case .string: 9
      case .unsignedLong: 12
      case .unsignedInt: 13
      }
    }

    var name: String { "value\(number)" }
    var property: UInt32 { UInt32(number + 2) }

    var range: ClosedRange<Int64> {
      switch self {
      case .bool: 0...1
      case .byte: Int64(Int8.min)...Int64(Int8.max)
      case .short: Int64(Int16.min)...Int64(Int16.max)
      case .int: Int64(Int32.min)...Int64(Int32.max)
      case .unsignedInt: 0...Int64(UInt32.max)
      case .date: -1_000_000_000_000...4_000_000_000_000
      default: .min ... .max
      }
    }

    /// The column as a number or bytes whose order is that of the rule.
    var sql: String {
      switch self {
      case .bool: "\(name)::int"
      case .date: "floor(extract(epoch FROM \(name)) * 1000)"
      case .string: "convert_to(\(name), 'UTF8')"
      case .unsignedLong:
        "(CASE WHEN \(name) < 0 THEN \(name)::numeric + 18446744073709551616 ELSE \(name) END)"
      case .float, .double: "nullif(\(name), 'NaN')"
      default: name
      }
    }
  }

  private static let texts = ["", "a", "ab", "b", "z", "ä", "é", "\u{1F600}", "A"]
  private static let doubles = [
    0.0, -0.0, 1, -1, 0.5, 1.5, .infinity, -.infinity, .nan, .leastNonzeroMagnitude, 1e300, 0.1,
  ]

  private static func integer(_ column: Column, _ random: inout SplitMix) -> Int64 {
    let range = column.range
    switch random.number(0...5) {
    case 0: return range.lowerBound
    case 1: return range.upperBound
    case 2 where range.contains(-1): return -1
    default: return min(max(Int64(random.number(0...4)), range.lowerBound), range.upperBound)
    }
  }

  private static func sql(_ number: Double) -> String {
    number.isNaN
      ? "'NaN'" : number.isInfinite ? (number < 0 ? "'-infinity'" : "'infinity'") : "'\(number)'"
  }

  /// Returns an operand, and its SQL.
  private static func operand(_ column: Column, _ random: inout SplitMix) -> (
    PropertyCondition.Operand, String
  ) {
    switch column {
    case .string:
      let text = texts[random.number(0...texts.count - 1)]
      return (.texts([text]), "convert_to(\(text.quotedText), 'UTF8')")
    case .float, .double:
      let number = doubles[random.number(0...doubles.count - 1)]
      return (.doubles([number]), "nullif(\(sql(number))::float8, 'NaN')")
    case .date:
      let number = integer(column, &random)
      return (.integers([number]), "\(number)")
    case .unsignedLong:
      let number = integer(column, &random)
      return (.integers([number]), "\(UInt64(bitPattern: number))")
    default:
      let number = integer(column, &random)
      return (.integers([number]), "\(number)::numeric")
    }
  }

  private static func joined(
    _ first: PropertyCondition.Operand,
    _ second: PropertyCondition.Operand
  ) -> PropertyCondition.Operand {
    switch (first, second) {
    case (.integers(let first), .integers(let second)): .integers(first + second)
    case (.doubles(let first), .doubles(let second)): .doubles(first + second)
    case (.texts(let first), .texts(let second)): .texts(first + second)
    default: first
    }
  }

  private static func leaf(_ random: inout SplitMix) -> Rule {
    let column = Column.allCases[random.number(0...Column.allCases.count - 1)]
    let comparisons: [(PropertyCondition.Comparison, String)] = [
      (.equal, "="), (.notEqual, "<>"), (.less, "<"), (.lessOrEqual, "<="), (.greater, ">"),
      (.greaterOrEqual, ">="), (.isNil, ""), (.isNotNil, ""), (.between, ""), (.isIn, ""),
      (.isNotIn, ""),
    ]
    let (comparison, word) = comparisons[random.number(0...comparisons.count - 1)]
    let (first, firstSQL) = operand(column, &random)
    let (second, secondSQL) = operand(column, &random)
    let operand: PropertyCondition.Operand
    let sql: String
    switch comparison {
    case .isNil: (operand, sql) = (.none, "\(column.name) IS NULL")
    case .isNotNil: (operand, sql) = (.none, "\(column.name) IS NOT NULL")
    case .between:
      operand = joined(first, second)
      sql = "\(column.sql) BETWEEN SYMMETRIC \(firstSQL) AND \(secondSQL)"
    case .isIn:
      operand = joined(first, second)
      sql = "(\(column.sql) = \(firstSQL) OR \(column.sql) = \(secondSQL))"
    case .isNotIn:
      operand = joined(first, second)
      // NaN is in no list.
      sql =
        "(\(column.sql) IS DISTINCT FROM \(firstSQL) AND \(column.sql) IS DISTINCT FROM \(secondSQL) AND \(column.sql) IS NOT NULL)"
    default: (operand, sql) = (first, "\(column.sql) \(word) \(firstSQL)")
    }
    return Rule(
      condition: .property(
        PropertyCondition(propertyID: column.property, comparison: comparison, operand: operand)
      ),
      sql: "coalesce(\(sql), false)"
    )
  }

  private static func rule(_ random: inout SplitMix) -> Rule {
    let parts = (0..<random.number(1...3)).map { _ in
      random.happens(0.2)
        ? {
          let inner = [leaf(&random), leaf(&random)]
          return Rule(
            condition: .all(inner.map(\.condition)),
            sql: "(\(inner.map(\.sql).joined(separator: " AND ")))"
          )
        }() : leaf(&random)
    }
    let isAll = random.happens(0.4)
    return Rule(
      condition: isAll ? .all(parts.map(\.condition)) : .any(parts.map(\.condition)),
      sql: parts.map(\.sql).joined(separator: isAll ? " AND " : " OR ")
    )
  }

  /// A random value in SQL.
  private static func value(_ column: Column, _ random: inout SplitMix) -> String {
    if random.happens(0.15) { return "NULL" }
    switch column {
    case .bool: return random.happens(0.5) ? "true" : "false"
    case .string: return texts[random.number(0...texts.count - 1)].quotedText
    case .float:
      return
        "\(sql(doubles.filter { abs($0) < 1e30 || !$0.isFinite }.map { Double(Float($0)) }[random.number(0...10)]))::real"
    case .double: return "\(sql(doubles[random.number(0...doubles.count - 1)]))::float8"
    case .date:
      let milliseconds = integer(column, &random)
      let rest = random.happens(0.5) ? random.number(0...999) : 0
      return
        "(timestamptz 'epoch' + \(milliseconds) * interval '1 millisecond' + \(rest) * interval '1 microsecond')"
    default: return "(\(integer(column, &random)))::bigint"
    }
  }

  private static func statement(_ random: inout SplitMix) -> String {
    let id = random.number(1...12)
    let column = Column.allCases[random.number(0...Column.allCases.count - 1)]
    switch random.number(0...6) {
    case 0: return #"DELETE FROM @"Value" WHERE id = \#(id)"#
    case 1, 2:
      let names = Column.allCases.map(\.name).joined(separator: ", ")
      let values = Column.allCases.map { value($0, &random) }.joined(separator: ", ")
      return
        #"INSERT INTO @"Value" (id, \#(names)) VALUES (\#(id), \#(values)) ON CONFLICT DO NOTHING"#
    case 3:
      return #"UPDATE @"Value" SET \#(column.name) = \#(value(column, &random))"#
    default:
      return
        #"UPDATE @"Value" SET \#(column.name) = \#(value(column, &random)) WHERE id = \#(id)"#
    }
  }

  @Test(.tags(.slow), arguments: 1...4)
  func `a device has what plain SQL finds by the same condition, after every change`(
    seed: Int
  ) async throws {
    var random = SplitMix(seed: seed)
    let all = Column.allCases.map { PropertyUID(UInt64(4_002 + $0.number)) }
    let test = try await TestServerLog(logging: [TestServerLog.values: all])
    let entity = try #require(test.serverLog.entity(TestServerLog.values))
    let conditions = RuleConditions(entity, in: test.serverLog)
    var followers: [(follower: Follower, rule: Rule)] = try (0..<24).map { _ in
      let rule = Self.rule(&random)
      let scopes = try conditions.scopes(rule.condition)
      return (Follower(test, linked: scopes, where: "true"), rule)
    }
    for step in 0..<(TestServer.isLong ? 400 : 60) {
      try await test.sql(Self.statement(&random))
      // Some devices were away.
      for index in followers.indices where random.happens(0.6) || step % 10 == 9 {
        if random.happens(0.05) { followers[index].follower.forget() }
        _ = try await followers[index].follower.follow()
        let rule = followers[index].rule
        let ids = try await test.sql(
          #"SELECT id::text FROM @"Value" WHERE \#(rule.sql)"#
        ).compactMap { $0[0].flatMap { UInt64($0) } }.sorted()
        #expect(
          followers[index].follower.copy.keys.map(\.id).sorted() == ids,
          "seed \(seed), step \(step): \(rule.sql)"
        )
      }
    }
  }

  @Test func `a date of plain SQL with microseconds is found by its millisecond`() async throws {
    let date = PropertyUID(4007)
    let test = try await TestServerLog(logging: [TestServerLog.values: [date]])
    try await test.sql(
      #"INSERT INTO @"Value" (id, value5) VALUES (1, timestamptz '1970-01-01 00:00:01.0005+00')"#
    )
    var follower = Follower(
      test,
      [Scope(entity: TestServerLog.values, property: date, value: .integer(1_000))]
    )
    try await follower.follow()
    #expect(follower.copy.count == 1)
  }

  @Test func `a list of no value permits nothing, of one and of many what they name`() async throws
  {
    let test = try await TestServerLog()
    let entity = try #require(test.serverLog.entity(TestServerLog.item))
    func scopes(_ owners: [Int64]) throws -> [LinkedScope] {
      try RuleConditions(entity, in: test.serverLog).scopes(
        .property(PropertyCondition(propertyID: 2, comparison: .isIn, operand: .integers(owners)))
      )
    }
    try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (1, 1), (2, 2), (3, 3), (4, NULL)"#)
    for (owners, ids) in [([], []), ([2], [2]), ([1, 3, 9], [1, 3])] as [([Int64], [UInt64])] {
      var follower = Follower(test, linked: try scopes(owners), where: "true")
      try await follower.follow()
      #expect(follower.copy.keys.map(\.id).sorted() == ids)
    }
  }

  @Test func `a rule may name objects by their IDs`() async throws {
    let test = try await TestServerLog()
    let entity = try #require(test.serverLog.entity(TestServerLog.item))
    let conditions = RuleConditions(entity, in: test.serverLog)
    let named = Condition.property(
      PropertyCondition(propertyID: 1, comparison: .isIn, operand: .integers([2, 3]))
    )
    #expect(try conditions.compared(named).map(\.property) == [nil])
    var follower = Follower(test, linked: try conditions.scopes(named), where: "id IN (2, 3)")
    try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (1, 1), (2, 2)"#)
    try await follower.follow()
    try await test.sql(#"INSERT INTO @"Item" (id, owner) VALUES (3, 3), (4, 4)"#)
    try await test.sql(#"UPDATE @"Item" SET owner = 9 WHERE id = 2"#)
    let table = try await follower.follow()
    #expect(follower.table == table)
    #expect(table.count == 2)
    #expect(throws: SyncServerError.self) {
      try conditions.scopes(
        .property(PropertyCondition(propertyID: 1, comparison: .less, operand: .integers([2])))
      )
    }
  }
}
