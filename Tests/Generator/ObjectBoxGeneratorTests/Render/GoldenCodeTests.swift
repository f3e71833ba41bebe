import Foundation
import ObjectBoxGenerator
import ObjectBoxTestSupport
import Testing

/// The generated code of GeneratedCodeTests' entities, text for text; that target compiles and runs
/// it.
///
/// `OBJECTBOX_RECORD_FIXTURES=1 swift test` rewrites the expected file; review it as code.
struct GoldenCodeTests {
  private func render(visibility: String) throws -> String {
    let folder = Repository.root.appendingPathComponent(
      "Tests/Generator/ObjectBoxGeneratedCodeTests"
    )
    func read(_ name: String) throws -> String {
      try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }
    let names = [
      "Entities", "RelatedEntities", "RuledEntities", "UUIDEntities", "CodableEntities",
      "FoundationEntities", "TextEntities", "MovedEntities", "MergedEntities", "InheritedBases",
      "InheritedEntities", "ObservableEntities", "OddlyNamedEntities", "PublicEntities",
    ].map { $0 + ".swift" }
    var built = SchemaBuilder.build(try names.map { SourceFile(path: $0, text: try read($0)) })
    #expect(built.diagnostics == [])
    if visibility == "public" {
      // As if the sources said nothing: then the visibility decides.
      for index in built.schema.entities.indices { built.schema.entities[index].access = nil }
    }
    let text = try read("model-ObjectBoxGeneratedCodeTests.json")
    let model = try #require(ModelDocument.parse(text, path: "model").model)
    var uids = UIDGenerator(isDeterministic: true)
    let result = ModelSynchronizer.synchronize(
      built.schema,
      with: model,
      uids: &uids
    )
    #expect(result.changes == [])
    return try CodeRenderer.render(
      result.schema,
      result.model,
      visibility: visibility
    )
  }

  @Test(arguments: ["internal", "public"])
  func `generated code is the expected text`(visibility: String) throws {
    let code = try render(visibility: visibility)
    let file = Repository.fixtures.appendingPathComponent(
      "GeneratedCode/\(visibility).swift.txt"
    )
    if ProcessInfo.processInfo.environment["OBJECTBOX_RECORD_FIXTURES"] == "1" {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(),
        withIntermediateDirectories: true
      )
      try Data(code.utf8).write(to: file)
    }
    let expected = try String(contentsOf: file, encoding: .utf8)
    // The first different line is more useful than two long texts.
    let lines = code.split(separator: "\n", omittingEmptySubsequences: false)
    let expectedLines = expected.split(separator: "\n", omittingEmptySubsequences: false)
    let different = zip(lines, expectedLines).first { $0 != $1 }
    #expect(different?.0 == different?.1)
    #expect(lines.count == expectedLines.count)
  }

  @Test(arguments: [
    "Templates/CObjectBoxTemplates.h", "Sources/Generator/ObjectBoxGenerator/Render/Template.swift",
  ])
  func `the digest of each template stands in the sources that embed it`(path: String) throws {
    let source = Repository.root.appendingPathComponent(path)
    var text = try String(contentsOf: source, encoding: .utf8)
    let digests = text.matches(of: /(\w+\.mustache)[":\/ ]+([0-9a-f]{16})\n/)
    #expect(digests.count == 5)
    for digest in digests.reversed() {
      let template = Repository.root.appendingPathComponent("Templates/\(digest.1)")
      let hash = try Data(contentsOf: template).reduce(0xcbf2_9ce4_8422_2325 as UInt64) {
        ($0 ^ UInt64($1)) &* 0x100_0000_01b3
      }
      let digits = String(hash, radix: 16)
      let expected = String(repeating: "0", count: 16 - digits.count) + digits
      #expect(digest.2 == expected, "\(path): the digest of \(digest.1) is \(expected)")
      text.replaceSubrange(digest.2.startIndex..<digest.2.endIndex, with: expected)
    }
    if ProcessInfo.processInfo.environment["OBJECTBOX_RECORD_FIXTURES"] == "1" {
      try Data(text.utf8).write(to: source)
    }
  }
}
