import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport
import ObjectBoxTool
import Testing

/// Searches for words in the page's filter, without the network.
struct BrowserSearchTests {
  private let test: BrowsedStore

  init() throws {
    test = try BrowsedStore(ArticlesModel.json)
    try test.store.box(named: "Article").put([
      ["title": "One", "text": "A <b>swift</b> & \"small\"\nbird", "stars": 3],
      ["title": "Swift", "text": (0..<40).map { "w\($0)" }.joined(separator: " ") + " swift"],
      ["title": "Other", "text": "nothing"],
    ])
  }

  /// Returns the cells of the rows; found words in brackets.
  private func cells(_ filter: String, column: Int) throws -> [String?] {
    let page = try test.json("api/objects", ["entity": "Article", "filter": filter])
    return try #require(page["rows"] as? [[String: Any]]).map { row in
      let cell = try #require(row["cells"] as? [Any])[column]
      guard let pieces = cell as? [[String: Any]] else { return cell as? String }
      return pieces.map { piece in
        let text = piece["text"] as? String ?? ""
        return piece["isFound"] as? Bool == true ? "[\(text)]" : text
      }.joined()
    }
  }

  @Test func `cells have the found words apart from the text, which is not changed`() throws {
    #expect(
      try cells(#"words matches "swift bird""#, column: 2) == [
        "A <b>[swift]</b> & \"small\"⏎[bird]"
      ]
    )
    let texts = try cells(#"words matches "swift""#, column: 2)
    let words = (29..<40).map { "w\($0)" }.joined(separator: " ")
    #expect(texts.last == "…\(words) [swift]")
    #expect(try cells(#"words matches "swift""#, column: 1) == ["One", "[Swift]"])
    #expect(try cells("stars == 3", column: 1) == ["One"])
  }

  @Test func `the best matches come first where the page asks for it, with their scores`() throws {
    let search = ["entity": "Article", "filter": #"words matches "swift""#]
    func page(_ parameters: [String: String]) throws -> (
      ids: [String], scores: [Double], [String: Any]
    ) {
      let page = try test.json("api/objects", search.merging(parameters) { $1 })
      let rows = try #require(page["rows"] as? [[String: Any]])
      return (
        rows.compactMap { $0["id"] as? String },
        rows.compactMap { ($0["score"] as? String).flatMap(Double.init) ?? $0["score"] as? Double },
        page
      )
    }
    let usual = try page([:])
    #expect(usual.ids == ["1", "2"] && usual.scores.isEmpty)
    #expect(usual.2["isSearch"] as? Bool == true && usual.2["isBestFirst"] as? Bool == false)
    let best = try page(["best": "1", "order": "title"])
    #expect(best.ids == ["2", "1"] && best.scores.count == 2 && best.scores[0] > best.scores[1])
    #expect(best.2["isBestFirst"] as? Bool == true)
    let first = try page(["best": "1", "limit": "1"])
    #expect(first.ids == ["2"] && first.2["hasMore"] as? Bool == true)
    let second = try page(["best": "1", "limit": "1", "after": "1"])
    #expect(second.ids == ["1"] && second.2["hasMore"] as? Bool == false)
    let without = try page(["best": "1", "filter": "stars == 3"])
    #expect(without.ids == ["1"] && without.scores.isEmpty)
    #expect(without.2["isSearch"] as? Bool == false)
  }

  @Test func `a fault of a search has its place in the filter`() throws {
    let answer = test.get(
      "api/objects",
      [
        "entity": "Article", "filter": #"stars == 3 && text matches "a (""#,
      ]
    )
    #expect(answer.status == 422)
    let fault = try test.json(of: answer)
    #expect(fault["start"] as? Int == 30)
    #expect((fault["fault"] as? String)?.contains("a parenthesis is not closed") == true)
  }

  @Test func `the schema tells the full-text indexes`() throws {
    let entities = try #require(try test.json("api/schema")["entities"] as? [[String: Any]])
    let indexes = try #require(entities.first?["textIndexes"] as? [[String: Any]])
    #expect(indexes.compactMap { $0["name"] as? String } == ["text", "words"])
    #expect(indexes.last?["properties"] as? [String] == ["title", "text"])
  }
}
