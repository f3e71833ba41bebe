import Foundation
import ObjectBox
import Testing

@testable import ObjectBoxCluster

// The contract of conditions, for the embedded store and a cluster.

@Suite(.enabled(if: TestServer.isThere, TestServer.reason), .onServer)
struct QueryConditionTests {
  @Test(arguments: QueryPlace.allCases)
  func `null is asked for with every property`(place: QueryPlace) async throws {
    let readings = try await ContractReadings(place)
    #expect(try await readings.ids(QueryReading.maybeBool.isNil()) == [4])
    #expect(try await readings.ids(QueryReading.maybeText.isNotNil()) == [1, 2, 3])
    #expect(
      try await readings.ids(QueryReading.maybeData.isNil() || QueryReading.maybeDate.isNil()) == [
        4
      ]
    )
    #expect(try await readings.ids(QueryReading.int32s.isNil()) == [4])
    #expect(try await readings.ids(QueryReading.text.isNil()) == [])
    let stored: PropertyQueryCondition<QueryReading, Int32?> = QueryReading.maybeInt32.isNil()
    #expect(try await readings.ids(stored) == [4])
    #expect(try await readings.ids(stored) == [4])
  }

  @Test(arguments: QueryPlace.allCases)
  func `Booleans are equal or not`(place: QueryPlace) async throws {
    let readings = try await ContractReadings(place)
    #expect(try await readings.ids(QueryReading.aBool == true) == [2])
    #expect(try await readings.ids(QueryReading.aBool != true) == [1, 3, 4])
    #expect(try await readings.ids(QueryReading.aBool.isEqual(to: false)) == [1, 3, 4])
    #expect(try await readings.ids(QueryReading.aBool.isNotEqual(to: false)) == [2])
    #expect(try await readings.ids(QueryReading.maybeBool == false) == [1, 3])
    #expect(try await readings.ids(QueryReading.maybeBool != true) == [1, 3])
    #expect(try await readings.ids(QueryReading.maybeBool.isEqual(to: true)) == [2])
    #expect(try await readings.ids(QueryReading.maybeBool.isNotEqual(to: true)) == [1, 3])
  }

  @Test(arguments: QueryPlace.allCases)
  func `integers have operators and words`(place: QueryPlace) async throws {
    let readings = try await ContractReadings(place)
    #expect(try await readings.ids(QueryReading.aLong == 2) == [2])
    #expect(try await readings.ids(QueryReading.aLong != 2) == [1, 3, 4])
    #expect(try await readings.ids(QueryReading.aLong < 2) == [1, 4])
    #expect(try await readings.ids(QueryReading.aLong > 2) == [3])
    #expect(try await readings.ids(QueryReading.aLong <= 2) == [1, 2, 4])
    #expect(try await readings.ids(QueryReading.aLong >= 2) == [2, 3])
    #expect(try await readings.ids(QueryReading.aLong ∈ 1...2) == [1, 2])
    #expect(try await readings.ids(QueryReading.aLong ∈ 1..<2) == [1])
    #expect(try await readings.ids(QueryReading.aLong ∈ [1, 3]) == [1, 3])
    #expect(try await readings.ids(QueryReading.aLong ∉ [1, 3]) == [2, 4])
    #expect(try await readings.ids(QueryReading.anInt32.isEqual(to: 2)) == [2])
    #expect(try await readings.ids(QueryReading.anInt32.isNotEqual(to: 2)) == [1, 3, 4])
    #expect(try await readings.ids(QueryReading.anInt32.isLessThan(2)) == [1, 4])
    #expect(try await readings.ids(QueryReading.anInt32.isGreaterThan(2)) == [3])
    #expect(try await readings.ids(QueryReading.anInt32.isLessOrEqual(2)) == [1, 2, 4])
    #expect(try await readings.ids(QueryReading.anInt32.isGreaterOrEqual(2)) == [2, 3])
    #expect(try await readings.ids(QueryReading.anInt32.isBetween(3, and: 2)) == [2, 3])
    #expect(try await readings.ids(QueryReading.anInt32.isIn(2...3)) == [2, 3])
    #expect(try await readings.ids(QueryReading.anInt32.isIn(2..<3)) == [2])
    #expect(try await readings.ids(QueryReading.anInt32.isIn([2, 4, 1])) == [1, 2])
    #expect(try await readings.ids(QueryReading.anInt32.isNotIn([2, 4, 1])) == [3, 4])
    let few = [2, 4].map { Int8($0) }
    #expect(try await readings.ids(QueryReading.aByte ∈ few) == [2])
    #expect(try await readings.ids(QueryReading.aByte.isIn([1, 2])) == [1, 2])
  }

  @Test(arguments: QueryPlace.allCases)
  func `optional integers have the operators, with a plain value`(place: QueryPlace) async throws {
    let readings = try await ContractReadings(place)
    let condition: PropertyQueryCondition<QueryReading, Int32> = QueryReading.maybeInt32 == 2
    #expect(try await readings.ids(condition) == [2])
    #expect(try await readings.ids(QueryReading.maybeInt32 != 2) == [1, 3])
    #expect(try await readings.ids(QueryReading.maybeInt32 < 2) == [1])
    #expect(try await readings.ids(QueryReading.maybeInt32 > 2) == [3])
    #expect(try await readings.ids(QueryReading.maybeInt32 <= 2) == [1, 2])
    #expect(try await readings.ids(QueryReading.maybeInt32 >= 2) == [2, 3])
    #expect(try await readings.ids(QueryReading.maybeLong ∈ 0...2) == [1, 2])
    #expect(try await readings.ids(QueryReading.maybeLong ∈ 0..<2) == [1])
    #expect(try await readings.ids(QueryReading.maybeLong ∈ [0, 3]) == [3])
    #expect(try await readings.ids(QueryReading.maybeLong ∉ [0, 3]) == [1, 2])
  }

  @Test(arguments: QueryPlace.allCases)
  func `unsigned numbers compare unsigned, beyond the greatest signed one too`(place: QueryPlace)
    async throws
  {
    let readings = try await ContractReadings(place)
    #expect(try await readings.ids(QueryReading.unsigned > 100) == [3])
    #expect(try await readings.ids(QueryReading.unsigned == ~3) == [3])
    #expect(try await readings.ids(QueryReading.unsigned.isBetween(~0, and: 2)) == [2, 3])
    #expect(try await readings.ids(QueryReading.big > 2) == [3])
    #expect(try await readings.ids(QueryReading.big == .max) == [3])
    #expect(try await readings.ids(QueryReading.big ∈ [1, .max]) == [1, 3])
  }

  @Test(arguments: QueryPlace.allCases)
  func `floating point numbers are between, below and above`(place: QueryPlace) async throws {
    let readings = try await ContractReadings(place)
    #expect(try await readings.ids(QueryReading.aDouble.isEqual(to: 2.05, tolerance: 0.1)) == [2])
    #expect(try await readings.ids(QueryReading.aDouble.isLessThan(2)) == [1, 4])
    #expect(try await readings.ids(QueryReading.aDouble.isGreaterThan(2)) == [3])
    #expect(try await readings.ids(QueryReading.aDouble.isLessOrEqual(2)) == [1, 2, 4])
    #expect(try await readings.ids(QueryReading.aDouble.isGreaterOrEqual(2)) == [2, 3])
    #expect(try await readings.ids(QueryReading.aDouble.isBetween(3.5, and: 1.5)) == [2, 3])
    #expect(try await readings.ids(QueryReading.aFloat.isEqual(to: 2, tolerance: 0)) == [2])
    #expect(
      try await readings.ids(QueryReading.aDouble < 2 || QueryReading.aDouble > 2.5) == [1, 3, 4]
    )
    #expect(try await readings.ids(QueryReading.aDouble <= 2 && QueryReading.aFloat >= 2.0) == [2])
    #expect(try await readings.ids(QueryReading.maybeDouble > 1.5) == [2, 3])
    #expect(try await readings.ids(QueryReading.maybeFloat <= 1.5) == [1])
    #expect(try await readings.ids(QueryReading.maybeDouble < 9) == [1, 2, 3])
    #expect(try await readings.ids(QueryReading.maybeFloat >= -9) == [1, 2, 3])
  }

  @Test(arguments: QueryPlace.allCases)
  func `texts compare by bytes, or without regard to case`(place: QueryPlace) async throws {
    let readings = try await ContractReadings(place)
    #expect(try await readings.ids(QueryReading.text == "isaac") == [2])
    #expect(try await readings.ids(QueryReading.text != "isaac") == [1, 3, 4])
    #expect(try await readings.ids(QueryReading.text < "isaac") == [1, 3, 4])
    #expect(try await readings.ids(QueryReading.text > "ISAAC") == [2, 3])
    #expect(try await readings.ids(QueryReading.text ∈ ["isaac", "Newton", "x"]) == [2, 3])
    #expect(
      try await readings.ids(QueryReading.text.isEqual(to: "Isaac", caseSensitive: false)) == [
        1, 2,
      ]
    )
    #expect(
      try await readings.ids(QueryReading.text.isNotEqual(to: "Isaac", caseSensitive: false)) == [
        3, 4,
      ]
    )
    #expect(
      try await readings.ids(QueryReading.text.isLessThan("isaac", caseSensitive: false)) == [4]
    )
    #expect(
      try await readings.ids(QueryReading.text.isGreaterThan("isaac", caseSensitive: false)) == [3]
    )
    #expect(try await readings.ids(QueryReading.text.isIn(["NEWTON"], caseSensitive: false)) == [3])
    #expect(try await readings.ids(QueryReading.text.startsWith("")) == [1, 2, 3, 4])
    #expect(try await readings.ids(QueryReading.text.hasPrefix("is")) == [2])
    #expect(
      try await readings.ids(QueryReading.text.startsWith("is", caseSensitive: false)) == [1, 2]
    )
    #expect(try await readings.ids(QueryReading.text.endsWith("ton")) == [3])
    #expect(
      try await readings.ids(QueryReading.text.hasSuffix("AC", caseSensitive: false)) == [1, 2]
    )
    #expect(try await readings.ids(QueryReading.text.contains("AA")) == [1])
    #expect(
      try await readings.ids(QueryReading.text.contains("aa", caseSensitive: false)) == [1, 2]
    )
    #expect(try await readings.ids(QueryReading.maybeText == "isaac") == [2])
    #expect(try await readings.ids(QueryReading.maybeText != "isaac") == [1, 3])
    #expect(try await readings.ids(QueryReading.maybeText < "isaac") == [1, 3])
    #expect(try await readings.ids(QueryReading.maybeText > "ISAAC") == [2, 3])
    #expect(try await readings.ids(QueryReading.maybeText ∈ ["isaac"]) == [2])
    #expect(try await readings.ids(QueryReading.maybeText.startsWith("")) == [1, 2, 3])
    #expect(try await readings.ids(QueryReading.maybeText.contains("")) == [1, 2, 3])
    #expect(
      try await readings.ids(QueryReading.maybeText.isEqual(to: "ISAAC", caseSensitive: false)) == [
        1, 2,
      ]
    )
  }

  @Test(arguments: QueryPlace.allCases)
  func `text outside of ASCII matches itself without regard to case`(place: QueryPlace) async throws
  {
    let readings = try await ContractReadings(place)
    try await readings.put(QueryReading { $0.text = "Îñţérñåţîöñåļ" })
    #expect(
      try await readings.ids(QueryReading.text.isEqual(to: "Îñţérñåţîöñåļ", caseSensitive: false))
        == [5]
    )
    #expect(try await readings.ids(QueryReading.text.contains("ţérñ", caseSensitive: false)) == [5])
  }

  @Test(arguments: QueryPlace.allCases)
  func `dates are before, after and among others`(place: QueryPlace) async throws {
    let readings = try await ContractReadings(place)
    let two = contractDate(2)
    #expect(try await readings.ids(QueryReading.date == two) == [2])
    #expect(try await readings.ids(QueryReading.date != two) == [1, 3, 4])
    #expect(try await readings.ids(QueryReading.date < two) == [1, 4])
    #expect(try await readings.ids(QueryReading.date > two) == [3])
    #expect(try await readings.ids(QueryReading.date.isBefore(two)) == [1, 4])
    #expect(try await readings.ids(QueryReading.date.isAfter(two)) == [3])
    #expect(
      try await readings.ids(QueryReading.date.isBetween(contractDate(3), and: two)) == [2, 3]
    )
    #expect(try await readings.ids(QueryReading.date.isIn(contractDate(1)..<two)) == [1])
    #expect(try await readings.ids(QueryReading.date.isIn(contractDate(1)...two)) == [1, 2])
    #expect(try await readings.ids(QueryReading.date.isIn([two])) == [2])
    #expect(try await readings.ids(QueryReading.date.isNotIn([two])) == [1, 3, 4])
    #expect(try await readings.ids(QueryReading.date.isEqual(to: two)) == [2])
    #expect(try await readings.ids(QueryReading.date.isNotEqual(to: two)) == [1, 3, 4])
    #expect(try await readings.ids(QueryReading.maybeDate == two) == [2])
    #expect(try await readings.ids(QueryReading.maybeDate != two) == [1, 3])
    #expect(try await readings.ids(QueryReading.maybeDate < two) == [1])
    #expect(try await readings.ids(QueryReading.maybeDate > two) == [3])
    #expect(try await readings.ids(QueryReading.maybeDate ∈ contractDate(1)..<two) == [1])
    #expect(try await readings.ids(QueryReading.maybeDate ∈ contractDate(1)...two) == [1, 2])
    #expect(try await readings.ids(QueryReading.maybeDate ∈ [two]) == [2])
    #expect(try await readings.ids(QueryReading.maybeDate ∉ [two]) == [1, 3])
    #expect(
      try await readings.ids(QueryReading.maybeDate.isBetween(two, and: contractDate(0))) == [1, 2]
    )
  }

  @Test(arguments: QueryPlace.allCases)
  func `a range of dates ends at its upper bound and matches nothing before the lower one`(
    place: QueryPlace
  ) async throws {
    let stores = try await QueryStores()
    try await stores.put(
      [-0.001, 0, 0.0004, 0.999, 0.9992, 1].map { seconds in
        let row = QueryRow()
        row.date = contractDate(seconds)
        row.exactDate = contractDate(seconds)
        return row
      }
    )
    func ids(_ condition: QueryCondition<QueryRow>) async throws -> [UInt64] {
      try await stores.queries(place).ids(TestedQuery(condition), offset: 0, limit: 0)
    }
    let second = contractDate(0)..<contractDate(1)
    #expect(try await ids(QueryRow.exactDate ∈ second) == [2, 3, 4, 5])
    #expect(try await ids(QueryRow.date ∈ second) == [2, 3, 4, 5])
    let short = contractDate(0)..<contractDate(0.0004)
    #expect(try await ids(QueryRow.exactDate ∈ short) == [2])
    #expect(try await ids(QueryRow.date ∈ short) == [])
    #expect(try await ids(QueryRow.exactDate ∈ contractDate(1)..<contractDate(1)) == [])
  }

  @Test func `a range includes microseconds that another program stored`() async throws {
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
  }

  @Test(arguments: QueryPlace.allCases)
  func `bytes compare from the first one on, and empty is not null`(place: QueryPlace) async throws
  {
    let readings = try await ContractReadings(place)
    let two = Data([2, 0])
    #expect(try await readings.ids(QueryReading.data == two) == [2])
    #expect(try await readings.ids(QueryReading.data < two) == [1, 4])
    #expect(try await readings.ids(QueryReading.data > two) == [3])
    #expect(try await readings.ids(QueryReading.data <= two) == [1, 2, 4])
    #expect(try await readings.ids(QueryReading.data >= two) == [2, 3])
    #expect(try await readings.ids(QueryReading.data.isLessThanEqual(two)) == [1, 2, 4])
    #expect(try await readings.ids(QueryReading.data.isGreaterThanEqual(two)) == [2, 3])
    #expect(try await readings.ids(QueryReading.data.isLessThan(Data([2]))) == [1, 4])
    #expect(try await readings.ids(QueryReading.data == Data()) == [4])
    #expect(try await readings.ids(QueryReading.maybeData == two) == [2])
    #expect(try await readings.ids(QueryReading.maybeData < two) == [1])
    #expect(try await readings.ids(QueryReading.maybeData > two) == [3])
    #expect(try await readings.ids(QueryReading.maybeData.isEqual(to: Data())) == [])
  }

  @Test(arguments: QueryPlace.allCases)
  func `one element of a vector is enough`(place: QueryPlace) async throws {
    let readings = try await ContractReadings(place)
    #expect(try await readings.ids(QueryReading.int32s.isEqual(to: 12)) == [2])
    #expect(try await readings.ids(QueryReading.int32s.isLessThan(2)) == [1])
    #expect(try await readings.ids(QueryReading.int32s.isLessOrEqual(2)) == [1, 2])
    #expect(try await readings.ids(QueryReading.int32s.isGreaterThan(12)) == [3])
    #expect(try await readings.ids(QueryReading.int32s.isGreaterOrEqual(.min)) == [1, 2, 3])
    #expect(try await readings.ids(QueryReading.int32s.isGreaterThan(.max)) == [])
    #expect(try await readings.ids(QueryReading.int64s.isEqual(to: 3)) == [3])
    #expect(try await readings.ids(QueryReading.int64s.isLessThan(2)) == [1])
    #expect(try await readings.ids(QueryReading.int64s.isLessOrEqual(2)) == [1, 2])
    #expect(try await readings.ids(QueryReading.int64s.isGreaterThan(12)) == [3])
    #expect(try await readings.ids(QueryReading.int64s.isGreaterOrEqual(12)) == [2, 3])
    #expect(try await readings.ids(QueryReading.floats.isLessThan(1)) == [])
    #expect(try await readings.ids(QueryReading.floats.isLessOrEqual(1)) == [1])
    #expect(try await readings.ids(QueryReading.floats.isGreaterThan(13)) == [])
    #expect(try await readings.ids(QueryReading.floats.isGreaterOrEqual(13)) == [3])
    #expect(
      try await readings.ids(
        QueryReading.strings.containsElement(element: "text2", caseSensitive: false)
      ) == [2]
    )
    #expect(
      try await readings.ids(
        QueryReading.strings.containsElement(element: "text2", caseSensitive: true)
      ) == []
    )
  }
}
