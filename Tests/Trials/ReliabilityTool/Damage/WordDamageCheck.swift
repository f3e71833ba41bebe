import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxSearch
import ObjectBoxStorage
import ObjectBoxTestSupport

/// Flips bits in the values of the full-text index: searches find what they found before, or
/// `verify` tells the damage.
///
/// A bit in any byte of the file, as the other cases flip it, seldom hits the index.
struct WordDamageCheck {
  private let original: [UInt8]
  private let path: String
  private let keys: [(table: String, key: [UInt8])]
  /// What the searches find in the undamaged store.
  private let whole: [String]

  init(of bytes: [UInt8], in scratch: Scratch) throws {
    original = bytes
    path = scratch["words"]
    try DamageJob.makeFile(bytes, path)
    whole = try Self.found(path)
    var keys: [(table: String, key: [UInt8])] = []
    for name in ["f5", "s5"] {
      try Self.change(path, name) { transaction, table in
        let cursor = try transaction.cursor(table)
        var row = try cursor.firstRow()
        while let found = row {
          keys.append((name, [UInt8](found.key)))
          row = try cursor.nextRow()
        }
      }
    }
    self.keys = keys
  }

  func run(_ number: Int, seed: Int) throws {
    var random = SplitMix(seed: seed &* 7_919 &+ number)
    guard let (table, key) = keys.randomElement(using: &random) else { return }
    try DamageJob.makeFile(original, path)
    try Self.change(path, table) { transaction, table in
      var value = try transaction.get(table, key: key) ?? []
      guard !value.isEmpty else { return }
      let place = Int.random(in: value.indices, using: &random)
      value[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
      try transaction.put(table, key: key, value: value)
    }
    tell("count cases of words")
    let found: [String]?
    do { found = try Self.found(path) } catch is ObjectBoxError { found = nil }
    if found == whole { return }
    do {
      if try Store.verify(directory: path).faults.isEmpty {
        tell("finding a damaged full-text index that verify calls sound|table \(table), key \(key)")
      } else {
        tell("count told by verify")
      }
    } catch is ObjectBoxError {
      tell("count told by verify")
    }
  }

  /// Returns what searches find, with the scores.
  private static func found(_ path: String) throws -> [String] {
    let store = try TrialStore.open(path)
    defer { store.close() }
    return try words(store)
  }

  static func words(_ store: Store) throws -> [String] {
    let box = store.box(for: Item.self)
    return try ["text", "text 3", "\"text 5\"", "te* -7"].flatMap { text in
      try box.query { Item.text.matches(text) }.build().findIdsWithScores()
        .map { "\(text): \($0.id) \($0.score)" }
    }
  }

  private static func change(
    _ path: String,
    _ name: String,
    _ body: (StorageTransaction, StorageTable) throws -> Void
  ) throws {
    let options = StorageEnvironment.Options(mapSizeInBytes: 1 << 28, maximumTableCount: 20)
    let environment = try StorageEnvironment(directory: path, options: options)
    defer { environment.close() }
    let writing = try environment.beginWrite()
    guard let table = try writing.openTable(name, .plain, create: false) else {
      throw TrialError("the store has no table '\(name)' of a full-text index")
    }
    try body(writing, table)
    try writing.commit()
  }
}
