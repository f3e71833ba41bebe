import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport
import ObjectBoxTool
import Testing

/// Edits of objects through the page.
struct BrowserEditTests {
  private let test: BrowsedStore
  private var notes: DynamicBox { get throws { try test.store.box(named: "Note") } }

  init() throws { test = try BrowsedStore() }

  @Test(arguments: ["put", "remove", "relate"])
  func `nothing is written without the flag`(_ name: String) throws {
    let before = try notes.all().map(\.description)
    let answer = test.post(
      name,
      #"{"entity":"Note","id":"1","ids":["1"],"relation":"readers","add":["2"],"values":{"slug":"x"}}"#,
      isWritable: false
    )
    #expect(answer.status == 403)
    #expect(try notes.all().map(\.description) == before)
    #expect(try test.json("api/schema")["isWritable"] as? Bool == true)
    #expect(try test.json("api/schema", isWritable: false)["isWritable"] as? Bool == false)
  }

  @Test func `a body that a form of another page could send is refused`() throws {
    let body = Array(#"{"entity":"Note","ids":["1"]}"#.utf8)
    for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", nil] {
      var header = ["host": "127.0.0.1:1"]
      header["content-type"] = type
      let request = HTTPRequest("POST", "/token/api/remove", header: header, body: body)
      #expect(test.answer(request).status == 415)
    }
    #expect(test.post("remove", "no json").status == 400)
    #expect(test.post("remove", "[]").status == 400)
    #expect(try notes.contains(1))
  }

  @Test func `named properties change, and others stay`() throws {
    #expect(test.post("put", #"{"entity":"Note","id":"1","values":{"stars":"-7"}}"#).status == 200)
    let note = try #require(try notes.get(1))
    #expect(note["stars"] as? Int == -7)
    #expect(note["slug"] as? String == "one")
    #expect(note["author"] as? Id == 1)
    #expect(test.post("put", #"{"entity":"Note","id":"1","values":{"stars":null}}"#).status == 200)
    #expect(try notes.get(1)?["stars"] == nil)
  }

  @Test func `a new object gets the next ID`() throws {
    let answer = test.post("put", #"{"entity":"Note","values":{"slug":"new","author":"2"}}"#)
    #expect(try test.json(of: answer)["id"] as? String == "8")
    #expect(try notes.get(8)?["author"] as? Id == 2)
  }

  @Test func `a value that is taken is told at its property, and nothing is stored`() throws {
    let answer = test.post(
      "put",
      #"{"entity":"Note","id":"1","values":{"slug":"two","stars":"1"}}"#
    )
    #expect(answer.status == 409)
    #expect(try test.json(of: answer)["property"] as? String == "slug")
    #expect(try notes.get(1)?["stars"] as? Int == 5)
  }

  @Test(
    arguments: [
      (#"{"stars":"1000"}"#, "stars", "a whole number from -128 to 127 is expected"),
      (#"{"stars":"many"}"#, "stars", "the text \"many\""),
      (#"{"stars":""}"#, "stars", "a value is expected here"),
      (#"{"author":"77"}"#, "author", "there is no 'Author' with ID 77"),
    ]
  )
  func `a value that does not fit is told at its property`(
    _ values: String,
    _ property: String,
    _ words: String
  ) throws {
    let answer = test.post("put", #"{"entity":"Note","id":"1","values":\#(values)}"#)
    #expect(answer.status == 422)
    let content = try test.json(of: answer)
    #expect(content["property"] as? String == property)
    #expect((content["fault"] as? String)?.contains(words) ?? false, "\(content)")
    #expect(try notes.get(1)?["stars"] as? Int == 5)
  }

  @Test func `an object that was changed meanwhile is not overwritten`() throws {
    let digest = try #require(
      try test.json("api/object", ["entity": "Note", "id": "1"])["digest"] as? String
    )
    try notes.put(["id": 1, "stars": 9])
    let body = #"{"entity":"Note","id":"1","digest":"\#(digest)","values":{"stars":"2"}}"#
    #expect(test.post("put", body).status == 409)
    #expect(try notes.get(1)?["stars"] as? Int == 9)
    try notes.put(["id": 1, "stars": 5])
    #expect(test.post("put", body).status == 200)
    #expect(try notes.get(1)?["stars"] as? Int == 2)
    try notes.remove(1)
    #expect(test.post("put", body).status == 404)
    #expect(try !notes.contains(1))
  }

  @Test func `objects are removed, and relations change`() throws {
    let removed = test.post("remove", #"{"entity":"Note","ids":["1","2","99"]}"#)
    #expect(try test.json(of: removed)["count"] as? Int == 2)
    #expect(try notes.count() == 5)
    let body = #"{"entity":"Note","id":"3","relation":"readers","add":["1","2"],"remove":["1"]}"#
    #expect(test.post("relate", body).status == 200)
    #expect(try notes.targets("readers", of: 3) == [2])
    let missing = #"{"entity":"Note","id":"3","relation":"readers","add":["1","77"]}"#
    #expect(test.post("relate", missing).status == 404)
    #expect(try notes.targets("readers", of: 3) == [2])
  }

  @Test(
    arguments: [
      ("NaN", Double.nan.bitPattern), ("Infinity", Double.infinity.bitPattern),
      ("-Infinity", (-Double.infinity).bitPattern), ("0xfff8000000000000", 0xfff8_0000_0000_0000),
    ] as [(String, UInt64)]
  )
  func `a number that the page shows in words is taken in them`(
    _ text: String,
    _ bits: UInt64
  ) throws {
    let model = """
      {"entities":[{"id":"1:1000","lastPropertyId":"3:1003","name":"Note","properties":[
        {"id":"1:1001","name":"id","type":6,"flags":1},{"id":"2:1002","name":"weight","type":8},
        {"id":"3:1003","name":"photo","type":23}],"relations":[]}],
       "lastEntityId":"1:1000","lastIndexId":"0:0","lastRelationId":"0:0","modelVersion":5}
      """
    let test = try BrowsedStore(model)
    let body = #"{"entity":"Note","values":{"weight":"\#(text)","photo":""}}"#
    #expect(test.post("put", body).status == 200)
    let object = try #require(try test.store.box(named: "Note").get(1))
    #expect((object["weight"] as? Double)?.bitPattern == bits)
    #expect(object["photo"] as? Data == Data())
    let shown = try test.json("api/object", ["entity": "Note", "id": "1"])
    let properties = try #require(shown["properties"] as? [[String: Any]])
    #expect(properties[1]["text"] as? String == text)
    let wrong = test.post("put", #"{"entity":"Note","id":"1","values":{"weight":"0x1p3"}}"#)
    #expect(wrong.status == 422)
  }

  @Test func `a refused object takes no ID`() throws {
    for _ in 0..<3 {
      #expect(test.post("put", #"{"entity":"Note","values":{"slug":"two"}}"#).status == 409)
    }
    let answer = test.post("put", #"{"entity":"Note","values":{"slug":"new"}}"#)
    #expect(try test.json(of: answer)["id"] as? String == "8")
  }
}
