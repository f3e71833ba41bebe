import Foundation
import ObjectBox
import Testing

@testable import ObjectBoxCluster

// The contract of property queries, for the embedded store and a cluster.

@Suite(.onAnyStore)
struct PropertyQueryTests {
  private static var objects: [QueryReading] {
    [
      QueryReading {
        $0.anInt32 = 10
        $0.aLong = 10
        $0.unsigned = ~3
        $0.aDouble = 1.5
        $0.aFloat = 1.5
        $0.text = "One"
        $0.date = contractDate(1)
        $0.maybeLong = 10
        $0.maybeDouble = 1.5
        $0.maybeFloat = 1.5
        $0.maybeText = "One"
        $0.maybeDate = contractDate(1)
        $0.maybeInt32 = 10
      },
      QueryReading {
        $0.anInt32 = 42
        $0.aLong = 42
        $0.unsigned = 42
        $0.aDouble = -3
        $0.aFloat = -3
        $0.text = "ONE"
        $0.date = contractDate(2)
      },
    ]
  }

  private static func readings(
    _ kind: StoreKind
  ) async throws -> (ContractReadings, any ContractQuery<QueryReading>) {
    let readings = try await ContractReadings(kind, objects)
    return (readings, try readings.query())
  }

  @Test(arguments: StoreKind.available)
  func `integers`(kind: StoreKind) async throws {
    let (readings, all) = try await Self.readings(kind)
    let values: AnyPropertyQuery<QueryReading, Int64> = all.values(QueryReading.aLong)
    let sum: Int64 = try await values.sum()
    let sumInt: Int = try await values.sumInt()
    let sumUnsigned: UInt64 = try await values.sumUnsigned()
    #expect(sum == 52 && sumInt == 52 && sumUnsigned == 52)
    #expect(try await values.max() == 42)
    #expect(try await values.min() == 10)
    let average: Double = try await values.average()
    let averageInt: Int64 = try await values.averageInt()
    #expect(average == 26 && averageInt == 26)
    #expect(try await values.find() == [10, 42])
    #expect(try await values.count() == 2)
    #expect(await kindThrown { _ = try await values.findUnique() } == "uniqueViolation")
    let one = try readings.query(QueryReading.aLong > 20).values(QueryReading.anInt32)
    let unique: Int32? = try await one.findUnique()
    #expect(unique == 42)
    let narrow: [Int32] = try await all.values(QueryReading.anInt32).find()
    #expect(narrow == [10, 42])
    let none = try readings.query(QueryReading.aLong > 99).values(QueryReading.aLong)
    #expect(try await none.max() == 0)
  }

  @Test(arguments: StoreKind.available)
  func `a sum that does not fit has the number of an overflow`(kind: StoreKind) async throws {
    let (readings, all) = try await Self.readings(kind)
    for _ in 0..<2 { try await readings.put(QueryReading { $0.aLong = .max }) }
    do {
      _ = try await all.values(QueryReading.aLong).sum()
      Issue.record("a sum that does not fit")
    } catch ObjectBoxError.unknown(let code, _) {
      #expect(code == 10004)
    }
  }

  @Test(arguments: StoreKind.available)
  func `floating point numbers`(kind: StoreKind) async throws {
    let (readings, all) = try await Self.readings(kind)
    let doubles = all.values(QueryReading.aDouble)
    let sum: Double = try await doubles.sum()
    #expect(sum == -1.5)
    #expect(try await doubles.max() == 1.5)
    #expect(try await doubles.min() == -3)
    #expect(try await doubles.average() == -0.75)
    #expect(try await doubles.findDoubles() == [1.5, -3])
    #expect(await kindThrown { _ = try await doubles.findUniqueDouble() } == "uniqueViolation")
    let floats = all.values(QueryReading.aFloat)
    let floatSum: Double = try await floats.sum()
    let max: Float = try await floats.max()
    let average: Double = try await floats.average()
    #expect(floatSum == -1.5 && max == 1.5 && average == -0.75)
    #expect(try await floats.min() == -3)
    #expect(try await floats.findFloats() == [1.5, -3])
    let one = try readings.query(QueryReading.aLong == 42)
    #expect(try await one.values(QueryReading.aFloat).findUniqueFloat() == -3)
    #expect(try await one.values(QueryReading.aDouble).findUniqueDouble() == -3)
  }

  @Test(arguments: StoreKind.available)
  func `texts`(kind: StoreKind) async throws {
    let (_, all) = try await Self.readings(kind)
    let texts = all.values(QueryReading.text)
    #expect(try await texts.findStrings() == ["One", "ONE"])
    #expect(try await texts.findString() == "ONE")
    #expect(await kindThrown { _ = try await texts.findUniqueString() } == "uniqueViolation")
    #expect(try await all.values(QueryReading.text).distinct().findStrings() == ["One", "ONE"])
    let folded = try all.values(QueryReading.text).distinct(caseSensitiveCompare: false)
    #expect(try await folded.count() == 1)
    #expect(try await folded.findUniqueString() == "One")
  }

  @Test(arguments: StoreKind.available)
  func `properties that may be null stand without their null, or with a value for it`(
    kind: StoreKind
  ) async throws {
    let (_, all) = try await Self.readings(kind)
    #expect(try await all.values(QueryReading.maybeLong).find() == [10])
    #expect(try await all.values(QueryReading.maybeLong).count() == 1)
    #expect(try await all.values(QueryReading.maybeLong).with(nullValue: 7).find() == [10, 7])
    #expect(try await all.values(QueryReading.maybeLong).with(nullValue: 7).sum() == 17)
    #expect(try await all.values(QueryReading.maybeLong).with(nullValue: 7).count() == 2)
    #expect(
      try await all.values(QueryReading.maybeLong).with(nullValue: 10).distinct().count() == 1
    )
    #expect(try await all.values(QueryReading.maybeDouble).with(nullValue: 7).count() == 2)
    #expect(
      try await all.values(QueryReading.maybeFloat).with(nullValue: 7).distinct().count() == 2
    )
    #expect(try await all.values(QueryReading.maybeInt32).max() == 10)
  }

  @Test(arguments: StoreKind.available)
  func `numbers and texts that may be null are found without it, or with a value for it`(
    kind: StoreKind
  ) async throws {
    let (_, all) = try await Self.readings(kind)
    #expect(try await all.values(QueryReading.maybeDouble).findDoubles() == [1.5])
    #expect(
      try await all.values(QueryReading.maybeDouble).with(nullValue: 2).findDoubles() == [1.5, 2]
    )
    #expect(try await all.values(QueryReading.maybeDouble).with(nullValue: 2).sum() == 3.5)
    #expect(try await all.values(QueryReading.maybeDouble).average() == 1.5)
    #expect(try await all.values(QueryReading.maybeFloat).findFloats() == [1.5])
    #expect(
      try await all.values(QueryReading.maybeFloat).with(nullValue: 2).findFloats() == [1.5, 2]
    )
    #expect(try await all.values(QueryReading.maybeFloat).with(nullValue: 2).max() == 2)
    #expect(try await all.values(QueryReading.maybeText).findStrings() == ["One"])
    let texts = try await all.values(QueryReading.maybeText).with(nullString: "none")
      .findStrings()
    #expect(texts == ["One", "none"])
    let distinct = try all.values(QueryReading.maybeText).with(nullString: "none").distinct()
    #expect(try await distinct.count() == 2)
    let stripped: AnyPropertyQuery<QueryReading, Int64> = all.values(QueryReading.maybeLong)
    let kept: AnyPropertyQuery<QueryReading, Int64?> = all.values(QueryReading.maybeLong)
    #expect(try await stripped.count() == kept.count())
    let keptText: AnyPropertyQuery<QueryReading, String?> = all.values(QueryReading.maybeText)
    #expect(try await keptText.with(nullString: "none").findStrings() == ["One", "none"])
  }

  @Test(arguments: StoreKind.available)
  func `dates are numbers of milliseconds`(kind: StoreKind) async throws {
    let (_, all) = try await Self.readings(kind)
    let dates: AnyPropertyQuery<QueryReading, Int64> = all.dates(QueryReading.date)
    #expect(try await dates.find() == [1000, 2000])
    #expect(try await dates.max() == 2000)
    #expect(try await all.dates(QueryReading.maybeDate).find() == [1000])
    #expect(try await all.dates(QueryReading.maybeDate).with(nullValue: 5).min() == 5)
  }
}
