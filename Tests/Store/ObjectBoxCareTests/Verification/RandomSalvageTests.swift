import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxRuntimeTestSupport
import ObjectBoxTestSupport
import Testing

/// Salvages of random stores with random damage.
struct RandomSalvageTests {
  private let temporary: TemporaryStore
  /// The values that the person with each ID ever had.
  private let former: [UInt64: Set<Int32>]
  private let whole: StoredContent
  private let file: Data

  /// Makes a store by random puts and removals that reuse freed pages many times.
  init() throws {
    temporary = try TemporaryStore(indexes: .none)
    var random = SplitMix(seed: 5)
    let people = temporary.store.box(for: Person.self)
    var former: [UInt64: Set<Int32>] = [:]
    var ids: [Id] = []
    var age: Int32 = 0
    for _ in 0..<40 {
      var batch: [Person] = []
      for _ in 0..<Int.random(in: 1...120, using: &random) {
        age += 1
        let isNew = ids.isEmpty || Int.random(in: 0..<3, using: &random) > 0
        let person = Person(String(repeating: "x", count: Int.random(in: 0...200, using: &random)))
        if Int.random(in: 0..<60, using: &random) == 0 {
          person.photo = Data(repeating: 3, count: Int.random(in: 2000...20_000, using: &random))
        }
        if !isNew { person.id = random.pick(ids) }
        person.age = age
        batch.append(person)
      }
      try people.put(batch)
      for person in batch { former[person.id.value, default: []].insert(person.age) }
      ids = Array(Set(ids).union(batch.map(\.id))).sorted { $0.value < $1.value }
      for _ in 0..<Int.random(in: 0...40, using: &random) where ids.count > 50 {
        let id = ids.remove(at: Int.random(in: ids.indices, using: &random))
        try people.remove(id)
      }
    }
    self.former = former
    whole = try StoredContent(temporary.store)
    temporary.store.close()
    file = try Data(contentsOf: URL(fileURLWithPath: temporary.path + "/data.mdb"))
  }

  /// Returns nil when the schema cannot be read.
  private func salvage(uncertain: Bool) throws -> (SalvageReport, StoredContent)? {
    var options = SalvageOptions()
    options.savesUncertain = uncertain
    let target = temporary.folder.path + "/saved"
    defer { try? FileManager.default.removeItem(atPath: target) }
    let report: SalvageReport
    do {
      report = try #require(
        try Store.salvage(directory: temporary.path, to: target, options: options)
      )
    } catch ObjectBoxError.fileCorrupt(let message) where message.contains("the schema in its file")
    {
      return nil
    }
    #expect(try Store.verify(directory: target).faults == [])
    return (report, try StoredContent(path: target))
  }

  /// Damages some bytes, and returns the damaged pages.
  private func damage(_ bytes: inout Data, pages: [UInt64]?, _ random: inout SplitMix) -> Set<
    UInt64
  > {
    let size = Int(sysconf(Int32(_SC_PAGESIZE)))
    var touched: Set<UInt64> = []
    for _ in 0..<Int.random(in: 1...4, using: &random) {
      let page = Int(
        pages.map { random.pick($0) }
          ?? UInt64.random(in: 0..<UInt64(bytes.count / size), using: &random)
      )
      touched.insert(UInt64(page))
      switch Int.random(in: 0..<4, using: &random) {
      case 0: bytes.replaceSubrange(page * size..<(page + 1) * size, with: Data(count: size))
      case 1:
        bytes[page * size + Int.random(in: 0..<64, using: &random)] ^= UInt8.random(
          in: 1...255,
          using: &random
        )
      case 2:
        for _ in 0..<20 {
          bytes[page * size + Int.random(in: 0..<size, using: &random)] = UInt8.random(
            in: 0...255,
            using: &random
          )
        }
      default:
        bytes[page * size + Int.random(in: 0..<size, using: &random)] ^=
          1 << UInt8.random(in: 0..<8, using: &random)
      }
    }
    return touched
  }

  private func write(_ bytes: Data) throws {
    try bytes.write(to: URL(fileURLWithPath: temporary.path + "/data.mdb"))
  }

  @Test(arguments: 0..<TestLength.choose(short: 2, long: 8))
  func `what is saved is what was stored, and nothing that was removed, wherever the damage is`(
    part: Int
  ) throws {
    let newest = try Store.verify(directory: temporary.path).version
    for round in 0..<12 {
      var random = SplitMix(seed: 1000 * part + round)
      var bytes = file
      _ = damage(&bytes, pages: nil, &random)
      if round % 8 == 0 {
        bytes = bytes.prefix(Int.random(in: 20_000..<bytes.count, using: &random))
      }
      try write(bytes)
      guard let (report, saved) = try salvage(uncertain: false) else { continue }
      // An older version is reported, and has different objects.
      guard report.version == newest else {
        #expect(!report.isWhole)
        continue
      }
      let objects = try #require(saved.objects["Person"])
      let original = try #require(whole.objects["Person"])
      for (id, values) in objects {
        #expect(values == original[id], "part \(part), round \(round), ID \(id)")
      }
      // Either all objects are saved, or the report names a loss.
      #expect(objects.count == original.count || !report.isWhole, "part \(part), round \(round)")
    }
  }

  @Test(arguments: 0..<TestLength.choose(short: 2, long: 4))
  func `each object whose pages were not touched is saved, with the uncertain ones`(
    part: Int
  ) throws {
    let pages = try DamagedPages(temporary.path)
    for round in 0..<12 {
      var random = SplitMix(seed: 1000 * part + round + 77)
      var bytes = file
      let touched = damage(&bytes, pages: pages.all, &random)
      try write(bytes)
      guard let (_, saved) = try salvage(uncertain: true) else {
        let schema = pages.mainPages.union(pages.leaves("objectbox"))
        #expect(!schema.isDisjoint(with: touched), "part \(part), round \(round)")
        continue
      }
      let objects = try #require(saved.objects["Person"])
      for record in pages.records("e1") where record.pages.isDisjoint(with: touched) {
        #expect(objects[record.id] != nil, "part \(part), round \(round), ID \(record.id)")
      }
      // Every saved object was once stored under its ID.
      for (id, values) in objects {
        let ages = former[id, default: []].map { "age integer(\($0))" }
        #expect(
          values.contains { ages.contains($0) },
          "part \(part), round \(round), ID \(id): \(values)"
        )
      }
    }
  }
}
