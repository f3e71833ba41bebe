import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxTestSupport
import ObjectBoxTool

/// Keeps a dump in memory.
struct MemoryOutput: ByteOutput {
  private(set) var bytes: [UInt8] = []

  mutating func write(_ bytes: [UInt8]) { self.bytes += bytes }

  /// Returns the dump of a store.
  static func dump(_ store: Store, entities: [String] = []) throws -> [UInt8] {
    var output = MemoryOutput()
    try Dump(store, entities: entities).write(to: &output)
    return output.bytes
  }
}

extension Store {
  /// Loads a dump.
  func load(_ dump: [UInt8], in folder: TemporaryDirectory, batchSize: Int? = nil) throws {
    let path = folder.path + "/\(UUID().uuidString).jsonl"
    try Data(dump).write(to: URL(fileURLWithPath: path))
    let load = try Load(try InputLines(path))
    try load.check(against: schema)
    _ = try load.run(into: self, batchSize: batchSize)
  }
}
