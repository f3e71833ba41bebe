import Foundation
import ObjectBox

/// Opens damaged copies of a store, reads everything, writes, and tells how each went.
enum DamageJob {
  static func arguments(_ original: String, seed: Int, count: Int, _ cases: Range<Int>) -> [String]
  {
    ["damage", original] + [seed, count, cases.lowerBound, cases.upperBound].map { "\($0)" }
  }

  static func run(_ arguments: inout [String]) throws {
    let numbers = arguments.dropFirst().compactMap { Int($0) }
    let original = [UInt8](try Data(contentsOf: URL(fileURLWithPath: arguments[0])))
    let newer = [UInt8](try Data(contentsOf: URL(fileURLWithPath: arguments[0] + ".newer")))
    let damage = Damage(
      original: original,
      seed: numbers[0],
      count: numbers[1],
      otherFiles: Damage.otherFiles + [newer]
    )
    let scratch = try Scratch(isInMemory: true)
    let path = scratch["store"]
    let whole = try read(original, path)
    let items = try self.items(path)
    for number in numbers[2]..<numbers[3] {
      let (kind, bytes) = damage.file(number)
      tell("c \(number) \(kind.rawValue)")
      tell("count cases")
      if number % 5 == 0 { try salvage(bytes, scratch["damaged"], original: items) }
      do {
        let found = try read(bytes, path)
        tell("count \(found == whole ? "right" : "differing")")
        // A file without anything in it is a new store.
        if found != whole, bytes.contains(where: { $0 != 0 }) {
          tell("finding other data without an error in \(kind.rawValue)|")
        }
      } catch let error as ObjectBoxError {
        tell("count refused")
        if error.message.isEmpty {
          tell("finding an error without a text|\(kind.rawValue): an error without a text")
        }
        continue
      } catch {
        tell("finding an error of another type|\(error)")
        continue
      }
      #if OBJECTBOX_INTERNAL_CHECKS
        // The library's checks of itself end the process at damage, which takes seconds.
        guard number % 8 == 0 else { continue }
      #endif
      do {
        try write(path)
        tell("count written")
      } catch is ObjectBoxError {
        tell("count refusing writes")
      } catch {
        tell("finding an error of another type|\(error)")
      }
    }
  }

  /// Writes a file, opens it as a store and reads everything in it in several ways.
  private static func read(_ bytes: [UInt8], _ path: String) throws -> [String] {
    let manager = FileManager.default
    try? manager.removeItem(atPath: path)
    try manager.createDirectory(atPath: path, withIntermediateDirectories: false)
    try Data(bytes).write(to: URL(fileURLWithPath: path + "/data.mdb"))
    let store = try TrialStore.open(path)
    defer { store.close() }
    let box = store.box(for: Item.self)
    var found = try box.all().map { text($0) }
    found += try store.box(for: Register.self).all().map { "\($0.id) \($0.value)" }
    found.append("\(try box.count()) \(try store.box(for: Register.self).count())")
    for number in 0..<13 {
      let ids = try box.query { Item.text == "text \(number)" }.build().findIds()
      found.append("\(number): \(ids.map(\.value))")
    }
    let ordered = try box.query { Item.step > 1 }.ordered(by: Item.step).build()
    for item in try ordered.find() {
      found.append(item.key)
      found.append("\(try box.get(where: Item.key, equals: item.key)?.id ?? 0)")
    }
    let origin = [Float](repeating: 0, count: Item.dimensions)
    let near = box.query { Item.place.nearestNeighbors(queryVector: origin, maxCount: 1000) }
    found += try near.build().findIdsWithScores().map { "\($0.id) \($0.score)" }
    for worker: Int32 in [0, 100, 200] {
      found.append("\(try box.query { Item.worker == worker && Item.step < 3 }.build().count())")
    }
    return found
  }

  /// Returns the objects of a store, in words.
  private static func items(_ path: String) throws -> [UInt64: String] {
    let store = try TrialStore.open(path)
    defer { store.close() }
    let items = try store.box(for: Item.self).all().map { ($0.id.value, text($0)) }
    return Dictionary(uniqueKeysWithValues: items)
  }

  /// Salvages a file: each object of the newest version that is saved is one that was stored, or all is told.
  private static func salvage(
    _ bytes: [UInt8],
    _ path: String,
    original: [UInt64: String]
  ) throws {
    let manager = FileManager.default
    let target = path + "-saved"
    for folder in [path, target] { try? manager.removeItem(atPath: folder) }
    try manager.createDirectory(atPath: path, withIntermediateDirectories: false)
    try Data(bytes).write(to: URL(fileURLWithPath: path + "/data.mdb"))
    do {
      guard let report = try Store.salvage(directory: path, to: target) else { return }
      let saved = try items(target)
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

  private static func text(_ item: Item) -> String {
    "\(item.id) \(item.key) \(item.worker) \(item.slot) \(item.step) \(item.text) \(item.payload.hashValue)"
  }

  /// Changes and removes objects, adds some, and opens the store again.
  private static func write(_ path: String) throws {
    let plan = Plan(seed: 2, worker: 7, shape: Shape(puts: 1...1))
    let store = try TrialStore.open(path)
    defer { store.close() }
    let box = store.box(for: Item.self)
    for item in try box.all() {
      item.text = "changed"
      if item.id % 3 == 0 { try box.remove(item.id) } else { try box.put(item) }
    }
    try box.put((0..<30).map { plan.item(slot: $0, step: 1) })
    store.close()
    let again = try TrialStore.open(path)
    defer { again.close() }
    _ = try again.box(for: Item.self).all()
  }
}
