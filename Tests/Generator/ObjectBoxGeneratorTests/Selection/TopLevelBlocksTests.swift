import Foundation
import ObjectBoxTestSupport
import SwiftParser
import SwiftSyntax
import Testing

@testable import ObjectBoxGenerator

/// The search for top-level blocks, compared with the parser.
struct TopLevelBlocksTests {
  private func blocks(_ text: String) -> [String]? {
    SourceBytes.of(text) { bytes in
      TopLevelBlocks(in: bytes)?.interiors.map { range in
        String(decoding: Array(text.utf8)[range], as: UTF8.self)
      }
    }
  }

  /// Returns the offsets between the outermost braces, as the parser sees them.
  private func parsedBlocks(_ text: String) -> [Range<Int>] {
    var found: [Range<Int>] = []
    var depth = 0
    var start = 0
    for token in Parser.parse(source: text).tokens(viewMode: .sourceAccurate) {
      let offset = token.positionAfterSkippingLeadingTrivia.utf8Offset
      if token.tokenKind == .leftBrace {
        depth += 1
        if depth == 1 { start = offset + 1 }
      } else if token.tokenKind == .rightBrace {
        depth -= 1
        if depth == 0 { found.append(start..<offset) }
      }
    }
    return found
  }

  @Test(arguments: [
    "{ }", "{ { } }", "{ \"}\" }", "{ // }\n }", "{ /* } /* } */ } */ }", "{ `}` }",
    "{ \"\\\"}\" }", "{ \"\\(f(\"}\"))}\" }", "{ #\"}\"}\"# }", "{ #\"\\(}\"# }",
    "{ #\"\\#(\"}\"#)\"# }",
    "{ \"\"\"\n}\"}\n\"\"\" }", "{ \"\"\"\n\\(\"}\")\n\\\"\"\"}\n\"\"\" }",
    "{ ##\"\"\"\n}\"\"\"#\n\"\"\"## }",
    "{ a / b / c }", "{ \"\\\\\" }", "{ #available(x) }", "{ \"\" + \"\" }",
  ])
  func `a brace in comments, names and literals does not count`(text: String) {
    let content = String(text.dropFirst().dropLast())
    #expect(blocks("a \(text) b {}") == [content, ""])
  }

  @Test(arguments: [
    "{", "}", "{ } }", "{ \" }", "{ \"\n\" }", "{ /}/ }", "{ #/}/# }", "{ #/\n}\n/# }",
    "#if A\n{ }\n#endif", "{ <#}#> }", "{ 'a' }", "{ \"\"\"}\"\"\" }", "{ #\"\"\"# }", "{ ` }",
    "{ \u{0} }",
    "{ \"\\(\n)\" }", "{ \"\"\"\n\\(a\n)\n\"\"\" }", "{ /* }", "{ \"\\", "{ \"\\(",
    "{ \(String(repeating: "\"\\(", count: 100_000)) }",
  ])
  func `a source whose braces are uncertain has no blocks`(text: String) {
    #expect(blocks(text) == nil)
  }

  @Test func `the blocks of the sources of this package are those of the parser`() throws {
    let root = Repository.root
    var found = 0
    let folders = TestLength.choose(
      short: ["Sources/Store/ObjectBox", "Tests/Store/ObjectBoxTests", "Plugins"],
      long: ["Sources", "Tests", "Plugins"]
    )
    for folder in folders {
      let inner = root.appendingPathComponent(folder)
      for name in try FileManager.default.subpathsOfDirectory(atPath: inner.path)
      where name.hasSuffix(".swift") {
        let text = try String(contentsOf: inner.appendingPathComponent(name), encoding: .utf8)
        SourceBytes.of(text) { bytes in
          guard let blocks = TopLevelBlocks(in: bytes) else { return }
          found += 1
          #expect(blocks.interiors == parsedBlocks(text), "\(folder)/\(name)")
        }
      }
    }
    #expect(found > 200)
  }

  @Test(arguments: 0..<300)
  func `the blocks of random sources are those of the parser`(seed: Int) {
    for file in RandomSources.files(seed: seed) where !Parser.parse(source: file.text).hasError {
      SourceBytes.of(file.text) { bytes in
        guard let blocks = TopLevelBlocks(in: bytes) else { return }
        #expect(blocks.interiors == parsedBlocks(file.text), "\(file.text)")
      }
    }
  }
}
