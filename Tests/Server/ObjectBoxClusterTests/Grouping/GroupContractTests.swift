import Foundation
import ObjectBox
import ObjectBoxGrouping
import Testing

@testable import ObjectBoxCluster

/// The contract of grouped queries, for embedded stores and clusters.
@Suite(.onAnyStore)
struct GroupContractTests {
  private func rows(
    _ kind: StoreKind,
    _ changes: [(QueryRow) -> Void]
  ) async throws -> AnyQuery<QueryRow> {
    let box = try await AnyStore(kind).box(QueryRow.self)
    try await box.put(
      changes.map { change in
        let row = QueryRow()
        change(row)
        return row
      }
    )
    return box.query()
  }

  private func texts(_ kind: StoreKind, _ texts: [String?]) async throws -> AnyQuery<QueryRow> {
    try await rows(kind, texts.map { text in { $0.text = text } })
  }

  @Test(arguments: StoreKind.available)
  func `rows have keys, aggregates, conditions, orders and pages`(_ kind: StoreKind) async throws {
    let all = try await rows(
      kind,
      [(1, 10, 1.5), (2, 20, nil), (2, -1, 2.5), (1, nil, 0.25), (3, 7, nil)].map {
        (number: Int32, large: Int64?, double: Double?) in
        { ($0.number, $0.large, $0.double) = (number, large, double) }
      }
    )
    let groups = all.grouped(by: QueryRow.number)
      .select(.count, .sum(QueryRow.large), .sum(QueryRow.double), .average(QueryRow.double))
    let found = try await groups.find()
    #expect(found.map(\.key) == [1, 2, 3])
    #expect(found.map(\.values.0) == [2, 2, 1])
    #expect(found.map(\.values.1) == [10, 19, 7])
    #expect(found.map(\.values.2) == [1.75, 2.5, 0])
    #expect(found.map(\.values.3) == [0.875, 2.5, nil])
    let most = groups.having(.count > 1 && .sum(QueryRow.large) > 0)
      .ordered(by: .sum(QueryRow.large), descending: true)
    #expect(try await most.find().map(\.key) == [2, 1])
    #expect(try await most.find(offset: 1, limit: 5).map(\.key) == [1])
    #expect(try await most.findFirst()?.key == 2)
    #expect(try await most.count() == 2)
    #expect(try await groups.orderedByKey(descending: true).find(limit: 2).map(\.key) == [3, 2])
  }

  @Test(arguments: StoreKind.available)
  func `nulls are a group, and texts are ordered by their bytes`(_ kind: StoreKind) async throws {
    let all = try await texts(kind, ["b", nil, "", "Ä", "a", "B", nil, "\u{FFFF}", "\u{10000}"])
    let rows = try await all.grouped(by: QueryRow.text)
      .select(.count, .min(QueryRow.text), .max(QueryRow.text)).find()
    #expect(rows.map(\.key) == [nil, "", "B", "a", "b", "Ä", "\u{FFFF}", "\u{10000}"])
    #expect(rows.map(\.values.0) == [2, 1, 1, 1, 1, 1, 1, 1])
    #expect(rows.map(\.values.1) == rows.map(\.key))
    #expect(rows.map(\.values.2) == rows.map(\.key))
  }

  @Test(arguments: StoreKind.available)
  func `letters and folded texts are those of the client`(_ kind: StoreKind) async throws {
    let all = try await texts(
      kind,
      ["Äpfel", "äPFEL", "apple", "", nil, "e\u{301}t", "\u{C9}t", "\r\nx", "\r", "👩‍👩‍👧x", "👩", "日本"]
    )
    let letters = try await all.grouped(by: .firstLetter(of: QueryRow.text)).select(.count).find()
    #expect(
      letters.map(\.key) == [nil, "", "\r", "\r\n", "a", "e\u{301}", "ä", "\u{E9}", "日", "👩", "👩‍👩‍👧"]
    )
    #expect(letters.map(\.values) == [1, 1, 1, 1, 1, 1, 2, 1, 1, 1, 1])
    let folded = try await all.grouped(by: .folded(QueryRow.text)).select(.count).find()
    #expect(folded.first { $0.key == "äpfel" }?.values == 2)
    let both = try await all.grouped(by: .firstLetter(of: QueryRow.text), .folded(QueryRow.text))
      .select(.count).find()
    #expect(both.count == 11)
  }

  @Test(arguments: StoreKind.available)
  func `zeros are one value, and NaN is one key, but no extreme`(_ kind: StoreKind) async throws {
    let all = try await rows(
      kind,
      [0.0, -0.0, .nan, -.nan, 1.5, nil, .infinity, -.infinity].map { double in
        {
          $0.double = double
          $0.real = double.map { Float($0) }
        }
      }
    )
    let rows = try await all.grouped(by: QueryRow.double).select(.count, .max(QueryRow.real)).find()
    #expect(rows.map(\.values.0) == [1, 1, 2, 1, 1, 2])
    #expect(rows[0].key == nil && rows[0].values.1 == nil)
    #expect(rows[1].key == -.infinity && rows[2].key == 0 && rows[2].key?.sign == .plus)
    #expect(rows[5].key?.isNaN == true && rows[5].values.1 == nil)
    let sums = try await all.grouped(by: QueryRow.number)
      .select(.sum(QueryRow.double), .min(QueryRow.double), .max(QueryRow.double)).find()
    #expect(sums[0].values.0.isNaN && sums[0].values.1 == -.infinity)
    #expect(sums[0].values.2 == .infinity)
  }

  @Test(arguments: StoreKind.available)
  func `sums of floating point numbers are exact before they are rounded`(_ kind: StoreKind)
    async throws
  {
    let all = try await rows(
      kind,
      [1e16, 1, 1, -1e16, .leastNonzeroMagnitude, .leastNonzeroMagnitude, 0.1, 0.2].map { double in
        { $0.double = double }
      }
    )
    let groups = all.grouped(by: QueryRow.number).select(.sum(QueryRow.double))
    #expect(try await groups.find().map(\.values) == [2.3])
    let huge = try await rows(
      kind,
      [Double.greatestFiniteMagnitude, .greatestFiniteMagnitude].map { double in
        { $0.double = double }
      }
    )
    let sums = try await huge.grouped(by: QueryRow.number)
      .select(.sum(QueryRow.double), .average(QueryRow.double)).find()
    #expect(sums.map(\.values.0) == [.infinity])
    #expect(sums.map(\.values.1) == [.infinity])
  }

  @Test(arguments: StoreKind.available)
  func `dates are grouped by the calendar of a time zone, also at changes of its clocks`(
    _ kind: StoreKind
  ) async throws {
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    let parse = ISO8601DateFormatter()
    let dates = [
      "1893-03-31T23:10:00Z", "1945-05-24T00:00:00Z", "1969-12-31T23:59:59Z",
      "2025-12-31T22:59:59Z", "2025-12-31T23:00:00Z", "2026-03-29T00:30:00Z",
      "2026-03-29T21:59:59Z", "2026-03-29T22:00:00Z", "2026-10-25T00:30:00Z",
      "2026-10-25T01:30:00Z", "2026-10-25T02:30:00Z",
    ].compactMap { parse.date(from: $0) }
    let all = try await rows(kind, dates.map { date in { ($0.date, $0.exactDate) = (date, date) } })
    var calendar = Calendar(identifier: .iso8601)
    calendar.timeZone = zone
    for (unit, component) in [
      (CalendarUnit.hour, Calendar.Component.hour), (.day, .day), (.week, .weekOfYear),
      (.month, .month), (.year, .year),
    ] {
      let starts = dates.compactMap { date -> Date? in
        guard var start = calendar.dateInterval(of: component, for: date)?.start else { return nil }
        // An hour begins where the clock was changed within it, as in 1893.
        let offset = zone.secondsFromGMT(for: date)
        while unit == .hour, zone.secondsFromGMT(for: start) != offset { start += 1 }
        return start
      }
      let expected = Dictionary(grouping: starts) { $0 }.mapValues(\.count)
      let rows = try await all.grouped(by: .by(QueryRow.date, unit, in: zone)).select(.count).find()
      #expect(rows.map(\.key) == expected.keys.sorted(), "\(unit)")
      #expect(rows.map(\.values) == expected.sorted { $0.key < $1.key }.map(\.value))
      let exact = try await all.grouped(by: .by(QueryRow.exactDate, unit, in: zone))
        .select(.count).find()
      #expect(exact.map(\.key) == rows.map(\.key))
    }
    let hours = try await all.grouped(by: .by(.hourOfDay, of: QueryRow.date, in: zone))
      .select(.count).find()
    let expected = Dictionary(grouping: dates) { calendar.component(.hour, from: $0) }
    #expect(hours.map { $0.key } == expected.keys.sorted())
    #expect(hours.map(\.values) == expected.sorted { $0.key < $1.key }.map(\.value.count))
    let parts =
      try await all
      .grouped(
        by: .by(.year, of: QueryRow.date, in: zone),
        .by(.dayOfWeek, of: QueryRow.date, in: zone)
      )
      .select(.count).having(.count > 1).find()
    #expect(parts.map { [$0.key.0, $0.key.1, $0.values] } == [[2026, 7, 5]])
  }

  @Test(arguments: StoreKind.available)
  func `a day to which the clock returns is one group`(_ kind: StoreKind) async throws {
    // A minute past midnight, the clock was set back by an hour.
    let zone = try #require(TimeZone(identifier: "America/St_Johns"))
    let dates = [
      1_162_088_999, 1_162_089_000, 1_162_089_059, 1_162_089_060, 1_162_092_599, 1_162_092_600,
    ].map { Date(timeIntervalSince1970: $0) }
    let all = try await rows(kind, dates.map { date in { $0.date = date } })
    let days = try await all.grouped(by: .by(QueryRow.date, .day, in: zone)).select(.count).find()
    let starts = [1_162_002_600, 1_162_089_000].map { Date(timeIntervalSince1970: $0) }
    #expect(days.map(\.key) == starts)
    #expect(days.map(\.values) == [3, 3])
  }

  @Test(arguments: StoreKind.available)
  func `groups of a relation have the IDs of the targets, and zero without one`(
    _ kind: StoreKind
  ) async throws {
    let store = try await AnyStore(kind)
    let owner = QueryOwner("Ada")
    try await store.box(QueryOwner.self).put([owner])
    let box = store.box(QueryRow.self)
    let all = (0..<3).map { _ in QueryRow() }
    for row in all.prefix(2) { row.owner.targetId = EntityId(owner.id) }
    try await box.put(all)
    let rows = try await box.query().grouped(by: QueryRow.owner).select(.count).find()
    #expect(rows.map(\.key.value) == [0, owner.id])
    #expect(rows.map(\.values) == [1, 2])
  }

  @Test(.enabled(if: TestServer.isThere, TestServer.reason))
  func `a grouped query on a cluster is one round trip, and reads its transaction's changes`()
    async throws
  {
    let stores = try await QueryStores()
    try await stores.put((0..<4).map { _ in QueryRow() })
    let box = stores.cluster.box(for: QueryRow.self)
    let groups = box.query().grouped(by: QueryRow.name).select(.count)
    let trips = try await stores.roundTrips { _ = try await groups.find() }
    #expect(trips == 1)
    #expect(try await groups.explain().sql.contains("GROUP BY"))
    try await stores.cluster.write { transaction in
      try await transaction.put(QueryRow())
      let groups = transaction.box(for: QueryRow.self).query().grouped(by: QueryRow.name)
      #expect(try await groups.select(.count).find().map(\.values) == [5])
    }
  }

  @Test(arguments: StoreKind.available)
  func `a property of another type is refused where the types cannot`(_ kind: StoreKind)
    async throws
  {
    let all = try await rows(kind, [{ $0.number = 1 }])
    let wrong = Property<QueryRow, Int, Void>(propertyId: QueryRow.text.propertyId)
    await expect("propertyTypeMismatch") {
      _ = try await all.grouped(by: QueryRow.number).select(.sum(wrong)).find()
    }
    let missing = Property<QueryRow, Int, Void>(propertyId: 99)
    await expect("illegalArgument") {
      _ = try await all.grouped(by: missing).select(.count).find()
    }
  }
}
