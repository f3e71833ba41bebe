import Foundation
import ObjectBox
import ObjectBoxReliabilitySupport
import ObjectBoxSync
import ObjectBoxTestSupport
import Synchronization

/// A device of the trial: it writes, records what its store shows, and ends when the database tells so.
///
/// The folder has the store (`disk/store`), and outside of it the `journal` of writes, the `views`
/// and at last the `end`. While the file `quiet` is beside the folder, the device writes nothing,
/// and tells in `waiting` how many transactions wait.
final class Device {
  private let folder: String
  private let name: String
  private let team: String
  private let life: Int
  private let interval: Double
  private let store: Store
  private let entries: Box<Entry>
  private let cells: Box<Cell>
  private let client: any SyncClient
  private let journal: LineFile
  private let views: LineFile
  /// The tokens of the journal, which may be unconfirmed, and so are no causes.
  private var own: Set<String>
  private var foreign: [String] = []
  private var shown = View()
  private var hasShown = false
  private var number = 0
  private var random: SplitMix

  struct Options {
    var folder: String
    var name: String
    var team: String
    /// A number that no other process of this device has had.
    var life: Int
    var urls: [String]
    var seed: Int
    /// Seconds between transactions.
    var interval: Double
  }

  /// The objects that the store shows in one transaction.
  private struct View {
    var halves: [SyncHistory.Half: Entry] = [:]
    var cells: [Int: String] = [:]
  }

  init(_ options: Options) throws {
    folder = options.folder
    name = options.name
    team = options.team
    life = options.life
    interval = options.interval
    random = SplitMix(seed: options.seed)
    journal = try LineFile("\(folder)/journal")
    views = try LineFile("\(folder)/views")
    own = Set(try LineFile.words(of: "\(folder)/journal").compactMap { $0.count > 1 ? $0[1] : nil })
    store = try Store(directoryPath: "\(folder)/disk/store")
    entries = store.box(for: Entry.self)
    cells = store.box(for: Cell.self)
    let configuration = Sync.Configuration(store: store, urls: options.urls)
    configuration.credentials = [.makeUsernamePassword(team, "none")]
    client = try Sync.makeClient(configuration: configuration)
  }

  /// Works until the last cells are stamped `end` and nothing waits.
  func run() throws {
    let hasChanged = Atomic(true)
    let observers = [
      entries.subscribe(dispatchQueue: .global(), flags: []) {
        hasChanged.store(true, ordering: .sequentiallyConsistent)
      },
      cells.subscribe(dispatchQueue: .global(), flags: []) {
        hasChanged.store(true, ordering: .sequentiallyConsistent)
      },
    ]
    defer { observers.forEach { $0.unsubscribe() } }
    try client.start()
    var next = Date()
    var nextLook = Date()
    while true {
      // The checker takes all views, so their number is bounded too.
      if Date() >= nextLook, hasChanged.exchange(false, ordering: .sequentiallyConsistent) {
        try look()
        nextLook = Date().addingTimeInterval(interval / 4)
      }
      if FileManager.default.fileExists(atPath: "\(folder)/../quiet") {
        let waiting = try client.waitingCount()
        try Data("\(waiting)\n".utf8)
          .write(to: URL(filePath: "\(folder)/waiting"), options: .atomic)
        if waiting == 0, shown.cells[Server.cellCount] == "end" {
          try finish()
          return
        }
      } else if Date() >= next {
        try write()
        next = Date().addingTimeInterval(interval * Double.random(in: 0.5...1.5, using: &random))
      }
      Thread.sleep(forTimeInterval: 0.1)
    }
  }

  /// Reports an error that the trial survives: what matters is what it leads to.
  private func tell(_ text: String) {
    FileHandle.standardError.write(Data("\(name): \(text)\n".utf8))
  }

  // MARK: Writing

  private func write() throws {
    number += 1
    let token = "\(team)-\(name)-\(life)-\(number)"
    let kind: SyncHistory.Kind =
      switch Int.random(in: 0..<10, using: &random) {
      case 0: .denied
      case 1, 2: .contest
      default: .plain
      }
    let cause = foreign.isEmpty ? "" : foreign[max(0, foreign.count - 1 - Int(random.next() % 3))]
    let place = Int.random(in: 0..<40, using: &random)
    let stamped = Int.random(in: 0..<(Server.cellCount / 2 - 1), using: &random) * 2 + 1
    try journal.add(["intent \(token) \(kind.rawValue)"], isSynced: true)
    own.insert(token)
    do {
      try store.runInTransaction {
        try entries.put(
          Entry(
            id: 0,
            token: token,
            part: "a",
            cause: cause,
            team: team,
            slot: kind == .contest ? "\(team)/\(place)" : "\(token)/a"
          )
        )
        try entries.put(
          Entry(
            id: 0,
            token: token,
            part: "b",
            cause: cause,
            team: kind == .denied ? "others" : team,
            slot: "\(token)/b"
          )
        )
        if kind == .plain, place.isMultiple(of: 2) { try stamp(stamped, by: token) }
      }
      try journal.add(["done \(token)"], isSynced: true)
    } catch is Failure {
      throw Failure("\(name): the journal cannot be written")
    } catch {
      try journal.add(["failed \(token)"], isSynced: true)
      if kind == .plain { tell("put: \(error)") }
    }
  }

  /// Stamps a cell and its partner; nothing before the first update has brought them.
  private func stamp(_ first: Int, by token: String) throws {
    let couple = try cells.query { Cell.number.isIn([first, first + 1]) }.build().find()
    guard couple.count == 2 else { return }
    for var cell in couple {
      cell.stamp = token
      try cells.put(cell)
    }
  }

  // MARK: Views

  private func view() throws -> View {
    try store.runInReadOnlyTransaction {
      View(
        halves: Dictionary(
          try entries.all().map { (SyncHistory.Half($0.token, $0.part), $0) },
          uniquingKeysWith: { first, _ in first }
        ),
        cells: Dictionary(
          uniqueKeysWithValues: try cells.all().map { ($0.number, $0.stamp) }
        )
      )
    }
  }

  /// Records how the store differs from the last look.
  private func look() throws {
    let new = try view()
    var lines = [hasShown ? "view" : "life"]
    for half in shown.halves.keys where new.halves[half]?.id != shown.halves[half]?.id {
      lines.append("- \(half.token) \(half.part)")
    }
    for (half, entry) in new.halves where shown.halves[half]?.id != entry.id {
      lines.append("+ \(half.token) \(half.part) \(entry.id.value)")
      let isNew = shown.halves[half] == nil
      if isNew, half.part == "a", !own.contains(half.token) { foreign.append(half.token) }
    }
    for (cell, stamp) in new.cells where shown.cells[cell] != stamp {
      lines.append("cell \(cell) \(stamp)")
    }
    if lines.count > 1 || !hasShown { try views.add(lines, isSynced: false) }
    hasShown = true
    shown = new
  }

  private func finish() throws {
    // All objects, so that a doubled one shows.
    let (objects, stamps) = try store.runInReadOnlyTransaction {
      (try entries.all(), try cells.all())
    }
    var lines = objects.map { "+ \($0.token) \($0.part) \($0.id.value)" }
    lines += stamps.map { "cell \($0.number) \($0.stamp)" }
    for rejection in try client.rejections() {
      let token = rejection.writes.lazy.compactMap { $0.values["token"] as? String }.first
      lines.append("rejected \(token ?? "?")")
    }
    lines.append("waiting \(try client.waitingCount())")
    try Data((lines.joined(separator: "\n") + "\n").utf8)
      .write(to: URL(filePath: "\(folder)/end"), options: .atomic)
  }
}
