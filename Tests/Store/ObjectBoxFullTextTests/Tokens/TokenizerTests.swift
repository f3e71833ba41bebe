import ObjectBoxFullText
import ObjectBoxTestSupport
import Testing

struct TokenizerTests {
  private func words(_ text: String, _ settings: TokenizerSettings = TokenizerSettings()) throws
    -> [String]
  {
    var words: [String] = []
    try Tokenizer(settings).forEachToken(in: text) { word, position, _ in
      #expect(Int(position) == words.count)
      words.append(String(decoding: word, as: UTF8.self))
    }
    return words
  }

  @Test func `letters and digits make words, and other characters separate them`() throws {
    #expect(
      try words("Say \"data-race\": 3 times (or 3.14, or 1,000)!")
        == ["say", "data", "race", "3", "times", "or", "3.14", "or", "1,000"]
    )
    #expect(try words(" … 👍🏽 -- ") == [])
    #expect(try words("") == [])
  }

  @Test func `apostrophes, points and underscores inside of words join them`() throws {
    #expect(try words("don't don’t U.S.A. 'quoted'") == ["don't", "don't", "u.s.a", "quoted"])
    #expect(try words("data_race __init__ _x ___") == ["data_race", "init", "x"])
    // The quote of a Hebrew letter ends its word.
    #expect(try words("ב'_א") == ["ב'", "א"])
  }

  @Test func `colons separate words, also between letters`() throws {
    #expect(
      try words("TODO:fix EU:s a：b c﹕d 10:30 std::vector")
        == ["todo", "fix", "eu", "s", "a", "b", "c", "d", "10", "30", "std", "vector"]
    )
    #expect(try words("col·lecció") == ["col·leccio"])
  }

  @Test func `words are folded by case and compatibility`() throws {
    #expect(
      try words("STRASSE Straße ＡＢＣ ﬁne ΣΊΣΥΦΟΣ ½")
        == ["strasse", "strasse", "abc", "fine", "σισυφοσ", "1⁄2"]
    )
  }

  @Test func `accents are removed unless the settings keep them`() throws {
    let text = "Zürich Zu\u{308}rich Łódź Ёлка йод Việt ά が"
    #expect(
      try words(text)
        == ["zurich", "zurich", "lodz", "елка", "йод", "viet", "α", "が"]
    )
    #expect(
      try words(text, TokenizerSettings(diacritics: .keep))
        == ["zürich", "zürich", "łódź", "ёлка", "йод", "việt", "ά", "が"]
    )
  }

  @Test func `composed and decomposed texts give equal words`() throws {
    let text = "한국어 ệ が क़ Ǟ"
    let decomposed =
      "\u{1112}\u{1161}\u{11ab}\u{1100}\u{116e}\u{11a8}\u{110b}\u{1165} "
      + "e\u{302}\u{323} か\u{3099} क\u{93c} A\u{308}\u{304}"
    let settings = TokenizerSettings(diacritics: .keep)
    #expect(try words(text, settings) == words(decomposed, settings))
    #expect(try words(text, settings).map(\.unicodeScalars.count) == [3, 1, 1, 2, 1])
  }

  @Test func `points of Hebrew and Arabic are removed`() throws {
    #expect(try words("שָׁלוֹם مُحَمَّد") == ["שלום", "محمد"])
  }

  @Test func `scripts without spaces give pairs of letters, the last letter alone`() throws {
    #expect(try words("東京都 tower") == ["東京", "京都", "都", "tower"])
    #expect(try words("ไทย") == ["ไท", "ทย", "ย"])
    #expect(try words("らーめん") == ["らー", "ーめ", "めん", "ん"])
    #expect(try words("人々") == ["人々", "々"])
    #expect(try words("日") == ["日"])
    #expect(try words("スイフト") == ["スイ", "イフ", "フト", "ト"])
    #expect(try words("東京タワー_x") == ["東京", "京タ", "タワ", "ワー", "ー", "x"])
    // A letter has its marks.
    #expect(try words("ที่นี่") == ["ที่นี่", "นี่"])
  }

  @Test func `forms of Katakana give equal words`() throws {
    let expected = try words("ハンバーガーガパ")
    for text in ["ﾊﾝﾊﾞｰｶﾞｰｶﾞﾊﾟ", "ハンバーガーカ\u{3099}ハ\u{309a}", "㋩ンバーガーカ゛ハ゜"] {
      #expect(try words(text) == expected)
    }
    #expect(try words("5㍍の㌔") == words("5メートルのキロ"))
    #expect(try words("ໝາ") == words("ຫມາ"))
    #expect(try words("゛ ヴィ゠ダ・ー") == ["ヴィ", "ィ", "ダ", "ー"])
  }

  @Test func `places of words are those of the text`() throws {
    let text = "Zürich, 東京\u{301}都 x"
    var places: [String] = []
    let bytes = Array(text.utf8)
    try Tokenizer().forEachToken(in: text) { _, _, place in
      places.append(String(decoding: bytes[place], as: UTF8.self))
    }
    #expect(places == ["Zürich", "東京\u{301}", "京\u{301}都", "都", "x"])
  }

  @Test(arguments: ["a", "é", "😀é", "한"])
  func `long words are cut at a character`(letter: String) throws {
    let found = try words(String(repeating: letter, count: 100_000) + " b")
    #expect(found.allSatisfy { $0.utf8.count <= Tokenizer.maximumSize })
    #expect(found.allSatisfy { !$0.contains("\u{fffd}") })
    #expect(found.last == "b")
  }

  @Test func `a word of many marks ends`() throws {
    let marks = String(repeating: "\u{301}", count: 100_000)
    #expect(try words("a\(marks)b c") == ["a", "c"])
    #expect(try words(marks) == [])
  }

  @Test func `bytes that are no UTF-8 separate words`() throws {
    let bytes: [UInt8] =
      Array("one".utf8) + [0xff, 0xc3] + Array("two".utf8) + [0xed, 0xa0, 0x80]
      + Array("é".utf8) + [0xf0, 0x9f]
    var found: [String] = []
    try bytes.withUnsafeBufferPointer { bytes in
      try Tokenizer().forEachToken(in: bytes) { word, _, _ in
        found.append(String(decoding: word, as: UTF8.self))
      }
    }
    #expect(found == ["one", "two", "e"])
  }

  @Test(arguments: 0..<64)
  func `any bytes give words of the text, in order`(seed: Int) throws {
    var random = SplitMix(seed: seed)
    let parts: [[UInt8]] =
      [
        "a", "B1", "_", ".", "'", "’", "\"", ",", " ", "é", "e\u{301}", "א", "東", "の", "ー", "ท",
        "ี", "ß",
      ]
      .map { Array($0.utf8) } + [[0xff], [0xe6], [0xf0, 0x9f], [0x80], [0xed, 0xa0, 0x80], [0]]
    let tokenizer = try Tokenizer()
    for _ in 0..<200 {
      var bytes: [UInt8] = []
      for _ in 0..<Int.random(in: 0...24, using: &random) {
        bytes += parts.randomElement(using: &random) ?? []
      }
      var last = 0..<0
      bytes.withUnsafeBufferPointer { buffer in
        tokenizer.forEachToken(in: buffer) { word, _, place in
          #expect(!word.isEmpty && !place.isEmpty && place.upperBound <= bytes.count)
          #expect(place.lowerBound >= last.lowerBound || last.isEmpty)
          #expect(
            place.lowerBound >= last.upperBound || Tokenizer.isOfRun(word)
          )
          #expect(String(validating: word, as: UTF8.self) != nil)
          last = place
        }
      }
      // The fast way of ASCII and the general one agree: nothing before a word changes it.
      var alone: [UInt8] = []
      bytes.withUnsafeBufferPointer { buffer in
        tokenizer.forEachToken(in: buffer) { word, _, place in
          if Tokenizer.isOfRun(word) { return }
          alone = []
          tokenizer.forEachToken(in: UnsafeBufferPointer(rebasing: buffer[place])) { word, _, _ in
            alone += word
          }
          #expect(alone == Array(word))
        }
      }
    }
  }
}
