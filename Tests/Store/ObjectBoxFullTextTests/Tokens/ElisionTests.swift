import Foundation
import ObjectBoxFullText
import Testing

@Suite(.needsStemmers) struct ElisionTests {
  /// A word that is written together with another one, and the word alone.
  struct Pair: CustomTestStringConvertible, Sendable {
    let language: String
    let joined: String
    let word: String
    var testDescription: String { "\(language) \(joined)" }
  }

  private static func pairs(_ language: String, _ texts: [(String, String)]) -> [Pair] {
    texts.map { Pair(language: language, joined: "\($0)'\($1)", word: $1) }
  }

  /// Words before the apostrophe of each language, and words behind it.
  private static let elided: [Pair] = [
    pairs(
      "fr",
      [
        ("l", "hôtel"), ("d", "eau"), ("j", "arrive"), ("m", "appelle"), ("t", "attends"),
        ("s", "habiller"), ("n", "importe"), ("c", "était"), ("ç", "aurait"), ("qu", "elle"),
        ("jusqu", "alors"), ("lorsqu", "on"), ("puisqu", "elles"), ("quoiqu", "ils"),
      ]
    ),
    pairs(
      "it",
      [
        ("l", "amore"), ("un", "amica"), ("gl", "italiani"), ("all", "alba"), ("dall", "alto"),
        ("dell", "amore"), ("nell", "acqua"), ("sull", "erba"), ("coll", "occhio"),
        ("pell", "aria"), ("agl", "inglesi"), ("dagl", "occhi"), ("degl", "inverni"),
        ("negl", "anni"), ("sugl", "alberi"), ("cogl", "amici"), ("quest", "anno"),
        ("quell", "uomo"), ("c", "era"), ("d", "accordo"), ("m", "ama"), ("n", "andò"),
        ("s", "intende"), ("t", "amo"), ("v", "invito"),
      ]
    ),
    pairs(
      "ca",
      [
        ("l", "hotel"), ("l", "escola"), ("l", "illa"), ("d", "aigua"), ("d", "estiu"),
        ("d", "una"), ("m", "agrada"), ("n", "hi"), ("s", "obre"), ("s", "ha"), ("t", "estimo"),
      ]
    ),
    pairs(
      "ga",
      [
        ("d", "fhág"), ("d", "ól"), ("d", "imigh"), ("d", "éirigh"), ("m", "athair"),
        ("m", "iníon"), ("m", "ainm"), ("b", "fhéidir"), ("b", "fhearr"), ("b", "álainn"),
        ("b", "éigean"),
      ]
    ),
    pairs(
      "pt",
      [
        ("d", "água"), ("d", "alva"), ("d", "arco"), ("d", "oeste"), ("d", "Ávila"), ("d", "ouro"),
        ("d", "Os"), ("n", "Os"), ("n", "alma"), ("n", "água"),
      ]
    ),
    pairs(
      "el",
      [
        ("τ", "άλλα"), ("τ", "όνομα"), ("σ", "αγαπώ"), ("μ", "αρέσει"), ("ν", "αγαπάς"),
        ("θ", "ανοίξει"), ("κ", "εγώ"), ("π", "αγαπώ"), ("απ", "όλα"), ("γι", "αυτό"),
        ("κατ", "αρχήν"), ("παρ", "όλο"), ("επ", "ευκαιρία"), ("μετ", "εμποδίων"), ("καθ", "οδόν"),
      ]
    ),
  ].flatMap { $0 }

  /// Turkish names with endings.
  private static let names: [Pair] = [
    ("Türkiye", "nin"), ("Ankara", "ya"), ("İstanbul", "da"), ("Ahmet", "in"), ("Atatürk", "ün"),
    ("Diyarbakır", "dan"), ("Isparta", "lılar"), ("Ağrı", "nın"), ("İzmir", "deki"),
    ("Fatma", "yla"), ("TBMM", "ye"), ("Çanakkale", "den"),
  ].map { Pair(language: "tr", joined: "\($0)'\($1)", word: $0) }

  private static func words(_ text: String, _ language: String) throws -> [String] {
    words(text, try Tokenizer(TokenizerSettings(language: language)))
  }

  private static func words(_ text: String, _ tokenizer: Tokenizer) -> [String] {
    var words: [String] = []
    tokenizer.forEachToken(in: text) { word, _, _ in
      words.append(String(decoding: word, as: UTF8.self))
    }
    return words
  }

  /// The text with each of the apostrophes that keyboards and programs write.
  private static func forms(_ text: String) -> [String] {
    ["'", "’", "‘", "＇"].map { form in
      String(text.flatMap { $0 == "'" ? Array(form) : [$0] })
    }
  }

  @Test(arguments: elided)
  func `an elided word before an apostrophe is left out`(_ pair: Pair) throws {
    let tokenizer = try Tokenizer(TokenizerSettings(language: pair.language))
    let expected = Self.words(pair.word, tokenizer)
    #expect(expected.count == 1)
    for text in Self.forms(pair.joined) {
      for text in [text, text.uppercased(), text.capitalized] {
        #expect(Self.words(text, tokenizer) == expected, "\(text)")
      }
    }
  }

  @Test(arguments: names)
  func `endings behind the apostrophe of a Turkish name are left out`(_ pair: Pair) throws {
    let expected = try Self.words(pair.word, "tr")
    #expect(expected.count == 1)
    for text in Self.forms(pair.joined) { #expect(try Self.words(text, "tr") == expected) }
  }

  @Test func `the letter i of Turkish has a dot in both cases or in none`() throws {
    let pairs = [
      ("TÜRKİYE'NİN", "türkiye"), ("DİYARBAKIR", "diyarbakır"), ("ISPARTA'LI", "ısparta"),
      ("İZMİR", "izmir"), ("I\u{307}ZMI\u{307}R", "izmir"), ("IĞDIR'DA", "ığdır"),
    ]
    for (capital, small) in pairs {
      let settings = TokenizerSettings(language: "tr", diacritics: .keep)
      var found: [[String]] = [[], []]
      for (place, text) in [capital, small].enumerated() {
        try Tokenizer(settings).forEachToken(in: text) { word, _, _ in
          found[place].append(String(decoding: word, as: UTF8.self))
        }
      }
      #expect(found[0] == found[1] && found[0].count == 1, "\(capital)")
    }
    // Other languages have one letter i.
    #expect(try Self.words("TITLE", "en") == Self.words("title", "en"))
    // Without marks, texts of Turkish have one, too.
    #expect(try Self.words("Isparta", "tr") == Self.words("ISPARTA", "tr"))
    #expect(try Self.words("Isparta", "tr").first?.hasPrefix("ispa") == true)
  }

  @Test func `the English genitive is a form of its word`() throws {
    for text in Self.forms("dog's") + ["DOG’S", "dogs’", "dogs'"] {
      #expect(try Self.words(text, "en") == ["dog"], "\(text)")
    }
    #expect(try Self.words("O’Neill’s", "en") == Self.words("O'Neill", "en"))
  }

  @Test func `other words keep their apostrophe`() throws {
    for text in ["aujourd'hui", "quelqu'un", "presqu'île", "O'Connor"] {
      #expect(try Self.words(text, "fr").first?.contains("'") == true, "\(text)")
    }
    #expect(try Self.words("trent'anni", "it").first?.contains("'") == true)
    var words: [String] = []
    try Tokenizer().forEachToken(in: "l’hôtel Türkiye'nin") { word, _, _ in
      words.append(String(decoding: word, as: UTF8.self))
    }
    #expect(words == ["l'hotel", "turkiye'nin"])
  }

  @Test func `the place of a word is behind what is elided, and has its endings`() throws {
    func places(_ text: String, _ language: String) throws -> [String] {
      var places: [String] = []
      let bytes = Array(text.utf8)
      try Tokenizer(TokenizerSettings(language: language)).forEachToken(in: text) { _, _, place in
        places.append(String(decoding: bytes[place], as: UTF8.self))
      }
      return places
    }
    #expect(try places("à l’hôtel d'Été", "fr") == ["à", "hôtel", "Été"])
    #expect(try places("JUSQU＇ALORS, quelqu’un", "fr") == ["ALORS", "quelqu’un"])
    #expect(try places("Türkiye’nin adı", "tr") == ["Türkiye’nin", "adı"])
  }

  @Test func `beginnings of words are elided, too`() throws {
    func parse(_ text: String, _ language: String) throws -> TextExpression {
      try TextQueryParser(tokenizer: Tokenizer(TokenizerSettings(language: language))).parse(text)
    }
    #expect(try parse("l'hôt*", "fr") == .prefix("hot"))
    #expect(try parse("\"à l’hôt\"*", "fr") == parse("\"à hôt\"*", "fr"))
    #expect(try parse("-d'eau vin", "fr") == parse("-eau vin", "fr"))
    #expect(try parse("NEAR(l'hôtel d'eau, 2)", "fr") == parse("NEAR(hôtel eau, 2)", "fr"))
    #expect(try parse("Türkiye'n*", "tr") == parse("türkiye*", "tr"))
  }
}
