import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTool
import Testing

/// Tables in the order of values that JavaScript's numbers and Foundation's dates do not hold.
struct BrowserValueTests {
  /// A type of properties, with stored values in ascending order.
  struct Kind: CustomTestStringConvertible, Sendable {
    let name: String
    let type: Int
    var flags = 0
    /// The values as the page shows them; nil for those that are no numbers.
    var texts: [String]?
    let values: [Value]

    enum Value { case integer(Int64), double(Double), float(Float) }

    var testDescription: String { name }

    var json: String {
      #"{"id":"2:1002","name":"value","type":\#(type),"flags":\#(flags)}"#
    }
  }

  private static let wide: [Int64] = [
    .min, .min + 1, -(1 << 53) - 2, -(1 << 53) - 1, -(1 << 53), -1, 0, 1, 1 << 53, 1 << 53 + 1,
    1 << 53 + 2, 1 << 62, 1 << 62 + 1, .max - 1, .max,
  ]
  private static let unsigned = wide.map { UInt64(bitPattern: $0) }.sorted()

  static let kinds: [Kind] = [
    Kind(name: "Int64", type: 6, texts: wide.map { "\($0)" }, values: wide.map { .integer($0) }),
    Kind(
      name: "UInt64",
      type: 6,
      flags: 8192,
      texts: unsigned.map { "\($0)" },
      values: unsigned.map { .integer(Int64(bitPattern: $0)) }
    ),
    Kind(name: "Date", type: 10, values: wide.map { .integer($0) }),
    Kind(name: "date-nano", type: 12, values: wide.map { .integer($0) }),
    Kind(
      name: "Double",
      type: 8,
      values: [-.infinity, -1e300, -1, -0.0, 0.1, 1 / 3, 1e300, .infinity, .nan].map { .double($0) }
    ),
    Kind(
      name: "Float",
      type: 7,
      values: [-.infinity, -1e30, -1, -0.0, 0.1, 1 / 3, 1e30, .infinity, .nan].map { .float($0) }
    ),
  ]

  /// Stores each value twice, in no order, and two nulls.
  private func store(_ kind: Kind) throws -> BrowsedStore {
    let test = try BrowsedStore(
      #"""
      {"entities":[{"id":"1:1000","lastPropertyId":"2:1002","name":"Note","properties":[
        {"id":"1:1001","name":"id","type":6,"flags":1},\#(kind.json)]}],
       "lastEntityId":"1:1000","lastIndexId":"0:0","lastRelationId":"0:0","modelVersion":5}
      """#
    )
    let value = test.store.schema.entities[0].properties[1]
    try test.store.writingStored { writing in
      for (place, stored) in kind.values.enumerated() {
        for id in [1000 - place, 2000 + place] {
          try writing.put(entity: 0, id: UInt64(id)) { set in
            switch stored {
            case .integer(let number): set(value, .integer(number))
            case .double(let number): set(value, .double(number))
            case .float(let number): set(value, .float(number))
            }
          }
        }
      }
      for id in [500, 3000] { try writing.put(entity: 0, id: UInt64(id)) { _ in } }
    }
    return test
  }

  @Test(arguments: kinds)
  func `pages follow each other by every value, and behind them by null`(_ kind: Kind) throws {
    let test = try store(kind)
    let places = Array(kind.values.indices)
    for (order, places) in [("value", places), ("-value", places.reversed())] {
      let expected = places.flatMap { [1000 - $0, 2000 + $0] } + [500, 3000]
      #expect(try test.ids(order: order, limit: 500) == expected.map { "\($0)" }, "\(order)")
      for limit in [1, 3] {
        var ids: [String] = []
        var after = ""
        while ids.count < 3 * expected.count {
          let page = try test.page(["order": order, "limit": "\(limit)", "after": after])
          ids += page.ids
          guard page.hasMore, let last = page.ids.last else { break }
          after = last
        }
        #expect(ids == expected.map { "\($0)" }, "\(order) by \(limit)")
      }
    }
  }

  @Test(arguments: kinds)
  func `values of tables and objects are complete, and come back as they were`(_ kind: Kind) throws
  {
    let test = try store(kind)
    let rows = try #require(
      try test.json("api/objects", ["entity": "Note", "order": "value"])["rows"] as? [[String: Any]]
    )
    for place in kind.values.indices {
      let object = try test.json("api/object", ["entity": "Note", "id": "\(1000 - place)"])
      let members = try #require(object["properties"] as? [[String: Any]])
      let text = try #require(members[1]["text"] as? String)
      if let expected = kind.texts?[place] { #expect(text == expected) }
      let cells = try #require(rows[2 * place]["cells"] as? [String?])
      #expect(cells[1] == text)
      let id = "\(2000 + place)"
      let put = #"{"entity":"Note","id":"\#(id)","values":{"value":"\#(text)"}}"#
      #expect(test.post("put", put).status == 200, "\(text)")
      let digests = try [object, test.json("api/object", ["entity": "Note", "id": id])].map {
        $0["digest"] as? String
      }
      #expect(digests[0] == digests[1], "\(text)")
    }
  }
}
