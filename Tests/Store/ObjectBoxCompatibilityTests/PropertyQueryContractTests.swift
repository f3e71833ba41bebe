import Foundation
import ObjectBox
import Testing

struct PropertyQueryContractTests {
  private let stores: ContractStore
  private let readings: Box<Reading>
  private let all: Query<Reading>

  private static func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

  init() throws {
    stores = try ContractStore()
    readings = stores.readings
    try readings.put([
      Reading {
        $0.anInt32 = 10
        $0.aLong = 10
        $0.unsigned = ~3
        $0.aDouble = 1.5
        $0.aFloat = 1.5
        $0.text = "One"
        $0.date = Self.date(1)
        $0.maybeLong = 10
        $0.maybeDouble = 1.5
        $0.maybeFloat = 1.5
        $0.maybeText = "One"
        $0.maybeDate = Self.date(1)
        $0.maybeInt32 = 10
      },
      Reading {
        $0.anInt32 = 42
        $0.aLong = 42
        $0.unsigned = 42
        $0.aDouble = -3
        $0.aFloat = -3
        $0.text = "ONE"
        $0.date = Self.date(2)
      },
    ])
    all = try readings.query().build()
  }

  @Test func `integers`() throws {
    let values: PropertyQuery<Reading, Int64> = all.property(Reading.aLong)
    let sum: Int64 = try values.sum()
    let sumInt: Int = try values.sumInt()
    let sumUnsigned: UInt64 = try values.sumUnsigned()
    #expect(sum == 52 && sumInt == 52 && sumUnsigned == 52)
    #expect(try values.max() == 42)
    #expect(try values.min() == 10)
    let average: Double = try values.average()
    let averageInt: Int64 = try values.averageInt()
    #expect(average == 26 && averageInt == 26)
    #expect(try values.find() == [10, 42])
    #expect(try values.count() == 2)
    #expect(kindThrown { _ = try values.findUnique() } == "uniqueViolation")
    let one = try readings.query { Reading.aLong > 20 }.build().property(Reading.anInt32)
    let unique: Int32? = try one.findUnique()
    #expect(unique == 42)
    let narrow: [Int32] = try all.property(Reading.anInt32).find()
    #expect(narrow == [10, 42])
    #expect(try readings.query { Reading.aLong > 99 }.build().property(Reading.aLong).max() == 0)
  }

  @Test func `unsigned integers aggregate unsigned`() throws {
    let values = all.property(Reading.unsigned)
    #expect(try values.sum() == (~3 & 0xFFFF_FFFF) + 42)
    #expect(try values.max() == ~3)
    #expect(try values.min() == 42)
    #expect(try values.average() == Double(Int64((~3 as UInt32)) + 42) / 2)
    #expect(try values.averageInt() == UInt32((Int64((~3 as UInt32)) + 42) / 2))
    #expect(try values.find() == [~3, 42])
  }

  @Test func `a sum that does not fit has the number of an overflow`() throws {
    try readings.put([Reading { $0.aLong = .max }, Reading { $0.aLong = .max }])
    do {
      _ = try all.property(Reading.aLong).sum()
      Issue.record("a sum that does not fit")
    } catch ObjectBoxError.unknown(let code, _) {
      #expect(code == 10004)
    }
  }

  @Test func `floating point numbers`() throws {
    let doubles = all.property(Reading.aDouble)
    let sum: Double = try doubles.sum()
    #expect(sum == -1.5)
    #expect(try doubles.max() == 1.5)
    #expect(try doubles.min() == -3)
    #expect(try doubles.average() == -0.75)
    #expect(try doubles.findDoubles() == [1.5, -3])
    #expect(kindThrown { _ = try doubles.findUniqueDouble() } == "uniqueViolation")
    let floats = all.property(Reading.aFloat)
    let floatSum: Double = try floats.sum()
    let max: Float = try floats.max()
    let average: Double = try floats.average()
    #expect(floatSum == -1.5 && max == 1.5 && average == -0.75)
    #expect(try floats.min() == -3)
    #expect(try floats.findFloats() == [1.5, -3])
    let one = try readings.query { Reading.aLong == 42 }.build()
    #expect(try one.property(Reading.aFloat).findUniqueFloat() == -3)
    #expect(try one.property(Reading.aDouble).findUniqueDouble() == -3)
  }

  @Test func `texts`() throws {
    let texts = all.property(Reading.text)
    #expect(try texts.findStrings() == ["One", "ONE"])
    #expect(try texts.findString() == "ONE")
    #expect(kindThrown { _ = try texts.findUniqueString() } == "uniqueViolation")
    #expect(try all.property(Reading.text).distinct().findStrings() == ["One", "ONE"])
    let folded = try all.property(Reading.text).distinct(caseSensitiveCompare: false)
    #expect(try folded.count() == 1)
    #expect(try folded.findUniqueString() == "One")
    let distinct = all.property(Reading.text)
    try distinct.distinct(caseSensitiveCompare: false)
    #expect(try distinct.findStrings().count == 1)
  }

  @Test func `properties that may be null stand without their null, or with a value for it`() throws
  {
    #expect(try all.property(Reading.maybeLong).find() == [10])
    #expect(try all.property(Reading.maybeLong).count() == 1)
    #expect(try all.property(Reading.maybeLong).with(nullValue: 7).find() == [10, 7])
    #expect(try all.property(Reading.maybeLong).with(nullValue: 7).sum() == 17)
    #expect(try all.property(Reading.maybeLong).with(nullValue: 7).count() == 2)
    #expect(try all.property(Reading.maybeLong).with(nullValue: 10).distinct().count() == 1)
    #expect(try all.property(Reading.maybeDouble).with(nullValue: 7).count() == 2)
    #expect(try all.property(Reading.maybeFloat).with(nullValue: 7).distinct().count() == 2)
    #expect(try all.property(Reading.maybeInt32).max() == 10)
  }

  @Test func `numbers and texts that may be null are found without it, or with a value for it`()
    throws
  {
    #expect(try all.property(Reading.maybeDouble).findDoubles() == [1.5])
    #expect(try all.property(Reading.maybeDouble).with(nullValue: 2).findDoubles() == [1.5, 2])
    #expect(try all.property(Reading.maybeDouble).with(nullValue: 2).sum() == 3.5)
    #expect(try all.property(Reading.maybeDouble).average() == 1.5)
    #expect(try all.property(Reading.maybeFloat).findFloats() == [1.5])
    #expect(try all.property(Reading.maybeFloat).with(nullValue: 2).findFloats() == [1.5, 2])
    #expect(try all.property(Reading.maybeFloat).with(nullValue: 2).max() == 2)
    #expect(try all.property(Reading.maybeText).findStrings() == ["One"])
    let texts = try all.property(Reading.maybeText).with(nullString: "none").findStrings()
    #expect(texts == ["One", "none"])
    let distinct = try all.property(Reading.maybeText).with(nullString: "none").distinct()
    #expect(try distinct.count() == 2)
    let stripped: PropertyQuery<Reading, Int64> = all.property(Reading.maybeLong)
    let kept: PropertyQuery<Reading, Int64?> = all.property(Reading.maybeLong)
    #expect(try stripped.count() == kept.count())
    let keptText: PropertyQuery<Reading, String?> = all.property(Reading.maybeText)
    keptText.with(nullString: "none")
    #expect(try keptText.findStrings() == ["One", "none"])
  }

  @Test func `dates are numbers of milliseconds`() throws {
    let dates: PropertyQuery<Reading, Int64> = all.propertyInt64(Reading.date)
    #expect(try dates.find() == [1000, 2000])
    #expect(try dates.max() == 2000)
    #expect(try all.propertyInt64(Reading.maybeDate).find() == [1000])
    #expect(try all.propertyInt64(Reading.maybeDate).with(nullValue: 5).min() == 5)
  }

  @Test func `a property query keeps its query, and sees its later parameters`() throws {
    func make() throws -> PropertyQuery<Reading, Int64> {
      try readings.query { Reading.aLong > 20 }.build().property(Reading.aLong)
    }
    let alone = try make()
    #expect(try alone.find() == [42])
    let query = try readings.query { Reading.aLong > 20 }.build()
    let values = query.property(Reading.aLong)
    try values.distinct()
    query.setParameter(Reading.aLong, to: 5)
    try readings.put(Reading { $0.aLong = 42 })
    #expect(try values.find() == [10, 42])
    #expect(try values.count() == 2)
  }

  @Test func `orders of the query do not matter to whether values are found`() throws {
    let query = try readings.query().ordered(by: Reading.aLong, flags: .descending).build()
    #expect(try Set(query.property(Reading.aLong).find()) == [10, 42])
    let name: PropertyQuery<Contact, String> = try stores.contacts.query().build()
      .property(Contact.name)
    #expect(try name.findStrings().isEmpty)
  }
}
