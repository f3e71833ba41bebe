import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxEncryption

/// A store's folder after some of its commits, openings, compactions and changes of the key.
struct AgedFolder {
  typealias Files = [String: [UInt8]]

  /// The folder at one time.
  struct Moment {
    let files: Files
    /// The results of all reads.
    let content: [String]
  }

  let moments: [Moment]
  var newest: Moment { moments[moments.count - 1] }

  /// Makes the store, and keeps the files of each moment in a folder of its own.
  static func make(in folder: String, seed: Int) throws {
    let scratch = try Scratch(isInMemory: true)
    let path = scratch["store"]
    var number = 100
    func note() throws {
      let target = "\(folder)/\(number)"
      try FileManager.default.createDirectory(atPath: target, withIntermediateDirectories: true)
      try TrialStore.copyFiles(from: path, to: target)
      number += 1
    }
    for opening in 0..<3 {
      let session = try Session(path, generation: 0, isShared: false, tell: { _ in })
      let store = session.store
      defer { store.close() }
      try note()
      func write(_ workload: Int, _ steps: Int) throws {
        let plan = Workload.plan(workload: workload, thread: 0, seed: seed)
        let worker = try Worker(plan, session, inFlight: 1)
        for _ in 0..<steps { try Workload.all[workload].perform(worker) }
        try note()
      }
      try write(opening, 1)
      try write(2, 5)
      switch opening {
      case 0: try store.compact()
      case 1: if TrialStore.isEncrypted { try store.changeEncryption(to: TrialStore.key) }
      default: break
      }
      try note()
      try write(opening, 2)
      if opening == 1 { try store.compact() }
    }
  }

  init(_ folder: String, in scratch: Scratch) throws {
    let path = scratch["moment"]
    moments = try FileManager.default.contentsOfDirectory(atPath: folder).sorted().map {
      let files = try Self.files(of: folder + "/" + $0)
      try Self.write(files, to: path)
      return Moment(files: files, content: try OwnStore.read(path))
    }
  }

  /// Returns the content of the files of a folder, but for the locks.
  static func files(of folder: String) throws -> Files {
    var files: Files = [:]
    for name in try FileManager.default.contentsOfDirectory(atPath: folder) where !isLock(name) {
      files[name] = [UInt8](try Data(contentsOf: URL(fileURLWithPath: folder + "/" + name)))
    }
    return files
  }

  static func isLock(_ name: String) -> Bool { ["lock.mdb", "sealed.lock"].contains(name) }

  /// Makes a folder with only these files.
  static func write(_ files: Files, to folder: String) throws {
    try? FileManager.default.removeItem(atPath: folder)
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    for (name, bytes) in files {
      try Data(bytes).write(to: URL(fileURLWithPath: folder + "/" + name))
    }
  }

  /// Whether a folder has all files of a moment, and none that is newer.
  func isMoment(_ number: Int, _ files: Files) -> Bool {
    let moment = moments[number].files
    return files.allSatisfy { name, bytes in
      if let own = moment[name] { return own == bytes }
      return moments[...number].contains { $0.files[name] == bytes }
    } && moment.keys.allSatisfy { files[$0] != nil }
  }

  // MARK: Cases

  /// A change of one file; nil for a missing one.
  struct Change {
    let name: String
    let bytes: [UInt8]?
  }

  /// The changes of each single file that differ from one another.
  private var changes: [[Change]] {
    let names = Set(moments.flatMap { $0.files.keys }).sorted()
    return names.map { name in
      var seen: Set<[UInt8]?> = [newest.files[name]]
      return ([nil] + moments.map { $0.files[name] }).filter { seen.insert($0).inserted }
        .map { Change(name: name, bytes: $0) }
    }
  }

  /// The cases: the changes of single files, and then those of pairs.
  var cases: [[Change]] {
    let changes = changes
    var cases = changes.flatMap { $0.map { [$0] } }
    for (index, first) in changes.enumerated() {
      for second in changes.dropFirst(index + 1) {
        cases += first.flatMap { change in second.map { [change, $0] } }
      }
    }
    return cases
  }
}
