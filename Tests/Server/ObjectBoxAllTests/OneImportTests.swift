import Foundation
import ObjectBoxAll
import Testing

// objectbox: entity
final class Walk {
  var id: Id = 0
  // objectbox: fulltext
  var report: String = ""
  var town: String = ""
  var kilometres: Int = 0

  init() {}
  init(_ report: String, town: String, kilometres: Int) {
    self.report = report
    self.town = town
    self.kilometres = kilometres
  }
}

/// A target that depends on `ObjectBoxAll` alone, and imports nothing else of the package.
struct OneImportTests {
  private let folder = NSTemporaryDirectory() + "one-import-\(UUID().uuidString)"

  @Test func `one import reaches the functions of each product for stores`() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let store = try Store(directoryPath: folder + "/store")
    defer { store.close() }
    let walks = store.box(for: Walk.self)
    let frozen = try store.freeze().query(Walk.self)
    try walks.put([
      Walk("along the river", town: "Lyon", kilometres: 7),
      Walk("up to the old fort", town: "Lyon", kilometres: 12),
      Walk("around the lake", town: "Annecy", kilometres: 30),
    ])

    // ObjectBoxSearch, ObjectBoxGrouping, ObjectBoxLive
    let found = try walks.query { Walk.report.matches("(river OR fort) NOT lake") }.build().find()
    #expect(found.map(\.kilometres) == [7, 12])
    let towns = try walks.query().grouped(by: Walk.town)
      .select(.sum(Walk.kilometres)).find()
    #expect(towns.map(\.key) == ["Annecy", "Lyon"])
    #expect(towns.map(\.values) == [30, 19])
    #expect(frozen.isEmpty)

    // ObjectBoxDynamic, ObjectBoxCare
    #expect(try store.box(named: "Walk").get(3)?["town"] as? String == "Annecy")
    try store.backup(to: folder + "/copy")
    #expect(try Store.verify(directory: folder + "/copy").isSound)

    // ObjectBoxEncryption, ObjectBoxSync
    #expect(!store.isEncrypted)
    #expect(Sync.isAvailable())
  }
}
