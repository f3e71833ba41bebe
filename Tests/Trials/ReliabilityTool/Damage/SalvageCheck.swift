import Foundation
import ObjectBox
import ObjectBoxCare

/// Salvages damaged files: every saved object was stored, and every loss is reported.
struct SalvageCheck {
  private let path: String
  private let target: String
  /// The objects of the undamaged store, as texts.
  private let original: [UInt64: String]

  init(of bytes: [UInt8], in scratch: Scratch) throws {
    path = scratch["damaged"]
    target = scratch["saved"]
    try DamageJob.makeFile(bytes, path)
    original = try Self.items(path)
  }

  func run(_ bytes: [UInt8]) throws {
    try DamageJob.makeFile(bytes, path)
    try? FileManager.default.removeItem(atPath: target)
    do {
      guard let report = try Store.salvage(directory: path, to: target) else { return }
      let saved = try Self.items(target)
      let others = saved.filter { original[$0.key] != $0.value }
      tell("count salvaged")
      if !others.isEmpty, report.findings.first?.kind != .file {
        tell("finding other data from a salvage|\(others.values.sorted()[0])")
      }
      if report.isWhole, saved != original {
        tell("finding a salvage that lost objects without a word|\(saved.count) objects")
      }
    } catch is ObjectBoxError {
      tell("count not salvaged")
    }
  }

  static func items(_ path: String) throws -> [UInt64: String] {
    let store = try TrialStore.open(path)
    defer { store.close() }
    return try OwnStore.items(store)
  }
}
