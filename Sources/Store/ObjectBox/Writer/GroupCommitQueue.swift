/// Lets single puts of several threads share commits ("group commit").
///
/// A commit of ten objects waits for the disk no longer than a commit of one. So puts gather in a
/// batch while another thread holds the write lock. They also wait for a moment for the threads of
/// the previous batch, which are likely to put again.
///
/// When the last of these threads has arrived, it writes the batch itself: no other thread must be
/// woken. If a thread stays away, the first thread of the batch writes it.
package final class GroupCommitQueue: Sendable {
  /// Time that a batch waits for the next thread.
  private static let moment = Duration.microseconds(50)
  /// Maximum number of these waits for one batch, while threads keep arriving.
  private static let patience = 8

  private struct State {
    /// The batch that takes puts; nil before its first put.
    var gathering: PutBatch?
    /// The batch that is being committed.
    var committing: PutBatch?
    /// Threads of the previous batch that have not returned yet.
    ///
    /// Threads that arrive during its commit do not count.
    var absentCount = 0
  }

  private let transactions: TransactionScheduler
  /// Time that a batch waits for the next thread, if it is longer than `moment`.
  private let linger: Duration
  private let state = Guarded(State())

  /// True if gathering is worthwhile for this store: its commits wait for the disk.
  private let isUseful: Bool

  /// Makes a queue with the limits of the writer thread.
  init(_ writer: WriterThread) {
    transactions = writer.transactions
    linger = writer.linger
    let file = transactions.file
    isUseful = writer.maximumGroupSize > 1 && file.isDurable && !file.isReadOnly
  }

  /// True if a put of the calling thread is likely to share a commit with others: it is outside of
  /// transactions, and another thread is writing or about to put.
  var isWorthwhile: Bool {
    guard isUseful else { return false }
    let thread = ThreadContext.current.state(for: transactions)
    return thread.open == nil && !thread.isEncoding && (transactions.gate.isTaken || expectsOthers)
  }

  /// True when other threads are likely to put soon.
  var expectsOthers: Bool { state.withLock { $0.gathering != nil || $0.absentCount > 1 } }

  /// Commits a put together with puts of other threads, and returns once it is on disk.
  ///
  /// The calling thread must have no transaction. Throws the error that the put returns or throws,
  /// or the error of the commit.
  func run(_ put: @escaping PutBatch.Put) throws {
    let (batch, index, isWriter) = state.withLock { join(put, &$0) }
    // The first thread of a batch writes it if others stay away.
    if isWriter || index == 0 && becomesWriter(of: batch) {
      commit(batch)
    } else {
      batch.wait()
    }
    if let failure = batch.failures[index] { throw failure }
  }

  /// Adds a put to the batch; returns its index, and true if the caller must write the batch.
  private func join(_ put: @escaping PutBatch.Put, _ state: inout State) -> (PutBatch, Int, Bool) {
    let batch = state.gathering ?? PutBatch()
    state.gathering = batch
    let index = batch.puts.count
    batch.puts.append(put)
    if state.committing == nil, state.absentCount > 0 { state.absentCount -= 1 }
    if batch.hasWriter || state.absentCount > 0 { return (batch, index, false) }
    batch.hasWriter = true
    return (batch, index, true)
  }

  /// Waits until a batch has a writer or the other threads stay away; true if the caller must write
  /// it.
  private func becomesWriter(of batch: PutBatch) -> Bool {
    // The threads of the batch in commit return after it.
    state.withLock { batch.hasWriter ? nil : $0.committing }?.wait()
    let start = ContinuousClock.now
    var count = 1
    while true {
      if batch.wait(atMost: max(Self.moment, linger)) { return false }
      let isOver = ContinuousClock.now - start >= Self.moment * Self.patience
      let isWriter: Bool? = state.withLock { _ in
        if batch.hasWriter { return false }
        if batch.puts.count > count, !isOver {
          count = batch.puts.count
          return nil
        }
        batch.hasWriter = true
        return true
      }
      if let isWriter { return isWriter }
    }
  }

  private func commit(_ batch: PutBatch) {
    transactions.gate.enter()
    // The batch closes only now: it contains the puts that arrived while the lock was taken.
    state.withLock { state in
      state.gathering = nil
      state.committing = batch
      state.absentCount = batch.puts.count
    }
    let puts = Array(batch.puts.enumerated())
    let failures = CommitGroup.commit(puts[...], in: transactions) { try $0.element($1) }
    transactions.gate.leave()
    for (put, error) in failures { batch.failures[put.offset] = error }
    batch.puts = []
    state.withLock { $0.committing = nil }
    batch.finish()
    ThreadContext.current.state(for: transactions).closing.take()? { _ in false }
  }
}
