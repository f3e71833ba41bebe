/// Small writes that threads ask for at the same time, which one of them commits together.
///
/// A commit waits for the disk as long for one object as for ten. So writes gather in a batch: while
/// another writer has the turn, and for a moment while those are missing whose writes the last commit
/// stored and who are about to come again. The last one of them to come does the writing, since it need
/// not be woken for it; when one stays away, the first one does.
///
/// A class, since it guards shared state.
final class GatheredWrites: Sendable {
  /// How long a batch waits for the next of those that are likely to come.
  static let moment = Duration.microseconds(50)
  /// How many moments it waits in all, as long as others come.
  static let patience = 8

  private struct State {
    /// What has come since the last batch was taken.
    var waiting: [GatheredWrite] = []
    /// What they wait for; nil when none waits.
    var batch: GatheredBatch?
    /// True when one of those that wait is to write them all.
    var hasWriter = false
    /// The batch that is being committed.
    var committing: GatheredBatch?
    /// How many of the last batch have not come again; who comes while that is committed was not in it.
    var absentCount = 0
  }

  /// What a thread that has come does.
  private enum Part {
    case writes
    case waits
    /// Writes when the others stay away, after the batch that is being committed has finished.
    case lingers(after: GatheredBatch?)
  }

  private let state = Guarded(State())

  /// True when others of the last batch are likely to come.
  var expectsOthers: Bool { state.withLock { $0.batch != nil || $0.absentCount > 1 } }

  /// Does a write, alone or together with those of other threads, and returns once it is on disk.
  ///
  /// - Parameters:
  ///   - write: What to do.
  ///   - core: The store, in which this thread has no transaction.
  ///   - isRefusal: Says whether an error was thrown before anything was written.
  /// - Throws: What the write throws, or why it cannot be committed.
  func run(
    _ write: GatheredWrite,
    in core: OpenStore,
    isRefusal: (any Error) -> Bool
  ) throws {
    let batch: GatheredBatch
    let part: Part
    (batch, part) = state.withLock { join(write, &$0) }
    switch part {
    case .writes: commit(batch, core, isRefusal)
    case .waits: batch.wait()
    case .lingers(let last):
      last?.wait()
      if becomesWriter(of: batch, linger: core.configuration.groupCommit.linger) {
        commit(batch, core, isRefusal)
      } else {
        batch.wait()
      }
    }
    if let failure = write.failure { throw failure }
  }

  private func join(_ write: GatheredWrite, _ state: inout State) -> (GatheredBatch, Part) {
    let isFirst = state.batch == nil
    let batch = state.batch ?? GatheredBatch()
    state.batch = batch
    state.waiting.append(write)
    if state.committing == nil, state.absentCount > 0 { state.absentCount -= 1 }
    if state.hasWriter { return (batch, .waits) }
    if state.absentCount == 0 {
      state.hasWriter = true
      return (batch, .writes)
    }
    return (batch, isFirst ? .lingers(after: state.committing) : .waits)
  }

  /// Waits until a batch has a writer or the others stay away; true when the caller is to write it.
  ///
  /// It waits for `linger` even if nobody comes, when that is more than a moment.
  private func becomesWriter(of batch: GatheredBatch, linger: Duration) -> Bool {
    let start = ContinuousClock.now
    var count = 1
    var isComing = true
    while isComing {
      if batch.wait(for: max(Self.moment, linger)) { return false }
      let passed = ContinuousClock.now - start
      isComing = state.withLock { state in
        guard state.batch === batch, !state.hasWriter else { return false }
        defer { count = state.waiting.count }
        return state.waiting.count > count && passed < Self.moment * Self.patience
      }
    }
    return state.withLock { state in
      guard state.batch === batch, !state.hasWriter else { return false }
      state.hasWriter = true
      return true
    }
  }

  private func commit(_ batch: GatheredBatch, _ core: OpenStore, _ isRefusal: (any Error) -> Bool) {
    var writes: [GatheredWrite] = []
    do {
      try core.transactions.inTransaction(isWritable: true) { transaction, _ in
        writes = takeAll()
        for write in writes {
          do { try write.body(transaction) } catch  where isRefusal(error) { write.failure = error }
        }
      }
    } catch {
      if writes.isEmpty {
        // The transaction could not begin.
        writes = takeAll()
        for write in writes { write.failure = error }
      } else {
        writeEach(of: writes, in: core)
      }
    }
    state.withLock { $0.committing = nil }
    batch.finish()
  }

  /// Writes each for itself, after they could not be written together.
  private func writeEach(of writes: [GatheredWrite], in core: OpenStore) {
    for write in writes {
      write.failure = nil
      do {
        try core.transactions.inTransaction(isWritable: true) { transaction, _ in
          try write.body(transaction)
        }
      } catch { write.failure = error }
    }
  }

  private func takeAll() -> [GatheredWrite] {
    state.withLock { state in
      let writes = state.waiting
      state.waiting = []
      state.committing = state.batch
      state.batch = nil
      state.hasWriter = false
      state.absentCount = writes.count
      return writes
    }
  }
}
