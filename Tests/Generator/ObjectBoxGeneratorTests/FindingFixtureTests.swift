import Foundation
import ObjectBoxTestSupport
import Testing

@testable import ObjectBoxGenerator

/// Marked sources with their expected findings.
///
/// Each folder of `Fixtures/Findings` is a case. Its sources are read together, with `model.json`
/// if there is one. `findings.txt` contains the findings, with marks in place of positions.
/// `OBJECTBOX_RECORD_FIXTURES=1 swift test` rewrites the expected files; review them as code.
struct FindingFixtureTests {
  private static let folder = Repository.fixtures.appendingPathComponent("Findings")

  static var cases: [String] {
    ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted()
  }

  private func findings(_ folder: URL) throws -> [String] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    let sources = try names.filter { $0.hasSuffix(".swift.txt") }.map { name in
      let text = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      return MarkedSource(text, path: String(name.dropLast(".txt".count)))
    }
    let built = SchemaBuilder.build(
      sources.map(\.file),
      conditions: BuildConditions(platform: "Linux")
    )
    var found = built.diagnostics
    if !found.contains(where: \.isError), names.contains("model.json") {
      let file = folder.appendingPathComponent("model.json")
      let text = try String(contentsOf: file, encoding: .utf8)
      var uids = UIDGenerator(isDeterministic: true)
      let parsed = ModelDocument.parse(text, path: "model.json")
      found += parsed.diagnostics
      found +=
        ModelSynchronizer.synchronize(
          built.schema,
          with: try #require(parsed.model),
          uids: &uids
        ).diagnostics
    }
    func describe(_ finding: Diagnostic) -> String {
      let source = sources.first { $0.file.path == finding.position?.path }
      let place = source?.mark(at: finding.position) ?? "nowhere"
      let line = "\(place) \(finding.message.severity): \(finding.message.text)"
      return
        ([line] + finding.notes.map { "  " + describe($0) }
        + finding.fixIts.map { "  fix: \($0.text)" }).joined(separator: "\n")
    }
    return found.map(describe)
  }

  @Test(arguments: cases)
  func `a case gives its findings`(_ name: String) throws {
    let folder = Self.folder.appendingPathComponent(name)
    let found = try findings(folder).map { $0 + "\n" }.joined()
    let file = folder.appendingPathComponent("findings.txt")
    if ProcessInfo.processInfo.environment["OBJECTBOX_RECORD_FIXTURES"] == "1" {
      try Data(found.utf8).write(to: file)
    }
    #expect(found == (try String(contentsOf: file, encoding: .utf8)))
  }

  @Test func `there are cases`() {
    #expect(Self.cases.count > 9)
  }
}
