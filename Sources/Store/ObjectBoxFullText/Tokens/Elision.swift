/// A language's rule for words with an apostrophe: which part is the word to search for.
enum Elision: Sendable {
  /// Articles, pronouns and prepositions before the apostrophe are left out, as in "l'hôtel".
  case before(Set<String>)
  /// Endings of names after the apostrophe are left out, as in "Türkiye'nin".
  case behind

  /// Returns the rule of a language; nil for languages with stemmers that treat apostrophes as letters.
  init?(language: String?) {
    switch language {
    case "ca": self = .before(["d", "l", "m", "n", "s", "t"])
    case "el":
      self = .before([
        "αντ", "απ", "αφ", "γι", "δι", "επ", "εφ", "θ", "κ", "καθ", "κατ", "κι", "μ", "μεθ", "μετ",
        "ν", "π", "παρ", "σ", "τ", "υπ", "υφ",
      ])
    case "fr":
      self = .before([
        "c", "d", "j", "jusqu", "l", "lorsqu", "m", "n", "puisqu", "qu", "quoiqu", "s", "t", "ç",
      ])
    case "ga": self = .before(["b", "d", "m"])
    case "it":
      self = .before([
        "agl", "all", "c", "cogl", "coll", "d", "dagl", "dall", "degl", "dell", "gl", "l", "m", "n",
        "negl", "nell", "pell", "quell", "quest", "s", "sugl", "sull", "t", "un", "v",
      ])
    case "pt": self = .before(["d", "n"])
    case "tr": self = .behind
    default: return nil
    }
  }

  /// Returns the part of a folded word that is searched for; the whole word if the rule does not apply.
  func part(of word: UnsafeBufferPointer<UInt8>) -> Range<Int> {
    guard let place = word.firstIndex(of: UInt8(ascii: "'")) else { return 0..<word.count }
    switch self {
    case .behind: return 0..<place
    case .before(let elided):
      let isElided = elided.contains(String(decoding: word[..<place], as: UTF8.self))
      return (isElided ? place + 1 : 0)..<word.count
    }
  }

  /// Returns the end of the first apostrophe in the part of a text where a word comes from.
  ///
  /// Folding maps four apostrophes to one.
  static func endOfApostrophe(
    in text: UnsafeBufferPointer<UInt8>,
    _ word: Range<Int>
  ) -> Int {
    for place in word {
      switch text[place] {
      case 0x27: return place + 1
      case 0xe2, 0xef:
        let form = text[place..<min(place + 3, word.upperBound)]
        if Self.forms.contains(where: { form.elementsEqual($0) }) { return place + 3 }
      default: continue
      }
    }
    return word.lowerBound
  }

  /// The apostrophes ‘, ’ and ＇ in UTF-8.
  private static let forms: [[UInt8]] = [
    [0xe2, 0x80, 0x98], [0xe2, 0x80, 0x99], [0xef, 0xbc, 0x87],
  ]
}
