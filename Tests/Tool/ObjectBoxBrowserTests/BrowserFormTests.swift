import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport
import ObjectBoxTool
import Testing

/// The first values of a new object, and the labels of the objects that values refer to.
struct BrowserFormTests {
  private func blank(_ test: BrowsedStore, _ entity: String) throws -> [String: String?] {
    let answer = try test.json("api/blank", ["entity": entity])
    let properties = try #require(answer["properties"] as? [[String: Any]])
    return Dictionary(
      uniqueKeysWithValues: properties.compactMap { property in
        (property["name"] as? String).map { ($0, property["text"] as? String) }
      }
    )
  }

  @Test func `a new object begins with the defaults of its types, and they are stored`() throws {
    let test = try BrowsedStore(LibraryModel.json)
    let values = try blank(test, "Shelf")
    #expect(values["id"] == .some(nil) && values["place"] == .some(nil))
    #expect(values["room"] == "" && values["count"] == "0" && values["width"] == "0")
    #expect(values["isOpen"] == "false" && values["owner"] == "0" && values["price"] == "0")
    #expect(values["photo"] == "" && values["tags"] == "[]")
    #expect((values["built"] ?? nil)?.wholeMatch(of: /\d{4}-\d\d-\d\dT.*Z/) != nil)
    #expect((values["key"] ?? nil).flatMap(UUID.init(uuidString:)) != nil)
    let given = values.filter { $0.key != "id" }.mapValues { $0 ?? NSNull() as Any }
    let body = try JSONSerialization.data(withJSONObject: ["entity": "Shelf", "values": given])
    let answer = test.post("put", String(decoding: body, as: UTF8.self))
    #expect(answer.status == 200, "\(String(decoding: answer.bytes, as: UTF8.self))")
    let stored = try #require(try test.store.box(named: "Shelf").get(1))
    #expect(stored["room"] as? String == "" && stored["count"] as? Int == 0)
    #expect(stored["isOpen"] as? Bool == false && stored["price"] as? Decimal == 0)
    #expect(stored["built"] as? Date != nil && stored["place"] == nil)
  }

  @Test func `a property that is null in an object begins with null, unless that is forbidden`()
    throws
  {
    let test = try BrowsedStore(LibraryModel.json)
    try test.store.box(named: "Shelf").put(["width": 1.5, "room": "r"])
    let values = try blank(test, "Shelf")
    #expect(values["count"] == .some(nil) && values["built"] == .some(nil))
    #expect(values["width"] == "0" && values["room"] == "")
  }

  @Test func `null is refused in a property that must not be null`() throws {
    let test = try BrowsedStore(LibraryModel.json)
    for values in [#"{"width":null}"#, "{}"] {
      let answer = test.post("put", #"{"entity":"Shelf","values":\#(values)}"#)
      #expect(answer.status == 422)
      #expect(try test.json(of: answer)["property"] as? String == "width")
    }
    #expect(try test.store.box(named: "Shelf").count() == 0)
  }

  @Test func `a label is the first unique text, else the first text`() throws {
    let test = try BrowsedStore(LibraryModel.json)
    let entities = try #require(try test.json("api/schema")["entities"] as? [[String: Any]])
    let labels = entities.map { $0["label"] as? String }
    #expect(labels == ["name", "isbn", nil, "text", "room"])
  }

  @Test func `a page and an object have the labels of the related objects`() throws {
    let test = try BrowsedStore()
    let expected = ["Author": ["1": "Ada", "2": "Grace"]]
    let page = try test.json("api/objects", ["entity": "Note"])
    #expect(page["labels"] as? [String: [String: String]] == expected)
    let first = try test.json("api/objects", ["entity": "Note", "limit": "1"])
    #expect(first["labels"] as? [String: [String: String]] == ["Author": ["1": "Ada"]])
    let object = try test.json("api/object", ["entity": "Note", "id": "4"])
    let both = ["Author": ["2": "Grace"], "Note": ["4": "four"]]
    #expect(object["labels"] as? [String: [String: String]] == both)
    let asked = try test.json("api/labels", ["entity": "Author", "ids": "2,77"])
    #expect(asked["labels"] as? [String: [String: String]] == ["Author": ["2": "Grace"]])
  }

  @Test func `an empty text is no label`() throws {
    let test = try BrowsedStore()
    try test.store.box(named: "Author").put(["id": 1, "name": ""])
    let page = try test.json("api/objects", ["entity": "Note"])
    #expect(page["labels"] as? [String: [String: String]] == ["Author": ["2": "Grace"]])
  }
}
