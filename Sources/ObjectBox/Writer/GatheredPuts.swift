/// Single puts of several threads, which share commits ("group commit").
///
/// A commit waits for the disk as long for one object as for ten. So puts gather in a batch while another
/// thread has the write lock, and for a moment while threads of the last batch are missing that are about to
/// return. The last of them to come writes the batch, since it need not be woken for it; when one stays
/// away, the first one does.
///
/// A class, since it guards shared state.
package final class GatheredPuts: Sendable {
  /// How long a batch waits for the next thread that is likely to come.
  private static let moment = Duration.microseconds(50)
  /// Number of such waits in all, as long as threads come.
  private static let patience = 8

  private struct State {
    /// The batch that gathers; nil before its first put.
    var gathering: PutBatch?
    /// The batch that is being committed.
    var committing: PutBatch?
    /// Number of threads of the last batch that have not returned; those that come during its commit do
    /// not count.
    var absentCount = 0
  }

  /// The part of a thread in its batch.
  private enum Part {
    case writer
    case waiting
    /// Writes when the others stay away, after the batch that is being committed has finished.
    case lingering(after: PutBatch?)
  }

  private let transactions: StoreTransactions
  /// How long a batch waits for others, even if none comes.
  private let linger: Duration
  private let state = Guarded(State())

  init(_ transactions: StoreTransactions, linger: Duration) {
    self.transactions = transactions
    self.linger = linger
  }

  /// True when more threads of the last batch are likely to come.
  var expectsOthers: Bool { state.withLock { $0.gathering != nil || $0.absentCount > 1 } }

  /// Does a put together with those of other threads, and returns once it is on disk.
  ///
  /// The calling thread has no transaction. It throws what the put refuses or throws, or why it cannot be
  /// committed.
  func run(_ put: @escaping PutBatch.Put) throws {
    let (batch, index, part) = state.withLock { join(put, &$0) }
    switch part {
    case .writer: commit(batch)
    case .waiting: batch.wait()
    case .lingering(let last):
      last?.wait()
      if becomesWriter(of: batch) {
        commit(batch)
      } else {
        batch.wait()
      }
    }
    if let failure = batch.failures[index] { throw failure }
  }

  private func join(_ put: @escaping PutBatch.Put, _ state: inout State) -> (PutBatch, Int, Part) {
    let batch = state.gathering ?? PutBatch()
    state.gathering = batch
    let index = batch.puts.count
    batch.puts.append(put)
    if state.committing == nil, state.absentCount > 0 { state.absentCount -= 1 }
    if batch.hasWriter { return (batch, index, .waiting) }
    if state.absentCount == 0 {
      batch.hasWriter = true
      return (batch, index, .writer)
    }
    return (batch, index, index == 0 ? .lingering(after: state.committing) : .waiting)
  }

  /// Waits until a batch has a writer or the others stay away; true when the caller is to write it.
  private func becomesWriter(of batch: PutBatch) -> Bool {
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
    // Threads that came while another one had the write lock are in the batch.
    state.withLock { state in
      state.gathering = nil
      state.committing = batch
      state.absentCount = batch.puts.count
    }
    let puts = Array(batch.puts.enumerated())
    let failures =
      transactions.isClosed
      ? puts.map { ($0, transactions.closedError) }
      : CommitGroup.commit(puts[...], in: transactions) { try $0.element($1) }
    transactions.gate.leave()
    for (put, error) in failures { batch.failures[put.offset] = error }
    batch.puts = []
    state.withLock { $0.committing = nil }
    batch.finish()
    ThreadContext.current.state(for: transactions).takeClosing()? { _ in false }
  }
}
