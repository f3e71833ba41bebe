internal import Foundation
internal import ObjectBoxStorage
internal import Synchronization

/// Begins and ends the transactions of an open store, and closes its file.
///
/// Boxes and queries call `inTransaction`, or `begin` and `end`, on the thread that uses the
/// objects. The transaction runs on that thread. The state of the calling thread
/// (``StoreThreadState``) keeps its open ``Transaction``.
///
/// An inner `begin` joins the open transaction and raises its depth; the matching `end` lowers the
/// depth. A write inside a read throws. The outermost `begin` goes through these steps:
///
/// 1. It sets the thread's `activity` to 1, and then throws if the store is closing.
/// 2. A read renews the thread's kept read transaction at the newest commit. The first read of a thread takes a reader
///    slot, which the thread keeps.
/// 3. A write checks the limit of pinned versions, waits for `gate`, and begins LMDB's write transaction. The gate
///    comes first: LMDB's own lock is taken by its holder only.
///
/// The outermost `end` resets a read transaction. It commits a write transaction, still inside the
/// gate, in this order: flush, ``CommitHub/announce(_:version:)``, LMDB's commit,
/// ``CommitHub/publish()``. Listeners therefore see commits one at a time and in order. After a
/// failure it rolls back instead, and restores the objects in memory. Then it leaves the gate and
/// sets `activity` to 0.
///
/// Asynchronous writes, single puts of several threads, and transactions that a later call ends take the same gate, and
/// commit as a ``CommitGroup``. Snapshots and live views read in pinned transactions, which belong to no thread
/// (`pin`).
///
/// Closing sets the closing mark while it holds the gate, and then waits until `activity` is 0 in
/// all threads. The thread that finds this ends the kept readers. The file closes when the last
/// pinned version has ended.
///
/// All state is immutable, atomic or behind a lock.
package final class TransactionScheduler: Sendable {
  let file: StoreFile
  let commits: CommitHub
  /// Reports failures that reach no caller.
  ///
  /// Thread states keep it alive too: an ending thread must not release its dispatch queue.
  let failures: UnheardFailures
  /// Maximum number of versions that are kept alive at a time; nil for the number of reader slots.
  let maximumVersionCount: Int?
  let gate = WriterGate()
  /// Number of transactions that were committed.
  let commitCount = Atomic<Int>(0)
  /// Number of commits to the file, which transactions share.
  let syncCount = Atomic<Int>(0)
  let warnings = UsageWarnings()
  let pinned = Guarded(PinnedVersions())
  /// The participant of write transactions; only the holder of `gate` sets it.
  let participant = Guarded<(any CommitParticipant)?>(nil)
  private let environment: StorageEnvironment
  let states = Guarded<[ObjectIdentifier: StoreThreadState]>([:])
  /// Number of threads that hold a reader slot.
  let readerCount = Atomic<Int>(0)
  /// True once the store is closing or closed.
  ///
  /// Threads check it when they begin or end a transaction.
  private let isClosing = Atomic<Bool>(false)
  /// Signalled by each transaction that ends while the store is closing.
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

  // MARK: Bodies

  /// Runs a body in a transaction that it begins or joins.
  ///
  /// An error of the body rolls back a write transaction that this call began. In a joined write
  /// transaction, ``Transaction/noteFailure(_:since:)`` decides what follows.
  @inline(__always)
  package func inTransaction<T>(
    isWritable: Bool,
    _ body: (Transaction, StoreThreadState) throws -> T
  ) throws -> T {
    try ThreadContext.withState(for: self) { state in
      let open = try begin(on: state, isWritable: isWritable)
      return try open._withUnsafeGuaranteedRef { transaction in
        let count = transaction.changeCount
        let result: T
        do {
          result = try body(transaction, state)
        } catch {
          let seen = file.shown(error)
          // A failed read does not affect the write transaction around it.
          try end(state, failure: isWritable ? seen : nil, since: count)
          throw seen
        }
        try end(state)
        return result
      }
    }
  }

  /// Begins or joins a transaction, and looks up an object in it.
  ///
  /// Not generic: looking up type metadata would take as long as finding the object.
  ///
  /// - Parameters:
  ///   - id: The ID of an object.
  ///   - table: Its entity.
  ///   - state: The state of the calling thread, for `end`.
  /// - Returns: A reader of the object until `end`; nil when there is none.
  /// - Throws: As `begin`, and ``ObjectBoxError/fileCorrupt(message:)``. Then the transaction has
  ///   ended.
  @inline(__always)
  func beginReading(
    _ id: UInt64,
    of table: EntityTable,
    on state: StoreThreadState
  ) throws -> RecordReader? {
    try beginReading(on: state) { transaction in
      try transaction.withStorage { try table.record(id, in: $0) }
    }
  }

  /// Begins or joins a transaction, and finds an object in it, like ``beginReading(_:of:on:)``.
  @inline(__always)
  func beginReading(
    on state: StoreThreadState,
    _ find: (Transaction) throws -> RecordReader?
  ) throws -> RecordReader? {
    let open = try begin(on: state, isWritable: false)
    do {
      return try open._withUnsafeGuaranteedRef(find)
    } catch {
      let seen = file.shown(error)
      try end(state)
      throw seen
    }
  }

  // MARK: Transactions

  /// Begins a transaction on the calling thread, or joins its open transaction.
  ///
  /// - Parameters:
  ///   - state: The state of the calling thread.
  ///   - isWritable: Whether objects will be written.
  /// - Returns: The transaction. `state` keeps it alive until the end.
  /// - Throws: ``ObjectBoxError``: when the store is closed, for a write inside a read or in a
  ///   read-only store, or when no reader slot is free.
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
        try writer.restart(notesChanges: commits.needsObjects, participant.copy)
        return state.begin(writer)
      }
      return state.begin(writeTransaction(try environment.beginWrite()))
    } catch {
      gate.leave()
      throw error
    }
  }

  /// Makes a write transaction that uses a storage transaction.
  ///
  /// The caller holds the write lock.
  func writeTransaction(_ storage: StorageTransaction) -> Transaction {
    Transaction(
      file,
      storage,
      isWritable: true,
      notesChanges: commits.needsObjects,
      participant: participant.copy
    )
  }

  private func beginFirstRead(_ state: StoreThreadState) throws -> Unmanaged<Transaction> {
    let count = readerCount.wrappingAdd(1, ordering: .relaxed).newValue
    do {
      guard count <= file.maximumReaderCount else { throw StoreError.tooManyReaders }
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
  ///   - failure: The error of a failed write; nil to commit. With an error, an outermost write is
  ///     rolled back, and an inner write calls ``Transaction/noteFailure(_:since:)``.
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
    // `owned` keeps the transaction alive, so the calls below count no references.
    guard let reference = owned.map(Unmanaged.passUnretained) else { return }
    if let end = reference._withUnsafeGuaranteedRef({ $0.takePendingEnd() }) {
      state.current = owned
      return end()
    }
    defer { leaveWrite(state, &owned) }
    try reference._withUnsafeGuaranteedRef { try finish($0, failure: failure) }
  }

  /// Commits a write transaction, or rolls it back after a failure.
  private func finish(_ transaction: Transaction, failure: (any Error)?) throws {
    if failure != nil { return transaction.abort() }
    try file.translating {
      do {
        if let refusal = transaction.failure.refusal { throw refusal }
        if transaction.isUntouched { return try transaction.withStorage { try $0.commit() } }
        try commit(transaction.storage, CollectionOfOne(try transaction.flushForCommit()))
      } catch {
        // A failed flush leaves cursors open, and aborting the LMDB transaction frees them.
        transaction.undoInMemory()
        transaction.storage.abortUnlessEnded()
        throw error
      }
    }
    transaction.keepDerivedIndexes()
    transaction.outcome(isCommitted: true)
  }

  /// Commits a write transaction and notifies observers.
  ///
  /// The caller holds the write lock.
  ///
  /// - Parameters:
  ///   - storage: The outermost storage transaction. Its cursors are closed.
  ///   - summaries: The changes of each transaction of the commit, in order.
  /// - Throws: `StorageError` when the commit fails. Nothing is stored then.
  func commit(
    _ storage: StorageTransaction,
    _ summaries: some Collection<CommitSummary>
  ) throws {
    let count = summaries.reduce(0) { $0 + $1.transactionCount }
    // Nothing changed: LMDB makes no new version of an empty transaction.
    if count == 0 { return try storage.commit() }
    let version = storage.snapshotID
    // Announced before any reader can see the commit.
    commits.announce(summaries, version: version)
    do { try storage.commit() } catch {
      commits.withdraw()
      throw error
    }
    let state = ThreadContext.current.state(for: self)
    state.isPublishing = true
    defer { state.isPublishing = false }
    commitCount.add(count, ordering: .relaxed)
    syncCount.add(1, ordering: .relaxed)
    commits.publish()
    warnOfLongLives(at: version)
  }

  /// Releases the write lock, and keeps the memory of the transaction for reuse.
  private func leaveWrite(_ state: StoreThreadState, _ transaction: inout Transaction?) {
    gate.leave()
    state.keepWriter(&transaction)
    leave(state)
    state.closing.take()? { _ in false }
  }

  @inline(__always)
  func leave(_ state: StoreThreadState) {
    state.activity.store(0, ordering: .sequentiallyConsistent)
    if isClosing.load(ordering: .sequentiallyConsistent) { finishClosing(state) }
  }

  // MARK: Closing

  package var isClosed: Bool { isClosing.load(ordering: .acquiring) }

  /// The open transaction of the calling thread; nil also if it was rolled back on another thread.
  package var openTransaction: Transaction? {
    ThreadContext.withState(for: self) { state in
      guard let open = state.current, !open.isAbandoned else { return nil }
      return open
    }
  }

  /// True when the calling thread has a write transaction open.
  var isWritingOnThisThread: Bool { openTransaction?.isWritable ?? false }

  /// Waits for the holder of the write lock, then rejects new transactions; false if they were already rejected.
  func refuseMore() -> Bool {
    // A write transaction in progress ends first. The next writer sees the mark.
    gate.enter()
    defer { gate.leave() }
    return !isClosing.exchange(true, ordering: .sequentiallyConsistent)
  }

  /// Waits for the transactions of other threads, then closes the file.
  ///
  /// Inside a transaction of the calling thread it returns at once, and the file closes when the
  /// transaction ends.
  func drain() {
    guard ThreadContext.current.state(for: self).current == nil else { return }
    while !closeIfIdle() {
      // Each transaction that ends from now on signals. The time limit covers a transaction that
      // ended just before.
      _ = drained.wait(timeout: .now() + .milliseconds(20))
    }
  }

  @inline(never)
  private func finishClosing(_ state: StoreThreadState) {
    drained.signal()
    // If `close` was called inside this transaction, no thread waits to close the file.
    closeIfIdle()
  }

  @discardableResult
  private func closeIfIdle() -> Bool {
    let isIdle = states.withLock { states in
      guard states.values.allSatisfy({ $0.activity.load(ordering: .sequentiallyConsistent) == 0 })
      else { return false }
      // Under the lock: only one thread ends the kept readers.
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

  /// Closes the file if no transaction is open and no version is pinned.
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
