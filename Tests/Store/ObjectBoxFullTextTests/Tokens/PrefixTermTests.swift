import ObjectBoxFullText
import Testing

struct PrefixTermTests {
  private func prefixes(_ word: String, _ lengths: [Int]) throws -> [String] {
    var found: [String] = []
    let tokenizer = try Tokenizer(TokenizerSettings(prefixLengths: lengths))
    Array(word.utf8).withUnsafeBytes { word in
      tokenizer.forEachPrefix(of: word) { term in
        #expect(term.first == FullTextTokens.beginningMark)
        found.append(String(decoding: term.dropFirst(), as: UTF8.self))
      }
    }
    return found
  }

  @Test func `a word has the beginnings that it is long enough for`() throws {
    #expect(try prefixes("swift", [2, 3]) == ["sw", "swi"])
    #expect(try prefixes("sw", [3, 2]) == ["sw"])
    #expect(try prefixes("s", [2, 3]) == [])
    #expect(try prefixes("swift", []) == [])
  }

  @Test func `lengths count characters`() throws {
    #expect(try prefixes("йод", [1, 2, 3, 4]) == ["й", "йо", "йод"])
    #expect(try prefixes("東京", [1, 2, 3]) == ["東", "東京"])
    let longest = String(repeating: "😀", count: 16)
    #expect(try prefixes(longest + "x", [16]) == [longest])
  }

  @Test func `only beginnings of the lengths asked for stand in the index`() throws {
    let tokenizer = try Tokenizer(TokenizerSettings(prefixLengths: [2]))
    #expect(tokenizer.prefixTerm(for: "йо") == "\u{1}йо")
    #expect(tokenizer.prefixTerm(for: "йод") == nil)
  }
}
