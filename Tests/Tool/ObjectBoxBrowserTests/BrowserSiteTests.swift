import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport
import ObjectBoxTool
import Testing

/// The page's data, without the network.
struct BrowserSiteTests {
  private let test: BrowsedStore

  init() throws { test = try BrowsedStore() }

  // MARK: Pages

  @Test func `the page and its files are served, with a policy that allows no inline script`()
    throws
  {
    let page = test.get("")
    #expect(page.status == 200)
    #expect(page.type == "text/html; charset=utf-8")
    let text = String(decoding: page.bytes, as: UTF8.self)
    for match in text.matches(of: /(?:src|href)="([a-z]+\.[a-z]+)"/) {
      #expect(test.get(String(match.output.1)).status == 200, "\(match.output.1)")
    }
    #expect(!text.contains("<style") && !text.contains("onclick") && !text.contains("style="))
    let policy = HTTPResponse.protection.first { $0.name == "Content-Security-Policy" }?.value
    #expect(policy?.contains("script-src 'self';") ?? false)
    #expect(policy?.contains("unsafe") == false)
  }

  @Test func `what there is not, and other methods, are refused`() {
    #expect(test.get("nothing.js").status == 404)
    #expect(test.get("api/nothing").status == 404)
    #expect(test.answer(HTTPRequest("POST", "/token/")).status == 405)
    #expect(test.answer(HTTPRequest("DELETE", "/token/api/schema")).status == 405)
    #expect(test.get("api/put").status == 405)
    #expect(test.get("api/objects", ["entity": "Nobody"]).status == 404)
    #expect(test.get("api/object", ["entity": "Note", "id": "99"]).status == 404)
    #expect(test.get("api/object", ["entity": "Note", "id": "-1"]).status == 422)
  }

  // MARK: Tables

  @Test func `entities have their counts`() throws {
    let entities = try test.json("api/schema")["entities"] as? [[String: Any]]
    #expect(entities?.compactMap { $0["name"] as? String } == ["Note", "Author"])
    #expect(entities?.compactMap { $0["count"] as? Int } == [7, 2])
  }

  @Test(arguments: ["", "-id", "stars", "-stars", "slug", "-slug", "author", "-author"])
  func `pages list each object once, in the order of the whole table`(_ order: String) throws {
    let all = try test.ids(order: order, limit: 500)
    #expect(Set(all).count == 7)
    for limit in 1...3 {
      var ids: [String] = []
      var after = ""
      while true {
        let page = try test.page(["order": order, "limit": "\(limit)", "after": after])
        ids += page.ids
        guard page.hasMore, let last = page.ids.last else { break }
        after = last
      }
      #expect(ids == all, "\(order) by \(limit)")
    }
  }

  @Test(arguments: ["stars", "-stars"])
  func `nulls are behind all values`(_ order: String) throws {
    let ids = try test.ids(order: order, limit: 500)
    #expect(ids.suffix(2) == ["6", "7"])
  }

  @Test func `a page goes on where the last object was removed, and tells where all are gone`()
    throws
  {
    try test.store.box(named: "Note").remove(3)
    let page = try test.page(["order": "slug", "after": "3,2"])
    #expect(!page.isRestarted)
    let gone = try test.page(["order": "slug", "after": "3,99"])
    #expect(gone.isRestarted)
    #expect(gone.ids == (try test.ids(order: "slug", limit: 500)))
    #expect(try test.page(["after": "3"]).ids == ["4", "5", "6", "7"])
  }

  @Test(arguments: ["", "-id", "stars", "-stars", "slug"])
  func `pages go on behind IDs from 2^63 on`(_ order: String) throws {
    let index = try #require(test.store.schema.index(ofEntity: "Note"))
    let stars = test.store.schema.entities[index].properties[2]
    let ids = [UInt64(Int64.max), UInt64(Int64.max) + 1, UInt64(Int64.max) + 2, UInt64.max - 1]
    try test.store.writingStored { writing in
      for id in ids { try writing.put(entity: index, id: id) { $0(stars, .integer(2)) } }
    }
    let all = try test.ids(order: order, limit: 500)
    #expect(all.count == 11)
    var found: [String] = []
    var after = ""
    while found.count < 20 {
      let page = try test.page(["order": order, "limit": "1", "after": after])
      found += page.ids
      guard page.hasMore, let last = page.ids.last else { break }
      after = last
    }
    #expect(found == all)
  }

  @Test func `related objects are found whatever the names are`() throws {
    let model = #"""
      {"entities":[{"id":"1:1000","lastPropertyId":"3:1003","name":"A`b\u0600","properties":[
        {"id":"1:1001","name":"i`d","type":6,"flags":1},{"id":"2:1002","name":"slug","type":9},
        {"id":"3:1003","name":"\u0301up`","type":11,"flags":520,"indexId":"1:5000",
         "relationTarget":"A`b\u0600"}],
        "relations":[{"id":"1:6000","name":"all`\u0301","targetId":"1:1000"}]}],
       "lastEntityId":"1:1000","lastIndexId":"1:5000","lastRelationId":"1:6000","modelVersion":5}
      """#
    let test = try BrowsedStore(model)
    let entity = "A`b\u{600}"
    let box = try test.store.box(named: entity)
    let first = try box.put(["slug": "first"])
    let second = try box.put(["slug": "second", "\u{301}up`": first])
    try box.add([second], to: "all`\u{301}", of: first)
    let object = try test.json("api/object", ["entity": entity, "id": "1"])
    let relations = try #require(object["relations"] as? [[String: Any]])
    let found = try relations.map { relation in
      try test.page(["entity": entity, "filter": try #require(relation["filter"] as? String)]).ids
    }
    #expect(found == [["2"], ["2"], []])
  }

  @Test func `a filter finds its objects with the plan, and a fault has its place`() throws {
    let page = try test.page(["filter": "slug == \"two\""])
    #expect(page.ids == ["2"])
    #expect(page.plan.contains("index on 'slug'"))
    #expect(
      try test.json("api/count", ["entity": "Note", "filter": "stars > 2"])["count"] as? Int == 2
    )
    let fault = test.get(
      "api/objects",
      ["entity": "Note", "filter": "stars > 1 && titel == \"x\""]
    )
    #expect(fault.status == 422)
    let content = try test.json(of: fault)
    #expect((content["fault"] as? String)?.hasPrefix("'Note' has no property 'titel'") ?? false)
    #expect(content["start"] as? Int == 13)
    #expect(content["end"] as? Int == 18)
  }

  @Test func `the plan of a filter has an estimate of the results`() throws {
    func estimate(_ test: BrowsedStore, _ filter: String) throws -> [String: Any]? {
      let page = try test.json("api/objects", ["entity": "Note", "filter": filter, "limit": "1"])
      return page["estimate"] as? [String: Any]
    }
    #expect(try estimate(test, "") == nil)
    let small = try #require(try estimate(test, "stars > 1"))
    #expect(small["count"] as? Int == 4 && small["isExact"] as? Bool == true)
    #expect(try estimate(test, "author.name == \"Ada\"")?["count"] as? Int == 1)
    // The values repeat at the mean distance of the sample.
    try test.store.box(named: "Note").put((0..<4_000).map { ["stars": $0 % 10] })
    let large = try #require(try estimate(test, "stars < 5"))
    #expect((1_700...2_300).contains(large["count"] as? Int ?? 0), "\(large)")
    let few = try #require(try estimate(test, "stars == 4"))
    #expect((250...550).contains(few["count"] as? Int ?? 0), "\(few)")
    #expect(large["isExact"] as? Bool == false && large["isBound"] as? Bool == false)
    let none = try #require(try estimate(test, "stars == 100"))
    #expect(none["isBound"] as? Bool == true && none["count"] as? Int ?? 0 < 100)
    try test.store.box(named: "Note").removeAll()
    #expect(try estimate(test, "stars == 1") == nil)
  }

  @Test func `an order by what has none is refused`() throws {
    #expect(test.get("api/objects", ["entity": "Note", "order": "nothing"]).status == 422)
  }

  // MARK: Objects

  @Test func `an object has its values, and the conditions of related ones in both directions`()
    throws
  {
    let note = try test.json("api/object", ["entity": "Note", "id": "1"])
    let properties = try #require(note["properties"] as? [[String: Any]])
    #expect(properties.map { $0["text"] as? String } == ["1", "one", "5", "1"])
    let relations = try #require(note["relations"] as? [[String: Any]])
    #expect(relations.count == 1)
    let readers = try #require(relations.first?["filter"] as? String)
    #expect(try test.page(["entity": "Author", "filter": readers]).ids == ["1", "2"])
    let author = try test.json("api/object", ["entity": "Author", "id": "1"])
    let sources = try #require(author["relations"] as? [[String: Any]])
    let found = try sources.map { relation in
      try test.page(["entity": "Note", "filter": try #require(relation["filter"] as? String)]).ids
    }
    #expect(found == [["1"], ["1"]])
  }

  @Test func `statistics are those of the verb`() throws {
    let report = try test.json("api/statistics")
    #expect((report["tables"] as? [Any])?.isEmpty == false)
    #expect(report["version"] as? Int != nil)
  }

  @Test func `a stored script is a text in the data, and no page`() throws {
    let text = "<script>alert(1)</script>"
    try test.store.box(named: "Note").put(["id": 1, "slug": text])
    let answer = test.get("api/object", ["entity": "Note", "id": "1"])
    #expect(answer.type == "application/json; charset=utf-8")
    let properties = try #require(try test.json(of: answer)["properties"] as? [[String: Any]])
    #expect(properties[1]["text"] as? String == text)
  }

  @Test func `bytes are an image where they are one, and a file to save otherwise`() throws {
    let text = test.get("api/bytes", ["entity": "Note", "id": "1", "property": "slug"])
    #expect(text.type == "application/octet-stream")
    #expect(text.header.contains { $0.value.hasPrefix("attachment") })
    try test.store.box(named: "Note").put(["id": 1, "slug": "GIF89a"])
    #expect(
      test.get("api/bytes", ["entity": "Note", "id": "1", "property": "slug"]).type == "image/gif"
    )
    #expect(
      test.get("api/bytes", ["entity": "Note", "id": "6", "property": "author"]).status == 404
    )
  }

  // MARK: Events

  @Test func `a feed gets the newest event, and ends`() {
    let hub = EventHub()
    hub.send(.version("1"))
    let feed = hub.feed()
    #expect(feed.next() == "data: 1\n\n")
    hub.send(.version("2"))
    hub.send(.version("3"))
    #expect(feed.next() == "data: 3\n\n")
    hub.send(.fault)
    #expect(feed.next() == "event: fault\ndata:\n\n")
    hub.send(.version("3"))
    #expect(feed.next() == "data: 3\n\n")
    hub.end()
    #expect(feed.next() == nil)
    #expect(hub.feed().next() == nil)
  }
}
