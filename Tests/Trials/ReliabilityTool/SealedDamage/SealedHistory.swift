import Foundation
import ObjectBox
import ObjectBoxStorage
import ObjectBoxTestSupport

/// An encrypted store after each of its commits, and another store with the same key.
struct SealedHistory {
  /// The store after a commit.
  struct Moment {
    let version: UInt64
    let files: SealedFiles
    /// The results of all reads.
    let content: [String]
    /// The objects by ID, as texts.
    let items: [UInt64: String]
  }

  let moments: [Moment]
  let other: SealedFiles
  /// The traces of the newest log.
  let traces: [SealedFiles.Trace]
  /// Each object of each moment.
  let knownItems: Set<String>

  var newest: Moment { moments[moments.count - 1] }

  private static let otherName = "other"

  /// Makes both stores, and keeps the files of each moment in a folder.
  ///
  /// - Returns: The versions that an opening has shown without a new mark.
  static func make(in folder: String) throws -> [UInt64] {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    let scratch = try Scratch(isInMemory: true)
    var number = 0
    let unmarked = try write(scratch["store"], seed: 5, steps: 12) { path, version in
      try SealedFiles(path).write(to: "\(folder)/\(number)-\(version)")
      number += 1
    }
    _ = try write(scratch["other"], seed: 6, steps: 12) { _, _ in }
    try SealedFiles(scratch["other"]).write(to: folder + "/" + otherName)
    return unmarked
  }

  /// Writes steps of some workloads, and calls a body after each.
  ///
  /// Each workload has an opening of its own. After each, the store loses the mark of its newest version, as by a loss
  /// of power, and is opened again.
  ///
  /// - Returns: The versions whose mark this opening did not write.
  private static func write(
    _ path: String,
    seed: Int,
    steps: Int,
    _ body: (String, UInt64) throws -> Void
  ) throws -> [UInt64] {
    var unmarked: [UInt64] = []
    func note(_ store: Store) throws -> UInt64 {
      let version = UInt64(store.transactions.mirror?.durableVersion ?? 0)
      try body(path, version)
      return version
    }
    for number in 0..<3 {
      let session = try Session(path, generation: 0, isShared: false, tell: { _ in })
      let store = session.store
      defer { store.close() }
      // Without objects, there is nothing whose loss could be noticed.
      if number == 0 { try store.box(for: Register.self).put((0..<20).map { Register($0) }) }
      let plan = Workload.plan(workload: number, thread: 0, seed: seed)
      let worker = try Worker(plan, session, inFlight: 1)
      for _ in 0..<steps {
        try Workload.all[number].perform(worker)
        _ = try note(store)
      }
      let newest = UInt64(store.transactions.mirror?.durableVersion ?? 0)
      store.close()
      var files = try SealedFiles(path)
      guard files.removeMark(of: newest) else { continue }
      try files.write(to: path)
      let again = try TrialStore.open(path)
      defer { again.close() }
      let version = try note(again)
      if !(try SealedFiles(path).traces.contains { $0.isMark && $0.version == version }) {
        unmarked.append(version)
      }
    }
    return unmarked
  }

  /// Returns the version of each moment in a folder, and the path of its files.
  private static func moments(in folder: String) throws -> [(version: UInt64, path: String)] {
    let names = try FileManager.default.contentsOfDirectory(atPath: folder)
    let numbers = names.compactMap { name -> (Int, UInt64, String)? in
      let parts = name.split(separator: "-")
      guard parts.count == 2, let number = Int(parts[0]), let version = UInt64(parts[1]) else {
        return nil
      }
      return (number, version, folder + "/" + name)
    }
    return numbers.sorted { $0.0 < $1.0 }.map { ($0.1, $0.2) }
  }

  /// Returns the number of versions in a folder, and the number of their different heads.
  static func figures(of folder: String) throws -> (versions: Int, heads: Int) {
    let moments = try moments(in: folder)
    let heads = Set(try moments.map { try SealedFiles($0.path).head ?? [] })
    return (moments.count, heads.count)
  }

  init(_ folder: String, in scratch: Scratch) throws {
    moments = try Self.moments(in: folder).map { version, source in
      let files = try SealedFiles(source)
      let path = scratch["moment"]
      try files.write(to: path)
      let store = try TrialStore.open(path)
      defer { store.close() }
      let content = try OwnStore.read(store)
      let items = try OwnStore.items(store)
      return Moment(version: version, files: files, content: content, items: items)
    }
    other = try SealedFiles(folder + "/" + Self.otherName)
    guard let last = moments.last else { throw TrialError("the store has no commits") }
    traces = last.files.traces
    knownItems = Set(moments.flatMap { $0.items.values })
  }

  /// Returns whether damaged files have lost every proof of the commits after a moment.
  ///
  /// Only then may the older moment be read: nobody can tell the loss of the newest commits, with
  /// all their traces, from a loss of power.
  func hasNoTrace(after moment: Moment, in files: SealedFiles) -> Bool {
    // A head has the number of its version, in its sealed part.
    let headVersion = moments.first { $0.files.head == files.head }?.version ?? newest.version
    if files.head != newest.files.head, headVersion > moment.version { return false }
    return traces.allSatisfy { trace in
      trace.version <= (trace.isMark ? moment.version : moment.version + 1) || !files.has(trace)
    }
  }
}
