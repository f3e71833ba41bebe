import Foundation
import ObjectBox
import ObjectBoxEncryption
import ObjectBoxTestSupport

/// Opens folders of which some files are missing or of another time.
///
/// The store has its newest content, or refuses with an error that names the file and leaves the files as they are, or
/// tells that it has gone back.
enum AgesJob {
  static func run(_ arguments: inout [String]) throws {
    let numbers = arguments.dropFirst().compactMap { Int($0) }
    let scratch = try Scratch(isInMemory: true)
    let folder = try AgedFolder(arguments[0], in: scratch)
    let cases = folder.cases
    let order = Self.order(cases, isShuffled: numbers[3] == 1, seed: numbers[0])
    for place in numbers[1]..<min(numbers[2], order.count) {
      if Deadline.ofProcess.isOver(after: place - numbers[1]) { return }
      let changes = cases[order[place]]
      let title = changes.map { "\($0.bytes == nil ? "no" : "another") \(Self.kind($0.name))" }
      tell("c \(place) \(title.joined(separator: " and "))")
      tell("count cases")
      try AgedCase(folder, changes, title.joined(separator: " and "), scratch["store"]).run()
    }
  }

  /// The order of the cases: a short run has all single files, and pairs of each kind.
  private static func order(_ cases: [[AgedFolder.Change]], isShuffled: Bool, seed: Int) -> [Int] {
    let singles = cases.count { $0.count == 1 }
    let pairs = CaseOrder.numbers(cases.count - singles, isShuffled: isShuffled, seed: seed)
    return CaseOrder.numbers(singles, isShuffled: isShuffled, seed: seed)
      + pairs.map { singles + $0 }
  }

  /// A file's name without the number of a pages file.
  private static func kind(_ name: String) -> String {
    name.hasPrefix("sealed.pages-") ? "sealed.pages" : name
  }
}

/// One folder.
private struct AgedCase {
  private let folder: AgedFolder
  private let changes: [AgedFolder.Change]
  private let title: String
  private let path: String
  private var files: AgedFolder.Files

  init(_ folder: AgedFolder, _ changes: [AgedFolder.Change], _ title: String, _ path: String) {
    self.folder = folder
    self.changes = changes
    self.title = title
    self.path = path
    files = folder.newest.files
    for change in changes { files[change.name] = change.bytes }
  }

  private func finding(_ kind: String, _ text: String = "") {
    tell("finding \(kind)|\(title): \(text)")
  }

  func run() throws {
    try AgedFolder.write(files, to: path)
    do {
      let store = try TrialStore.open(path)
      defer { store.close() }
      let isTold = try store.statistics.unheardFailures > 0
      try judge(try OwnStore.read(store), isTold: isTold)
    } catch let error as ObjectBoxError {
      try judge(error.message)
    } catch let error as EncryptionError {
      try judge(error.message)
    }
  }

  private func judge(_ found: [String], isTold: Bool) throws {
    if found == folder.newest.content { return tell("count newest") }
    if isTold { return tell("count gone back and told") }
    let isWhole = folder.moments.indices.contains {
      folder.moments[$0].content == found && folder.isMoment($0, files)
    }
    if isWhole { return tell("count an older folder as a whole") }
    if !files.contains(where: { hasContent($0.key, $0.value) }) { return tell("count a new store") }
    let number = folder.moments.firstIndex { $0.content == found }
    finding(
      "older content without a word",
      number.map { "that of moment \($0) of \(folder.moments.count)" } ?? "that it never had"
    )
  }

  /// Whether a file has a part of a store's content; a new pages file has one block.
  private func hasContent(_ name: String, _ bytes: [UInt8]) -> Bool {
    !name.hasPrefix("sealed.pages-") || bytes.dropFirst(SealedFiles.block).contains { $0 != 0 }
  }

  private func judge(_ message: String) throws {
    tell("count refused")
    if !changes.contains(where: { message.contains($0.name) }) {
      finding("an error that does not name the file", message)
    }
    let left = try AgedFolder.files(of: path)
    for name in Set(left.keys).union(files.keys).sorted() where left[name] != files[name] {
      finding("a refused folder whose files were changed", name)
    }
  }
}
