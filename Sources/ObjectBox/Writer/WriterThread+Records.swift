internal import Foundation

/// A write of ``AsyncBox`` that waits for the writer thread.
protocol AsyncWrite: Sendable {
  /// The approximate size in memory.
  var sizeInBytes: Int { get }
  var operation: UnheardFailure.Operation { get }
  var table: EntityTable { get }
  /// The objects that it puts or removes.
  var ids: [UInt64] { get }
  /// True when a handler of failures asked for it.
  var isOfHandler: Bool { get }
  /// Writes in a transaction.
  ///
  /// - Returns: Why it was refused, before anything was written; nil when it was not.
  /// - Throws: When the transaction may hold a part of it, and must not commit.
  func write(in transaction: Transaction) throws -> ObjectBoxError?
}

/// The records that wait for the writer thread, within the limits of backpressure.
package struct RecordQueue {
  static let maximumCount = 10_000
  /// The limit of the memory that they take, when there are several.
  static let maximumSizeInBytes = 64 << 20

  private var writes: [any AsyncWrite] = []
  private var size = 0
  private(set) var submittedCount: UInt64 = 0
  private(set) var completedCount: UInt64 = 0

  var isEmpty: Bool { writes.isEmpty }

  func hasRoom(count: Int, size: Int) -> Bool {
    writes.isEmpty
      || writes.count + count <= Self.maximumCount && self.size + size <= Self.maximumSizeInBytes
  }

  mutating func append(_ writes: [any AsyncWrite], size: Int) {
    self.writes += writes
    self.size += size
    submittedCount += UInt64(writes.count)
  }

  mutating func takeAll() -> [any AsyncWrite] {
    defer { (writes, size) = ([], 0) }
    return writes
  }

  mutating func complete(_ count: Int) { completedCount += UInt64(count) }
}

/// Records: all that wait when the thread gets the write lock share one commit.
///
/// One that cannot be stored does not keep the others from being stored, and is told once as an
/// ``UnheardFailure``. The order is that of `enqueue`.
extension WriterThread {
  /// Adds writes, together and in their order.
  ///
  /// It throws when the store is closed, and when no room came within the timeout in seconds. Nothing is
  /// added then.
  func enqueue(_ writes: [any AsyncWrite], timeout: TimeInterval) throws {
    let size = writes.reduce(0) { $0 + $1.sizeInBytes }
    // No room comes before this transaction ends.
    let holdsLock = transactions.isWritingOnThisThread
    // A wait of infinite length, or of none in numbers, is beyond what the system takes.
    let deadline = Date(timeIntervalSinceNow: timeout > 0 ? min(timeout, 3e9) : 0)
    try locked {
      while takesMore, !records.hasRoom(count: writes.count, size: size) {
        if holdsLock || !condition.wait(until: deadline) { throw Self.full(holdsLock) }
      }
      guard takesMore else { throw transactions.closedError }
      records.append(writes, size: size)
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

  /// Waits until all writes are stored or dropped, with `isUntilEmpty` those as well that are added meanwhile;
  /// false when a transaction of the calling thread keeps them from being written.
  func waitForRecords(isUntilEmpty: Bool) -> Bool {
    let holdsLock = transactions.isWritingOnThisThread
    return locked {
      let count = records.submittedCount
      while records.completedCount < (isUntilEmpty ? records.submittedCount : count) {
        if holdsLock { return false }
        condition.wait()
      }
      return true
    }
  }

  /// Commits all records that wait; the thread has the write lock.
  func writeRecords() {
    let writes = locked {
      condition.broadcast()
      return records.takeAll()
    }
    let failures = CommitGroup.commit(writes[...], in: transactions) { try $0.write(in: $1) }
    transactions.gate.leave()
    for (write, error) in failures {
      transactions.failures.tell(
        write.operation,
        of: write.table.name,
        ids: write.ids,
        error,
        isOfHandler: write.isOfHandler
      )
    }
    locked {
      records.complete(writes.count)
      condition.broadcast()
    }
  }
}
