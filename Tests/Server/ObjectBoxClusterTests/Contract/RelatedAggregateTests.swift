import Foundation
import ObjectBox
import Testing

@testable import ObjectBoxCluster

/// Conditions on aggregates of related objects, for embedded stores and clusters.
@Suite(.onAnyStore)
struct RelatedAggregateTests {
  /// Owners 'A', 'B' and so on, each with the rows of one list, and one more without a row.
  private func owners(
    _ kind: StoreKind,
    _ rows: [[(QueryRow) -> Void]]
  ) async throws -> AnyBox<QueryOwner> {
    let store = try await AnyStore(kind)
    let owners = (0...rows.count).map {
      QueryOwner(String(Character(UnicodeScalar(65 + UInt8($0)))))
    }
    let box = store.box(QueryOwner.self)
    try await box.put(owners)
    let all = zip(owners, rows).flatMap { owner, changes in
      changes.map { change in
        let row = QueryRow()
        row.owner.targetId = EntityId(owner.id)
        change(row)
        return row
      }
    }
    try await store.box(QueryRow.self).put(all)
    return box
  }

  private func names(
    _ box: AnyBox<QueryOwner>,
    _ condition: QueryCondition<QueryOwner>
  ) async throws -> [String] {
    try await box.query(condition).build().find(offset: 0, limit: 0).map(\.name)
  }

  @Test(arguments: StoreKind.available)
  func `sums are compared, and are zero without a value`(_ kind: StoreKind) async throws {
    let box = try await owners(
      kind,
      [
        [{ $0.large = 70 }, { $0.large = 31 }], [{ $0.large = -5 }, { $0.large = nil }],
        [{ $0.large = nil }],
      ]
    )
    #expect(try await names(box, QueryOwner.rows.sum(QueryRow.large) > 100) == ["A"])
    #expect(try await names(box, QueryOwner.rows.sum(QueryRow.large) == 101) == ["A"])
    #expect(try await names(box, QueryOwner.rows.sum(QueryRow.large) < 0) == ["B"])
    #expect(try await names(box, QueryOwner.rows.sum(QueryRow.large) == 0) == ["C", "D"])
    #expect(try await names(box, QueryOwner.rows.sum(QueryRow.large) != -5) == ["A", "C", "D"])
    let some = QueryOwner.rows.sum(QueryRow.large) { QueryRow.large < 50 }
    #expect(try await names(box, some == 31) == ["A"])
    #expect(
      try await names(box, QueryOwner.rows.sum(QueryRow.large) >= 0 && QueryOwner.name > "A")
        == ["C", "D"]
    )
  }

  @Test(arguments: StoreKind.available)
  func `floating point sums are exact before they are rounded, and NaN matches no comparison`(
    _ kind: StoreKind
  ) async throws {
    let values: [[Double?]] = [
      [1e16, 1, 1, -1e16], [0.1, 0.2], [.greatestFiniteMagnitude, .greatestFiniteMagnitude],
      [.infinity, -.infinity], [.nan, 1, nil], [.leastNonzeroMagnitude, 0],
    ]
    let box = try await owners(kind, values.map { $0.map { double in { $0.double = double } } })
    #expect(try await names(box, QueryOwner.rows.sum(QueryRow.double) == 2) == ["A"])
    #expect(try await names(box, QueryOwner.rows.sum(QueryRow.double) == 0.1 + 0.2) == ["B"])
    #expect(try await names(box, QueryOwner.rows.sum(QueryRow.double) >= .infinity) == ["C"])
    for aggregate in [QueryOwner.rows.max(QueryRow.double), QueryOwner.rows.min(QueryRow.double)] {
      let conditions: [QueryCondition<QueryOwner>] = [
        aggregate >= .nan, aggregate <= .nan, aggregate == .nan, aggregate != .nan,
      ]
      for condition in conditions {
        #expect(try await names(box, condition) == [])
      }
    }
    #expect(
      try await names(box, QueryOwner.rows.max(QueryRow.double) != 1) == ["A", "B", "C", "D", "F"]
    )
    #expect(
      try await names(box, QueryOwner.rows.sum(QueryRow.double) == .leastNonzeroMagnitude) == ["F"]
    )
    #expect(try await names(box, QueryOwner.rows.average(QueryRow.double) == 0) == ["F"])
    #expect(try await names(box, QueryOwner.rows.average(QueryRow.double) == 0.5) == ["A"])
    #expect(try await names(box, QueryOwner.rows.max(QueryRow.double) > .infinity) == [])
    #expect(try await names(box, QueryOwner.rows.min(QueryRow.double) == 1) == ["E"])
    #expect(try await names(box, QueryOwner.rows.min(QueryRow.double) < 0) == ["A", "D"])
  }

  @Test(arguments: StoreKind.available)
  func `dates are compared, and relations of both kinds are followed`(_ kind: StoreKind)
    async throws
  {
    func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }
    let box = try await owners(
      kind,
      [
        [{ ($0.date, $0.exactDate) = (date(1), date(1)) }, { $0.date = date(-5.5) }],
        [{ $0.date = date(9) }],
      ]
    )
    #expect(try await names(box, QueryOwner.rows.min(QueryRow.date) == date(-5.5)) == ["A"])
    #expect(try await names(box, QueryOwner.rows.max(QueryRow.date) > date(1)) == ["B"])
    #expect(try await names(box, QueryOwner.rows.max(QueryRow.exactDate) == date(1)) == ["A"])
    let friends = [QueryOwner("X", rank: 4), QueryOwner("Y", rank: 5), QueryOwner("Z")]
    try await box.put(friends)
    friends[2].friends.replace(friends[0...1])
    try await box.put(friends)
    #expect(try await names(box, QueryOwner.friends.sum(QueryOwner.rank) == 9) == ["Z"])
    #expect(try await names(box, QueryOwner.admirers.count == 1) == ["X", "Y"])
  }

  @Test(arguments: StoreKind.available)
  func `least and greatest texts are compared by their bytes`(_ kind: StoreKind) async throws {
    let box = try await owners(
      kind,
      [
        [{ $0.text = "b" }, { $0.text = "Z" }, { $0.text = nil }], [{ $0.text = "é" }],
        [{ $0.text = "" }], [{ $0.text = nil }],
      ]
    )
    #expect(try await names(box, QueryOwner.rows.min(QueryRow.text) == "Z") == ["A"])
    #expect(try await names(box, QueryOwner.rows.max(QueryRow.text) > "a") == ["A", "B"])
    #expect(try await names(box, QueryOwner.rows.max(QueryRow.text) != "b") == ["B", "C"])
    #expect(try await names(box, QueryOwner.rows.min(QueryRow.text) <= "") == ["C"])
    let great = QueryOwner.rows.min(QueryRow.text) { QueryRow.text > "a" }
    #expect(try await names(box, great == "b") == ["A"])
    // PostgreSQL stores no text with U+0000.
    #expect(try await names(box, QueryOwner.rows.max(QueryRow.text) < "b\0") == ["A", "C"])
    #expect(try await names(box, QueryOwner.rows.max(QueryRow.text) == "b\0") == [])
    #expect(
      try await names(box, QueryOwner.rows.max(QueryRow.text) != "b\0") == ["A", "B", "C"]
    )
  }

  @Test(arguments: StoreKind.available)
  func `a property without the aggregate is refused with its name`(_ kind: StoreKind) async throws {
    let box = try await owners(kind, [])
    let text = Property<QueryRow, Int, Void>(propertyId: QueryRow.text.propertyId)
    await expect("propertyTypeMismatch") {
      _ = try await names(box, QueryOwner.rows.sum(text) > 1)
    }
    let missing = Property<QueryRow, Int, Void>(propertyId: 99)
    await expect("illegalArgument") {
      _ = try await names(box, QueryOwner.rows.max(missing) > 1)
    }
  }
}
