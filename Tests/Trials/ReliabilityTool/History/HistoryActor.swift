import Foundation
import ObjectBox
import ObjectBoxLive
import ObjectBoxReliabilitySupport
import ObjectBoxTestSupport
import Synchronization

/// A thread or task that runs transactions and reports them; not thread-safe.
final class HistoryActor {
  let store: Store
  let name: String
  private let process: Int
  private let number: Int
  private var random: SplitMix
  private var count: Int64 = 0
  private var transactions = 0

  init(_ store: Store, name: String, process: Int, number: Int, seed: Int) {
    self.store = store
    self.name = "\(process).\(number)-\(name)"
    self.process = process
    self.number = number
    random = SplitMix(seed: seed &* 1009 &+ process &* 101 &+ number)
  }

  /// Returns a unique value.
  private func nextValue() -> Int64 {
    count += 1
    return Int64(process + 1) * 1_000_000_000_000 + Int64(number + 1) * 1_000_000_000 + count
  }

  private func nextName() -> String {
    transactions += 1
    return "\(name)-\(transactions)"
  }

  private func writingScript() -> Script { .writing(&random, value: { nextValue() }) }

  private static func tellEnd(
    _ name: String,
    _ log: [History.Operation],
    _ version: Int?,
    _ begin: UInt64,
    isCommitted: Bool = true
  ) {
    let transaction = History.Transaction(
      name: name,
      operations: log,
      version: version,
      begin: begin,
      end: Clock.nanoseconds,
      isCommitted: isCommitted
    )
    tell(HistoryLine.text(of: transaction))
  }

  // MARK: Ways of writing

  /// Writes in a blocking transaction.
  func write() throws {
    let (script, begin) = (writingScript(), Clock.nanoseconds)
    var log: [History.Operation] = []
    var version: Int?
    do {
      try store.write { transaction in
        version = try transaction.version()
        try script.run(in: transaction) { log.append($0) }
      }
    } catch HistoryFailure.rolledBack {}
    Self.tellEnd(nextName(), log, version, begin, isCommitted: !script.isRolledBack)
  }

  /// Writes in a suspending transaction.
  func writeSuspending() async throws {
    let (script, begin) = (writingScript(), Clock.nanoseconds)
    var log: [History.Operation] = []
    var version: Int?
    do {
      try await store.write { transaction in
        version = try transaction.version()
        try script.run(in: transaction) { log.append($0) }
      }
    } catch HistoryFailure.rolledBack {}
    Self.tellEnd(nextName(), log, version, begin, isCommitted: !script.isRolledBack)
  }

  /// Submits several writes that may share a commit, and waits for them.
  func writeGroup(on queue: SerialQueue) {
    let free = DispatchSemaphore(value: 0)
    let members = Int.random(in: 2...6, using: &random)
    for _ in 0..<members {
      let (script, begin, name) = (writingScript(), Clock.nanoseconds, nextName())
      let run = Mutex<(log: [History.Operation], version: Int?)>(([], nil))
      let shared = Shared(run)
      store.writeAsync(
        on: queue,
        isGroupingAllowed: true,
        { transaction in
          let version = try transaction.version()
          var log: [History.Operation] = []
          defer { shared.value.withLock { $0 = (log, version) } }
          try script.run(in: transaction) { log.append($0) }
        },
        onComplete: { error in
          let (log, version) = shared.value.withLock { $0 }
          Self.tellEnd(name, log, version, begin, isCommitted: error == nil)
          free.signal()
        }
      )
    }
    for _ in 0..<members { free.wait() }
  }

  // MARK: Ways of reading

  func read() throws {
    let (script, begin) = (Script.reading(&random), Clock.nanoseconds)
    var log: [History.Operation] = []
    var version: Int?
    try store.read { transaction in
      version = try transaction.version()
      try script.run(read: { try transaction.get(Register.self, $0) }, note: { log.append($0) })
    }
    Self.tellEnd(nextName(), log, version, begin)
  }

  /// Reads one object, outside of a transaction.
  func readOne() throws {
    let (script, begin) = (Script.readingOne(&random), Clock.nanoseconds)
    var log: [History.Operation] = []
    let box = store.box(for: Register.self)
    try script.run(read: { try box.get($0) }, note: { log.append($0) })
    Self.tellEnd(nextName(), log, nil, begin)
  }

  /// Reads all objects by a query.
  func query() throws {
    let begin = Clock.nanoseconds
    let found = try store.box(for: Register.self).query().build().find()
    let log = found.map { History.Operation.read(register: Int($0.id), value: $0.value) }
    Self.tellEnd(nextName(), log, nil, begin)
  }

  /// Reads from a live view after moving it to the newest version.
  func readLive(by follower: HistoryFollower) async throws {
    let (script, begin) = (Script.reading(&random), Clock.nanoseconds)
    let (log, version) = try await follower.read(script, in: store)
    Self.tellEnd(nextName(), log, version, begin)
  }

  /// Reads slowly from one snapshot on several threads.
  func readSnapshot() throws {
    let begin = Clock.nanoseconds
    let snapshot = try store.freeze()
    let (version, end) = (try snapshot.version(), Clock.nanoseconds)
    let scripts = (0..<3).map { _ in Script.reading(&random) }
    let name = nextName()
    DispatchQueue.concurrentPerform(iterations: scripts.count) { index in
      var log: [History.Operation] = []
      do {
        try scripts[index].run(
          read: {
            sched_yield()
            return try snapshot.object(Register.self, $0)?.value()
          },
          note: { log.append($0) }
        )
      } catch {
        tell("error \(error)")
      }
      let transaction = History.Transaction(
        name: "\(name)-\(index)",
        operations: log,
        version: version,
        begin: begin,
        end: end
      )
      tell(HistoryLine.text(of: transaction))
    }
  }
}

/// An actor with a live view.
actor HistoryFollower {
  private var live: LiveStore?

  /// Moves the view to the newest version, and reads.
  fileprivate func read(
    _ script: Script,
    in store: Store
  ) throws -> (log: [History.Operation], version: Int) {
    let live = try live ?? store.live()
    self.live = live
    try live.refresh()
    let version = try live.version()
    var log: [History.Operation] = []
    try script.run(
      read: { try live.object(Register.self, $0)?.value() },
      note: { log.append($0) }
    )
    return (log, version)
  }

  func end() {
    live?.invalidate()
    live = nil
  }
}

/// A mutex that closures share.
private final class Shared<T>: Sendable {
  let value: Mutex<T>
  init(_ value: consuming sending Mutex<T>) { self.value = value }
}

extension Script {
  /// Runs the steps in a write transaction.
  fileprivate func run(
    in transaction: WriteTransaction,
    note: (History.Operation) -> Void
  ) throws {
    try run(
      read: { try transaction.get(Register.self, $0) },
      write: { try transaction.put($0) },
      note: note
    )
  }
}
