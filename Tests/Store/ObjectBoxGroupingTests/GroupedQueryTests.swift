import Foundation
import ObjectBox
import ObjectBoxGrouping
import ObjectBoxTestSupport
import Testing

struct GroupedQueryTests {
  private let stored: SaleStore
  private var sales: Box<Sale> { stored.sales }

  init() throws { stored = try SaleStore() }

  private func sale(_ kind: Int32, _ change: (Sale) -> Void = { _ in }) throws {
    let sale = Sale(kind: kind)
    change(sale)
    try sales.put(sale)
  }

  @Test func `rows have the keys and the selected aggregates, in the order of the keys`() throws {
    try sale(2) { ($0.amount, $0.price) = (5, 1.5) }
    try sale(1) { ($0.amount, $0.price) = (7, nil) }
    try sale(2) { ($0.amount, $0.price) = (-1, 2.5) }
    let rows = try sales.query().grouped(by: Sale.kind)
      .select(.count, .sum(Sale.amount), .max(Sale.price), .average(Sale.price), .count(Sale.price))
      .find()
    #expect(rows.map(\.key) == [1, 2])
    #expect(rows.map(\.values.0) == [1, 2])
    #expect(rows.map(\.values.1) == [7, 4])
    #expect(rows.map(\.values.2) == [nil, 2.5])
    #expect(rows.map(\.values.3) == [nil, 2])
    #expect(rows.map(\.values.4) == [0, 2])
  }

  @Test func `the first of many groups are those of all groups in the order`() throws {
    try stored.store.runInTransaction {
      for kind in 0..<900 {
        for _ in 0...(kind * 37 % 9) { try sale(Int32(kind)) { $0.amount = kind % 7 } }
      }
    }
    let groups = sales.query().grouped(by: Sale.kind).select(.count, .sum(Sale.amount))
    for ordered in [groups, groups.ordered(by: .count, descending: true)] {
      let all = try ordered.find().map(\.key)
      #expect(all.count == 900)
      for (offset, limit) in [(0, 1), (0, 10), (95, 10), (0, 112), (0, 113), (890, 20)] {
        #expect(
          try ordered.find(offset: offset, limit: limit).map(\.key)
            == Array(all.dropFirst(offset).prefix(limit))
        )
      }
    }
  }

  @Test func `the condition of the query chooses objects, with its parameters at each run`() throws
  {
    for kind in 0..<4 { try sale(Int32(kind)) { $0.amount = kind } }
    let query = try sales.query { Sale.amount >= 2 }.build()
    let groups = query.grouped(by: Sale.kind).select(.count)
    #expect(try groups.find().map(\.key) == [2, 3])
    query.setParameter(Sale.amount, to: 3)
    #expect(try groups.find().map(\.key) == [3])
    #expect(try groups.count() == 1)
  }

  @Test func `nulls are a group of their own, which is not that of empty texts`() throws {
    for note in [nil, "", "b", nil, "a"] { try sale(0) { $0.note = note } }
    let rows = try sales.query().grouped(by: Sale.note).select(.count).find()
    #expect(rows.map(\.key) == [nil, "", "a", "b"])
    #expect(rows.map(\.values) == [2, 1, 1, 1])
    // Also where null comes first or last.
    let reversed = try sales.query().grouped(by: Sale.note).select(.count)
      .orderedByKey(descending: true).find()
    #expect(reversed.map(\.key) == ["b", "a", "", nil])
  }

  @Test func `several keys give tuples`() throws {
    for (kind, isPaid) in [(1, true), (2, false), (1, false), (1, true)] {
      try sale(Int32(kind)) { $0.isPaid = isPaid }
    }
    let rows = try sales.query().grouped(by: Sale.kind, Sale.isPaid).select(.count).find()
    #expect(rows.map(\.key.0) == [1, 1, 2])
    #expect(rows.map(\.key.1) == [false, true, false])
    #expect(rows.map(\.values) == [1, 2, 1])
    let three = try sales.query().grouped(by: Sale.isPaid, Sale.kind, Sale.note).select(.count)
      .find()
    #expect(
      three.map { [$0.key.0 ? 1 : 0, Int($0.key.1), $0.values] } == [
        [0, 1, 1], [0, 2, 1], [1, 1, 2],
      ]
    )
  }

  @Test func `groups can be kept by conditions on aggregates that are not selected`() throws {
    for kind: Int32 in [1, 1, 1, 2, 2, 3] { try sale(kind) { $0.amount = Int(kind) * 10 } }
    let groups = sales.query().grouped(by: Sale.kind).select(.count)
    #expect(try groups.having(.count > 1).find().map(\.key) == [1, 2])
    #expect(try groups.having(.count > 1 && .sum(Sale.amount) >= 40).find().map(\.key) == [2])
    #expect(try groups.having(.count == 1 || .max(Sale.amount) <= 10).find().map(\.key) == [1, 3])
    #expect(try groups.having(!(.count < 3)).find().map(\.key) == [1])
    #expect(try groups.having(.count > 1).having(.count < 3).count() == 1)
    // A group without a value meets neither a comparison nor the opposite one.
    #expect(try groups.having(.min(Sale.price) < 1 || .min(Sale.price) >= 1).find().isEmpty)
  }

  @Test func `rows can be ordered by aggregates, and equal rows are ordered by their keys`() throws
  {
    for kind: Int32 in [3, 1, 1, 2, 4, 4] { try sale(kind) { $0.amount = Int(kind) } }
    let groups = sales.query().grouped(by: Sale.kind).select(.count, .sum(Sale.amount))
    #expect(try groups.ordered(by: .count, descending: true).find().map(\.key) == [1, 4, 2, 3])
    let both = groups.ordered(by: .count).ordered(by: .max(Sale.amount), descending: true)
    #expect(try both.find().map(\.key) == [3, 2, 4, 1])
    #expect(try both.find(offset: 1, limit: 2).map(\.key) == [2, 4])
    #expect(try both.find(offset: 9, limit: 2).isEmpty)
    #expect(throws: ObjectBoxError.self) { try both.find(offset: -1) }
    #expect(throws: ObjectBoxError.self) { try both.find(limit: -1) }
    #expect(try both.findFirst()?.key == 3)
  }

  @Test func `dates are grouped by stretches of a calendar in a time zone`() throws {
    let zone = try #require(TimeZone(identifier: "Europe/Berlin"))
    let parse = ISO8601DateFormatter()
    for text in [
      "2025-12-31T22:59:59Z", "2025-12-31T23:00:00Z", "2026-03-29T00:30:00Z",
      "2026-03-29T21:59:59Z", "2026-03-29T22:00:00Z",
    ] {
      try sale(0) {
        $0.date = parse.date(from: text)!
        $0.shipped = $0.date
      }
    }
    func keys(_ unit: CalendarUnit) throws -> [String] {
      let rows = try sales.query().grouped(by: .by(Sale.date, unit, in: zone)).select(.count).find()
      let nano = try sales.query().grouped(by: .by(Sale.shipped, unit, in: zone)).select(.count)
        .find()
      #expect(nano.map(\.key) == rows.map(\.key))
      return rows.map { "\(parse.string(from: $0.key)) \($0.values)" }
    }
    #expect(try keys(.year) == ["2024-12-31T23:00:00Z 1", "2025-12-31T23:00:00Z 4"])
    #expect(try keys(.quarter) == ["2025-09-30T22:00:00Z 1", "2025-12-31T23:00:00Z 4"])
    #expect(
      try keys(.month) == [
        "2025-11-30T23:00:00Z 1", "2025-12-31T23:00:00Z 1", "2026-02-28T23:00:00Z 3",
      ]
    )
    // Weeks begin on Monday: 2025-12-29 and 2026-03-23.
    #expect(
      try keys(.week) == [
        "2025-12-28T23:00:00Z 2", "2026-03-22T23:00:00Z 2", "2026-03-29T22:00:00Z 1",
      ]
    )
    #expect(
      try keys(.day) == [
        "2025-12-30T23:00:00Z 1", "2025-12-31T23:00:00Z 1", "2026-03-28T23:00:00Z 2",
        "2026-03-29T22:00:00Z 1",
      ]
    )
    #expect(try keys(.hour).count == 5)
    let days = try sales.query().grouped(by: .by(.dayOfWeek, of: Sale.date, in: zone))
      .select(.count).find()
    #expect(days.map { [$0.key, $0.values] } == [[1, 1], [3, 1], [4, 1], [7, 2]])
    let hours = try sales.query().grouped(by: .by(.hourOfDay, of: Sale.date, in: zone))
      .select(.count).find()
    #expect(hours.map(\.key) == [0, 1, 23])
    let quarters = try sales.query().grouped(by: .by(.quarterOfYear, of: Sale.shipped, in: zone))
      .select(.count).find()
    #expect(quarters.map(\.key) == [1, 4])
    let parts = try sales.query()
      .grouped(by: .by(.year, of: Sale.date, in: zone), .by(.monthOfYear, of: Sale.date, in: zone))
      .select(.count).find()
    #expect(
      parts.map { [$0.key.0, $0.key.1, $0.values] } == [
        [2025, 12, 1], [2026, 1, 1], [2026, 3, 3],
      ]
    )
    let daysOfMonth = try sales.query().grouped(by: .by(.dayOfMonth, of: Sale.date, in: zone))
      .select(.count).find()
    #expect(daysOfMonth.map(\.key) == [1, 29, 30, 31])
  }

  @Test func `a date beyond the calendar is an error`() throws {
    try sale(0) { $0.date = Date(timeIntervalSince1970: 9e15) }
    #expect(throws: ObjectBoxError.self) {
      try sales.query().grouped(by: .by(Sale.date, .month)).select(.count).find()
    }
    #expect(try sales.query().grouped(by: Sale.date).select(.count).find().count == 1)
  }

  @Test func `texts are grouped by folded text and by first letter`() throws {
    for note in ["Äpfel", "äPFEL", "apple", "", nil, "e\u{301}t", "\u{C9}t", "\r\nx", "\r"] {
      try sale(0) { $0.note = note }
    }
    let folded = try sales.query().grouped(by: .folded(Sale.note)).select(.count).find()
    #expect(folded.first { $0.key == "äpfel" }?.values == 2)
    let letters = try sales.query().grouped(by: .firstLetter(of: Sale.note)).select(.count).find()
    #expect(letters.map(\.key) == [nil, "", "\r", "\r\n", "a", "e\u{301}", "ä", "\u{E9}"])
    #expect(letters.map(\.values) == [1, 1, 1, 1, 1, 1, 2, 1])
  }

  @Test func `a property that ignores case has one group for all cases, with the least text`()
    throws
  {
    for city in ["bonn", "BONN", "Bern", "Bonn"] { try sale(0) { $0.city = city } }
    let rows = try sales.query().grouped(by: Sale.city).select(.count, .min(Sale.city)).find()
    #expect(rows.map(\.key) == ["BONN", "Bern"])
    #expect(rows.map(\.values.0) == [3, 1])
    #expect(rows.map(\.values.1) == ["BONN", "Bern"])
  }

  @Test func `a sum that does not fit is an error, and only where it is selected`() throws {
    for _ in 0..<2 { try sale(0) { $0.amount = .max } }
    let groups = sales.query().grouped(by: Sale.kind)
    #expect(throws: ObjectBoxError.self) { try groups.select(.sum(Sale.amount)).find() }
    let means: [Double?] = try groups.select(.average(Sale.amount)).find().map(\.values)
    #expect(means == [9_223_372_036_854_775_808])
    try sale(0) { $0.amount = .min }
    #expect(try groups.select(.sum(Sale.amount)).find().map(\.values) == [Int.max - 1])
  }

  @Test func `floating point numbers are grouped with one zero and one NaN`() throws {
    for price in [0.0, -0.0, .nan, -.nan, 1.5, nil, .infinity] { try sale(0) { $0.price = price } }
    let rows = try sales.query().grouped(by: Sale.price).select(.count).find()
    #expect(rows.map(\.values) == [1, 2, 1, 1, 2])
    #expect(rows[0].key == nil)
    #expect(rows[4].key?.isNaN == true)
    let all = try sales.query { Sale.price.isNotNil() && Sale.price < 2 }.grouped(by: Sale.isPaid)
      .select(.sum(Sale.price), .sum(Sale.weight)).find()
    #expect(all.map(\.values.0) == [1.5])
    #expect(all.map(\.values.1) == [0])
  }

  @Test func `sums of floating point numbers do not lose small ones among large ones`() throws {
    for price in [1e16, 1, 1, -1e16] { try sale(0) { $0.price = price } }
    let rows = try sales.query().grouped(by: Sale.kind).select(.sum(Sale.price)).find()
    #expect(rows.map(\.values) == [2])
  }

  @Test func `numbers of objects by an indexed property are those of its index`() throws {
    for kind: Int32 in [3, 1, -1, 3] { try sale(kind) }
    let groups = sales.query().grouped(by: Sale.kind).select(.count)
    #expect(try groups.explain().hasSuffix("groups: numbers of entries in the index on 'kind'"))
    #expect(try groups.find().map { [Int($0.key), $0.values] } == [[-1, 1], [1, 1], [3, 2]])
    let some = sales.query { Sale.kind > 0 }.grouped(by: Sale.kind).select(.count)
    #expect(try some.explain().hasSuffix("groups: numbers of entries in the index on 'kind'"))
    #expect(try some.find().map(\.values) == [1, 2])
    let other = sales.query { Sale.amount == 0 }.grouped(by: Sale.kind).select(.count)
    #expect(try other.explain().hasSuffix("groups: one pass over the objects; 1 property read"))
    #expect(try other.find().map(\.values) == [1, 1, 2])
    let sums = groups.having(.sum(Sale.amount) == 0)
    #expect(try sums.explain().hasSuffix("groups: one pass over the objects; 2 properties read"))
    #expect(try sums.count() == 3)
  }

  @Test func `a run in a transaction sees its changes`() throws {
    try sale(1)
    let groups = sales.query().grouped(by: Sale.kind).select(.count)
    try stored.store.runInTransaction {
      try sale(2)
      #expect(try groups.find().map(\.key) == [1, 2])
    }
    #expect(try sales.query { Sale.kind == 9 }.grouped(by: Sale.kind).select(.count).find().isEmpty)
  }
}
