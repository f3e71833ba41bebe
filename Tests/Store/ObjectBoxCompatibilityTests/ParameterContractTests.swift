import Foundation
import ObjectBox
import Testing

struct ParameterContractTests {
  private let stores: ContractStore
  private let readings: Box<Reading>

  private static func date(_ seconds: Double) -> Date { Date(timeIntervalSince1970: seconds) }

  /// Three objects with ascending values.
  init() throws {
    stores = try ContractStore()
    readings = stores.readings
    try readings.put(
      (1...3).map { number in
        Reading {
          $0.aBool = number == 2
          $0.aByte = Int8(-number)
          $0.anInt32 = Int32(-number)
          $0.aLong = Int64(number)
          $0.unsigned = number == 3 ? ~3 : UInt32(number)
          $0.aDouble = Double(number)
          $0.aFloat = Float(number)
          $0.text = ["ISAAC", "isaac", "Newton"][number - 1]
          $0.date = Self.date(Double(number))
          $0.data = Data([UInt8(number)])
          $0.maybeBool = number == 2
          $0.maybeInt32 = Int32(number)
          $0.maybeLong = Int64(number)
          $0.maybeDouble = Double(number)
          $0.maybeText = "\(number)"
          $0.maybeDate = Self.date(Double(number))
          $0.maybeData = Data([UInt8(number)])
          $0.int32s = [Int32(number)]
          $0.floats = [Float(number)]
          $0.strings = ["t\(number)"]
        }
      }
    )
  }

  private func query(_ condition: QueryCondition<Reading>) throws -> Query<Reading> {
    try readings.query { condition }.build()
  }

  private func ids(_ query: Query<Reading>) throws -> [Id] { try query.findIds().map(\.value) }

  @Test func `integers are set by property with a number of any width`() throws {
    let long = try query(Reading.aLong == 1)
    long.setParameter(Reading.aLong, to: 2)
    #expect(try ids(long) == [2])
    long.setParameter(Reading.aLong, to: 3 as Int8)
    #expect(try ids(long) == [3])
    let unsigned = try query(Reading.unsigned > 100)
    unsigned.setParameter(Reading.unsigned, to: (~4 as UInt32))
    #expect(try ids(unsigned) == [3])
    unsigned.setParameter(Reading.unsigned, to: (~2 as UInt32))
    #expect(try ids(unsigned) == [])
    let maybe = try query(Reading.maybeLong >= 3)
    maybe.setParameter(Reading.maybeLong, to: 2)
    #expect(try ids(maybe) == [2, 3])
    let between = try query(Reading.aLong.isBetween(1, and: 1))
    between.setParameters(Reading.aLong, to: 3, 2)
    #expect(try ids(between) == [2, 3])
    let maybeBetween = try query(Reading.maybeInt32 ∈ 0...1)
    maybeBetween.setParameters(Reading.maybeInt32, to: 1, 2)
    #expect(try ids(maybeBetween) == [1, 2])
    let some = try query(Reading.anInt32 ∈ [5])
    some.setParameters(Reading.anInt32, to: [-1, -3])
    #expect(try ids(some) == [1, 3])
    some.setParameters(Reading.anInt32, to: [-2] as [Int32])
    #expect(try ids(some) == [2])
    let maybeSome = try query(Reading.maybeLong ∈ [5])
    maybeSome.setParameters(Reading.maybeLong, to: [1, 3])
    #expect(try ids(maybeSome) == [1, 3])
    let vector = try query(Reading.int32s.isEqual(to: 9))
    vector.setParameter(Reading.int32s, to: 2)
    #expect(try ids(vector) == [2])
    let floats = try query(Reading.floats.isGreaterThan(9))
    floats.setParameter(Reading.floats, to: 2.5)
    #expect(try ids(floats) == [3])
    let texts = try query(Reading.strings.containsElement(element: "x", caseSensitive: false))
    texts.setParameter(Reading.strings, to: "T1")
    #expect(try ids(texts) == [1])
  }

  @Test func `integers are set by alias`() throws {
    let one = try query("a" .= Reading.aLong == 1)
    one.setParameter("a", to: 3)
    #expect(try ids(one) == [3])
    let two = try query("a" .= Reading.aLong.isBetween(1, and: 1))
    two.setParameters("a", to: 2, 3)
    #expect(try ids(two) == [2, 3])
    let many = try query("a" .= Reading.aLong.isIn([]))
    many.setParameters("a", to: [1, 2])
    #expect(try ids(many) == [1, 2])
  }

  @Test func `a list set by alias is narrowed to the width of the property`() throws {
    let query = try query("a" .= Reading.anInt32.isIn([]))
    query.setParameters("a", to: [-1, -3] as [Int64])
    #expect(try ids(query) == [1, 3])
    query.setParameters("a", to: [0xFFFF_FFFE] as [Int64])
    #expect(try ids(query) == [2])
    query.setParameters("a", to: [UInt32(bitPattern: -3)])
    #expect(try ids(query) == [3])
    let unsigned = try self.query("a" .= Reading.unsigned.isIn([]))
    unsigned.setParameters("a", to: [1, 0xFFFF_FFFC] as [Int64])
    #expect(try ids(unsigned) == [1, 3])
  }

  @Test func `a number that no 32 bits hold matches none of them`() throws {
    let query = try query("a" .= Reading.anInt32.isIn([]))
    query.setParameters("a", to: [(1 << 40) - 1, -2] as [Int64])
    #expect(try ids(query) == [2])
    let others = try self.query(Reading.anInt32.isNotIn([]))
    others.setParameters(Reading.anInt32, to: [(1 << 40) - 1, -2] as [Int64])
    #expect(try ids(others) == [1, 3])
  }

  @Test func `only the first condition on a property changes`() throws {
    let query = try query(
      Reading.aLong > 2 && Reading.aLong < 3 && Reading.aLong.isNotNil()
    )
    #expect(try ids(query) == [])
    query.setParameter(Reading.aLong, to: 0)
    #expect(try ids(query) == [1, 2])
    let nullFirst = try self.query(Reading.maybeLong.isNotNil() && Reading.maybeLong > 2)
    nullFirst.setParameter(Reading.maybeLong, to: 0)
    #expect(try ids(nullFirst) == [1, 2, 3])
  }

  @Test func `Booleans`() throws {
    let plain = try query("a" .= Reading.aBool == true)
    plain.setParameter(Reading.aBool, to: false)
    #expect(try ids(plain) == [1, 3])
    plain.setParameter("a", to: true)
    #expect(try ids(plain) == [2])
    let maybe = try query(Reading.maybeBool == true)
    maybe.setParameter(Reading.maybeBool, to: false)
    #expect(try ids(maybe) == [1, 3])
  }

  @Test func `floating point numbers`() throws {
    let above = try query("a" .= Reading.aDouble > 5)
    above.setParameter(Reading.aDouble, to: 2.5)
    #expect(try ids(above) == [3])
    above.setParameter("a", to: 1.5)
    #expect(try ids(above) == [2, 3])
    let between = try query("a" .= Reading.aDouble.isBetween(8, and: 9))
    between.setParameters(Reading.aDouble, to: 6.0, 0.5)
    #expect(try ids(between) == [1, 2, 3])
    between.setParameters("a", to: 2.5, 1.5)
    #expect(try ids(between) == [2])
    let near = try query("a" .= Reading.aFloat.isEqual(to: 9, tolerance: 0.1))
    near.setParameter(Reading.aFloat, toEqual: 2.05, tolerance: 0.1)
    #expect(try ids(near) == [2])
    near.setParameters("a", toEqual: 3.05, tolerance: 0.1)
    #expect(try ids(near) == [3])
    let float = try query("a" .= Reading.aFloat < 0)
    float.setParameter("a", to: 2 as Float)
    #expect(try ids(float) == [1])
    let maybe = try query(Reading.maybeDouble > 9)
    maybe.setParameter(Reading.maybeDouble, to: 2.0)
    #expect(try ids(maybe) == [3])
  }

  @Test func `texts keep their regard to case`() throws {
    let exact = try query("a" .= Reading.text == "x")
    exact.setParameter(Reading.text, to: "isaac")
    #expect(try ids(exact) == [2])
    exact.setParameter("a", to: "ISAAC")
    #expect(try ids(exact) == [1])
    let loose = try query(Reading.text.isEqual(to: "x", caseSensitive: false))
    loose.setParameter(Reading.text, to: "Isaac")
    #expect(try ids(loose) == [1, 2])
    let prefix = try query("firstLetter" .= Reading.text.startsWith("N"))
    #expect(try ids(prefix) == [3])
    prefix.setParameter("firstLetter", to: "")
    #expect(try ids(prefix) == [1, 2, 3])
    let some = try query("a" .= Reading.text.isIn(["x"]))
    some.setParameters(Reading.text, to: ["isaac", "Newton"])
    #expect(try ids(some) == [2, 3])
    some.setParameters("a", to: ["ISAAC"])
    #expect(try ids(some) == [1])
    let maybe = try query(Reading.maybeText == "x")
    maybe.setParameter(Reading.maybeText, to: "3")
    #expect(try ids(maybe) == [3])
  }

  @Test func `dates`() throws {
    let one = try query("a" .= Reading.date == Self.date(9))
    one.setParameter(Reading.date, to: Self.date(2))
    #expect(try ids(one) == [2])
    one.setParameter("a", to: Self.date(3))
    #expect(try ids(one) == [3])
    let two = try query("a" .= Reading.date.isBetween(Self.date(8), and: Self.date(9)))
    two.setParameters(Reading.date, to: Self.date(1), Self.date(2))
    #expect(try ids(two) == [1, 2])
    two.setParameters("a", to: Self.date(3), Self.date(2))
    #expect(try ids(two) == [2, 3])
    let some = try query("a" .= Reading.date.isIn([Self.date(9)]))
    some.setParameters(Reading.date, to: [Self.date(1), Self.date(3)])
    #expect(try ids(some) == [1, 3])
    some.setParameters("a", to: [Self.date(2)])
    #expect(try ids(some) == [2])
    some.setParameters(Reading.date, to: [Self.date(1), Self.date(3)].dropFirst())
    #expect(try ids(some) == [3])
    some.setParameters("a", to: Set([Self.date(1)]))
    #expect(try ids(some) == [1])
    let maybe = try query(Reading.maybeDate > Self.date(9))
    maybe.setParameter(Reading.maybeDate, to: Self.date(2))
    #expect(try ids(maybe) == [3])
    let maybeSome = try query(Reading.maybeDate ∈ [])
    maybeSome.setParameters(Reading.maybeDate, to: [Self.date(2)])
    #expect(try ids(maybeSome) == [2])
  }

  @Test func `bytes`() throws {
    let query = try query("a" .= Reading.data == Data([9]))
    query.setParameter(Reading.data, to: Data([2]))
    #expect(try ids(query) == [2])
    query.setParameter("a", to: Data([3]))
    #expect(try ids(query) == [3])
    let maybe = try self.query(Reading.maybeData > Data([9]))
    maybe.setParameter(Reading.maybeData, to: Data([2]))
    #expect(try ids(maybe) == [3])
  }

  @Test func `the description has the number of conditions, the name and the present values`()
    throws
  {
    let query = try query("a" .= Reading.aLong == 82)
    #expect("\(query)".hasPrefix("<ObjectBox.Query \""))
    #expect("\(query)".hasSuffix("\">"))
    #expect("\(query)".contains("1 condition"))
    #expect("\(query)".contains("aLong"))
    #expect("\(query)".contains("82"))
    query.setParameter(Reading.aLong, to: 42)
    #expect(!"\(query)".contains("82"))
    #expect("\(query)".contains("42"))
    query.setParameter("a", to: 7331)
    #expect("\(query)".contains("7331"))
    #expect(query.debugDescription == "\(query)")
  }

  @Test func `a parameter that the query lacks, or of another type, stops the process`() async {
    let unknown = await #expect(
      processExitsWith: .failure,
      observing: [\.standardErrorContent]
    ) {
      let stores = try ContractStore()
      let query = try stores.readings.query {
        "first" .= Reading.aLong == 1 || "second" .= Reading.aLong == 2
      }.build()
      withExtendedLifetime(stores) { query.setParameter("frist", to: 1) }
    }
    let message = String(decoding: unknown?.standardErrorContent ?? [], as: UTF8.self)
    #expect(
      message.contains(
        "cannot set the parameter of alias 'frist': the query has no such condition; its aliases are "
          + "'first', 'second'"
      ),
      "\(message)"
    )
    await #expect(processExitsWith: .failure) {
      let stores = try ContractStore()
      let query = try stores.readings.query { "a" .= Reading.aLong == 1 }.build()
      withExtendedLifetime(stores) { query.setParameter("a", to: "text") }
    }
  }

  @Test func `the name of a condition in a link is known to the query`() throws {
    let stores = try SaleStore()
    try stores.sales.put([
      Sale(name: "a", shop: Shop(name: "A")), Sale(name: "b", shop: Shop(name: "B")),
    ])
    let query = try stores.sales.query { Sale.name != "" }
      .link(Sale.shop) { "shop" .= Shop.name == "A" }
      .build()
    #expect(try query.find().map(\.name) == ["a"])
    query.setParameter("shop", to: "B")
    #expect(try query.find().map(\.name) == ["b"])
  }
}
