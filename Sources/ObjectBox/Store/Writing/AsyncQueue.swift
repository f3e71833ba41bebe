internal import Foundation

/// A write that waits for the writer thread of its store.
protocol AsyncWrite: Sendable {
  /// How much memory it takes, roughly.
  var sizeInBytes: Int { get }
  var operation: UnheardFailure.Operation { get }
  var table: EntityTable { get }
  /// The objects that it puts or removes.
  var ids: [UInt64] { get }
  /// True when a handler of failures asked for it.
  var isOfHandler: Bool { get }
  /// Writes in the transaction.
  ///
  /// - Returns: Why it was refused, before anything was written; nil when it was not.
  /// - Throws: When the transaction may hold a part of it, and must not commit.
  func write(in transaction: Transaction) throws -> ObjectBoxError?
}

/// The writes that wait in an open store, and the thread that does them.
///
/// The thread begins a transaction, takes all that waits by then, and commits it together: one sync of the
/// disk for many writes. Each write is in effect one of its own: one that cannot be done does not keep the
/// others from being done, and is told once as an ``UnheardFailure``. The order is that of `enqueue`.
///
/// A class, since it owns the thread. Invariant of `@unchecked Sendable`: the variables are touched while
/// the worker's condition is locked only.
final class AsyncQueue: @unchecked Sendable {
  /// How many writes may wait.
  static let maximumCount = 10_000
  /// How much memory they may take, when there are several.
  static let maximumSizeInBytes = 64 << 20

  private let worker = WorkerThread(name: "ObjectBox writer")
  private var waiting: [any AsyncWrite] = []
  private var waitingSize = 0
  private var submittedCount: UInt64 = 0
  private var completedCount: UInt64 = 0

  private var condition: NSCondition { worker.condition }

  private func locked<T>(_ body: () throws -> T) rethrows -> T { try worker.locked(body) }

  // MARK: Filling

  /// Adds writes, together and in their order.
  ///
  /// - Parameters:
  ///   - writes: At least one.
  ///   - core: The store.
  ///   - timeout: How many seconds to wait for room at most.
  /// - Throws: ``ObjectBoxError``: `illegalState` when the store is closed, `unknown` with code 1002 when
  ///   no room came in time. Nothing is added then.
  func enqueue(_ writes: [any AsyncWrite], core: OpenStore, timeout: TimeInterval) throws {
    let size = writes.reduce(0) { $0 + $1.sizeInBytes }
    // The thread could not take anything before this transaction ends.
    let holdsWriter = core.transactions.isWritingOnThisThread
    // A wait of infinite length, or of none in numbers, is beyond what the system takes.
    let deadline = Date(timeIntervalSinceNow: timeout > 0 ? min(timeout, 3e9) : 0)
    try locked {
      while worker.takesMore, !hasRoom(count: writes.count, size: size) {
        if holdsWriter || !condition.wait(until: deadline) { throw Self.full(holdsWriter) }
      }
      guard worker.takesMore else {
        throw StoreError.closed(core.file.location, as: ObjectBoxError.illegalState(message:))
      }
      waiting.append(contentsOf: writes)
      waitingSize += size
      submittedCount += UInt64(writes.count)
      if worker.isIdle {
        worker.start(isThere: { !self.waiting.isEmpty }, work: { self.writeGroup(in: core) })
      }
      condition.broadcast()
    }
  }

  private func hasRoom(count: Int, size: Int) -> Bool {
    waiting.isEmpty
      || waiting.count + count <= Self.maximumCount
        && waitingSize + size <= Self.maximumSizeInBytes
  }

  private static func full(_ holdsWriter: Bool) -> ObjectBoxError {
    .unknown(
      code: 1002,
      message: holdsWriter
        ? "the queue of asynchronous writes is full, and cannot be emptied before the write "
          + "transaction of this thread ends; put synchronously in transactions"
        : "the queue of asynchronous writes is full, and no room came in time; put less at a time, "
          + "or with a longer enqueueTimeout"
    )
  }

  // MARK: Waiting

  /// Waits until all that was added so far is done; false when this thread itself keeps it from that.
  func awaitSubmitted(core: OpenStore) -> Bool {
    let canWait = !core.transactions.isWritingOnThisThread
    return locked {
      let count = submittedCount
      while completedCount < count {
        guard canWait else { return false }
        condition.wait()
      }
      return true
    }
  }

  /// Waits until nothing waits; false when this thread itself keeps it from that.
  func awaitCompleted(core: OpenStore) -> Bool {
    let canWait = !core.transactions.isWritingOnThisThread
    return locked {
      while completedCount < submittedCount {
        guard canWait else { return false }
        condition.wait()
      }
      return true
    }
  }

  /// True on the thread that does the writes.
  var isCurrentThread: Bool { worker.isCurrent }

  /// Takes nothing more from now on.
  func refuseMore() {
    worker.refuseMore()
  }

  /// Takes nothing more, and waits until all is done and the thread no longer uses the store.
  func drain() {
    refuseMore()
    locked {
      while !worker.isEnded { condition.wait() }
    }
  }

  // MARK: The thread

  private func takeAll() -> [any AsyncWrite] {
    locked {
      defer {
        waiting = []
        waitingSize = 0
        condition.broadcast()
      }
      return waiting
    }
  }

  private func writeGroup(in core: OpenStore) {
    var group: [any AsyncWrite] = []
    do {
      var refused: [Refused] = []
      try core.transactions.inTransaction(isWritable: true) { transaction, _ in
        // Only now, since more came while another thread held the writer's place.
        group = takeAll()
        refused = try Self.write(group[...], in: transaction)
      }
      for (write, error) in refused { Self.drop(write, error, in: core) }
    } catch {
      if group.isEmpty {
        // The transaction could not begin.
        group = takeAll()
        for write in group { Self.drop(write, error, in: core) }
      } else {
        Self.writeHalves(of: group[...], error, in: core)
      }
    }
    let count = UInt64(group.count)
    locked {
      completedCount += count
      condition.broadcast()
    }
  }

  private typealias Refused = (write: any AsyncWrite, error: any Error)

  /// Writes all, and returns those that are refused.
  private static func write(
    _ group: ArraySlice<any AsyncWrite>,
    in transaction: Transaction
  ) throws -> [Refused] {
    try group.compactMap { write in try write.write(in: transaction).map { (write, $0) } }
  }

  /// Writes a group that did not succeed as a whole in two parts, and those likewise, until what cannot be
  /// written stands alone and is dropped.
  private static func writeHalves(
    of group: ArraySlice<any AsyncWrite>,
    _ error: any Error,
    in core: OpenStore
  ) {
    guard group.count > 1 else {
      for write in group { drop(write, error, in: core) }
      return
    }
    let middle = group.startIndex + group.count / 2
    for half in [group[..<middle], group[middle...]] {
      do {
        let refused = try core.transactions.inTransaction(isWritable: true) { transaction, _ in
          try write(half, in: transaction)
        }
        for (write, error) in refused { drop(write, error, in: core) }
      } catch {
        writeHalves(of: half, error, in: core)
      }
    }
  }

  private static func drop(_ write: any AsyncWrite, _ error: any Error, in core: OpenStore) {
    core.failures.tell(
      write.operation,
      of: write.table.name,
      ids: write.ids,
      error,
      isOfHandler: write.isOfHandler
    )
  }
}
