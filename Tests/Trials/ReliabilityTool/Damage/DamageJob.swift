import Foundation
import ObjectBox

/// Opens damaged copies of stores, reads everything, writes, and reports each result.
enum DamageJob {
  /// Returns the arguments of the job, which takes the cases of the given places in their order.
  static func arguments(
    _ cases: DamageCases,
    seed: Int,
    isShuffled: Bool,
    _ places: Range<Int>
  ) -> [String] {
    let numbers = [seed, cases.count, cases.fixtureCount, places.lowerBound, places.upperBound]
    return ["damage", cases.folder] + (numbers + [isShuffled ? 1 : 0]).map { "\($0)" }
  }

  static func run(_ arguments: inout [String]) throws {
    let numbers = arguments.dropFirst().compactMap { Int($0) }
    let cases = DamageCases(folder: arguments[0], count: numbers[1], fixtureCount: numbers[2])
    let scratch = try Scratch(isInMemory: true)
    let path = scratch["store"]
    let own = try cases.damage(DamageCases.own, seed: numbers[0])
    let salvage = try SalvageCheck(of: own.original, in: scratch)
    let words = try WordDamageCheck(of: own.original, in: scratch)
    typealias Subject = (damage: Damage, store: any DamagedStore.Type, whole: [String])
    var subjects: [String: Subject] = [:]
    let places = numbers[3]..<numbers[4]
    let order = CaseOrder.numbers(cases.total, isShuffled: numbers[5] == 1, seed: numbers[0])
    for place in places {
      if Deadline.ofProcess.isOver(after: place - places.lowerBound) { return }
      let number = order[place]
      let (name, index) = cases.subject(number)
      if subjects[name] == nil {
        let damage = try cases.damage(name, seed: numbers[0])
        let store: any DamagedStore.Type =
          name == DamageCases.own ? OwnStore.self : FixtureStore.self
        subjects[name] = (damage, store, try read(damage.original, path, store))
      }
      guard let subject = subjects[name] else { continue }
      let (kind, bytes) = subject.damage.file(index)
      tell("c \(place) \(kind.rawValue)")
      tell("count cases")
      if name == DamageCases.own, index % 5 == 0 { try salvage.run(bytes) }
      if name == DamageCases.own, index % 5 == 1 {
        try words.run(index, seed: numbers[0])
      }
      do {
        let found = try read(bytes, path, subject.store)
        tell("count \(found == subject.whole ? "right" : "differing")")
        // A file of zeros, or an empty file, is a new store.
        if found != subject.whole, bytes.contains(where: { $0 != 0 }) {
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
        // Internal checks end the process when they find damage, which takes seconds.
        guard number % 8 == 0 else { continue }
      #endif
      do {
        try subject.store.write(path)
        tell("count written")
      } catch is ObjectBoxError {
        tell("count refusing writes")
      } catch {
        tell("finding an error of another type|\(error)")
      }
    }
  }

  /// Writes a file, opens it as a store, and reads everything in several ways.
  private static func read(
    _ bytes: [UInt8],
    _ path: String,
    _ store: any DamagedStore.Type
  ) throws -> [String] {
    try makeFile(bytes, path)
    return try store.read(path)
  }

  /// Makes the folder of a store that contains only a file.
  static func makeFile(_ bytes: [UInt8], _ path: String) throws {
    let manager = FileManager.default
    try? manager.removeItem(atPath: path)
    try manager.createDirectory(atPath: path, withIntermediateDirectories: false)
    try Data(bytes).write(to: URL(fileURLWithPath: path + "/data.mdb"))
  }
}
