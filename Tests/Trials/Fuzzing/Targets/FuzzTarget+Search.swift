import ObjectBoxFullText

extension FuzzTarget {
  /// Texts of queries and texts to search, as users write both.
  static let search = FuzzTarget("search") {
    [
      "query": FuzzInput.part(
        Array("title:(swift* OR \"data race\") -NEAR(é 東京, 3)".utf8),
        behind: 0
      )
        + Array("Swift's data-race … é in 東京都 ภาษาไทย".utf8),
      "kana": FuzzInput.part(Array("ﾊﾞｰ* OR title:メートル OR fix:x".utf8), behind: 0)
        + Array("5㍍の㌔ カ゛ラス ﾊﾝﾊﾞｰｶﾞｰ TODO:fix".utf8),
      "kept": FuzzInput.part(Array("Zürich".utf8), behind: 1) + Array("Zu\u{308}rich".utf8),
    ]
  } body: { input, _ in
    var input = input
    let settings = TokenizerSettings(diacritics: input.byte() & 1 == 0 ? .fold : .keep)
    let tokenizer = try Tokenizer(settings)
    let query = String(decoding: input.part(), as: UTF8.self)
    var text: [UInt8] = []
    while !input.isAtEnd { text.append(input.byte()) }
    var end = 0
    text.withUnsafeBufferPointer { bytes in
      tokenizer.forEachToken(in: bytes) { word, _, place in
        precondition(!word.isEmpty && word.count <= Tokenizer.maximumSize, "a word has no size")
        precondition(String(validating: word, as: UTF8.self) != nil, "a word is no UTF-8")
        precondition(place.upperBound >= end && place.upperBound <= bytes.count, "a wrong place")
        end = place.upperBound
      }
    }
    do {
      let expression = try TextQueryParser(tokenizer: tokenizer, columns: ["title", "text"])
        .parse(query)
      _ = TextSnippets(of: expression, tokenizer: tokenizer)
        .snippet(of: String(decoding: text, as: UTF8.self), wordCount: 5, marking: ("[", "]"))
    } catch let fault as TextQueryFault {
      precondition(fault.place.upperBound <= query.utf8.count, "a fault is outside of the text")
      precondition(!fault.description.isEmpty, "a fault has no text")
    }
  }
}
