import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport
import ObjectBoxTool
import Testing

/// Searches for words in conditions of the tool.
struct SearchConditionTests {
  private let store: Store

  init() throws {
    store = try Store(
      schema: try ModelText.schema(ArticlesModel.json),
      configuration: .init(directory: "memory:\(UUID().uuidString)")
    )
    try ArticlesModel.fill(store)
  }

  private func ids(_ condition: String) throws -> [Id] {
    try StoreQuery("Article", condition: condition, in: store).query.findIds()
  }

  @Test(
    arguments: [
      (#"text matches "swift""#, [1, 2]), (#"text MATCHES 'swift -bird'"#, [1]),
      (#"text matches "\"data race\"""#, [1]), (#"text matches '"data race"'"#, [1]),
      (#"text matches "con*""#, [1]), (#"title matches "swift""#, [2]),
      (#"words matches "swift race""#, [1]), (#"words matches "title:race data""#, [3]),
      (#"text matches "data" && stars > 2"#, [1]),
      (#"stars == 5 || text matches "data""#, [1, 2, 3, 4]),
      (#"author.about matches "gardens""#, [2]),
      (#"author(about matches "writes" && id == 1)"#, [1]),
      (#"text matches "swift" ignoring case"#, [1, 2]),
    ] as [(String, [Id])]
  )
  func `a search finds words, by a property or by an index over several`(
    _ text: String,
    _ found: [Id]
  ) throws {
    #expect(try ids(text) == found)
  }

  @Test func `the condition of a plan can be used again, phrases too`() throws {
    let query = try StoreQuery(
      "Article",
      condition: #"words matches "\"data race\" -\"a\\\\b\"""#,
      in: store
    ).query
    let plan = try query.explain()
    let line = try #require(plan.split(separator: "\n").first { $0.contains("words: ") })
    let start = try #require(line.range(of: "words: ")).upperBound
    let end = try #require(line.range(of: "; ", options: .backwards)).lowerBound
    #expect(try ids(String(line[start..<end])) == query.findIds())
  }

  @Test(
    arguments: [
      (
        #"stars > 1 && text matches "swift (""#, "a parenthesis is not closed",
        "                                 ^"
      ),
      (
        #"text matches "\"data\" \u{65} OR""#, "'OR' has no word behind it",
        "                              ^~"
      ),
      (#"text matches 'é -x y)'"#, "a ')' closes nothing", "                    ^"),
      (#"text matches """#, "it contains no word to search for", "              ^"),
      (#"words matches "title:(text:a)""#, "is inside of the words of another property", "  "),
      (#"text matches 3"#, "the words to search for are expected here", "             ^"),
      (#"stars matches "a""#, "'Article.stars', which has no full-text index", "^~~~~~~~"),
      (#"nothing matches "a""#, "'Article' has no property 'nothing'", "^~~~~~~"),
    ]
  )
  func `a fault of a search has its place in the condition`(
    _ text: String,
    _ message: String,
    _ mark: String
  ) throws {
    let fault = #expect(throws: ConditionFault.self) { try ids(text) }
    let lines = "\(try #require(fault))".components(separatedBy: "\n")
    try #require(lines.count == 3)
    #expect(lines[0].contains(message), "\(lines[0])")
    #expect(lines[2].hasPrefix("  " + mark), "\(lines[1])\n\(lines[2])")
  }
}
