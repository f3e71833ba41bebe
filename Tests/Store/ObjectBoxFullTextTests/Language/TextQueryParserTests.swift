import ObjectBoxFullText
import Testing

struct TextQueryParserTests {
  private func parse(
    _ text: String,
    _ settings: TokenizerSettings = TokenizerSettings(),
    columns: [String] = []
  ) throws -> TextExpression {
    try TextQueryParser(tokenizer: Tokenizer(settings), columns: columns).parse(text)
  }

  private func phrase(_ words: String..., isPrefix: Bool = false) -> TextExpression {
    .phrase(
      words.enumerated().map { index, word in
        PhraseWord(word, isPrefix: isPrefix && index == words.count - 1, offset: UInt32(index))
      }
    )
  }

  @Test func `words side by side are joined by and`() throws {
    #expect(try parse("Swift") == .term("swift"))
    #expect(
      try parse(" swift,  Race\u{3000}x ") == .all([.term("swift"), .term("race"), .term("x")])
    )
    #expect(try parse("a AND b") == .all([.term("a"), .term("b")]))
    #expect(try parse("& a … 👍 +b") == .all([.term("a"), .term("b")]))
  }

  @Test func `a lone word is the word that it is beside spaces`() throws {
    for settings in [TokenizerSettings(), TokenizerSettings(prefixLengths: [2])] {
      for text in ["a", "word", "Words12", "3", "\"word\"", "\"AND\"", "\"a\"", "NEAR", "or"] {
        #expect(try parse(text, settings) == parse(" \(text) ", settings))
      }
    }
    for text in ["AND", "OR", "NOT", "\"\"", "\""] {
      #expect(throws: TextQueryFault.self) { try parse(text) }
    }
  }

  @Test func `OR binds less closely than words side by side`() throws {
    #expect(
      try parse("a b OR c AND d")
        == .any([.all([.term("a"), .term("b")]), .all([.term("c"), .term("d")])])
    )
    #expect(
      try parse("a (b OR (c OR d)) e")
        == .all([.term("a"), .any([.term("b"), .term("c"), .term("d")]), .term("e")])
    )
  }

  @Test func `operators are upper-case words outside of quotes`() throws {
    #expect(try parse("a or b") == .all([.term("a"), .term("or"), .term("b")]))
    #expect(try parse("a \"OR\" near") == .all([.term("a"), .term("or"), .term("near")]))
    #expect(try parse("NEAR a") == .all([.term("near"), .term("a")]))
  }

  @Test func `exclusions of a group are excluded from it`() throws {
    let expected = TextExpression.excluding(
      .all([.term("a"), .term("b")]),
      .any([.term("c"), .term("d")])
    )
    #expect(try parse("a -c b -d") == expected)
    #expect(try parse("NOT c a AND NOT d b") == expected)
    #expect(try parse("a b -(c OR d)") == expected)
    #expect(
      try parse("a -b OR c") == .any([.excluding(.term("a"), .term("b")), .term("c")])
    )
  }

  @Test func `a minus inside of words or alone excludes nothing`() throws {
    #expect(try parse("data-race") == phrase("data", "race"))
    #expect(try parse("a - b") == .all([.term("a"), .term("b")]))
    #expect(try parse("a -") == .term("a"))
    #expect(try parse("a -& -\"\"") == .term("a"))
  }

  @Test func `quotes make a phrase of several words`() throws {
    #expect(try parse("\"data race\"") == phrase("data", "race"))
    #expect(try parse("“data race”") == phrase("data", "race"))
    #expect(try parse("\"data\"") == .term("data"))
    #expect(try parse("a\"b c\"d") == .all([.term("a"), phrase("b", "c"), .term("d")]))
  }

  @Test func `a star makes the beginning of a word`() throws {
    #expect(try parse("Conc*") == .prefix("conc"))
    #expect(try parse("\"data rac\"*") == phrase("data", "rac", isPrefix: true))
    #expect(try parse("data-rac*") == phrase("data", "rac", isPrefix: true))
    #expect(try parse("(conc*)") == .prefix("conc"))
  }

  @Test func `NEAR has words and a distance`() throws {
    #expect(try parse("NEAR(a b)") == .near([.term("a"), .term("b")], distance: 10))
    #expect(
      try parse("NEAR(a \"b c\" d*, 3)")
        == .near([.term("a"), phrase("b", "c"), .prefix("d")], distance: 3)
    )
    #expect(try parse("NEAR(a)") == .term("a"))
    #expect(try parse("x -NEAR(a b)") == .excluding(.term("x"), try parse("NEAR(a b)")))
  }

  @Test func `a name of a column before a word searches there`() throws {
    let columns = ["title", "text"]
    #expect(try parse("text:a b", columns: columns) == .all([.column(.term("a"), 1), .term("b")]))
    #expect(
      try parse("a -title:b", columns: columns) == .excluding(.term("a"), .column(.term("b"), 0))
    )
    #expect(
      try parse("title:(a OR \"b c\")", columns: columns)
        == .column(.any([.term("a"), phrase("b", "c")]), 0)
    )
    #expect(try parse("title: a*", columns: columns) == .column(.prefix("a"), 0))
    #expect(try parse("title:NEAR(a b)", columns: columns) == .column(try parse("NEAR(a b)"), 0))
  }

  @Test func `other names with colons are words`() throws {
    #expect(try parse("note:10:30", columns: ["title"]) == phrase("note", "10", "30"))
    #expect(try parse("title:1") == phrase("title", "1"))
    #expect(try parse("titel:swift", columns: ["title"]) == phrase("titel", "swift"))
    #expect(try parse("std::vector", columns: ["title"]) == phrase("std", "vector"))
    #expect(try parse("titel:sw*", columns: ["title"]) == phrase("titel", "sw", isPrefix: true))
    #expect(try parse("title:TODO:fix", columns: ["title"]) == .column(phrase("todo", "fix"), 0))
    #expect(try parse("\"title:1\"", columns: ["title"]) == phrase("title", "1"))
  }

  @Test func `scripts without spaces are phrases of pairs`() throws {
    #expect(try parse("東京都") == phrase("東京", "京都"))
    #expect(try parse("東京") == .term("東京"))
    #expect(try parse("東") == .prefix("東"))
    #expect(try parse("東*") == .prefix("東"))
    #expect(try parse("東京都*") == phrase("東京", "京都"))
    #expect(try parse("バーガー") == phrase("バー", "ーガ", "ガー"))
    #expect(try parse("ﾊﾞｰ*") == .term("バー"))
    for text in ["㍍", "㍍*", "メー㌧*"] {
      #expect(
        try parse(text) == parse(text.replacing("㍍", with: "メートル").replacing("㌧", with: "トン"))
      )
    }
    #expect(
      try parse("\"東京都 tower\"")
        == .phrase([
          PhraseWord("東京", offset: 0), PhraseWord("京都", offset: 1),
          PhraseWord("tower", offset: 3),
        ])
    )
    #expect(try parse("\"東 tower\"") == phrase("東", "tower"))
    #expect(try parse("\"tower 東\"") == phrase("tower", "東", isPrefix: true))
  }

  @Test(.needsStemmers) func `words are stemmed, and beginnings of words are not`() throws {
    let english = TokenizerSettings(language: "en")
    #expect(try parse("running", english) == .term("run"))
    #expect(try parse("runn*", english) == .prefix("runn"))
    #expect(try parse("houses-runn*", english) == phrase("hous", "runn", isPrefix: true))
  }

  @Test(.needsStemmers) func `a beginning finds the forms of the whole word as well`() throws {
    let english = TokenizerSettings(language: "en")
    #expect(try parse("running*", english) == .any([.prefix("running"), .term("run")]))
    #expect(
      try parse("\"data races\"*", english)
        == .any([phrase("data", "races", isPrefix: true), phrase("data", "race")])
    )
    #expect(
      try parse("NEAR(a running*)", english)
        == .near([.term("a"), .prefix("running")], distance: 10)
    )
  }
}
