import Foundation
import ObjectBox
import ObjectBoxTestSupport

/// Opens the stores that a loss of power leaves at each position of a log.
enum PowerJob {
  /// Returns the arguments of the job, which takes each `step`th case; `isHonest` is false for a
  /// disk that lies about syncs.
  static func arguments(
    _ log: String,
    seed: Int,
    repetitions: Int,
    isHonest: Bool,
    step: Int,
    _ cases: Range<Int>
  ) -> [String] {
    let numbers = [seed, repetitions, cases.lowerBound, cases.upperBound, isHonest ? 1 : 0, step]
    return ["power", log] + numbers.map { "\($0)" }
  }

  static func run(_ arguments: inout [String]) throws {
    let numbers = arguments.dropFirst().compactMap { Int($0) }
    let (seed, repetitions) = (numbers[0], numbers[1])
    let operations = try RecordedOperation.log(at: arguments[0])
    var disk = Disk()
    disk.isHonest = numbers[4] == 1
    var state = ExpectedState(seed: seed)
    let place = try PowerCase()
    let perPosition = repetitions + 1
    var done = 0
    for (position, operation) in operations.enumerated() {
      disk.apply(operation)
      if case .mark(let line) = operation {
        _ = state.note(line)
        continue
      }
      let first = position * perPosition
      guard first + perPosition > numbers[2], first < numbers[3] else { continue }
      let cases = (max(first, numbers[2])..<min(first + perPosition, numbers[3]))
        .filter { ($0 + seed) % numbers[5] == 0 }
      if !cases.isEmpty { state.settle() }
      for number in cases {
        if Deadline.ofProcess.isOver(after: done) { return }
        done += 1
        tell("c \(number)")
        var random = SplitMix(seed: seed &* 31 &+ number)
        let isGarbage = number % 3 == 0
        let image =
          number == first ? disk.whole() : disk.random(&random, allowsGarbage: isGarbage)
        try place.write(image, &random)
        tell("count cases")
        if let fault = place.fault(state, image, &random) {
          tell("finding \(fault.kind)|\(fault.text)")
        }
      }
    }
  }
}

/// The folder in which images of disks are opened.
struct PowerCase {
  private let scratch: Scratch
  private let folder: String
  /// The name of the recorded program's store.
  static let storeName = "store"

  /// The path of a log.
  let log: String

  init() throws {
    scratch = try Scratch(isInMemory: true)
    folder = scratch["case"]
    log = scratch["log"]
  }

  /// Writes the files of an image, at times with a garbage lock file.
  func write(_ image: Disk.Image, _ random: inout SplitMix) throws {
    let manager = FileManager.default
    try? manager.removeItem(atPath: folder)
    for name in image.directories {
      try manager.createDirectory(atPath: folder + "/" + name, withIntermediateDirectories: true)
    }
    for (name, content) in image.files {
      try Data(content).write(to: URL(fileURLWithPath: folder + "/" + name))
    }
    if Int.random(in: 0..<4, using: &random) == 0, image.directories.contains(Self.storeName) {
      let garbage = (0..<8192).map { _ in UInt8.random(in: 0...255, using: &random) }
      let lock = TrialStore.isEncrypted ? "sealed.lock" : "lock.mdb"
      let path = "\(folder)/\(Self.storeName)/\(lock)"
      try Data(garbage).write(to: URL(fileURLWithPath: path))
    }
  }

  /// Opens the store, compares it with the acknowledgements, and writes.
  ///
  /// - Parameters:
  ///   - state: The acknowledgements.
  ///   - image: The files.
  ///   - random: Chooses whether to write.
  /// - Returns: A fault and its kind: `backup`; `folder` if the file is missing, `creation` if nothing
  ///   was acknowledged yet, and `loss` otherwise.
  func fault(
    _ state: ExpectedState,
    _ image: Disk.Image,
    _ random: inout SplitMix
  ) -> (kind: String, text: String)? {
    let path = folder + "/" + Self.storeName
    let isThere = image.files[Self.storeName + "/" + TrialStore.mainFile] != nil
    let kind = state.steps.isEmpty ? "creation" : isThere ? "loss" : "folder"
    do {
      let backup = try BackupCheck.fault(beside: path)
      for _ in 0..<backup.count { tell("count backups") }
      if let fault = backup.fault { return ("backup", fault) }
      var state = state
      let store = try TrialStore.open(path, generation: state.generation)
      defer { store.close() }
      var fault = try state.fault(in: store)
      if fault == nil, Int.random(in: 0..<4, using: &random) == 0 {
        try store.box(for: Register.self).put(Register(1))
      }
      fault = try fault ?? StoreCheck.close(store)
      return fault.map { (kind, $0) }
    } catch {
      return (kind, "it does not open, or not all of it can be read: \(error)")
    }
  }
}
