/// Words generated from a language's letters; their stems distinguish versions of Snowball's library.
///
/// The library does not report its version. A changed rule changes some of the stems, unless it only applies to long
/// endings.
enum StemmerProbe {
  private static let count = 2_000

  /// Returns a hash of the stems of all words; takes about a millisecond.
  static func fingerprint(of stemmer: Stemmer, language: String) -> UInt64 {
    let letters = letters(of: language)
    var state: UInt64 = 1
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for _ in 0..<count {
      var word: [UInt8] = []
      for _ in 0..<3 + next(&state, below: 8) {
        word.append(contentsOf: String(letters[next(&state, below: letters.count)]).utf8)
      }
      word.withUnsafeBufferPointer { word in
        guard let start = word.baseAddress else { return }
        let (stem, size) = stemmer.stem(start, word.count)
        for byte in UnsafeBufferPointer(start: stem, count: size) {
          hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3
        }
        hash = (hash ^ 0xff) &* 0x100_0000_01b3
      }
    }
    return hash
  }

  private static func next(_ state: inout UInt64, below bound: Int) -> Int {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int(state >> 33) % bound
  }

  /// The letters of the language's script; letters of endings several times.
  private static func letters(of language: String) -> [Unicode.Scalar] {
    switch language {
    case "ar": Array("ابتثجحخدذرزسشصضطظعغفقكلمنهويىةاالليونت".unicodeScalars)
    case "el": Array("αβγδεζηθικλμνξοπρσςτυφχψωάέήίόύώεισουν".unicodeScalars)
    case "hi", "ne": Array("अआइईउएकखगघचजटडतथदधनपबभमयरलवशसहािीुूेैोौ्ंँ".unicodeScalars)
    case "hy": Array("աբգդեզէըթժիլխծկհձղճմյնշոչպջռսվտրցւփքօֆեանուր".unicodeScalars)
    case "ru": Array("абвгдеёжзийклмнопрстуфхцчшщъыьэюяеаиоймтсяг".unicodeScalars)
    case "sr": Array("абвгдђежзијклљмнњопрстћуфхцчџшaeiougmsćčđšž".unicodeScalars)
    case "ta": Array("அஆஇஉஎஏஐஒகஙசஞடணதநபமயரலவழளறனாிீுூெேைொோ்".unicodeScalars)
    case "yi": Array("אבגדהוזחטיכלמנסעפצקרשתםןףץעןטרס".unicodeScalars)
    default:
      Array("aaabcdeeeefghiiijklmnnnooopqrrrssstttuvwxyzäöüßåæøéèàçñõıșțęíóúő'".unicodeScalars)
    }
  }
}
