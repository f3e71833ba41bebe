import Foundation
import ObjectBox
import ObjectBoxDynamic
import ObjectBoxCare
import ObjectBoxTestSupport
import ObjectBoxTool
import Testing

/// Dumps of recorded stores.
struct StoreFixtureDumpTests {
  private static let stores = Repository.fixtures.appendingPathComponent("Stores")

  private static let names: [String] =
    ((try? FileManager.default.contentsOfDirectory(atPath: stores.path)) ?? []).sorted()

  /// Copies the store of a fixture, and returns its directory.
  private func copyStore(_ name: String, to folder: TemporaryDirectory) throws -> String {
    let path = folder.path + "/store"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: Self.stores.appendingPathComponent(name + "/data.mdb"),
      to: URL(fileURLWithPath: path + "/data.mdb")
    )
    return path
  }

  @Test func `there are fixtures`() {
    #expect(Self.names.count >= 7)
  }

  @Test(arguments: names)
  func `a store that a model makes from a dump gives the same dump`(name: String) throws {
    let folder = try TemporaryDirectory()
    let path = try copyStore(name, to: folder)
    let store = try StoreLocation(path).openToRead()
    defer { store.close() }
    let dump = try MemoryOutput.dump(store)
    let schema = store.schema.withPresentRules
    let copy = try Store(schema: schema, configuration: .init(directory: folder.path + "/copy"))
    defer { copy.close() }
    try copy.load(dump, in: folder)
    #expect(copy.schema == schema)
    #expect(try MemoryOutput.dump(copy) == dump)
    #expect(try RandomRecords.contents(copy) == RandomRecords.contents(store))
  }

  @Test(arguments: names)
  func `a compaction changes nothing in a store`(name: String) throws {
    let folder = try TemporaryDirectory()
    let path = try copyStore(name, to: folder)
    let store = try Store(existing: .init(directory: path))
    defer { store.close() }
    let (dump, contents) = (try MemoryOutput.dump(store), try RandomRecords.contents(store))
    let retired = try store.statistics.retiredData
    let faults = try store.verify().faults
    #expect(faults.isEmpty || name == "decimals")
    #expect(try store.compact() != nil)
    #expect(try MemoryOutput.dump(store) == dump)
    #expect(try RandomRecords.contents(store) == contents)
    #expect(try store.statistics.retiredData == retired)
    #expect(try store.verify().faults == faults)
  }
}
