import Foundation
import ObjectBoxFullText
import ObjectBoxTestSupport
import Testing

struct WordBoundaryTests {
  /// The segments of each line of Unicode's test file.
  ///
  /// Lines with Han, Hiragana or Katakana are left out, whose words are not by the standard, and two
  /// where a joiner ties a pictograph to a letter.
  private static func lines() throws -> [[String]] {
    let path = Repository.fixtures.appending(path: "FullText/WordBreakTest.txt")
    let text = try String(contentsOf: path, encoding: .utf8)
    var lines: [[String]] = []
    for line in text.split(separator: "\n") where !line.hasPrefix("#") {
      let segments = line.split(separator: "÷").map(string(of:)).filter { !$0.isEmpty }
      if isTested(segments) { lines.append(segments) }
    }
    return lines
  }

  /// Returns the text of a segment, whose scalars are hexadecimal numbers with '×' between them.
  private static func string(of segment: Substring) -> String {
    var scalars = String.UnicodeScalarView()
    for part in segment.split(whereSeparator: { $0 == " " || $0 == "×" }) {
      guard let value = UInt32(part, radix: 16), let scalar = Unicode.Scalar(value)
      else { continue }
      scalars.append(scalar)
    }
    return String(scalars)
  }

  private static func isTested(_ segments: [String]) -> Bool {
    let scalars = segments.joined().unicodeScalars
    let isOfRuns = scalars.contains { (scalar: Unicode.Scalar) -> Bool in
      (0x3031...0x30ff).contains(scalar.value) || scalar.properties.isIdeographic
    }
    let isTied = zip(scalars, scalars.dropFirst()).contains { first, second in
      first.value == 0x200d && second.properties.generalCategory == .otherSymbol
    }
    return !isOfRuns && !(isTied && scalars.first == "a")
  }

  /// Returns the parts of a segment between colons, which separate words in an index.
  ///
  /// Marks behind a colon belong to it.
  private static func parts(of segment: String) -> [String] {
    let parts = segment.unicodeScalars.split(separator: ":", omittingEmptySubsequences: false)
    return parts.enumerated().map { place, part in
      let isMark = { (scalar: Unicode.Scalar) -> Bool in
        [.nonspacingMark, .format].contains(scalar.properties.generalCategory)
      }
      return String(String.UnicodeScalarView(place == 0 ? part[...] : part.drop(while: isMark)))
    }
  }

  @Test func `words have the boundaries of Unicode's test file`() throws {
    let lines = try Self.lines()
    #expect(lines.count > 1_700)
    let tokenizer = try Tokenizer(TokenizerSettings(diacritics: .keep))
    for line in lines {
      let expected = line.flatMap(Self.parts(of:)).filter { segment in
        segment.unicodeScalars.contains {
          switch $0.properties.generalCategory {
          case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter,
            .decimalNumber, .letterNumber, .otherNumber:
            true
          default: false
          }
        }
      }
      var found: [String] = []
      let bytes = Array(line.joined().utf8)
      tokenizer.forEachToken(in: line.joined()) { _, _, place in
        found.append(String(decoding: bytes[place], as: UTF8.self))
      }
      #expect(found.map { Array($0.utf8) } == expected.map { Array($0.utf8) }, "\(line)")
    }
  }
}
