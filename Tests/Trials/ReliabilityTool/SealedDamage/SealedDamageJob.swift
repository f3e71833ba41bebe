import Foundation
import ObjectBox
import ObjectBoxCare
import ObjectBoxEncryption
import ObjectBoxStorage

/// Opens damaged encrypted stores: a reader gets the newest content or an error, and an older
/// content only if no trace of a newer commit is left.
enum SealedDamageJob {
  /// Returns the arguments of the job, which takes the cases of the given places in their order.
  static func arguments(
    _ folder: String,
    seed: Int,
    count: Int,
    isShuffled: Bool,
    _ places: Range<Int>
  ) -> [String] {
    let numbers = [seed, count, places.lowerBound, places.upperBound, isShuffled ? 1 : 0]
    return ["sealed-damage", folder] + numbers.map { "\($0)" }
  }

  static func run(_ arguments: inout [String]) throws {
    let numbers = arguments.dropFirst().compactMap { Int($0) }
    let (seed, count) = (numbers[0], numbers[1])
    let scratch = try Scratch(isInMemory: true)
    let history = try SealedHistory(arguments[0], in: scratch)
    let damage = SealedDamage(history: history, seed: seed, count: count)
    let order = CaseOrder.numbers(count, isShuffled: numbers[4] == 1, seed: seed)
    for place in numbers[2]..<numbers[3] {
      if Deadline.ofProcess.isOver(after: place - numbers[2]) { return }
      let number = order[place]
      let (kind, files) = damage.files(number)
      tell("c \(place) \(kind.rawValue)")
      tell("count cases")
      let run = SealedDamageCase(history, kind, files, in: scratch)
      if number % 5 == 0 { try run.salvage() }
      try run.open()
    }
  }
}

/// One damaged store.
private struct SealedDamageCase {
  private let history: SealedHistory
  private let kind: SealedDamage.Kind
  private let files: SealedFiles
  private let path: String
  private let target: String

  init(
    _ history: SealedHistory,
    _ kind: SealedDamage.Kind,
    _ files: SealedFiles,
    in scratch: Scratch
  ) {
    self.history = history
    self.kind = kind
    self.files = files
    path = scratch["store"]
    target = scratch["saved"]
  }

  private func finding(_ text: String, _ detail: String = "") {
    tell("finding \(text) in \(kind.rawValue)|\(detail)")
  }

  /// Opens and reads the store, and writes to it if it opens.
  func open() throws {
    try files.write(to: path)
    do {
      let found = try OwnStore.read(path)
      judge(found)
    } catch let error as ObjectBoxError {
      tell("count refused")
      if error.message.isEmpty { finding("an error without a text") }
      if files == history.newest.files { finding("an error without damage", error.message) }
      return
    } catch let error as EncryptionError {
      // Another store's head may have another key; damage never looks like a wrong key.
      finding("damage that is told as a wrong key", error.message)
      return
    } catch {
      finding("an error of another type", "\(error)")
      return
    }
    try checkMinimum()
    do {
      try OwnStore.write(path)
      tell("count written")
    } catch {
      finding("a store that opens and refuses writes", "\(error)")
    }
  }

  private func judge(_ found: [String]) {
    if found == history.newest.content { return tell("count right") }
    if kind == .otherStore, files.head == history.other.head,
      files.pagesName == history.other.pagesName, files.pages == history.other.pages
    {
      return tell("count another store")
    }
    guard let moment = history.moments.last(where: { $0.content == found }) else {
      return finding("content that the store never had")
    }
    if history.hasNoTrace(after: moment, in: files) { return tell("count older") }
    finding("older content in spite of traces", "version \(moment.version)")
  }

  /// Opens the store as a program that has seen the newest commit.
  private func checkMinimum() throws {
    try files.write(to: path)
    do {
      var configuration = TrialStore.configuration(path)
      configuration.encryption?.minimumVersion = history.newest.version
      let store = try Store(model: try TrialStore.model(), configuration: configuration)
      let version = store.transactions.mirror?.durableVersion ?? 0
      store.close()
      if version < Int(history.newest.version) {
        finding("an older version for a program that has seen a newer one")
      }
    } catch EncryptionError.outdated { tell("count outdated") }
    try files.write(to: path)
  }

  /// Saves what can be read: nothing that was not there once.
  func salvage() throws {
    try files.write(to: path)
    try? FileManager.default.removeItem(atPath: target)
    do {
      let source = TrialStore.configuration(path)
      guard let report = try Store.salvage(source, to: TrialStore.configuration(target)) else {
        return
      }
      tell("count salvaged")
      let saved = try SalvageCheck.items(target)
      if kind == .otherStore { return }
      if let item = saved.values.first(where: { !history.knownItems.contains($0) }) {
        finding("an object that the store never had, in a salvage", item)
      }
      if report.isWhole {
        let isKnown = history.moments.contains {
          $0.items == saved
            && ($0.version == history.newest.version || history.hasNoTrace(after: $0, in: files))
        }
        if !isKnown { finding("a salvage that lost objects without a word") }
      }
    } catch is ObjectBoxError {
      tell("count not salvaged")
    } catch {
      finding("an error of another type from a salvage", "\(error)")
    }
  }
}
