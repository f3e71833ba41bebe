import Foundation
import ObjectBox
import Testing

struct QueryConditionContractTests {
  private let stores: ContractStore
  private let readings: Box<Reading>

  private static func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

  /// Objects 1, 2 and 3 hold ascending values; 4 holds null where possible.
  init() throws {
    stores = try ContractStore(maxDbSizeInKByte: 10_000)
    readings = stores.readings
    try readings.put(
      (1...3).map { number in
        Reading {
          $0.aBool = number == 2
          $0.aByte = Int8(number)
          $0.anInt32 = Int32(number)
          $0.aLong = Int64(number)
          $0.unsigned = number == 3 ? ~3 : UInt32(number)
          $0.big = number == 3 ? .max : UInt64(number)
          $0.aDouble = Double(number)
          $0.aFloat = Float(number)
          $0.text = ["ISAAC", "isaac", "Newton"][number - 1]
          $0.date = Self.date(Double(number))
          $0.data = Data([UInt8(number), 0])
          $0.maybeBool = number == 2
          $0.maybeInt32 = Int32(number)
          $0.maybeLong = Int64(number)
          $0.maybeDouble = Double(number)
          $0.maybeFloat = Float(number)
          $0.maybeText = ["ISAAC", "isaac", "Newton"][number - 1]
          $0.maybeDate = Self.date(Double(number))
          $0.maybeData = Data([UInt8(number), 0])
          $0.int32s = [Int32(number), Int32(number) + 10]
          $0.int64s = [Int64(number), Int64(number) + 10]
          $0.floats = [Float(number), Float(number) + 10]
          $0.strings = ["\(number)", "Text\(number)"]
        }
      }
    )
    try readings.put(Reading())
  }

  private func ids(_ condition: QueryCondition<Reading>) throws -> [Id] {
    try readings.query { condition }.build().findIds().map(\.value)
  }

  @Test func `null is asked for with every property`() throws {
    #expect(try ids(Reading.maybeBool.isNil()) == [4])
    #expect(try ids(Reading.maybeText.isNotNil()) == [1, 2, 3])
    #expect(try ids(Reading.maybeData.isNil() || Reading.maybeDate.isNil()) == [4])
    #expect(try ids(Reading.int32s.isNil()) == [4])
    #expect(try ids(Reading.text.isNil()) == [])
    let stored: PropertyQueryCondition<Reading, Int32?> = Reading.maybeInt32.isNil()
    #expect(try ids(stored) == [4])
    #expect(try ids(stored) == [4])
  }

  @Test func `IDs are compared by number and by typed ID`() throws {
    #expect(try ids(Reading.id.isEqual(to: 2)) == [2])
    let condition: PropertyQueryCondition<Reading, Id> = Reading.id.isEqual(to: 3 as Id)
    #expect(try ids(condition) == [3])
    try stores.contacts.put([Contact(name: "a"), Contact(name: "b")])
    let typed = try stores.contacts.query { Contact.id.isEqual(to: 2) }.build()
    #expect(try typed.find().map(\.name) == ["b"])
    let one = try #require(try stores.contacts.get(1))
    let given = try stores.contacts.query { Contact.id.isEqual(to: one.id.value) }.build()
    #expect(try given.findUnique()?.name == "a")
  }

  @Test func `an ID that is declared like any number has what numbers have`() throws {
    let plain = Property<Reading, Id, Void>(propertyId: 1, isPrimaryKey: true)
    #expect(try ids(plain == 2) == [2])
    #expect(try ids(plain.isEqual(to: 2)) == [2])
    #expect(try ids(plain.isEqual(to: 2 as Id)) == [2])
    let signed = Property<Reading, Int64, Void>(propertyId: 1, isPrimaryKey: true)
    #expect(try ids(signed.isEqual(to: 2)) == [2])
    #expect(try ids(signed.isEqual(to: 2 as Id)) == [2])
    #expect(try ids(Reading.aLong.isEqual(to: 2)) == [2])
    #expect(try ids(Reading.big.isEqual(to: 2)) == [2])
    let condition: PropertyQueryCondition<Reading, Int64> = Reading.aLong.isEqual(to: 2)
    #expect(try ids(condition) == [2])
    #expect(try ids(plain != 2) == [1, 3, 4])
    #expect(try ids(plain > 2 && plain <= 3) == [3])
    #expect(try ids(plain ∈ [1, 4, 99]) == [1, 4])
    let all = try readings.query().ordered(by: plain, flags: .descending).build()
    #expect(try all.findIds() == [4, 3, 2, 1])
    #expect(try all.property(plain).max() == 4)
    #expect(try all.property(plain).count() == 4)
  }

  @Test func `Booleans are equal or not`() throws {
    #expect(try ids(Reading.aBool == true) == [2])
    #expect(try ids(Reading.aBool != true) == [1, 3, 4])
    #expect(try ids(Reading.aBool.isEqual(to: false)) == [1, 3, 4])
    #expect(try ids(Reading.aBool.isNotEqual(to: false)) == [2])
    #expect(try ids(Reading.maybeBool == false) == [1, 3])
    #expect(try ids(Reading.maybeBool != true) == [1, 3])
    #expect(try ids(Reading.maybeBool.isEqual(to: true)) == [2])
    #expect(try ids(Reading.maybeBool.isNotEqual(to: true)) == [1, 3])
  }

  @Test func `integers have operators`() throws {
    #expect(try ids(Reading.aLong == 2) == [2])
    #expect(try ids(Reading.aLong != 2) == [1, 3, 4])
    #expect(try ids(Reading.aLong < 2) == [1, 4])
    #expect(try ids(Reading.aLong > 2) == [3])
    #expect(try ids(Reading.aLong <= 2) == [1, 2, 4])
    #expect(try ids(Reading.aLong >= 2) == [2, 3])
    #expect(try ids(Reading.aLong ∈ 1...2) == [1, 2])
    #expect(try ids(Reading.aLong ∈ 1..<2) == [1])
    #expect(try ids(Reading.aLong ∈ [1, 3]) == [1, 3])
    #expect(try ids(Reading.aLong ∉ [1, 3]) == [2, 4])
  }

  @Test func `integers have words`() throws {
    #expect(try ids(Reading.anInt32.isEqual(to: 2)) == [2])
    #expect(try ids(Reading.anInt32.isNotEqual(to: 2)) == [1, 3, 4])
    #expect(try ids(Reading.anInt32.isLessThan(2)) == [1, 4])
    #expect(try ids(Reading.anInt32.isGreaterThan(2)) == [3])
    #expect(try ids(Reading.anInt32.isLessOrEqual(2)) == [1, 2, 4])
    #expect(try ids(Reading.anInt32.isGreaterOrEqual(2)) == [2, 3])
    #expect(try ids(Reading.anInt32.isBetween(3, and: 2)) == [2, 3])
    #expect(try ids(Reading.anInt32.isIn(2...3)) == [2, 3])
    #expect(try ids(Reading.anInt32.isIn(2..<3)) == [2])
    #expect(try ids(Reading.anInt32.isIn([2, 4, 1])) == [1, 2])
    #expect(try ids(Reading.anInt32.isNotIn([2, 4, 1])) == [3, 4])
    let few = [2, 4].map { Int8($0) }
    #expect(try ids(Reading.aByte ∈ few) == [2])
    #expect(try ids(Reading.aByte.isIn([1, 2])) == [1, 2])
  }

  @Test func `optional integers have the operators, with a plain value`() throws {
    let condition: PropertyQueryCondition<Reading, Int32> = Reading.maybeInt32 == 2
    #expect(try ids(condition) == [2])
    #expect(try ids(Reading.maybeInt32 != 2) == [1, 3])
    #expect(try ids(Reading.maybeInt32 < 2) == [1])
    #expect(try ids(Reading.maybeInt32 > 2) == [3])
    #expect(try ids(Reading.maybeInt32 <= 2) == [1, 2])
    #expect(try ids(Reading.maybeInt32 >= 2) == [2, 3])
    #expect(try ids(Reading.maybeLong ∈ 0...2) == [1, 2])
    #expect(try ids(Reading.maybeLong ∈ 0..<2) == [1])
    #expect(try ids(Reading.maybeLong ∈ [0, 3]) == [3])
    #expect(try ids(Reading.maybeLong ∉ [0, 3]) == [1, 2])
  }

  @Test func `unsigned numbers compare unsigned, beyond the greatest signed one too`() throws {
    #expect(try ids(Reading.unsigned > 100) == [3])
    #expect(try ids(Reading.unsigned == ~3) == [3])
    #expect(try ids(Reading.unsigned.isBetween(~0, and: 2)) == [2, 3])
    #expect(try ids(Reading.big > 2) == [3])
    #expect(try ids(Reading.big == .max) == [3])
    #expect(try ids(Reading.big ∈ [1, .max]) == [1, 3])
  }

  @Test func `floating point numbers are between, below and above`() throws {
    #expect(try ids(Reading.aDouble.isEqual(to: 2.05, tolerance: 0.1)) == [2])
    #expect(try ids(Reading.aDouble.isLessThan(2)) == [1, 4])
    #expect(try ids(Reading.aDouble.isGreaterThan(2)) == [3])
    #expect(try ids(Reading.aDouble.isLessOrEqual(2)) == [1, 2, 4])
    #expect(try ids(Reading.aDouble.isGreaterOrEqual(2)) == [2, 3])
    #expect(try ids(Reading.aDouble.isBetween(3.5, and: 1.5)) == [2, 3])
    #expect(try ids(Reading.aFloat.isEqual(to: 2, tolerance: 0)) == [2])
    #expect(try ids(Reading.aDouble < 2 || Reading.aDouble > 2.5) == [1, 3, 4])
    #expect(try ids(Reading.aDouble <= 2 && Reading.aFloat >= 2.0) == [2])
    #expect(try ids(Reading.maybeDouble > 1.5) == [2, 3])
    #expect(try ids(Reading.maybeFloat <= 1.5) == [1])
    #expect(try ids(Reading.maybeDouble < 9) == [1, 2, 3])
    #expect(try ids(Reading.maybeFloat >= -9) == [1, 2, 3])
  }

  @Test func `texts compare by bytes, or without regard to case`() throws {
    #expect(try ids(Reading.text == "isaac") == [2])
    #expect(try ids(Reading.text != "isaac") == [1, 3, 4])
    #expect(try ids(Reading.text < "isaac") == [1, 3, 4])
    #expect(try ids(Reading.text > "ISAAC") == [2, 3])
    #expect(try ids(Reading.text ∈ ["isaac", "Newton", "x"]) == [2, 3])
    #expect(try ids(Reading.text.isEqual(to: "Isaac", caseSensitive: false)) == [1, 2])
    #expect(try ids(Reading.text.isNotEqual(to: "Isaac", caseSensitive: false)) == [3, 4])
    #expect(try ids(Reading.text.isLessThan("isaac", caseSensitive: false)) == [4])
    #expect(try ids(Reading.text.isGreaterThan("isaac", caseSensitive: false)) == [3])
    #expect(try ids(Reading.text.isIn(["NEWTON"], caseSensitive: false)) == [3])
    #expect(try ids(Reading.text.startsWith("")) == [1, 2, 3, 4])
    #expect(try ids(Reading.text.hasPrefix("is")) == [2])
    #expect(try ids(Reading.text.startsWith("is", caseSensitive: false)) == [1, 2])
    #expect(try ids(Reading.text.endsWith("ton")) == [3])
    #expect(try ids(Reading.text.hasSuffix("AC", caseSensitive: false)) == [1, 2])
    #expect(try ids(Reading.text.contains("AA")) == [1])
    #expect(try ids(Reading.text.contains("aa", caseSensitive: false)) == [1, 2])
  }

  @Test func `texts that may be null compare as others do, and null matches none`() throws {
    #expect(try ids(Reading.maybeText == "isaac") == [2])
    #expect(try ids(Reading.maybeText != "isaac") == [1, 3])
    #expect(try ids(Reading.maybeText < "isaac") == [1, 3])
    #expect(try ids(Reading.maybeText > "ISAAC") == [2, 3])
    #expect(try ids(Reading.maybeText ∈ ["isaac"]) == [2])
    #expect(try ids(Reading.maybeText.startsWith("")) == [1, 2, 3])
    #expect(try ids(Reading.maybeText.contains("")) == [1, 2, 3])
    #expect(try ids(Reading.maybeText.isEqual(to: "ISAAC", caseSensitive: false)) == [1, 2])
  }

  @Test func `text outside of ASCII matches itself without regard to case`() throws {
    try readings.put(Reading { $0.text = "Îñţérñåţîöñåļ" })
    #expect(try ids(Reading.text.isEqual(to: "Îñţérñåţîöñåļ", caseSensitive: false)) == [5])
    #expect(try ids(Reading.text.contains("ţérñ", caseSensitive: false)) == [5])
  }

  @Test func `dates are before, after and among others`() throws {
    let two = Self.date(2)
    #expect(try ids(Reading.date == two) == [2])
    #expect(try ids(Reading.date != two) == [1, 3, 4])
    #expect(try ids(Reading.date < two) == [1, 4])
    #expect(try ids(Reading.date > two) == [3])
    #expect(try ids(Reading.date.isBefore(two)) == [1, 4])
    #expect(try ids(Reading.date.isAfter(two)) == [3])
    #expect(try ids(Reading.date.isBetween(Self.date(3), and: two)) == [2, 3])
    #expect(try ids(Reading.date.isIn(Self.date(1)..<two)) == [1])
    #expect(try ids(Reading.date.isIn(Self.date(1)...two)) == [1, 2])
    #expect(try ids(Reading.date.isIn([two])) == [2])
    #expect(try ids(Reading.date.isNotIn([two])) == [1, 3, 4])
    #expect(try ids(Reading.date.isEqual(to: two)) == [2])
    #expect(try ids(Reading.date.isNotEqual(to: two)) == [1, 3, 4])
  }

  @Test func `dates that may be null compare as others do, and null matches none`() throws {
    let two = Self.date(2)
    #expect(try ids(Reading.maybeDate == two) == [2])
    #expect(try ids(Reading.maybeDate != two) == [1, 3])
    #expect(try ids(Reading.maybeDate < two) == [1])
    #expect(try ids(Reading.maybeDate > two) == [3])
    #expect(try ids(Reading.maybeDate ∈ Self.date(1)..<two) == [1])
    #expect(try ids(Reading.maybeDate ∈ Self.date(1)...two) == [1, 2])
    #expect(try ids(Reading.maybeDate ∈ [two]) == [2])
    #expect(try ids(Reading.maybeDate ∉ [two]) == [1, 3])
    #expect(try ids(Reading.maybeDate.isBetween(two, and: Self.date(0))) == [1, 2])
  }

  @Test func `bytes compare from the first one on, and empty is not null`() throws {
    let two = Data([2, 0])
    #expect(try ids(Reading.data == two) == [2])
    #expect(try ids(Reading.data < two) == [1, 4])
    #expect(try ids(Reading.data > two) == [3])
    #expect(try ids(Reading.data <= two) == [1, 2, 4])
    #expect(try ids(Reading.data >= two) == [2, 3])
    #expect(try ids(Reading.data.isLessThanEqual(two)) == [1, 2, 4])
    #expect(try ids(Reading.data.isGreaterThanEqual(two)) == [2, 3])
    #expect(try ids(Reading.data.isLessThan(Data([2]))) == [1, 4])
    #expect(try ids(Reading.data == Data()) == [4])
    #expect(try ids(Reading.maybeData == two) == [2])
    #expect(try ids(Reading.maybeData < two) == [1])
    #expect(try ids(Reading.maybeData > two) == [3])
    #expect(try ids(Reading.maybeData.isEqual(to: Data())) == [])
  }

  @Test func `one element of a vector is enough`() throws {
    #expect(try ids(Reading.int32s.isEqual(to: 12)) == [2])
    #expect(try ids(Reading.int32s.isLessThan(2)) == [1])
    #expect(try ids(Reading.int32s.isLessOrEqual(2)) == [1, 2])
    #expect(try ids(Reading.int32s.isGreaterThan(12)) == [3])
    #expect(try ids(Reading.int32s.isGreaterOrEqual(.min)) == [1, 2, 3])
    #expect(try ids(Reading.int32s.isGreaterThan(.max)) == [])
    #expect(try ids(Reading.int64s.isEqual(to: 3)) == [3])
    #expect(try ids(Reading.int64s.isLessThan(2)) == [1])
    #expect(try ids(Reading.int64s.isLessOrEqual(2)) == [1, 2])
    #expect(try ids(Reading.int64s.isGreaterThan(12)) == [3])
    #expect(try ids(Reading.int64s.isGreaterOrEqual(12)) == [2, 3])
    #expect(try ids(Reading.floats.isLessThan(1)) == [])
    #expect(try ids(Reading.floats.isLessOrEqual(1)) == [1])
    #expect(try ids(Reading.floats.isGreaterThan(13)) == [])
    #expect(try ids(Reading.floats.isGreaterOrEqual(13)) == [3])
    #expect(
      try ids(Reading.strings.containsElement(element: "text2", caseSensitive: false)) == [2]
    )
    #expect(
      try ids(Reading.strings.containsElement(element: "text2", caseSensitive: true)) == []
    )
  }

  @Test func `conditions combine without brackets, also with names`() throws {
    let query = try readings.query {
      "a" .= Reading.aLong > 1 && "b" .= Reading.text == "isaac" || Reading.aLong == 0
    }.build()
    #expect(try query.findIds() == [2, 4])
    let short = try readings.query { .aLong > 1 && .text == "isaac" || .aBool == true }.build()
    #expect(try short.findIds() == [2])
    let named = try readings.query { "low" .= .aLong < 2 }.build()
    #expect(try named.count() == 2)
    let alias: PropertyAlias<Reading, Int64> = "name" .= Reading.aLong == 3
    #expect(alias.alias == "name")
    let other: QueryCondition<Reading> = alias
    #expect(try ids(other) == [3])
    let maybe = try readings.query { .maybeText > "a" && .maybeDate > Self.date(0) }.build()
    #expect(try maybe.findIds() == [2])
  }

  @Test func `a builder is used more than once, and orders in their priority`() throws {
    let builder: QueryBuilder<Reading> = readings.query()
    #expect(try builder.build().count() == 4)
    #expect(try builder.build().find(offset: 1, limit: 2).map(\.id) == [2, 3])
    let ordered = try readings.query()
      .ordered(by: Reading.aBool, flags: .descending)
      .ordered(by: Reading.maybeText, flags: [.caseSensitive, .nullsLast])
      .build()
    #expect(try ordered.findIds() == [2, 1, 3, 4])
    let plain = try readings.query().ordered(by: Reading.maybeText).build()
    #expect(try plain.findFirst()?.id == 4)
    let named = try stores.contacts.query().ordered(by: Contact.name, flags: [.descending]).build()
    #expect(try named.find().isEmpty)
  }

  @Test func `all ways to read results agree`() throws {
    let query = try readings.query { Reading.aLong >= 2 }.build()
    let found: [Reading] = try query.find()
    #expect(found.map(\.id) == [2, 3])
    #expect(try query.findContiguous(offset: 1).map(\.id) == [3])
    let ids: [EntityId<Reading>] = try query.findIds(offset: 0, limit: 1)
    #expect(ids == [2])
    #expect(try query.find(offset: 7).isEmpty)
    #expect(try query.count() == 2)
    #expect(try query.findFirst()?.id == 2)
    #expect(kindThrown { _ = try query.findUnique() } == "nonUniqueResult")
    #expect(try readings.query { Reading.aLong == 2 }.build().findUnique()?.id == 2)
    #expect(try readings.query { Reading.aLong == 77 }.build().findUnique() == nil)
    let removed: UInt64 = try query.remove()
    #expect(removed == 2)
    try query.remove()
    #expect(try readings.count() == 2)
  }

  @Test func `a condition that does not fit the model is told by build`() throws {
    let missing = Property<Reading, Int32, Void>(propertyId: 99)
    #expect(throws: ObjectBoxError.self) { _ = try readings.query { missing == 3 }.build() }
    let wrong = Property<Reading, String, Void>(propertyId: 4)
    #expect(throws: ObjectBoxError.self) { _ = try readings.query { wrong == "a" }.build() }
  }
}
