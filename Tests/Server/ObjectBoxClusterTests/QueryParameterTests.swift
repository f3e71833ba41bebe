import Foundation
import ObjectBox
import Testing

@testable import ObjectBoxCluster

// The contract of parameters, for the embedded store and a cluster.

@Suite(.onAnyStore)
struct QueryParameterTests {
  /// Three objects with ascending values.
  private static var objects: [QueryReading] {
    (1...3).map { number in
      QueryReading {
        $0.aBool = number == 2
        $0.aByte = Int8(-number)
        $0.anInt32 = Int32(-number)
        $0.aLong = Int64(number)
        $0.unsigned = number == 3 ? ~3 : UInt32(number)
        $0.aDouble = Double(number)
        $0.aFloat = Float(number)
        $0.text = ["ISAAC", "isaac", "Newton"][number - 1]
        $0.date = contractDate(Double(number))
        $0.data = Data([UInt8(number)])
        $0.maybeBool = number == 2
        $0.maybeInt32 = Int32(number)
        $0.maybeLong = Int64(number)
        $0.maybeDouble = Double(number)
        $0.maybeText = "\(number)"
        $0.maybeDate = contractDate(Double(number))
        $0.maybeData = Data([UInt8(number)])
        $0.int32s = [Int32(number)]
        $0.floats = [Float(number)]
        $0.strings = ["t\(number)"]
      }
    }
  }

  @Test(arguments: StoreKind.available)
  func `integers are set by property with a number of any width`(kind: StoreKind) async throws {
    let readings = try await ContractReadings(kind, Self.objects)
    var long = try readings.query(QueryReading.aLong == 1)
    long.setParameter(QueryReading.aLong, to: 2)
    #expect(try await readings.ids(long) == [2])
    long.setParameter(QueryReading.aLong, to: 3 as Int8)
    #expect(try await readings.ids(long) == [3])
    var unsigned = try readings.query(QueryReading.unsigned > 100)
    unsigned.setParameter(QueryReading.unsigned, to: (~4 as UInt32))
    #expect(try await readings.ids(unsigned) == [3])
    unsigned.setParameter(QueryReading.unsigned, to: (~2 as UInt32))
    #expect(try await readings.ids(unsigned) == [])
    var maybe = try readings.query(QueryReading.maybeLong >= 3)
    maybe.setParameter(QueryReading.maybeLong, to: 2)
    #expect(try await readings.ids(maybe) == [2, 3])
    var between = try readings.query(QueryReading.aLong.isBetween(1, and: 1))
    between.setParameters(QueryReading.aLong, to: 3, 2)
    #expect(try await readings.ids(between) == [2, 3])
    var maybeBetween = try readings.query(QueryReading.maybeInt32 ∈ 0...1)
    maybeBetween.setParameters(QueryReading.maybeInt32, to: 1, 2)
    #expect(try await readings.ids(maybeBetween) == [1, 2])
    var some = try readings.query(QueryReading.anInt32 ∈ [5])
    some.setParameters(QueryReading.anInt32, to: [-1, -3])
    #expect(try await readings.ids(some) == [1, 3])
    some.setParameters(QueryReading.anInt32, to: [-2] as [Int32])
    #expect(try await readings.ids(some) == [2])
    var maybeSome = try readings.query(QueryReading.maybeLong ∈ [5])
    maybeSome.setParameters(QueryReading.maybeLong, to: [1, 3])
    #expect(try await readings.ids(maybeSome) == [1, 3])
    var vector = try readings.query(QueryReading.int32s.isEqual(to: 9))
    vector.setParameter(QueryReading.int32s, to: 2)
    #expect(try await readings.ids(vector) == [2])
    var floats = try readings.query(QueryReading.floats.isGreaterThan(9))
    floats.setParameter(QueryReading.floats, to: 2.5)
    #expect(try await readings.ids(floats) == [3])
    var texts = try readings.query(
      QueryReading.strings.containsElement(element: "x", caseSensitive: false)
    )
    texts.setParameter(QueryReading.strings, to: "T1")
    #expect(try await readings.ids(texts) == [1])
  }

  @Test(arguments: StoreKind.available)
  func `integers are set by alias`(kind: StoreKind) async throws {
    let readings = try await ContractReadings(kind, Self.objects)
    var one = try readings.query("a" .= QueryReading.aLong == 1)
    one.setParameter("a", to: 3)
    #expect(try await readings.ids(one) == [3])
    var two = try readings.query("a" .= QueryReading.aLong.isBetween(1, and: 1))
    two.setParameters("a", to: 2, 3)
    #expect(try await readings.ids(two) == [2, 3])
    var many = try readings.query("a" .= QueryReading.aLong.isIn([]))
    many.setParameters("a", to: [1, 2])
    #expect(try await readings.ids(many) == [1, 2])
  }

  @Test(arguments: StoreKind.available)
  func `a list set by alias is narrowed to the width of the property`(kind: StoreKind)
    async throws
  {
    let readings = try await ContractReadings(kind, Self.objects)
    var query = try readings.query("a" .= QueryReading.anInt32.isIn([]))
    query.setParameters("a", to: [-1, -3] as [Int64])
    #expect(try await readings.ids(query) == [1, 3])
    query.setParameters("a", to: [0xFFFF_FFFE] as [Int64])
    #expect(try await readings.ids(query) == [2])
    query.setParameters("a", to: [UInt32(bitPattern: -3)])
    #expect(try await readings.ids(query) == [3])
    var unsigned = try readings.query("a" .= QueryReading.unsigned.isIn([]))
    unsigned.setParameters("a", to: [1, 0xFFFF_FFFC] as [Int64])
    #expect(try await readings.ids(unsigned) == [1, 3])
  }

  @Test(arguments: StoreKind.available)
  func `a number that no 32 bits hold matches none of them`(kind: StoreKind) async throws {
    let readings = try await ContractReadings(kind, Self.objects)
    var query = try readings.query("a" .= QueryReading.anInt32.isIn([]))
    query.setParameters("a", to: [(1 << 40) - 1, -2] as [Int64])
    #expect(try await readings.ids(query) == [2])
    var others = try readings.query(QueryReading.anInt32.isNotIn([]))
    others.setParameters(QueryReading.anInt32, to: [(1 << 40) - 1, -2] as [Int64])
    #expect(try await readings.ids(others) == [1, 3])
  }

  @Test(arguments: StoreKind.available)
  func `only the first condition on a property changes`(kind: StoreKind) async throws {
    let readings = try await ContractReadings(kind, Self.objects)
    var query = try readings.query(
      QueryReading.aLong > 2 && QueryReading.aLong < 3 && QueryReading.aLong.isNotNil()
    )
    #expect(try await readings.ids(query) == [])
    query.setParameter(QueryReading.aLong, to: 0)
    #expect(try await readings.ids(query) == [1, 2])
    var nullFirst = try readings.query(
      QueryReading.maybeLong.isNotNil() && QueryReading.maybeLong > 2
    )
    nullFirst.setParameter(QueryReading.maybeLong, to: 0)
    #expect(try await readings.ids(nullFirst) == [1, 2, 3])
  }

  @Test(arguments: StoreKind.available)
  func `Booleans`(kind: StoreKind) async throws {
    let readings = try await ContractReadings(kind, Self.objects)
    var plain = try readings.query("a" .= QueryReading.aBool == true)
    plain.setParameter(QueryReading.aBool, to: false)
    #expect(try await readings.ids(plain) == [1, 3])
    plain.setParameter("a", to: true)
    #expect(try await readings.ids(plain) == [2])
    var maybe = try readings.query(QueryReading.maybeBool == true)
    maybe.setParameter(QueryReading.maybeBool, to: false)
    #expect(try await readings.ids(maybe) == [1, 3])
  }

  @Test(arguments: StoreKind.available)
  func `floating point numbers`(kind: StoreKind) async throws {
    let readings = try await ContractReadings(kind, Self.objects)
    var above = try readings.query("a" .= QueryReading.aDouble > 5)
    above.setParameter(QueryReading.aDouble, to: 2.5)
    #expect(try await readings.ids(above) == [3])
    above.setParameter("a", to: 1.5)
    #expect(try await readings.ids(above) == [2, 3])
    var between = try readings.query("a" .= QueryReading.aDouble.isBetween(8, and: 9))
    between.setParameters(QueryReading.aDouble, to: 6.0, 0.5)
    #expect(try await readings.ids(between) == [1, 2, 3])
    between.setParameters("a", to: 2.5, 1.5)
    #expect(try await readings.ids(between) == [2])
    var near = try readings.query("a" .= QueryReading.aFloat.isEqual(to: 9, tolerance: 0.1))
    near.setParameter(QueryReading.aFloat, toEqual: 2.05, tolerance: 0.1)
    #expect(try await readings.ids(near) == [2])
    near.setParameters("a", toEqual: 3.05, tolerance: 0.1)
    #expect(try await readings.ids(near) == [3])
    var float = try readings.query("a" .= QueryReading.aFloat < 0)
    float.setParameter("a", to: 2 as Float)
    #expect(try await readings.ids(float) == [1])
    var maybe = try readings.query(QueryReading.maybeDouble > 9)
    maybe.setParameter(QueryReading.maybeDouble, to: 2.0)
    #expect(try await readings.ids(maybe) == [3])
  }

  @Test(arguments: StoreKind.available)
  func `texts keep their regard to case`(kind: StoreKind) async throws {
    let readings = try await ContractReadings(kind, Self.objects)
    var exact = try readings.query("a" .= QueryReading.text == "x")
    exact.setParameter(QueryReading.text, to: "isaac")
    #expect(try await readings.ids(exact) == [2])
    exact.setParameter("a", to: "ISAAC")
    #expect(try await readings.ids(exact) == [1])
    var loose = try readings.query(QueryReading.text.isEqual(to: "x", caseSensitive: false))
    loose.setParameter(QueryReading.text, to: "Isaac")
    #expect(try await readings.ids(loose) == [1, 2])
    var prefix = try readings.query("firstLetter" .= QueryReading.text.startsWith("N"))
    #expect(try await readings.ids(prefix) == [3])
    prefix.setParameter("firstLetter", to: "")
    #expect(try await readings.ids(prefix) == [1, 2, 3])
    var some = try readings.query("a" .= QueryReading.text.isIn(["x"]))
    some.setParameters(QueryReading.text, to: ["isaac", "Newton"])
    #expect(try await readings.ids(some) == [2, 3])
    some.setParameters("a", to: ["ISAAC"])
    #expect(try await readings.ids(some) == [1])
    var maybe = try readings.query(QueryReading.maybeText == "x")
    maybe.setParameter(QueryReading.maybeText, to: "3")
    #expect(try await readings.ids(maybe) == [3])
  }

  @Test(arguments: StoreKind.available)
  func `dates`(kind: StoreKind) async throws {
    let readings = try await ContractReadings(kind, Self.objects)
    var one = try readings.query("a" .= QueryReading.date == contractDate(9))
    one.setParameter(QueryReading.date, to: contractDate(2))
    #expect(try await readings.ids(one) == [2])
    one.setParameter("a", to: contractDate(3))
    #expect(try await readings.ids(one) == [3])
    var two = try readings.query(
      "a" .= QueryReading.date.isBetween(contractDate(8), and: contractDate(9))
    )
    two.setParameters(QueryReading.date, to: contractDate(1), contractDate(2))
    #expect(try await readings.ids(two) == [1, 2])
    two.setParameters("a", to: contractDate(3), contractDate(2))
    #expect(try await readings.ids(two) == [2, 3])
    var some = try readings.query("a" .= QueryReading.date.isIn([contractDate(9)]))
    some.setParameters(QueryReading.date, to: [contractDate(1), contractDate(3)])
    #expect(try await readings.ids(some) == [1, 3])
    some.setParameters("a", to: [contractDate(2)])
    #expect(try await readings.ids(some) == [2])
    some.setParameters(QueryReading.date, to: [contractDate(1), contractDate(3)].dropFirst())
    #expect(try await readings.ids(some) == [3])
    some.setParameters("a", to: Set([contractDate(1)]))
    #expect(try await readings.ids(some) == [1])
    var maybe = try readings.query(QueryReading.maybeDate > contractDate(9))
    maybe.setParameter(QueryReading.maybeDate, to: contractDate(2))
    #expect(try await readings.ids(maybe) == [3])
    var maybeSome = try readings.query(QueryReading.maybeDate ∈ [])
    maybeSome.setParameters(QueryReading.maybeDate, to: [contractDate(2)])
    #expect(try await readings.ids(maybeSome) == [2])
  }

  @Test(arguments: StoreKind.available)
  func `bytes`(kind: StoreKind) async throws {
    let readings = try await ContractReadings(kind, Self.objects)
    var query = try readings.query("a" .= QueryReading.data == Data([9]))
    query.setParameter(QueryReading.data, to: Data([2]))
    #expect(try await readings.ids(query) == [2])
    query.setParameter("a", to: Data([3]))
    #expect(try await readings.ids(query) == [3])
    var maybe = try readings.query(QueryReading.maybeData > Data([9]))
    maybe.setParameter(QueryReading.maybeData, to: Data([2]))
    #expect(try await readings.ids(maybe) == [3])
  }
}
