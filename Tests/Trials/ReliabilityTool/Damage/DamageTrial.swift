import Foundation
import ObjectBox
import ObjectBoxStorage

/// Opens, reads and writes damaged stores of each format: every use gives an error or the right
/// data.
enum DamageTrial: Trial {
  static let name = "damage"
  static let share: Double? = 2
  static let floor = 15
  /// Indexes, relations and sequences have no checksums, and opening checks only a part of the
  /// file.
  static let known = ["other data without an error"]

  static func run(_ options: TrialOptions) throws -> TrialReport {
    if TrialStore.isEncrypted { return try SealedDamageTrial.run(options) }
    let count = options.count(long: 100_000, timed: 2000)
    let scratch = try Scratch(isInMemory: true)
    let cases = DamageCases(
      folder: scratch["files"],
      count: count,
      fixtureCount: max(1, count / 40)
    )
    let manager = FileManager.default
    try manager.createDirectory(atPath: cases.folder, withIntermediateDirectories: false)
    try makeOriginal(scratch["store"])
    try makeNewer(scratch["store"], scratch["newer"])
    for (from, to) in [("store", DamageCases.own), ("newer", "newer")] {
      try manager.moveItem(
        atPath: scratch[from] + "/data.mdb",
        toPath: cases.folder + "/" + to
      )
    }
    try cases.addFixtures()
    var batch = Batch()
    batch.limit = 10
    batch.deadline = options.deadline
    #if OBJECTBOX_INTERNAL_CHECKS
      batch.selfChecks = ["IndexWriter.swift", "VectorGraph+Check.swift"]
    #endif
    let isShuffled = options.deadline.isTimed && options.part == nil
    let order = CaseOrder.numbers(cases.total, isShuffled: isShuffled, seed: options.seed)
    try batch.run(
      options.partNumber.map { $0..<$0 + 1 } ?? order.indices,
      again: {
        Repetition.trial("--seed \(options.seed) --count \(count) --part \(order[$0]) damage")
      },
      arguments: { DamageJob.arguments(cases, seed: options.seed, isShuffled: isShuffled, $0) }
    )
    var report = batch.report
    report.count = batch.done
    report.figures =
      batch.counts.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(
        separator: ", "
      )
    return report
  }

  /// Copies a store, and gives the copy a format version that does not exist.
  private static func makeNewer(_ path: String, _ copy: String) throws {
    try FileManager.default.createDirectory(atPath: copy, withIntermediateDirectories: false)
    try FileManager.default.copyItem(atPath: path + "/data.mdb", toPath: copy + "/data.mdb")
    let options = StorageEnvironment.Options(mapSizeInBytes: 1 << 28, maximumTableCount: 20)
    let environment = try StorageEnvironment(directory: copy, options: options)
    defer { environment.close() }
    let writing = try environment.beginWrite()
    guard let table = try writing.openTable("objectbox", .plain, create: false) else {
      throw TrialError("the store has no system table")
    }
    try writing.put(table, key: Array("format".utf8), value: [99, 0, 0, 0])
    try writing.commit()
  }

  /// Makes a small store with free pages and overflow pages, by several openings.
  private static func makeOriginal(_ path: String) throws {
    for number in 0..<3 {
      let session = try Session(path, generation: 0, isShared: false, tell: { _ in })
      defer { session.store.close() }
      let plan = Workload.plan(workload: number, thread: 0, seed: 5)
      let worker = try Worker(plan, session, inFlight: 1)
      for _ in 0..<4 { try Workload.all[number].perform(worker) }
    }
    let store = try TrialStore.open(path)
    defer { store.close() }
    try store.box(for: Register.self).put((0..<20).map { Register($0) })
  }
}
