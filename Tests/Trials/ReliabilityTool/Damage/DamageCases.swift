import Foundation
import ObjectBoxTestSupport

/// The cases of the trial: some for each damaged store, in a folder with a file for each store.
struct DamageCases {
  /// The name of the trial's own store; the other stores are fixtures.
  static let own = "own"

  let folder: String
  /// The number of cases of the trial's own store.
  let count: Int
  /// The number of cases of each fixture.
  let fixtureCount: Int

  private var fixtures: [String] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { $0 != Self.own && $0 != "newer" }.sorted()
  }

  /// The number of all cases.
  var total: Int { count + fixtures.count * fixtureCount }

  /// Returns the store of a case, and the case's index within the store.
  func subject(_ number: Int) -> (name: String, index: Int) {
    if number < count { return (Self.own, number) }
    let (place, index) = (number - count).quotientAndRemainder(dividingBy: fixtureCount)
    return (fixtures[place], index)
  }

  /// Returns the damaged versions of a store.
  func damage(_ name: String, seed: Int) throws -> Damage {
    let isOwn = name == Self.own
    return Damage(
      original: try bytes(name),
      seed: seed,
      count: isOwn ? count : fixtureCount,
      otherFiles: isOwn ? Damage.otherFiles + [try bytes("newer")] : []
    )
  }

  private func bytes(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)))
  }

  /// Copies the files of the fixtures into the folder.
  func addFixtures() throws {
    let stores = Repository.fixtures.appendingPathComponent("Stores")
    for name in try FileManager.default.contentsOfDirectory(atPath: stores.path) {
      try FileManager.default.copyItem(
        at: stores.appendingPathComponent(name + "/data.mdb"),
        to: URL(fileURLWithPath: folder + "/" + name)
      )
    }
  }
}
