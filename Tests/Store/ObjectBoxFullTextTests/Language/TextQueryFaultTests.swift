import ObjectBoxFullText
import ObjectBoxTestSupport
import Testing

struct TextQueryFaultTests {
  private static let parser = TextQueryParser(tokenizer: tokenizer, columns: ["title", "text"])

  private static var tokenizer: Tokenizer {
    do { return try Tokenizer() } catch { fatalError("\(error)") }
  }

  private func faultOf(_ text: String) -> TextQueryFault? {
    do {
      _ = try Self.parser.parse(text)
      return nil
    } catch {
      return error
    }
  }

  @Test(
    arguments: [
      ("", .noWord, ""), (" … & ", .noWord, " … & "), ("()", .noWord, "()"),
      ("-b NOT c", .onlyExclusions, "-"),
      ("a OR -b", .onlyExclusions, "-"), ("a (-b)", .onlyExclusions, "-"),
      ("é \"b c", .unclosedQuote, "\""), ("a b\"", .unclosedQuote, "\""),
      ("a (b", .unclosedParenthesis, "("), ("NEAR(a b", .unclosedParenthesis, "("),
      ("NEAR(a, 3", .unclosedParenthesis, ","), ("a) b", .unopenedParenthesis, ")"),
      ("*", .starWithoutWord, "*"), ("a -*", .starWithoutWord, "*"), ("&*", .starWithoutWord, "*"),
      ("\"\"*", .starWithoutWord, nil), ("*a", .starWithoutWord, "*"),
      ("a*b", .starInsideWord, "*"), ("a**", .starInsideWord, "*"),
      ("\"a b\"~10", .tildeAfterPhrase, "~"),
      ("OR a", .nothingBefore("OR"), "OR"), ("a OR OR b", .nothingBefore("OR"), "OR"),
      ("AND a", .nothingBefore("AND"), "AND"), ("a AND AND b", .nothingBefore("AND"), "AND"),
      ("a OR", .nothingBehind("OR"), "OR"), ("(a OR) b", .nothingBehind("OR"), "OR"),
      ("a AND", .nothingBehind("AND"), "AND"), ("a AND &", .nothingBehind("AND"), "AND"),
      ("a NOT", .nothingBehind("NOT"), "NOT"), ("a NOT NOT b", .nothingBehind("NOT"), "NOT"),
      ("a -()", .nothingBehind("-"), "-"), ("a title:", .nothingBehind("title:"), "title:"),
      ("title:(a text:b)", .columnInColumn("text"), "text:"),
      ("title:-a", .exclusionInColumn("title"), "-"),
      ("title:(a -b)", .exclusionInColumn("title"), "-"),
      ("NEAR()", .emptyNear, "NEAR()"), ("NEAR(&, 3)", .emptyNear, "NEAR(&, 3)"),
      ("NEAR(a OR b)", .otherInNear("OR"), "OR"), ("NEAR(a -b)", .otherInNear("-b"), "-b"),
      ("NEAR(a (b))", .otherInNear("("), "("),
      ("NEAR(title:a b)", .otherInNear("title:a"), "title:a"),
      ("NEAR(a b, x)", .invalidDistance("x"), " x"), ("NEAR(a b, )", .invalidDistance(""), " "),
      ("NEAR(a b, 100001)", .invalidDistance("100001"), " 100001"),
      ("NEAR(a b, 99999999999999999999)", .invalidDistance("99999999999999999999"), nil),
    ] as [(String, TextQueryFault.Kind, String?)]
  )
  func `a fault has a kind and a place`(
    text: String,
    kind: TextQueryFault.Kind,
    found: String?
  ) throws {
    let fault = faultOf(text)
    let place = try #require(fault).place
    #expect(fault?.kind == kind)
    if let found { #expect(String(decoding: Array(text.utf8)[place], as: UTF8.self) == found) }
  }

  @Test func `a place is told in characters and in bytes`() throws {
    let fault = try #require(faultOf("e\u{301}é 👍🏽 (b"))
    #expect(fault.characterOffset == 5)
    #expect(fault.place == 15..<16)
    #expect(
      fault.description
        == "the search text has a fault at character 6: a parenthesis is not closed; "
        + "write ')' behind the words"
    )
  }

  @Test func `queries too large or too deep are refused`() {
    let words = Array(repeating: "a", count: 1_000).joined(separator: " ")
    #expect(faultOf(words) == nil)
    #expect(faultOf(words + " b")?.kind == .tooManyWords)
    #expect(faultOf("\"" + words + " b\"")?.kind == .tooManyWords)
    func nested(_ depth: Int) -> String {
      String(repeating: "(", count: depth) + "a" + String(repeating: ")", count: depth)
    }
    #expect(faultOf(nested(64)) == nil)
    #expect(faultOf(nested(65))?.kind == .tooDeep)
    #expect(faultOf(String(repeating: "(", count: 100_000))?.kind == .tooDeep)
  }

  /// Checks what ``TextExpression`` says of its operands.
  private func check(_ expression: TextExpression, isInColumn: Bool = false, isInNear: Bool = false)
  {
    switch expression {
    case .term(let text), .prefix(let text): #expect(!text.isEmpty)
    case .phrase(let words):
      #expect(words.count > 1 && words[0].offset == 0)
      #expect(zip(words, words.dropFirst()).allSatisfy { $0.offset < $1.offset })
      #expect(words.dropLast().allSatisfy { !$0.isPrefix })
    case .near(let operands, let distance):
      #expect(operands.count > 1 && distance >= 0 && !isInNear)
      for operand in operands { check(operand, isInColumn: isInColumn, isInNear: true) }
    case .all(let operands), .any(let operands):
      #expect(operands.count > 1 && !isInNear)
      for operand in operands { check(operand, isInColumn: isInColumn) }
    case .excluding(let first, let second):
      #expect(!isInNear)
      check(first, isInColumn: isInColumn)
      check(second, isInColumn: isInColumn)
    case .column(let operand, let column):
      #expect(!isInColumn && !isInNear && (0...1).contains(column))
      check(operand, isInColumn: true)
    }
  }

  @Test(arguments: 0..<32)
  func `any text is read or refused`(seed: Int) {
    let fragments = [
      "a", "bc", "é", "e\u{301}", "東", "京", "ー", "👍🏽", " ", " ", " ", "\u{a0}", "\"", "“", "(", ")",
      "*", "-", "~", ",", "10", ":", "title:", "text:", "OR", "AND", "NOT", "NEAR(", "NEAR",
      "\u{0}",
      "\u{301}", "_", "'", "…", "&",
    ]
    var random = SplitMix(seed: seed)
    for _ in 0..<2_000 {
      let count = Int.random(in: 0...14, using: &random)
      let text = (0..<count).map { _ in random.pick(fragments) }.joined()
      do {
        check(try Self.parser.parse(text))
      } catch {
        #expect(error.place.upperBound <= text.utf8.count, "\(text)")
        #expect((0...text.count).contains(error.characterOffset), "\(text)")
      }
    }
  }
}
