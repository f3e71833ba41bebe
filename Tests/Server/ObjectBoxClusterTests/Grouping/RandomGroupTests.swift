import Foundation
import ObjectBox
import ObjectBoxGrouping
import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxCluster

/// Random grouped queries on random objects, compared between both stores.
@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .onServer)
struct RandomGroupTests {
  /// A row of either store as text; dates with their fractions.
  private static func texts<Key, each V>(
    _ rows: [GroupRow<Key, repeat each V>]
  ) -> [String] {
    func text(_ value: Any) -> String {
      if let date = value as? Date { return "\(date.timeIntervalSince1970)" }
      return "\(value)"
    }
    return rows.map { row in
      var texts = [
        Mirror(reflecting: row.key).displayStyle == .tuple
          ? Mirror(reflecting: row.key).children.map { text($0.value) }.joined(separator: ", ")
          : text(row.key)
      ]
      for value in repeat each row.values { texts.append(text(value)) }
      return texts.joined(separator: " | ")
    }
  }

  private static func compare<Key, each V>(
    _ stores: QueryStores,
    least: Int32,
    _ groups: (AnyQuery<QueryRow>) -> AnyGroups<QueryRow, Key, repeat each V>
  ) async throws {
    let condition = { QueryRow.number >= least || QueryRow.number.isNil() }
    let expected = groups(
      AnyQuery(embedded: stores.embedded.box(for: QueryRow.self).query(condition), cluster: nil)
    )
    let found = groups(
      AnyQuery(embedded: nil, cluster: stores.cluster.box(for: QueryRow.self).query(condition))
    )
    let rows = try await (texts(expected.find()), texts(found.find()))
    #expect(rows.0 == rows.1)
    #expect(!rows.0.isEmpty)
    let page = try await (
      texts(expected.find(offset: 2, limit: 3)), texts(found.find(offset: 2, limit: 3))
    )
    #expect(page.0 == page.1)
  }

  @Test(.tags(.slow), arguments: 0..<6)
  func `random groups are the same in both stores, in the same order`(seed: Int) async throws {
    let stores = try await QueryStores()
    var random = RandomQueries(seed: seed, stores.cluster.tables.model)
    try await stores.put((0..<5).map { _ in random.owner() })
    try await stores.put(
      (0..<250).map { _ in
        let row = random.row(owners: 3)
        // Many seconds around the changes of clocks, from 1880 to 2060.
        let seconds = Double(Int.random(in: -2_840_000_000...2_840_000_000, using: &random.random))
        row.date =
          random.chance(9)
          ? nil : Date(timeIntervalSince1970: seconds + Double(random.pick([0, 0.001, 0.999])))
        row.exactDate = row.date
        return row
      }
    )
    let zone = try #require(
      TimeZone(
        identifier: random.pick([
          "Europe/Berlin", "America/St_Johns", "Asia/Kathmandu", "Australia/Lord_Howe", "GMT",
          "Africa/Monrovia",
        ])
      )
    )
    for least in [Int32.min, 0] {
      try await Self.compare(stores, least: least) {
        $0.grouped(by: QueryRow.text)
          .select(.count, .count(QueryRow.price), .sum(QueryRow.double), .max(QueryRow.name))
      }
      try await Self.compare(stores, least: least) {
        $0.grouped(by: .firstLetter(of: QueryRow.name), QueryRow.flag)
          .select(.count, .min(QueryRow.largeUnsigned), .max(QueryRow.plainLarge))
          .ordered(by: .count, descending: true)
      }
      try await Self.compare(stores, least: least) {
        $0.grouped(by: .folded(QueryRow.text)).select(.average(QueryRow.double), .count)
          .having(.count > 1)
      }
      try await Self.compare(stores, least: least) {
        $0.grouped(by: QueryRow.double, QueryRow.plainTiny)
          .select(.min(QueryRow.real), .max(QueryRow.date), .sum(QueryRow.plainNumber))
      }
      try await Self.compare(stores, least: least) {
        $0.grouped(by: QueryRow.owner).select(.average(QueryRow.tiny), .sum(QueryRow.plainShort))
      }
      try await Self.compare(stores, least: least) {
        $0.grouped(by: QueryRow.exactDate).select(.count).orderedByKey(descending: true)
      }
      for unit in CalendarUnit.allCases {
        try await Self.compare(stores, least: least) {
          $0.grouped(by: .by(QueryRow.date, unit, in: zone)).select(.count, .min(QueryRow.name))
        }
        try await Self.compare(stores, least: least) {
          $0.grouped(by: .by(QueryRow.exactDate, unit, in: zone), QueryRow.flag).select(.count)
        }
      }
      for part in CalendarPart.allCases {
        try await Self.compare(stores, least: least) {
          $0.grouped(by: .by(part, of: QueryRow.date, in: zone)).select(.count)
        }
      }
    }
  }
}
