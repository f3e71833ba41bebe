import Foundation
import ObjectBoxGenerator
import ObjectBoxTestSupport
import Testing

/// Chains of schema versions, with the expected model file of each, byte for byte.
///
/// Each folder of `Fixtures/Histories` is a chain. Its sources are processed in the order of their
/// names. `{Entity.property}` in a source stands for the UID in the previous version's model.
/// `OBJECTBOX_RECORD_FIXTURES=1 swift test` rewrites the expected files; review them as code.
struct ModelHistoryTests {
  private static let fixtures = Repository.fixtures.appendingPathComponent("Histories")

  private static let isRecording =
    ProcessInfo.processInfo.environment["OBJECTBOX_RECORD_FIXTURES"] == "1"

  /// Replaces `{Entity}` and `{Entity.element}` by the UIDs of a model.
  private static func insertUIDs(of model: ModelDocument, into text: String) -> String {
    var text = text
    for entity in model.entities {
      text = text.replacingOccurrences(of: "{\(entity.name)}", with: "\(entity.id.uid)")
      let elements =
        entity.properties.map { ($0.name, $0.id) } + entity.relations.map { ($0.name, $0.id) }
      for (name, id) in elements {
        text = text.replacingOccurrences(of: "{\(entity.name).\(name)}", with: "\(id.uid)")
      }
    }
    return text
  }

  @Test(arguments: ["shop"])
  func `every version of a chain has its model file`(_ chain: String) throws {
    let folder = Self.fixtures.appendingPathComponent(chain)
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      .filter { $0.hasSuffix(".swift.txt") }.sorted()
    #expect(names.count > 3)
    var model = ModelDocument()
    var uids = UIDGenerator(isDeterministic: true)
    for name in names {
      let source = try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
      let built = SchemaBuilder.build([
        SourceFile(path: name, text: Self.insertUIDs(of: model, into: source))
      ])
      #expect(built.diagnostics.map(\.description) == [])
      let result = ModelSynchronizer.synchronize(
        built.schema,
        with: model,
        uids: &uids
      )
      #expect(result.diagnostics.map(\.description) == [])
      model = result.model

      let file = folder.appendingPathComponent(
        name.replacingOccurrences(of: ".swift.txt", with: ".model.json")
      )
      if Self.isRecording { try Data(model.text.utf8).write(to: file) }
      let expected = try String(contentsOf: file, encoding: .utf8)
      #expect(model.text == expected, "model of \(name)")
      // Reading the written file and running again changes nothing.
      model = try #require(ModelDocument.parse(expected, path: name).model)
      let again = ModelSynchronizer.synchronize(
        built.schema,
        with: model,
        uids: &uids
      )
      #expect(again.changes == [])
      #expect(again.model.text == expected)
    }
  }
}
