import Foundation
import ObjectBoxFullText
import Testing

struct StemmingTests {
  private func words(_ text: String, _ settings: TokenizerSettings, isStemming: Bool = true)
    throws -> [String]
  {
    var words: [String] = []
    try Tokenizer(settings).forEachToken(in: text, isStemming: isStemming) { word, _, _ in
      words.append(String(decoding: word, as: UTF8.self))
    }
    return words
  }

  @Test func `a language without an algorithm is refused`() throws {
    #expect(throws: TokenizerError.unknownLanguage("xx")) {
      try Tokenizer(TokenizerSettings(language: "xx"))
    }
    #expect(TokenizerError.unknownLanguage("xx").description.contains("'xx'"))
  }

  @Test func `a length of prefixes out of range is refused`() throws {
    #expect(throws: TokenizerError.invalidPrefixLength(0)) {
      try Tokenizer(TokenizerSettings(prefixLengths: [2, 0]))
    }
  }

  @Test func `the identity tells settings apart`() throws {
    let identities = try [
      TokenizerSettings(), TokenizerSettings(diacritics: .keep),
      TokenizerSettings(prefixLengths: [2]), TokenizerSettings(prefixLengths: [3, 2]),
    ].map { String(decoding: try Tokenizer($0).identity, as: UTF8.self) }
    #expect(Set(identities).count == 4)
    #expect(identities[0] == "2 unicode=15.0.0 diacritics=fold")
    #expect(identities[3] == "2 unicode=15.0.0 diacritics=fold prefix=2,3")
  }

  @Test(.needsStemmers, arguments: TokenizerSettings.languages)
  func `each language has a stemmer with an identity of its own`(language: String) throws {
    let settings = TokenizerSettings(language: language)
    let first = try Tokenizer(settings).identity
    #expect(try first == Tokenizer(settings).identity)
    let text = String(decoding: first, as: UTF8.self)
    #expect(text.hasPrefix("2 unicode=15.0.0 language=\(language) stemmer="))
  }

  @Test(.needsStemmers) func `words are stemmed before they lose their marks`() throws {
    let german = TokenizerSettings(language: "de")
    #expect(try words("Häuser Haus Zürich", german) == ["haus", "haus", "zurich"])
    let english = TokenizerSettings(language: "en")
    #expect(try words("running naïve don’t", english) == ["run", "naiv", "don't"])
    #expect(try words("東京都", english) == ["東京", "京都", "都"])
  }

  @Test(.needsStemmers) func `beginnings of words are not stemmed`() throws {
    let english = TokenizerSettings(language: "en")
    #expect(try words("Running", english, isStemming: false) == ["running"])
  }

  @Test(.needsStemmers) func `one tokenizer serves several threads`() async throws {
    let tokenizer = try Tokenizer(TokenizerSettings(language: "en"))
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 {
        group.addTask {
          var isRight = true
          for _ in 0..<200 {
            var found: [String] = []
            tokenizer.forEachToken(in: "running houses quickly") { word, _, _ in
              found.append(String(decoding: word, as: UTF8.self))
            }
            isRight = isRight && found == ["run", "hous", "quick"]
          }
          return isRight
        }
      }
      for await isRight in group { #expect(isRight) }
    }
  }

  @Test func `a language is refused without the library of stemmers`() async throws {
    await #expect(processExitsWith: .success) {
      setenv("OBJECTBOX_WITHOUT_LIBSTEMMER", "1", 1)
      #expect(throws: TokenizerError.missingLibrary(language: "en")) {
        try Tokenizer(TokenizerSettings(language: "en"))
      }
      _ = try Tokenizer()
    }
    #expect(TokenizerError.missingLibrary(language: "en").description.contains("libstemmer0d"))
  }
}

extension Trait where Self == ConditionTrait {
  /// Leaves a test out where Snowball's library is not installed.
  static var needsStemmers: Self {
    .enabled("Snowball's library is installed") {
      (try? Tokenizer(TokenizerSettings(language: "en"))) != nil
    }
  }
}
