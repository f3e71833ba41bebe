internal import Foundation

/// A write of ``AsyncBox`` that waits for the writer thread.
protocol AsyncWrite: Sendable {
  /// The approximate size in memory.
  var sizeInBytes: Int { get }
  var operation: UnheardFailure.Operation { get }
  var table: EntityTable { get }
  /// IDs of the objects that it puts or removes.
  var ids: [UInt64] { get }
  /// Writes in a transaction.
  ///
  /// - Returns: The error if the write was rejected before anything was written; nil otherwise.
  /// - Throws: An error after which the transaction may contain a part of the write, and must not
  ///   commit.
  func write(in transaction: Transaction) throws -> ObjectBoxError?
}

/// The records that wait for the writer thread, with limits for backpressure.
package struct RecordQueue {
  static let maximumCount = 10_000
  /// Limit of the memory that the records use; a single batch may exceed it.
  static let maximumSizeInBytes = 64 << 20

  /// A write; `isOfHandler` is true if the handler of unheard failures requested it.
  typealias Entry = (write: any AsyncWrite, isOfHandler: Bool)

  private var writes: [Entry] = []
  private var size = 0
  private(set) var submittedCount: UInt64 = 0
  private(set) var completedCount: UInt64 = 0

  var isEmpty: Bool { writes.isEmpty }

  func hasRoom(count: Int, size: Int) -> Bool {
    writes.isEmpty
      || writes.count + count <= Self.maximumCount && self.size + size <= Self.maximumSizeInBytes
  }

  mutating func append(_ writes: [any AsyncWrite], size: Int, isOfHandler: Bool) {
    self.writes += writes.lazy.map { ($0, isOfHandler) }
    self.size += size
    submittedCount += UInt64(writes.count)
  }

  mutating func takeAll() -> [Entry] {
    defer { (writes, size) = ([], 0) }
    return writes
  }

  mutating func complete(_ count: Int) { completedCount += UInt64(count) }
}

/// Records of asynchronous boxes: when the thread gets the write lock, all waiting records share
/// one commit.
///
/// They are written in the order of `enqueue`. A record that cannot be stored is reported once as
/// an ``UnheardFailure``, and the others are stored.
extension WriterThread {
  /// Adds writes to the queue, together and in order.
  ///
  /// Throws when the store is closed, and when the queue has no room within the timeout in seconds.
  /// Nothing is added then.
  func enqueue(_ writes: [any AsyncWrite], timeout: TimeInterval) throws {
    let size = writes.reduce(0) { $0 + $1.sizeInBytes }
    // The queue cannot be emptied before this thread's write transaction ends.
    let holdsLock = transactions.isWritingOnThisThread
    // The system accepts neither an infinite nor a NaN timeout.
    let deadline = Date(timeIntervalSinceNow: timeout > 0 ? min(timeout, 3e9) : 0)
    try condition.withLock {
      while takesMore, !records.hasRoom(count: writes.count, size: size) {
        if holdsLock || !condition.wait(until: deadline) { throw Self.full(holdsLock) }
      }
      guard takesMore else { throw transactions.closedError }
      records.append(writes, size: size, isOfHandler: UnheardFailures.isInHandler)
      noteContention()
      startThread()
    }
  }

  private static func full(_ holdsLock: Bool) -> ObjectBoxError {
    .unknown(
      code: 1002,
      message: holdsLock
        ? "the queue of asynchronous writes is full, and cannot be emptied before the write "
          + "transaction of this thread ends; put synchronously in transactions"
        : "the queue of asynchronous writes is full, and no room came in time; put less at a time, "
          + "or with a longer enqueueTimeout"
    )
  }

  /// Waits until all writes are stored or rejected; returns false at once if a write transaction of the calling thread
  /// blocks them.
  ///
  /// With `isUntilEmpty` it also waits for writes that are added meanwhile.
  func waitForRecords(isUntilEmpty: Bool) -> Bool {
    let holdsLock = transactions.isWritingOnThisThread
    return condition.withLock {
      let count = records.submittedCount
      while records.completedCount < (isUntilEmpty ? records.submittedCount : count) {
        if holdsLock { return false }
        condition.wait()
      }
      return true
    }
  }

  /// Commits all waiting records and releases the write lock, which the thread holds.
  func writeRecords() {
    let writes = condition.withLock {
      asksForRecords = false
      condition.broadcast()
      return records.takeAll()
    }
    let failures = CommitGroup.commit(writes[...], in: transactions) { try $0.write.write(in: $1) }
    transactions.gate.leave()
    for ((write, isOfHandler), error) in failures {
      transactions.failures.tell(
        write.operation,
        of: write.table.name,
        ids: write.ids,
        error,
        isOfHandler: isOfHandler
      )
    }
    condition.withLock {
      records.complete(writes.count)
      condition.broadcast()
    }
  }
}
