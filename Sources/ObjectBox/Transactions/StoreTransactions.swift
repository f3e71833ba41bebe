internal import Foundation
internal import ObjectBoxStorage
internal import Synchronization

/// The transactions of an open store: those of its threads, pinned versions, and closing.
///
/// A class, since all of them share it. All its state is immutable, atomic or behind a lock.
package final class StoreTransactions: Sendable {
  let file: StoreFile
  let commits: CommitHub
  /// Failures that no caller is told of; kept alive by thread states too, since a dispatch queue must not be
  /// released by an ending thread.
  let failures: UnheardFailures
  /// Number of versions that may be kept alive; nil for as many as there are reader slots.
  let maximumVersionCount: Int?
  let gate = WriterGate()
  let counters = StoreCounters()
  let warnings = UsageWarnings()
  let pinned = Guarded(PinnedVersions())
  private let environment: StorageEnvironment
  let states = Guarded<[ObjectIdentifier: StoreThreadState]>([:])
  /// Number of threads that keep a read transaction.
  let readerCount = Atomic<Int>(0)
  /// True once the store is closing or closed; threads look at it when they begin or end a transaction.
  private let isClosing = Atomic<Bool>(false)
  /// Signalled by every transaction that ends while the store is closing.
  private let drained = DispatchSemaphore(value: 0)

  init(
    _ file: StoreFile,
    commits: CommitHub,
    failures: UnheardFailures,
    maximumVersionCount: Int?
  ) {
    self.file = file
    self.commits = commits
    self.failures = failures
    self.maximumVersionCount = maximumVersionCount
    environment = file.environment
    file.describeHolder.withLock { describe in
      describe = { [weak self] version in self?.describeHolder(of: version) }
    }
  }

  // MARK: Thread states

  func add(_ state: StoreThreadState) {
    states.withLock { $0[ObjectIdentifier(state)] = state }
  }

  /// Forgets the state of a thread that ends.
  func remove(_ state: StoreThreadState) {
    states.withLock { states in
      guard states.removeValue(forKey: ObjectIdentifier(state)) != nil else { return }
      if state.dropReader() { readerCount.wrappingSubtract(1, ordering: .relaxed) }
    }
  }

  // MARK: Transactions

  /// Begins a transaction on this thread, or joins the one that is open.
  ///
  /// - Parameter isWritable: Whether objects will be written.
  /// - Returns: The thread's state, for `end`.
  /// - Throws: ``ObjectBoxError``: when the store is closed, a write is asked for inside a read, the
  ///   store is read-only, or no reader slot is free.
  func begin(isWritable: Bool) throws -> StoreThreadState {
    let state = ThreadContext.current.state(for: self)
    _ = try begin(on: state, isWritable: isWritable)
    return state
  }

  /// Begins a transaction on the calling thread, or joins the one that is open.
  ///
  /// - Parameters:
  ///   - state: The thread's own.
  ///   - isWritable: Whether objects will be written.
  /// - Returns: The transaction, which `state` keeps alive until its end.
  /// - Throws: As ``begin(isWritable:)``.
  @inline(__always)
  func begin(on state: StoreThreadState, isWritable: Bool) throws -> Unmanaged<Transaction> {
    if isWritable && state.isEncoding { throw StoreThreadState.WriteWhileEncoding() }
    if let open = state.open,
      try open._withUnsafeGuaranteedRef({ try $0.join(isWritable: isWritable) })
    {
      return open
    }
    return try beginOutermost(state, isWritable: isWritable)
  }

  private func beginOutermost(
    _ state: StoreThreadState,
    isWritable: Bool
  ) throws -> Unmanaged<Transaction> {
    state.activity.store(1, ordering: .sequentiallyConsistent)
    do {
      if isClosing.load(ordering: .sequentiallyConsistent) { throw closedError }
      if isWritable { return try beginWrite(state) }
      return try state.reopenReader() ?? beginFirstRead(state)
    } catch {
      leave(state)
      throw file.shown(error)
    }
  }

  private func beginWrite(_ state: StoreThreadState) throws -> Unmanaged<Transaction> {
    if file.isReadOnly { throw StoreError.readOnly(file.location) }
    try checkVersionLimit()
    gate.enter()
    do {
      if let writer = state.takeWriter() {
        try writer.restart(notesChanges: commits.needsObjects)
        return state.begin(writer)
      }
      return state.begin(writeTransaction(try environment.beginWrite()))
    } catch {
      gate.leave()
      throw error
    }
  }

  /// Makes a write transaction over a storage transaction; the caller holds the write lock.
  func writeTransaction(_ storage: StorageTransaction) -> Transaction {
    Transaction(file, storage, isWritable: true, notesChanges: commits.needsObjects)
  }

  private func beginFirstRead(_ state: StoreThreadState) throws -> Unmanaged<Transaction> {
    if readerCount.wrappingAdd(1, ordering: .relaxed).newValue > file.maximumReaderCount {
      readerCount.wrappingSubtract(1, ordering: .relaxed)
      throw StoreError.tooManyReaders
    }
    do {
      return state.keep(Transaction(file, try environment.beginRead()))
    } catch {
      readerCount.wrappingSubtract(1, ordering: .relaxed)
      throw error
    }
  }

  /// Ends the transaction that the matching `begin` began or joined.
  ///
  /// - Parameters:
  ///   - state: The result of `begin`.
  ///   - failure: The error of a failed write; nil to commit. The outermost write is rolled back then; the
  ///     failure of an inner one goes to ``Transaction/noteFailure(_:since:)``.
  ///   - count: The number of changes when the write began.
  /// - Throws: ``ObjectBoxError`` when the outermost write cannot be committed.
  @inline(__always)
  func end(
    _ state: StoreThreadState,
    failure: (any Error)? = nil,
    since count: Int = 0
  ) throws {
    try state.open?._withUnsafeGuaranteedRef { transaction in
      if transaction.depth > 1 {
        transaction.depth -= 1
        if let failure { transaction.noteFailure(failure, since: count) }
      } else if transaction.isWritable {
        try endWrite(state, failure: failure)
      } else {
        state.leaveReader()
        transaction.reset()
        leave(state)
      }
    }
  }

  private func endWrite(_ state: StoreThreadState, failure: (any Error)?) throws {
    var owned = state.takeOpenWriter()
    // `owned` keeps it alive, so that nothing here counts references to it.
    guard let reference = owned.map(Unmanaged.passUnretained) else { return }
    if let end = reference._withUnsafeGuaranteedRef({ $0.takePendingEnd() }) {
      state.current = owned
      return end()
    }
    do {
      try reference._withUnsafeGuaranteedRef { try finish($0, failure: failure) }
    } catch {
      leaveWrite(state, &owned)
      throw error
    }
    leaveWrite(state, &owned)
  }

  /// Commits a write transaction, or rolls it back after a failure.
  private func finish(_ transaction: Transaction, failure: (any Error)?) throws {
    if failure != nil {
      transaction.abort()
      return
    }
    if let refusal = transaction.refusal {
      transaction.abort()
      throw refusal
    }
    try file.translating {
      do {
        if transaction.isUntouched { return try transaction.withStorage { try $0.commit() } }
        try commit(transaction.storage, CollectionOfOne(try transaction.flushForCommit()))
      } catch {
        // A flush that fails has closed no cursor, and LMDB frees them with the transaction.
        transaction.undoInMemory()
        transaction.storage.abortUnlessEnded()
        throw error
      }
    }
    transaction.keepGraphs()
    transaction.outcome(isCommitted: true)
  }

  /// Gives up the write lock, and keeps the memory of the transaction for the next one.
  private func leaveWrite(_ state: StoreThreadState, _ transaction: inout Transaction?) {
    gate.leave()
    state.keepWriter(&transaction)
    leave(state)
    state.takeClosing()? { _ in false }
  }

  @inline(__always)
  func leave(_ state: StoreThreadState) {
    state.activity.store(0, ordering: .sequentiallyConsistent)
    if isClosing.load(ordering: .sequentiallyConsistent) { finishClosing(state) }
  }

  // MARK: Closing

  package var isClosed: Bool { isClosing.load(ordering: .acquiring) }

  /// The transaction that the calling thread has open; nil also for one that was abandoned elsewhere.
  package var openTransaction: Transaction? {
    ThreadContext.withState(for: self) { state in
      guard let open = state.current, !open.isAbandoned else { return nil }
      return open
    }
  }

  /// True when the calling thread has a write transaction open.
  var isWritingOnThisThread: Bool { openTransaction?.isWritable ?? false }

  /// Refuses new transactions and waits for the holder of the write lock; false when they were refused before.
  func refuseMore() -> Bool {
    // Write transactions in progress end first; the next writer sees the mark.
    gate.enter()
    defer { gate.leave() }
    return !isClosing.exchange(true, ordering: .sequentiallyConsistent)
  }

  /// Waits for the transactions of other threads, and closes the file.
  ///
  /// Inside a transaction of the calling thread it returns at once, and the file closes when that ends.
  func drain() {
    if ThreadContext.current.state(for: self).current == nil { closeWhenIdle() }
  }

  @inline(never)
  private func finishClosing(_ state: StoreThreadState) {
    drained.signal()
    // A thread that called `close` inside its own transaction may have ended that by now.
    closeIfIdle()
  }

  private func closeWhenIdle() {
    while !closeIfIdle() {
      // Every transaction that ends from now on signals; the limit covers one that ended just before.
      _ = drained.wait(timeout: .now() + .milliseconds(20))
    }
  }

  @discardableResult
  private func closeIfIdle() -> Bool {
    let isIdle = states.withLock { states in
      guard states.values.allSatisfy({ $0.activity.load(ordering: .sequentiallyConsistent) == 0 })
      else { return false }
      // Under the lock: the thread that finds no states left closes the file.
      for state in states.values {
        _ = state.dropReader()
      }
      states = [:]
      return true
    }
    guard isIdle else { return false }
    pinned.withLock { $0.isDrained = true }
    closeUnlessPinned()
    return true
  }

  /// Closes the file, once no transaction is open and no version is pinned.
  func closeUnlessPinned() {
    pinned.withLock { pinned in
      guard pinned.isDrained, pinned.versions.isEmpty, !pinned.isFileClosed else { return }
      pinned.isFileClosed = true
      file.close()
    }
  }

  /// The error of a transaction on a closed store.
  var closedError: ObjectBoxError {
    StoreError.closed(file.location, as: ObjectBoxError.illegalState(message:))
  }
}
