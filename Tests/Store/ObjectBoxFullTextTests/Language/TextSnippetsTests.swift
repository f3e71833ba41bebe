import ObjectBoxFullText
import ObjectBoxTestSupport
import Testing

struct TextSnippetsTests {
  private func snippet(
    _ query: String,
    _ text: String,
    words: Int = 100,
    settings: TokenizerSettings = TokenizerSettings(),
    column: Int = 0
  ) throws -> String {
    let tokenizer = try Tokenizer(settings)
    let expression = try TextQueryParser(tokenizer: tokenizer, columns: ["title", "text"])
      .parse(query)
    return TextSnippets(of: expression, tokenizer: tokenizer, column: column)
      .snippet(of: text, wordCount: words, marking: ("[", "]"))
  }

  @Test func `words that match are marked in the form of the text`() throws {
    #expect(try snippet("zurich race*", "In ZÜRICH: a racecar.") == "In [ZÜRICH]: a [racecar].")
    #expect(try snippet("a OR b -c", "a c, b") == "[a] c, [b]")
    #expect(try snippet("x", "nothing here") == "nothing here")
    #expect(try snippet("x", " … ") == " … ")
  }

  @Test func `a phrase has one mark, and its words alone have none`() throws {
    #expect(try snippet("\"data race\"", "data, a data race; race") == "data, a [data race]; race")
    #expect(try snippet("\"a a\"", "a a a b a") == "[a a a] b a")
    #expect(try snippet("\"data rac\"*", "data racing data") == "[data racing] data")
  }

  @Test func `words of NEAR are marked only near to each other`() throws {
    #expect(try snippet("NEAR(a b, 1)", "a x b a x x b") == "[a] x [b] [a] x x b")
    #expect(try snippet("NEAR(a \"b c\", 0)", "b c a b c x a") == "[b c] [a] [b c] x a")
    #expect(try snippet("NEAR(a b c, 1)", "a b x a x x c") == "a b x a x x c")
  }

  @Test func `parts of a query for other columns mark nothing`() throws {
    #expect(try snippet("title:a b", "a b", column: 0) == "[a] [b]")
    #expect(try snippet("title:a b", "a b", column: 1) == "a [b]")
  }

  @Test func `the part with the most distinct words is shown, the first of such parts`() throws {
    let text = "one a two a three four b a five six a b seven"
    #expect(try snippet("a b", text, words: 3) == "…four [b] [a]…")
    #expect(try snippet("a b", text, words: 2) == "…[b] [a]…")
    #expect(try snippet("seven", text, words: 1) == "…[seven]")
    #expect(try snippet("one", text, words: 1) == "[one]…")
    #expect(try snippet("x", text, words: 2) == "one a…")
  }

  @Test func `matches stand in the middle of their part`() throws {
    let text = "1 2 3 4 5 x 7 8 9 10"
    #expect(try snippet("x", text, words: 5) == "…4 5 [x] 7 8…")
    #expect(try snippet("x", text, words: 9) == "…2 3 4 5 [x] 7 8 9 10")
    #expect(try snippet("1", text, words: 5) == "[1] 2 3 4 5…")
  }

  @Test func `text around the words is kept, and cut at words`() throws {
    #expect(try snippet("b", "(a), \"b\" – c.", words: 2) == "(a), \"[b]…")
    #expect(try snippet("c", "(a), \"b\" – c.", words: 2) == "…b\" – [c].")
    #expect(try snippet("a", "(a), \"b\" – c.") == "([a]), \"b\" – c.")
  }

  @Test func `letters of scripts without spaces are marked and cut one by one`() throws {
    #expect(try snippet("京都", "東京都に") == "東[京都]に")
    #expect(try snippet("東京都", "その東京都に") == "その[東京都]に")
    #expect(try snippet("京", "東京都に京") == "東[京]都に[京]")
    #expect(try snippet("京都", "一二三東京都に四五六", words: 4) == "…三東[京都]…")
    #expect(try snippet("京都", "一二三東京都に四五六", words: 1) == "…[京都]…")
  }

  @Test func `a character of several letters is marked whole`() throws {
    #expect(try snippet("バーガー", "ハンバーガーを") == "ハン[バーガー]を")
    #expect(try snippet("ートル", "5㍍の") == "5[㍍]の")
    #expect(try snippet("トルの", "5㍍の山") == "5[㍍の]山")
    #expect(try snippet("ル", "5㍍の山") == "5[㍍]の山")
    #expect(try snippet("メートル", "5㍍の山", words: 1) == "…[㍍]…")
  }

  @Test(.needsStemmers) func `an elided word is not marked, and an ending is`() throws {
    let french = TokenizerSettings(language: "fr")
    #expect(try snippet("hôtel", "À l’hôtel d'Été", settings: french) == "À l’[hôtel] d'Été")
    #expect(
      try snippet("\"l'hôtel d'été\"", "À l’hôtel d'Été", settings: french) == "À l’[hôtel d'Été]"
    )
    let turkish = TokenizerSettings(language: "tr")
    #expect(try snippet("türkiye", "TÜRKİYE’NİN adı", settings: turkish) == "[TÜRKİYE’NİN] adı")
  }

  @Test(.needsStemmers) func `stemmed words are marked whole`() throws {
    let english = TokenizerSettings(language: "en")
    #expect(try snippet("run", "He runs, running.", settings: english) == "He [runs], [running].")
  }

  @Test(arguments: 0..<16)
  func `a snippet without its marks is a part of the text`(seed: Int) throws {
    var random = SplitMix(seed: seed)
    let tokenizer = try Tokenizer()
    let parser = TextQueryParser(tokenizer: tokenizer)
    let words = ["a", "b", "é", "東", "京", "都", "の", "x-y", "c", "㍍", "ル"]
    let queries = [
      "a", "東", "京都", "\"a b\"", "\"b é\"*", "NEAR(a b, 2)", "NEAR(a 東京 é, 3)", "x", "a OR 都*",
      "\"の 東\"", "b -a",
    ]
    for _ in 0..<300 {
      var text = ""
      for _ in 0..<Int.random(in: 0...24, using: &random) {
        text += random.pick(words) + random.pick(["", " ", ", "])
      }
      let expression = try parser.parse(random.pick(queries))
      let count = Int.random(in: 0...12, using: &random)
      let snippet = TextSnippets(of: expression, tokenizer: tokenizer)
        .snippet(of: text, wordCount: count, marking: ("[", "]"), ellipsis: "|")
      let plain = snippet.filter { !"[]|".contains($0) }
      #expect(text.contains(plain), "\(text) gives \(snippet)")
      if !snippet.hasPrefix("|") { #expect(text.hasPrefix(plain)) }
      if !snippet.hasSuffix("|") { #expect(text.hasSuffix(plain)) }
    }
  }
}
