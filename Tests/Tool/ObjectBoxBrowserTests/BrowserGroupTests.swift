import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport
import ObjectBoxTool
import Testing

/// Counts of objects by the values of a property.
struct BrowserGroupTests {
  private func groups(
    _ test: BrowsedStore,
    _ parameters: [String: String]
  ) throws -> (counts: [String], answer: [String: Any]) {
    let answer = try test.json("api/groups", ["entity": "Note"].merging(parameters) { $1 })
    let groups = try #require(answer["groups"] as? [[String: Any]])
    return (
      groups.map { "\($0["text"] as? String ?? "null"): \($0["count"] as? Int ?? -1)" }, answer
    )
  }

  @Test func `the filtered objects are counted by value, the most frequent first`() throws {
    let test = try BrowsedStore()
    #expect(
      try groups(test, ["property": "stars"]).counts == [
        "null: 2", "2: 2", "-1: 1", "3: 1", "5: 1",
      ]
    )
    #expect(
      try groups(test, ["property": "stars", "filter": "stars > 1"]).counts == [
        "2: 2", "3: 1", "5: 1",
      ]
    )
    let (counts, answer) = try groups(test, ["property": "author", "filter": "author > 0"])
    #expect(counts == ["1: 1", "2: 1"])
    let labels = ["Author": ["1": "Ada", "2": "Grace"]]
    #expect(answer["labels"] as? [String: [String: String]] == labels)
    #expect(answer["objectCount"] as? Int == 2 && answer["isCut"] as? Bool == false)
  }

  @Test func `objects are not grouped by what has no short values, and faults have their place`()
    throws
  {
    let test = try BrowsedStore(LibraryModel.json)
    for name in ["id", "photo", "tags", "place"] {
      let answer = test.get("api/groups", ["entity": "Shelf", "property": name])
      #expect(answer.status == 422, "\(name)")
    }
    let fault = test.get(
      "api/groups",
      ["entity": "Shelf", "property": "room", "filter": "count > x"]
    )
    #expect(try test.json(of: fault)["start"] as? Int == 8)
  }

  @Test(
    arguments: [
      ("room", "day"), ("count", "day"), ("width", "day"), ("isOpen", "day"), ("owner", "day"),
      ("key", "day"), ("price", "day"), ("built", "value"), ("built", "day"), ("built", "month"),
      ("built", "year"),
    ]
  )
  func `the filter of a group finds its objects`(_ name: String, _ interval: String) throws {
    let test = try BrowsedStore(LibraryModel.json)
    let box = try test.store.box(named: "Shelf")
    let author = try test.store.box(named: "Author").put(["name": "Ada"])
    let dates: [Double] = [
      0, 86_399.999, 86_400, 951_782_400, 1_704_067_199, 1_704_067_200, 253_402_300_799,
      // The first day of the year 10000 has no text.
      253_402_300_800,
    ]
    for (index, date) in dates.enumerated() {
      var object: [String: Any?] = [
        "room": ["a \"b\"", "c\\d\n", "", "\u{E4}'`", "a\u{308}'`"][index % 5],
        "count": index % 3 - 1,
        "width": [0.1, 1e300, -0.5, 0.0, -0.0][index % 5], "isOpen": index % 2 == 0,
        "built": Date(timeIntervalSince1970: date), "owner": index == 1 ? author : 0,
        "key": UUID(uuidString: "0000000\(index % 2)-0000-0000-0000-000000000000"),
        "price": Decimal(index % 3),
      ]
      if index == 6 { object = ["width": 2.5, "built": Date(timeIntervalSince1970: date)] }
      try box.put(object)
    }
    for price in ["1.00", "-0"] {
      let put = #"{"entity":"Shelf","values":{"price":"\#(price)","width":"3"}}"#
      #expect(test.post("put", put).status == 200)
    }
    for filter in ["", "count >= 0 || width == 2.5"] {
      let answer = try test.json(
        "api/groups",
        ["entity": "Shelf", "property": name, "interval": interval, "filter": filter]
      )
      let groups = try #require(answer["groups"] as? [[String: Any]])
      #expect(groups.count > 1)
      for group in groups {
        let own = try #require(group["filter"] as? String)
        let found = try test.json("api/count", ["entity": "Shelf", "filter": own])
        #expect(found["count"] as? Int == group["count"] as? Int, "\(group)")
      }
    }
  }
}
