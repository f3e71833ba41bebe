import Foundation
import ObjectBox
import Testing

/// Each operator that the documentation of queries lists, with literals, for properties that are
/// optional and not; the matrix tests hold their results to many values.
struct OperatorContractTests {
  private let stores: ContractStore
  private let readings: Box<Reading>

  /// Objects 1, 2 and 3 hold ascending values; 4 holds null where possible, and zero and empty
  /// values elsewhere.
  init() throws {
    stores = try ContractStore(maxDbSizeInKByte: 10_000)
    readings = stores.readings
    try readings.put(
      (1...3).map { number in
        Reading {
          $0.aDouble = Double(number)
          $0.aFloat = Float(number)
          $0.text = "\(number)"
          $0.date = Date(timeIntervalSince1970: Double(number))
          $0.data = Data([UInt8(number)])
          $0.maybeDouble = Double(number)
          $0.maybeFloat = Float(number)
          $0.maybeText = "\(number)"
          $0.maybeDate = Date(timeIntervalSince1970: Double(number))
          $0.maybeData = Data([UInt8(number)])
          $0.strings = ["\(number)", "Text\(number)"]
        }
      }
    )
    try readings.put(Reading())
  }

  private func ids(_ condition: () -> QueryCondition<Reading>) throws -> [Id] {
    try readings.query(condition).build().findIds().map(\.value)
  }

  @Test func `floating point numbers are equal, unequal, in ranges and in lists`() throws {
    #expect(try ids { Reading.aDouble == 2 } == [2])
    #expect(try ids { Reading.aDouble != 2 } == [1, 3, 4])
    #expect(try ids { Reading.aFloat == 2.0 } == [2])
    #expect(try ids { Reading.aFloat != 2.0 } == [1, 3, 4])
    #expect(try ids { Reading.maybeDouble == 2 } == [2])
    #expect(try ids { Reading.maybeDouble != 2 } == [1, 3])
    #expect(try ids { Reading.maybeFloat == 2 } == [2])
    #expect(try ids { Reading.maybeFloat != 2 } == [1, 3])
    #expect(try ids { Reading.aDouble ∈ 1...2 } == [1, 2])
    #expect(try ids { Reading.aDouble ∈ 1..<2 } == [1])
    #expect(try ids { Reading.maybeFloat ∈ 1.0...2.5 } == [1, 2])
    #expect(try ids { Reading.maybeFloat ∈ 1.0..<2.0 } == [1])
    #expect(try ids { Reading.aDouble ∈ [1, 3] } == [1, 3])
    #expect(try ids { Reading.aDouble ∉ [1, 3] } == [2, 4])
    #expect(try ids { Reading.maybeFloat ∈ [1, 3] } == [1, 3])
    #expect(try ids { Reading.maybeFloat ∉ [1, 3] } == [2])
    let list = try readings.query { Reading.aDouble ∈ [1, 3] }.build()
    list.setParameters(Reading.aDouble, to: [0.0, 2.0])
    #expect(try list.findIds() == [2, 4])
    let equal = try readings.query { "a" .= Reading.maybeDouble == 1 }.build()
    equal.setParameter("a", to: 3.0)
    #expect(try equal.findIds() == [3])
  }

  @Test func `texts are in order, in ranges and in lists`() throws {
    #expect(try ids { Reading.text <= "2" } == [1, 2, 4])
    #expect(try ids { Reading.text >= "2" } == [2, 3])
    #expect(try ids { Reading.maybeText <= "2" } == [1, 2])
    #expect(try ids { Reading.maybeText >= "2" } == [2, 3])
    #expect(try ids { Reading.text ∈ "1"..."2" } == [1, 2])
    #expect(try ids { Reading.text ∈ "1"..<"2" } == [1])
    #expect(try ids { Reading.maybeText ∈ "1"..."2" } == [1, 2])
    #expect(try ids { Reading.maybeText ∈ "1"..<"2" } == [1])
    #expect(try ids { Reading.text ∉ ["1", "3"] } == [2, 4])
    #expect(try ids { Reading.maybeText ∉ ["1", "3"] } == [2])
    let range = try readings.query { Reading.text ∈ "8"..."9" }.build()
    range.setParameters(Reading.text, to: ["3", "2"])
    #expect(try range.findIds() == [2, 3])
  }

  @Test func `dates are before and at, or after and at`() throws {
    let date = Date(timeIntervalSince1970: 2)
    #expect(try ids { Reading.date <= date } == [1, 2, 4])
    #expect(try ids { Reading.date >= date } == [2, 3])
    #expect(try ids { Reading.maybeDate <= date } == [1, 2])
    #expect(try ids { Reading.maybeDate >= date } == [2, 3])
  }

  @Test func `bytes are unequal, and in lists`() throws {
    let two = Data([2])
    #expect(try ids { Reading.data != two } == [1, 3, 4])
    #expect(try ids { Reading.maybeData != two } == [1, 3])
    #expect(try ids { Reading.data ∈ [two] } == [2])
    #expect(try ids { Reading.data ∉ [two] } == [1, 3, 4])
    #expect(try ids { Reading.maybeData ∈ [two] } == [2])
    #expect(try ids { Reading.maybeData ∉ [two] } == [1, 3])
    let list = try readings.query { "a" .= Reading.data ∈ [two] }.build()
    list.setParameters("a", to: [Data([3]), Data()])
    #expect(try list.findIds() == [3, 4])
  }

  @Test func `a vector of texts contains an element, by case unless told otherwise`() throws {
    #expect(try ids { Reading.strings.containsElement("Text2") } == [2])
    #expect(try ids { Reading.strings.containsElement("text2") } == [])
    #expect(try ids { Reading.strings.containsElement("text2", caseSensitive: false) } == [2])
  }

  @Test func `IDs and relations are unequal; a relation to nothing is to no other object`() throws {
    #expect(try ids { Reading.id != 2 } == [1, 3, 4])
    let stores = try SaleStore()
    let shops = [Shop(name: "a"), Shop(name: "b")]
    try stores.sales.put([Sale(shop: shops[0]), Sale(shop: shops[1]), Sale()])
    let other = try stores.sales.query { Sale.shop != shops[0].id }.build()
    #expect(try other.findIds() == [2])
    #expect(try stores.sales.query { Sale.shop.isNotEqual(to: 1) }.build().findIds() == [2])
  }
}
