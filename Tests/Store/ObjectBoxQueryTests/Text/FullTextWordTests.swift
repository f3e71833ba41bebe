import ObjectBox
import ObjectBoxRuntimeTestSupport
import ObjectBoxSearch
import ObjectBoxTestSupport
import Testing

/// Which texts a word of a search finds.
struct FullTextWordTests {
  /// A letter of a script without spaces, in the forms that texts may have.
  private struct Letter {
    let forms: [String]
    init(_ forms: String...) { self.forms = forms }
  }

  private static let letters = [
    Letter("ア", "ｱ", "㋐"), Letter("ガ", "ｶﾞ", "カ\u{3099}", "カ゛"), Letter("パ", "ﾊﾟ", "ハ゜"),
    Letter("ー", "ｰ"),
    Letter("メ", "ﾒ"), Letter("ト", "ﾄ"), Letter("ル", "ﾙ"), Letter("ッ", "ｯ"), Letter("ヵ"),
    Letter("の"),
    Letter("東"), Letter("ท"),
  ]
  /// The letters of words that have a scalar of their own.
  private static let squares: [(String, [Int])] = [("㍍", [4, 3, 5, 6])]

  /// Returns a text of letters, each in one of its forms.
  private func text(of letters: ArraySlice<Int>, _ random: inout SplitMix) -> String {
    var text = ""
    var rest = letters
    while let letter = rest.first {
      if let square = Self.squares.first(where: { rest.starts(with: $0.1) }),
        Bool.random(using: &random)
      {
        text += square.0
        rest = rest.dropFirst(square.1.count)
      } else {
        text += random.pick(Self.letters[letter].forms)
        rest = rest.dropFirst()
      }
    }
    return text
  }

  @Test(arguments: 0..<4)
  func `any part of a text in a script without spaces is found, in each form of its letters`(
    seed: Int
  ) throws {
    var random = SplitMix(seed: seed)
    let pages = try PageStore(PageIndexes(prefixLengths: seed % 2 == 0 ? [] : [1, 2]))
    var texts: [[Int]] = []
    for _ in 0..<12 {
      var letters: [Int] = []
      for _ in 0..<Int.random(in: 1...10, using: &random) {
        if Int.random(in: 0..<6, using: &random) == 0 {
          letters += Self.squares[0].1
        } else {
          letters.append(Int.random(in: 0..<Self.letters.count, using: &random))
        }
      }
      texts.append(letters)
      try pages.box.put(Page(text(of: letters[...], &random)))
    }
    for letters in texts {
      for start in letters.indices {
        for end in start + 1...letters.count {
          let part = letters[start..<end]
          let expected = texts.indices.filter { index in
            texts[index].indices.contains { texts[index][$0...].starts(with: part) }
          }.map { UInt64($0 + 1) }
          let search = text(of: part, &random)
          #expect(try pages.ids(matching: search) == expected, "\(search)")
          #expect(try pages.ids(matching: "\"\(search)\"*") == expected, "\(search)*")
        }
      }
    }
    #expect(try pages.faults() == [])
  }

  @Test func `Katakana is found beside other scripts, and as a whole word`() throws {
    let pages = try PageStore()
    try pages.box.put(
      ["ハンバーガー", "ﾊﾝﾊﾞｰｸﾞを食べる", "東京タワー", "レオナルド゠ダ・ヴィンチ", "iPhoneケース 5㍍"].map { Page($0) }
    )
    #expect(try pages.ids(matching: "バーガー") == [1])
    #expect(try pages.ids(matching: "ハンバー") == [1, 2])
    #expect(try pages.ids(matching: "ハンバーグ") == [2])
    #expect(try pages.ids(matching: "バー*") == [1, 2])
    #expect(try pages.ids(matching: "京タワ") == [3])
    #expect(try pages.ids(matching: "タワー") == [3])
    #expect(try pages.ids(matching: "\"ダ ヴィンチ\"") == [4])
    #expect(try pages.ids(matching: "レオナルド・ダ") == [4])
    #expect(try pages.ids(matching: "iphone ケース メートル") == [5])
    #expect(try pages.ids(matching: "iphoneケース") == [5])
    #expect(try pages.ids(matching: "ガーハ") == [])
  }

  @Test func `a colon separates words in texts and searches`() throws {
    let pages = try PageStore(PageIndexes(titleWeight: 1))
    try pages.box.put([
      Page("TODO:fix the build"), Page("titel：swift"), Page("EU:s fix, then todo"),
      Page("swift titel"), Page("at 10:30", title: "swift"),
    ])
    #expect(try pages.ids(matching: "fix") == [1, 3])
    #expect(try pages.ids(matching: "todo:fix") == [1])
    #expect(try pages.ids(matching: "titel:swift") == [2])
    #expect(try pages.ids(matching: "titel:sw*") == [2])
    #expect(try pages.ids(matching: "eu") == [3])
    #expect(try pages.ids(matching: "todo -todo:fix") == [3])
    #expect(try pages.ids(matching: "10:30") == [5])
    func together(_ text: String) throws -> [UInt64] {
      try pages.box.query { Page.words.matches(text) }.build().findIds().map(\.value)
    }
    #expect(try together("title:swift") == [5])
    #expect(try together("titel:swift") == [2])
    #expect(try together("\"title:swift\"") == [])
  }

  @Test(
    .enabled("Snowball's library is installed") {
      (try? PageStore(PageIndexes(language: "fr"))) != nil
    }
  )
  func `a word is found behind an elided one, and the other way round`() throws {
    let pages = try PageStore(PageIndexes(language: "fr"))
    try pages.box.put([
      Page("À l’hôtel de ville"), Page("Un hôtel d'Été"), Page("L'HÔTELIER"), Page("aujourd'hui"),
    ])
    #expect(try pages.ids(matching: "hôtel") == [1, 2])
    #expect(try pages.ids(matching: "d'hotels") == [1, 2])
    #expect(try pages.ids(matching: "hot*") == [1, 2, 3])
    #expect(try pages.ids(matching: "l'hot*") == [1, 2, 3])
    #expect(try pages.ids(matching: "\"hôtel de ville\"") == [1])
    #expect(try pages.ids(matching: "\"a l'hôtel\"") == [1])
    #expect(try pages.ids(matching: "hôtel -d'été") == [1])
    #expect(try pages.ids(matching: "NEAR(l'hôtel été, 0)") == [2])
    #expect(try pages.ids(matching: "hui") == [])
    #expect(try pages.ids(matching: "aujourd’hui") == [4])
    #expect(try pages.faults() == [])
  }
}
