import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTool
import Testing

/// The effects of a removal that the page shows before it removes.
struct BrowserRemovalTests {
  private let test: BrowsedStore

  init() throws { test = try BrowsedStore(LibraryModel.json) }

  private func box(_ name: String) throws -> DynamicBox { try test.store.box(named: name) }

  private func preview(_ entity: String, _ ids: String) throws -> [String: Any] {
    try test.json("api/removal", ["entity": entity, "ids": ids])
  }

  private func effects(_ preview: [String: Any], _ kind: String) -> [String] {
    (preview[kind] as? [[String: Any]] ?? []).map { effect in
      let relation = (effect["relation"] as? String).map { ".\($0)" } ?? ""
      let more = effect["isMore"] as? Bool == true ? "more than " : ""
      let (count, entity) = (effect["count"] as? Int, effect["entity"] as? String)
      return "\(more)\(count ?? -1) \(entity ?? "")\(relation)"
    }
  }

  @Test func `objects that lose a relation are counted, and nothing is removed`() throws {
    let authors = try box("Author").put([["name": "Ada"], ["name": "Grace"]])
    try box("Book").put((0..<63).map { ["title": "\($0)", "author": authors[0]] })
    try box("Book").put(["title": "other", "author": authors[1]])
    let preview = try preview("Author", "1")
    #expect(preview["count"] as? Int == 1)
    #expect(effects(preview, "disconnected") == ["63 Book.author"])
    #expect(effects(preview, "removed").isEmpty && effects(preview, "refusals").isEmpty)
    #expect(try box("Author").count() == 2)
  }

  @Test func `cascades are followed, also their own effects`() throws {
    let book = try box("Book").put(["title": "one"])
    let shelves = try box("Shelf").put([["width": 1.0], ["width": 2.0]])
    try box("Book").add(shelves, to: "shelves", of: book)
    try box("Loan").put((0..<3).map { _ in ["book": book] })
    let ofBook = try preview("Book", "\(book)")
    #expect(effects(ofBook, "removed") == ["3 Loan"])
    #expect(effects(ofBook, "disconnected") == ["2 Shelf.shelves"])
    let ofShelf = try preview("Shelf", "1")
    #expect(effects(ofShelf, "disconnected") == ["1 Book.shelves"])
    #expect(effects(ofShelf, "removed").isEmpty)
  }

  @Test func `a refusal names an object that causes it, as the removal itself does`() throws {
    let author = try box("Author").put(["name": "Ada"])
    let reviews = try box("Review").put([["text": "good", "author": author], ["author": author]])
    let preview = try preview("Author", "\(author)")
    #expect(effects(preview, "refusals") == ["2 Review.author"])
    let refusal = try #require((preview["refusals"] as? [[String: Any]])?.first)
    #expect(refusal["example"] as? String == "\(reviews[0])")
    #expect(refusal["label"] as? String == "good")
    let answer = test.post("remove", #"{"entity":"Author","ids":["1"]}"#)
    #expect(answer.status == 409)
    let fault = try test.json(of: answer)["fault"] as? String
    #expect(fault?.contains("'Review' with ID \(reviews[0])") ?? false)
  }

  @Test func `a count ends with more than the bound`() throws {
    let authors = try box("Author").put([["name": "Ada"], ["name": "Grace"]])
    try box("Book").put((0..<1_001).map { _ in ["author": authors[0]] })
    try box("Book").put((0..<1_000).map { _ in ["author": authors[1]] })
    #expect(effects(try preview("Author", "1"), "disconnected") == ["more than 1000 Book.author"])
    #expect(effects(try preview("Author", "2"), "disconnected") == ["1000 Book.author"])
    let book = try box("Book").put(["title": "popular"])
    try box("Loan").put((0..<1_001).map { _ in ["book": book] })
    let cut = try preview("Book", "\(book)")
    #expect(effects(cut, "removed") == ["more than 1000 Loan"])
    #expect(cut["isCut"] as? Bool == true)
  }

  @Test func `objects that are removed together do not affect each other`() throws {
    let model = LibraryModel.json.replacingOccurrences(of: #""restrict""#, with: #""cascade""#)
    let test = try BrowsedStore(model)
    let author = try test.store.box(named: "Author").put(["name": "Ada"])
    try test.store.box(named: "Review").put(["author": author])
    let preview = try test.json("api/removal", ["entity": "Author", "ids": "\(author),99"])
    #expect(preview["count"] as? Int == 1)
    #expect(effects(preview, "removed") == ["1 Review"])
    #expect(effects(preview, "disconnected").isEmpty)
    #expect(effects(preview, "refusals").isEmpty)
  }
}
