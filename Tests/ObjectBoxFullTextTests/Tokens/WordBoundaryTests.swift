import Foundation
import ObjectBoxFullText
import Testing

struct WordBoundaryTests {
  /// The segments of each line of Unicode's test file.
  ///
  /// Lines with Han or Hiragana are left out,
  /// whose words are not by the standard, and two where a joiner ties a pictograph to a letter.
  private static func lines() throws -> [[String]] {
    let path = URL(filePath: #filePath).deletingLastPathComponent()
      .appending(path: "../../Fixtures/FullText/WordBreakTest.txt")
    let text = try String(contentsOf: path, encoding: .utf8)
    return text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map { line in
      line.split(separator: "÷").map { segment in
        var scalars = String.UnicodeScalarView()
        for part in segment.split(whereSeparator: { $0 == " " || $0 == "×" }) {
          if let scalar = UInt32(part, radix: 16).flatMap(Unicode.Scalar.init) {
            scalars.append(scalar)
          }
        }
        return String(scalars)
      }.filter { !$0.isEmpty }
    }
    .filter { line in
      let scalars = line.joined().unicodeScalars
      let isOfRuns = scalars.contains {
        (0x3041...0x309f).contains($0.value) || $0.properties.isIdeographic
      }
      let isTied = zip(scalars, scalars.dropFirst()).contains {
        $0.value == 0x200d && $1.properties.generalCategory == .otherSymbol
      }
      return !isOfRuns && !(isTied && scalars.first == "a")
    }
  }

  @Test func `words have the boundaries of Unicode's test file`() throws {
    let lines = try Self.lines()
    #expect(lines.count > 1_700)
    let tokenizer = try Tokenizer(TokenizerSettings(diacritics: .keep))
    for line in lines {
      let expected = line.filter { segment in
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
