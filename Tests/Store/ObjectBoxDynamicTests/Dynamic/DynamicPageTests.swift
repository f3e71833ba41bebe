import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport
import Testing

/// Listings page by page, each page beginning after the last object.
struct DynamicPageTests {
  private let test: DynamicStore
  private var people: DynamicBox { test.people }

  init() throws {
    test = try DynamicStore()
    var random = SplitMix(seed: 7)
    // Enough objects for the planner to weigh scans against indexes, with many equal values and
    // nulls.
    try people.put(
      (0..<1500).map { index in
        [
          "name": "person \(index)", "email": "e\(index)",
          "age": random.next() % 5 == 0 ? nil : Int(random.next() % 40),
        ]
      }
    )
  }

  @Test(arguments: [false, true])
  func `pages by ID list each result once`(isDescending: Bool) throws {
    try people.remove([3, 700, 1500])
    for query in [
      people.query(), people.query { $0["age"] > 20 }, people.query { $0["age"] == 7 },
      people.query { $0["name"].endsWith("3") },
    ] {
      let flags: OrderFlags = isDescending ? .descending : .caseSensitive
      let ordered = try query.ordered(by: "id", flags: flags).build()
      var ids: [Id] = []
      var page = try ordered.find(limit: 70)
      while let last = page.last {
        ids += page.map(\.id)
        page = try ordered.find(after: last.id, limit: 70)
      }
      #expect(ids == (try ordered.findIds()))
    }
  }

  @Test func `a page goes on behind an object that was removed, and ends at the ends of IDs`()
    throws
  {
    let all = try people.query().build()
    try people.remove(10)
    #expect(try all.find(after: 10, limit: 2).map(\.id) == [11, 12])
    #expect(try all.find(after: 9, limit: 2).map(\.id) == [11, 12])
    #expect(try all.find(after: 1500).isEmpty)
    #expect(try all.find(after: Id(UInt64.max)).isEmpty)
    let newest = try people.query().ordered(by: "id", flags: .descending).build()
    #expect(try newest.find(after: 11, limit: 2).map(\.id) == [9, 8])
    #expect(try newest.find(after: Id(UInt64.max), limit: 1).map(\.id) == [1500])
    #expect(try newest.find(after: 1).isEmpty)
    #expect(try newest.find(after: 0).isEmpty)
    try people.removeAll()
    #expect(try all.find(after: 1).isEmpty)
    #expect(try newest.find(after: 1).isEmpty)
  }

  @Test func `objects of the open transaction are on the pages`() throws {
    let all = try people.query().build()
    try test.store.runInTransaction {
      try people.remove(2)
      let id = try people.put(["email": "new"])
      #expect(try all.find(after: 1, limit: 1).map(\.id) == [3])
      #expect(try all.find(after: 1500).map(\.id) == [id])
    }
  }

  @Test func `a page behind an ID is refused for another order`() throws {
    let query = try people.query().ordered(by: "age").build()
    #expect {
      try query.find(after: 1)
    } throws: { error in
      "\(error)".contains("illegalArgument: a page behind an ID needs results in the order of IDs")
    }
  }

  @Test(arguments: [false, true])
  func `a condition on the ordering property bounds the walk of its index`(isDescending: Bool)
    throws
  {
    let flags: OrderFlags = isDescending ? .descending : .caseSensitive
    let all = try people.query { $0["age"] != nil }.ordered(by: "age", flags: flags).build()
    let expected = try all.findIds()
    var page = try all.find(limit: 20)
    var ids: [Id] = []
    while let last = page.last, let age: Int = try last.value(of: "age") {
      ids += page.map(\.id)
      let next = try people.query {
        let isBeyond = isDescending ? $0["age"] < age : $0["age"] > age
        return (isDescending ? $0["age"] <= age : $0["age"] >= age)
          && (isBeyond || $0["id"] > last.id)
      }.ordered(by: "age", flags: flags).build()
      #expect(try next.explain(limit: 20).contains("walk of the index on 'age'"))
      page = try next.find(limit: 20)
    }
    #expect(ids == expected)
  }

  @Test func `an in-list on the ordering property is walked in the order of the query`() throws {
    let query = try people.query { $0["age"].isIn([30, 5, 17]) }
      .ordered(by: "age", flags: .descending).build()
    let found = try query.find(limit: 40)
    let ages = found.compactMap { $0["age"] as? Int }
    #expect(ages == ages.sorted(by: >))
    #expect(found.map(\.id) == Array(try query.findIds().prefix(40)))
    #expect(ages.first == 30)
  }
}
