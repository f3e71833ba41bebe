import Foundation
import ObjectBoxGenerator
import ObjectBoxTestSupport
import Testing

/// Whole runs on randomly changed files: each gives findings or files, never a crash or half a
/// file.
struct RunFuzzTests {
  private static let source = """
    // objectbox: entity, uid = 17664
    class Note {
      var id: Id = 0
      // objectbox: index, uid = 16640
      var title = ""
      var tags: ToMany<Tag> = nil
      // objectbox:hnswIndex: dimensions=2, flags="debugLogs"
      var place: [Float]?
    }
    // objectbox: entity, sync
    class Tag {
      // objectbox: id = { "assignable": true }
      var id: Id = 0
      // objectbox: unique = { "onConflict": "replace" }
      var name: String?
      // objectbox: syncClock
      var clock: Int64 = 0
      // objectbox: backlink = "tags"
      var notes: ToMany<Note> = nil
      var parent: ToOne<Tag> = nil
    }
    """

  /// Returns the model of an earlier version of the source.
  private static func model() throws -> String {
    let earlier = """
      // objectbox: entity
      class Note {
        var id: Id = 0
        // objectbox: index
        var title = ""
      }
      """
    var uids = UIDGenerator(isDeterministic: true)
    let built = SchemaBuilder.build([SourceFile(path: "A.swift", text: earlier)])
    let result = ModelSynchronizer.synchronize(
      built.schema,
      with: ModelDocument(),
      uids: &uids
    )
    return result.model.text
  }

  private func change(_ text: String, _ random: inout SplitMix) -> [UInt8] {
    var bytes = Array(text.utf8)
    for _ in 0..<Int.random(in: 1...4, using: &random) where !bytes.isEmpty {
      let place = Int.random(in: 0..<bytes.count, using: &random)
      let end = min(bytes.count, place + Int.random(in: 1..<40, using: &random))
      switch Int.random(in: 0..<5, using: &random) {
      case 0: bytes[place] = UInt8.random(in: 0...255, using: &random)
      case 1: bytes.removeSubrange(place..<end)
      case 2: bytes.insert(contentsOf: Array(bytes[place..<end]), at: place)
      case 3: bytes.removeSubrange(place...)
      default: bytes.insert(random.pick(Array("{}[]\":,0123456789=/\n".utf8)), at: place)
      }
    }
    return bytes
  }

  @Test(arguments: 0..<300)
  func `a run on changed files writes whole files or none`(_ seed: Int) throws {
    var random = SplitMix(seed: seed)
    let folder = try TemporaryDirectory()
    let model = try Self.model()
    let changesModel = Bool.random(using: &random)
    let changesSource = !changesModel || Bool.random(using: &random)
    let sourceBytes = changesSource ? change(Self.source, &random) : Array(Self.source.utf8)
    let modelBytes = changesModel ? change(model, &random) : Array(model.utf8)
    try Data(sourceBytes).write(to: folder.url.appendingPathComponent("Note.swift"))
    try Data(modelBytes).write(to: folder.url.appendingPathComponent("model.json"))

    var options = Generator.Options()
    options.sources = [folder.path + "/Note.swift"]
    options.modelPath = folder.path + "/model.json"
    options.outputPath = folder.path + "/Generated.swift"
    options.isLocked = Int.random(in: 0..<4, using: &random) == 0
    let outcome: Generator.Outcome
    do {
      outcome = try Generator(options).run()
    } catch {
      // A file that is not UTF-8 cannot be read; nothing was written.
      #expect(try filesNow(folder) == ["Note.swift", "model.json"])
      #expect(try Data(contentsOf: URL(fileURLWithPath: options.modelPath)) == Data(modelBytes))
      return
    }

    let written = try Data(contentsOf: URL(fileURLWithPath: options.modelPath))
    if outcome.hasErrors {
      // After an error, only the new UID for a bare `uid` is stored.
      if written != Data(modelBytes) {
        #expect(outcome.diagnostics.contains { $0.message.text.contains("to rename it, write") })
      }
      #expect(try !filesNow(folder).contains("Generated.swift"))
      for finding in outcome.diagnostics { #expect(finding.position != nil) }
    } else {
      let code = try folder.read("Generated.swift")
      #expect(code.hasSuffix("}\n") || code.hasSuffix("no entities.\n"))
    }
    if written != Data(modelBytes) {
      let text = String(decoding: written, as: UTF8.self)
      #expect(ModelDocument.parse(text, path: "m").model != nil)
      #expect(try folder.read("model.json.bak").utf8.elementsEqual(modelBytes))
    }
  }

  private func filesNow(_ folder: TemporaryDirectory) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }
}
