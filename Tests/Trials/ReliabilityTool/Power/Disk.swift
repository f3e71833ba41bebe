import Foundation
import ObjectBoxTestSupport

/// A simulated disk after a loss of power: it has a part of the recorded writes.
///
/// Assumptions: a sector of 512 bytes is old, new, or, if it was being written, garbage. A
/// completed sync of a file makes its content durable; a sync of a folder makes its names durable.
/// Changes of names reach the disk in order. Anything else that was not synced may be lost. After a failed
/// sync, the disk never gets what waited for it, although the files show it: a later sync writes only
/// pages that were written to since.
struct Disk: Sendable {
  private static let sector = 512

  private enum NameChange: Sendable {
    case add(path: String, file: Int)
    case addDirectory(String)
    case rename(from: String, to: String)
    case link(from: String, to: String)
    case remove(String)

    /// The folders whose sync makes the change durable.
    var folders: [String] {
      switch self {
      case .add(let path, _), .addDirectory(let path), .remove(let path): [Disk.folder(of: path)]
      case .rename(_, let to), .link(_, let to): [Disk.folder(of: to)]
      }
    }
  }

  private struct Names: Sendable {
    var files: [String: Int] = [:]
    var directories: Set<String> = [""]

    mutating func apply(_ change: NameChange) {
      switch change {
      case .add(let path, let file): files[path] = file
      case .addDirectory(let path): directories.insert(path)
      case .rename(let from, let to): files[to] = files.removeValue(forKey: from)
      case .link(let from, let to): files[to] = files[from]
      case .remove(let path):
        files[path] = nil
        directories.remove(path)
      }
    }
  }

  /// False for a disk that reports syncs that it has not done.
  var isHonest = true
  private var files: [Int: DiskFile] = [:]
  private var names = Names()
  private var pendingNames: [NameChange] = []
  /// The synchronous write in progress.
  ///
  /// A loss of power may tear it, although it is durable once it returns.
  private var through: (file: Int, offset: Int, bytes: [UInt8])?

  private static func folder(of path: String) -> String {
    path.lastIndex(of: "/").map { String(path[..<$0]) } ?? ""
  }

  init() {}

  /// Makes a disk that has the files of a folder.
  ///
  /// - Parameters:
  ///   - folder: The folder.
  ///   - name: Its path from the root of the log.
  /// - Throws: The system's error.
  init(_ folder: String, as name: String) throws {
    names.directories.insert(name)
    for (number, file) in try FileManager.default.contentsOfDirectory(atPath: folder).enumerated() {
      let content = try Data(contentsOf: URL(fileURLWithPath: folder + "/" + file))
      // The log counts files from 1.
      files[-1 - number] = DiskFile(durable: [UInt8](content))
      names.files[name + "/" + file] = -1 - number
    }
  }

  /// Applies a call; a synchronous write stays in progress until the next call.
  mutating func apply(_ operation: RecordedOperation) {
    endWriteThrough()
    switch operation {
    case .create(let file, let path): create(file, path)
    case .known(let file, let path): know(file, path)
    case .failedSync(let file): files[file]?.failSync()
    case .forgottenWrite(let file, let offset, let bytes):
      files[file]?.forgetWrite(bytes, at: offset)
    case .write(let file, let offset, let bytes, let isThrough):
      if isThrough {
        through = (file, offset, bytes)
      } else {
        files[file, default: DiskFile()].write(bytes, at: offset)
      }
    case .truncate(let file, let size): files[file, default: DiskFile()].truncate(to: size)
    case .sync(let file): if isHonest { syncContent(of: file) }
    case .rename(let from, let to): pendingNames.append(.rename(from: from, to: to))
    case .link(let from, let to): pendingNames.append(.link(from: from, to: to))
    case .unlink(let path): pendingNames.append(.remove(path))
    case .makeDirectory(let path): pendingNames.append(.addDirectory(path))
    case .syncDirectory(let path): syncNames(in: path)
    case .mark: break
    }
  }

  private mutating func create(_ file: Int, _ path: String) {
    files[file] = DiskFile()
    pendingNames.append(.add(path: path, file: file))
  }

  /// Gives a file of the first folder the number that the log has for it.
  private mutating func know(_ file: Int, _ path: String) {
    var present = names
    for change in pendingNames { present.apply(change) }
    guard let number = present.files[path], number < 0,
      let content = files.removeValue(forKey: number)
    else { return create(file, path) }
    files[file] = content
    for (name, other) in names.files where other == number { names.files[name] = file }
  }

  private mutating func endWriteThrough() {
    guard let write = through else { return }
    through = nil
    var content = files[write.file, default: DiskFile()]
    for change in content.remembered(offset: write.offset, count: write.bytes.count) {
      DiskFile.apply(change, to: &content.durable)
    }
    DiskFile.put(write.bytes, at: write.offset, into: &content.durable)
    files[write.file] = content
  }

  private mutating func syncContent(of file: Int) {
    guard var content = files[file] else { return }
    for change in content.pending { DiskFile.apply(change, to: &content.durable) }
    content.pending = []
    files[file] = content
  }

  /// Makes the changes of names in a folder durable, and all earlier ones.
  private mutating func syncNames(in folder: String) {
    guard let last = pendingNames.lastIndex(where: { $0.folders.contains(folder) }) else { return }
    for change in pendingNames[...last] { names.apply(change) }
    pendingNames.removeFirst(last + 1)
  }

  // MARK: Losing power

  /// The content after a loss of power.
  struct Image {
    var directories: [String]
    var files: [String: [UInt8]]
  }

  /// Returns an image with everything written so far.
  func whole() -> Image {
    image(names: pendingNames.count) { file, number in
      var content = file.durable
      for change in file.pending { DiskFile.apply(change, to: &content) }
      if let through, through.file == number {
        DiskFile.put(through.bytes, at: through.offset, into: &content)
      }
      return content
    }
  }

  /// Returns an image with a random part of the unsynced changes, and with garbage sectors if
  /// allowed.
  func random(_ random: inout SplitMix, allowsGarbage: Bool) -> Image {
    // The content of a file without a name is not visible.
    let isNamed = Int.random(in: 0..<3, using: &random) > 0
    let count =
      isNamed ? pendingNames.count : Int.random(in: 0...pendingNames.count, using: &random)
    let density = Int.random(in: 1...9, using: &random)
    return image(names: count) { file, number in
      var content = file.durable
      // A sync may have written a part before it failed.
      for change in file.forgottenChanges { tear(change, into: &content, density, false, &random) }
      for change in file.pending {
        tear(change, into: &content, density, allowsGarbage, &random)
      }
      if let through, through.file == number {
        let change = DiskFile.Change.bytes(offset: through.offset, through.bytes)
        tear(change, into: &content, density, allowsGarbage, &random)
      }
      return content
    }
  }

  private func image(names count: Int, content: (DiskFile, Int) -> [UInt8]) -> Image {
    var names = names
    for change in pendingNames.prefix(count) { names.apply(change) }
    var image = Image(directories: names.directories.sorted(), files: [:])
    for (path, number) in names.files.sorted(by: { $0.key < $1.key }) {
      guard let file = files[number] else { continue }
      image.files[path] = content(file, number)
    }
    return image
  }

  /// Applies a random part of the sectors of a change.
  private func tear(
    _ change: DiskFile.Change,
    into content: inout [UInt8],
    _ density: Int,
    _ allowsGarbage: Bool,
    _ random: inout SplitMix
  ) {
    guard case .bytes(let offset, let bytes) = change else {
      if Int.random(in: 0..<10, using: &random) < density { DiskFile.apply(change, to: &content) }
      return
    }
    let isGarbage = allowsGarbage && Int.random(in: 0..<4, using: &random) == 0
    var start = offset
    while start < offset + bytes.count {
      let sectorStart = start / Self.sector * Self.sector
      let end = min(sectorStart + Self.sector, offset + bytes.count)
      let die = Int.random(in: 0..<10, using: &random)
      if die < density {
        DiskFile.put(Array(bytes[start - offset..<end - offset]), at: start, into: &content)
      } else if isGarbage, die == 9 {
        // Garbage covers a whole sector, including bytes beside the write.
        let garbage = (0..<Self.sector).map { _ in UInt8.random(in: 0...255, using: &random) }
        DiskFile.put(garbage, at: sectorStart, into: &content)
      }
      start = end
    }
  }
}
