import Foundation
import ObjectBoxFuzzTargets
import ObjectBoxTestSupport
import Testing

/// The inputs that the fuzzer begins with, and the inputs that once showed a fault.
struct CorpusTests {
  private static let corpus = Repository.root.appendingPathComponent("Tests/Trials/Fuzzing/Corpus")

  private static func folder(_ target: FuzzTarget) -> URL {
    corpus.appendingPathComponent(target.name)
  }

  @Test(.tags(.slow), arguments: FuzzTarget.all)
  func `every input of the corpus gives a result or an error that tells of it`(
    _ target: FuzzTarget
  ) throws {
    let folder = Self.folder(target)
    if ProcessInfo.processInfo.environment["OBJECTBOX_RECORD_FIXTURES"] == "1" {
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      for (name, bytes) in try target.makeSeeds() {
        try Data(bytes).write(to: folder.appendingPathComponent(name))
      }
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
    #expect(!names.isEmpty)
    for name in names {
      let bytes = try Data(contentsOf: folder.appendingPathComponent(name))
      #expect(throws: Never.self, "\(target.name)/\(name)") { try target.run([UInt8](bytes)) }
    }
  }

  @Test(arguments: FuzzTarget.all)
  func `the corpus begins with what the library itself writes`(_ target: FuzzTarget) throws {
    for (name, bytes) in try target.makeSeeds() {
      let file = Self.folder(target).appendingPathComponent(name)
      #expect(try [UInt8](Data(contentsOf: file)) == bytes, "\(target.name)/\(name)")
    }
  }
}
