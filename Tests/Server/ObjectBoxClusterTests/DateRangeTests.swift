import Foundation
import ObjectBox
import Testing

@testable import ObjectBoxCluster

// The matrix tests hold conditions of all types on clusters; here are the ends of ranges of dates.

@Suite(.onAnyStore)
struct DateRangeTests {
  @Test(arguments: StoreKind.available)
  func `a range of dates ends at its upper bound and matches nothing before the lower one`(
    kind: StoreKind
  ) async throws {
    let box = try await AnyStore(kind).box(QueryRow.self)
    try await box.put(
      [-0.001, 0, 0.0004, 0.999, 0.9992, 1].map { seconds in
        let row = QueryRow()
        row.date = contractDate(seconds)
        row.exactDate = contractDate(seconds)
        return row
      }
    )
    func ids(_ condition: QueryCondition<QueryRow>) async throws -> [UInt64] {
      try await box.query(condition).ids()
    }
    let second = contractDate(0)..<contractDate(1)
    #expect(try await ids(QueryRow.exactDate ∈ second) == [2, 3, 4, 5])
    #expect(try await ids(QueryRow.date ∈ second) == [2, 3, 4, 5])
    let short = contractDate(0)..<contractDate(0.0004)
    #expect(try await ids(QueryRow.exactDate ∈ short) == [2])
    #expect(try await ids(QueryRow.date ∈ short) == [])
    #expect(try await ids(QueryRow.exactDate ∈ contractDate(1)..<contractDate(1)) == [])
  }

  @Test(.enabled(if: TestServer.isThere, TestServer.reason))
  func `dates include microseconds that another program stored`() async throws {
    let stores = try await QueryStores()
    try await stores.put(
      [0.998, 0.999, 1].map { seconds in
        let row = QueryRow()
        row.date = contractDate(seconds)
        return row
      }
    )
    let cluster = stores.cluster
    let table = try #require(cluster.tables.table(entity: QueryRow.entityInfo.entitySchemaId))
    let column = try #require(table.column(property: QueryRow.date.propertyId)).name
    _ = try await cluster.pool.run([
      Statement("UPDATE \(table.name) SET \(column) = \(column) + interval '500 microseconds'")
    ])
    let box = cluster.box(for: QueryRow.self)
    func ids(_ condition: QueryCondition<QueryRow>) async throws -> [UInt64] {
      try await box.query { condition }.findIds().map(\.value)
    }
    #expect(try await box.get(2)?.date == contractDate(0.999))
    #expect(try await ids(QueryRow.date ∈ contractDate(0)..<contractDate(1)) == [1, 2])
    #expect(try await ids(QueryRow.date ∈ contractDate(0)...contractDate(1)) == [1, 2, 3])
    #expect(try await ids(QueryRow.date < contractDate(1)) == [1, 2])
    #expect(try await ids(QueryRow.date == contractDate(0.999)) == [2])
    #expect(try await ids(QueryRow.date != contractDate(0.999)) == [1, 3])
    for count in [2, 100] {
      let list = [contractDate(0.998)] + (1..<count).map { contractDate(Double($0)) }
      #expect(try await ids(QueryRow.date ∈ list) == [1, 3], "\(count)")
      #expect(try await ids(QueryRow.date ∉ list) == [2], "\(count)")
    }
    // Several dates in one millisecond, in the opposite order of their IDs.
    _ = try await cluster.pool.run([
      Statement(
        "UPDATE \(table.name) SET \(column) = timestamptz 'epoch' + (700 - 100 * id) * interval '1 microsecond'"
      )
    ])
    for (flags, expected) in [([], [3, 2, 1]), ([.descending], [1, 2, 3])]
      as [([OrderFlags], [UInt64])]
    {
      let query = box.query().ordered(by: QueryRow.date, flags: flags)
      var page = try await query.find(after: nil, limit: 1)
      var found = page.objects.map(\.id)
      while let next = page.next, found.count < 9 {
        page = try await query.find(after: next, limit: 1)
        found += page.objects.map(\.id)
      }
      #expect(found == expected)
    }
  }
}
