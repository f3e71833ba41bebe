import Foundation
import ObjectBoxTestSupport
import Testing

/// Pages that list everything of a kind, compared with the sources.
struct DocumentTests {
  private static func text(_ path: String) throws -> String {
    try String(contentsOf: Repository.root.appendingPathComponent(path), encoding: .utf8)
  }

  /// The Swift sources of the modules, except one file.
  private static func sources(except name: String) throws -> [String] {
    let files = FileManager.default.enumerator(
      at: Repository.root.appendingPathComponent("Sources"),
      includingPropertiesForKeys: nil
    )
    return try (files?.compactMap { $0 as? URL } ?? [])
      .filter { $0.pathExtension == "swift" && $0.lastPathComponent != name }
      .map { try String(contentsOf: $0, encoding: .utf8) }
  }

  /// The first cells of a page's table rows, without the signs of code.
  private static func rows(_ page: String) -> [String] {
    page.matches(of: /(?m)^\| `(\w+)` \|/).map { String($0.1) }
  }

  private static let error = "Sources/Store/ObjectBox/Errors/ObjectBoxError.swift"

  @Test func `the page of errors has every case once, and no other`() throws {
    let cases = try Self.text(Self.error).matches(of: /(?m)^  case (\w+)\(/).map { String($0.1) }
    let page = try Self.text("Documentation/Errors.md")
    let never = try #require(page.firstMatch(of: /sources compile: (.*)\./))
    let unused = never.1.matches(of: /`(\w+)`/).map { String($0.1) }
    let names = Self.rows(page).filter { $0 != "ClusterError" } + unused
    #expect(names.sorted() == cases.sorted())
    for source in try Self.sources(except: "ObjectBoxError.swift") {
      for name in unused {
        #expect(!source.contains(".\(name)("), "'\(name)' is thrown")
      }
    }
  }

  @Test(arguments: [
    ("Store/ObjectBox/Store/Store+Configuration.swift", "    "),
    ("Store/ObjectBoxEncryption/Store+Encryption.swift", "  "),
  ])
  func `the page of the configuration has every option with its default`(
    _ path: String,
    _ indent: String
  ) throws {
    let page = try Self.text("Documentation/Configuration.md")
    let source = try Self.text("Sources/" + path)
    let end = source.range(of: "\n    /// Options for writes that share a commit")?.lowerBound
    let options = source[..<(end ?? source.endIndex)]
      .matches(of: /(?m)^( +)public var (\w+)(.*)$/).filter {
        $0.1 == indent && $0.2 != "isEncrypted"
      }
    #expect(!options.isEmpty)
    for option in options {
      let value = option.3.firstMatch(of: #/ = (.+)$/#).map { String($0.1) } ?? "nil"
      let shown = value.replacing("ValidateOnOpenMode", with: "")
      // The initialiser has this default.
      let expected = option.2 == "directory" ? "\"objectbox\"" : shown
      #expect(page.contains("\n| `\(option.2)` | `\(expected)` | "), "\(option.2): \(expected)")
    }
  }

  @Test func `the page of the configuration has the options of group commits`() throws {
    let page = try Self.text("Documentation/Configuration.md")
    let source = try Self.text("Sources/Store/ObjectBox/Store/Store+Configuration.swift")
    let parameters = try #require(
      source.firstMatch(of: /public init\((maximumGroupSize.*)\) \{/)
    )
    let options = parameters.1.matches(of: /(\w+): \w+ = ([.\w]+)/)
    #expect(options.count == 2)
    for option in options {
      #expect(page.contains("\n| `\(option.1)` | `\(option.2)` | "), "\(option.1)")
    }
  }

  @Test func `the page of the configuration has no option that is not in the sources`() throws {
    let sources = try [
      "Store/ObjectBox/Store/Store+Configuration.swift",
      "Store/ObjectBoxEncryption/Store+Encryption.swift",
    ].map { try Self.text("Sources/" + $0) }
    for name in Self.rows(try Self.text("Documentation/Configuration.md")) {
      #expect(sources.contains { $0.contains("public var \(name)") }, "\(name)")
    }
  }
}
