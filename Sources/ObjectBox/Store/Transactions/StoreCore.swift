internal import Foundation
internal import ObjectBoxStorage
internal import Synchronization

/// An open store file, shared by all ``Store`` instances on it.
///
/// A class, since it owns the environment. All its state is immutable, atomic or behind a lock.
final class StoreCore: Sendable {
  /// What the first opener gave.
  let configuration: Store.Configuration
  /// The key of ``StoreRegistry``.
  let registryKey: String
  /// False for a store in memory, whose commits wait for no disk.
  let isDurable: Bool
  /// How many threads may read at a time; LMDB keeps to the number that the file was first opened with.
  let maximumReaderCount: Int
  /// How many versions can be held at a time, so that threads can still read.
  let maximumPinCount: Int
  let schema: StoreSchema
  let tables: [EntityTable]
  let commits: CommitHub
  let gate = WriterGate()
  let asyncWrites = AsyncQueue()
  let asyncTransactions = AsyncTransactions()
  let gatheredWrites = GatheredWrites()
  let counters = StoreCounters()
  let warnings = UsageWarnings()
  let failures: UnheardFailures
  /// Where blocks are called back.
  let places = WeakTable<ObjectIdentifier>()
  /// The snapshots by the numbers of their commits.
  let snapshots = WeakTable<Int>()
  /// What live views share with commits, by where they may be used.
  let liveViews = WeakTable<ObjectIdentifier>()

  let environment: StorageEnvironment
  private let locks: ProcessLocks?
  let system: SystemTable?
  /// Elements of former models that the file keeps.
  let retired: Guarded<RetiredSchema>
  private let tableByEntity: [UInt32: EntityTable]
  private let relationByID: [UInt32: RelationTable]
  private let states = Guarded<[ObjectIdentifier: StoreThreadState]>([:])
  /// Threads that keep a read transaction.
  private let readerCount = Atomic<Int>(0)
  private let closing = Atomic<Bool>(false)
  private let drained = DispatchSemaphore(value: 0)
  let life = Guarded(EnvironmentLife())

  init(
    configuration: Store.Configuration,
    registryKey: String,
    isDurable: Bool,
    maximumReaderCount: Int,
    maximumPinCount: Int,
    environment: StorageEnvironment,
    locks: ProcessLocks?,
    content: StoreContent
  ) {
    self.configuration = configuration
    commits = CommitHub(location: configuration.directory)
    failures = UnheardFailures(configuration)
    self.registryKey = registryKey
    self.isDurable = isDurable
    self.maximumReaderCount = maximumReaderCount
    self.maximumPinCount = maximumPinCount
    self.environment = environment
    self.locks = locks
    system = content.system
    schema = content.schema
    tables = content.tables
    retired = Guarded(content.retired)
    tableByEntity = Dictionary(
      content.tables.map { ($0.schema.identity.id, $0) },
      uniquingKeysWith: { first, _ in first }
    )
    relationByID = Dictionary(
      content.relations.map { ($0.schema.identity.id, $0) },
      uniquingKeysWith: { first, _ in first }
    )
  }

  /// The directory as the first opener gave it, for messages.
  var location: String { configuration.directory }
  var isReadOnly: Bool { configuration.readOnly }
  /// How many versions may be kept alive; nil for as many as there are reader slots.
  var maximumVersionCount: Int? { configuration.maximumNumberOfActiveVersions }

  /// The table of an entity; nil when the model lacks it.
  func table(entity: UInt32) -> EntityTable? { tableByEntity[entity] }

  /// A standalone relation; nil when the model lacks it.
  func relation(id: UInt32) -> RelationTable? { relationByID[id] }

  // MARK: Thread states

  func add(_ state: StoreThreadState) {
    states.withLock { $0[ObjectIdentifier(state)] = state }
  }

  /// Forgets the state of a thread that ends.
  func remove(_ state: StoreThreadState) {
    states.withLock { states in
      guard states.removeValue(forKey: ObjectIdentifier(state)) != nil else { return }
      guard let reader = state.reader else { return }
      reader.abort()
      state.reader = nil
      readerCount.wrappingSubtract(1, ordering: .relaxed)
    }
  }

  // MARK: Transactions

  /// Begins a transaction on this thread, or joins the one that is open.
  ///
  /// - Parameter isWritable: Whether objects will be written.
  /// - Returns: The thread's state, for `end`.
  /// - Throws: ``ObjectBoxError``: when the store is closed, a write is asked for inside a read, the
  ///   store is read-only, or no reader slot is free.
  @inline(__always)
  func begin(isWritable: Bool) throws -> StoreThreadState {
    let state = ThreadContext.current.state(for: self)
    if isWritable && state.isEncoding { throw StoreThreadState.WriteWhileEncoding() }
    if let open = state.current, !open.isAbandoned {
      if isWritable && !open.isWritable { throw Self.writeInsideRead }
      if let failure = open.failure { throw failure }
      if isWritable && open.isCancelled { throw Transaction.cancelled }
      open.depth += 1
      return state
    }
    try beginOutermost(state, isWritable: isWritable)
    return state
  }

  private func beginOutermost(_ state: StoreThreadState, isWritable: Bool) throws {
    state.activity.store(1, ordering: .sequentiallyConsistent)
    do {
      if closing.load(ordering: .sequentiallyConsistent) { throw Self.closed(location) }
      if isWritable {
        if isReadOnly { throw Self.readOnly(location) }
        try checkVersionLimit()
        gate.enter()
        do {
          state.current = Transaction(
            core: self,
            storage: try environment.beginWrite(),
            isWritable: true
          )
        } catch {
          gate.leave()
          throw error
        }
      } else if let reader = state.reader {
        try reader.storage.renew()
        reader.depth = 1
        state.current = reader
      } else {
        try beginFirstRead(state)
      }
    } catch {
      leave(state)
      throw shown(error)
    }
  }

  private func beginFirstRead(_ state: StoreThreadState) throws {
    if readerCount.wrappingAdd(1, ordering: .relaxed).newValue > maximumReaderCount {
      readerCount.wrappingSubtract(1, ordering: .relaxed)
      throw StoreError.tooManyReaders
    }
    do {
      let reader = Transaction(
        core: self,
        storage: try environment.beginRead(),
        isWritable: false
      )
      state.reader = reader
      state.current = reader
    } catch {
      readerCount.wrappingSubtract(1, ordering: .relaxed)
      throw error
    }
  }

  /// Ends the transaction that the matching `begin` began or joined.
  ///
  /// - Parameters:
  ///   - state: What `begin` returned.
  ///   - failure: Why a write did not succeed; nil to commit. The outermost is rolled back then, and an inner
  ///     one decides what becomes of the outer ones.
  ///   - count: The number of changes when the write began.
  /// - Throws: ``ObjectBoxError`` when the outermost write cannot be committed.
  @inline(__always)
  func end(
    _ state: StoreThreadState,
    failure: (any Error)? = nil,
    since count: Int = 0
  ) throws {
    guard let transaction = state.current else { return }
    if transaction.depth > 1 {
      transaction.depth -= 1
      if let failure { transaction.noteFailure(failure, since: count) }
      return
    }
    state.current = nil
    if transaction.isWritable {
      try endWrite(transaction, state: state, failure: failure)
    } else {
      transaction.storage.reset()
      leave(state)
    }
  }

  private func endWrite(
    _ transaction: Transaction,
    state: StoreThreadState,
    failure: (any Error)?
  ) throws {
    if let end = transaction.takePendingEnd() {
      state.current = transaction
      return end()
    }
    defer {
      gate.leave()
      leave(state)
      if state.closesStoreAtEnd {
        state.closesStoreAtEnd = false
        close()
      }
    }
    if failure != nil {
      transaction.abort()
      return
    }
    if let refusal = transaction.refusal {
      transaction.abort()
      throw refusal
    }
    try translating {
      do {
        try commit(transaction.storage, CollectionOfOne(try transaction.flushForCommit()))
      } catch {
        // A flush that fails has closed no cursor, and LMDB frees them with the transaction.
        transaction.undoInMemory()
        transaction.storage.abortUnlessEnded()
        throw error
      }
    }
    transaction.outcome(isCommitted: true)
  }

  @inline(__always)
  func leave(_ state: StoreThreadState) {
    state.activity.store(0, ordering: .sequentiallyConsistent)
    if closing.load(ordering: .sequentiallyConsistent) { finishClosing(state) }
  }

  /// Writes the sequence of an entity, so that the IDs of removed objects do not come again.
  func keepSequence(of table: EntityTable, in storage: StorageTransaction) throws {
    guard let system else { return }
    let entity = table.schema.identity.id
    if try system.sequence(entity: entity, in: storage) < table.highestID {
      try system.setSequence(table.highestID, entity: entity, in: storage)
    }
  }

  // MARK: Closing

  var isClosed: Bool { closing.load(ordering: .acquiring) }

  /// The transaction that the calling thread has open; nil also for one that was let go elsewhere.
  var openTransaction: Transaction? {
    guard let open = ThreadContext.current.state(for: self).current, !open.isAbandoned else {
      return nil
    }
    return open
  }

  /// True when the calling thread has a write transaction open.
  var isWritingOnThisThread: Bool { openTransaction?.isWritable ?? false }

  /// Waits for the asynchronous writes and for the transactions of other threads, then closes the file.
  ///
  /// Inside a transaction of the calling thread the file closes when that ends. On a thread that closing waits
  /// for, which may be the last to let a store go, another thread closes the file soon.
  ///
  /// - Parameter isHome: Says whether the caller blocks the isolation that a block needs.
  func close(isHome: (ObjectIdentifier) -> Bool = { _ in false }) {
    let own = ThreadContext.current.state(for: self)
    if own.current?.isWritable ?? false {
      // The writer thread waits for this transaction.
      asyncWrites.refuseMore()
      asyncTransactions.refuseMore()
      own.closesStoreAtEnd = true
      return
    }
    if own.isPublishing || asyncWrites.isCurrentThread || asyncTransactions.isCurrentThread {
      let thread = Thread { self.close() }
      thread.name = "ObjectBox closing"
      return thread.start()
    }
    asyncTransactions.drain(self, isHome: isHome)
    asyncWrites.drain()
    // Transactions of other threads' making end before; who gets the turn afterwards sees the mark.
    gate.enter()
    let wasClosing = closing.exchange(true, ordering: .sequentiallyConsistent)
    gate.leave()
    guard !wasClosing else { return }
    commits.end(of: ObjectIdentifier(self))
    if own.current != nil { return }
    closeWhenIdle()
  }

  @inline(never)
  private func finishClosing(_ state: StoreThreadState) {
    drained.signal()
    // The thread that called `close` inside its own transaction may have gone on by now.
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
      // Within the lock: whoever finds no states left closes the file.
      for state in states.values {
        state.reader?.abort()
        state.reader = nil
      }
      states = [:]
      return true
    }
    guard isIdle else { return false }
    life.withLock { $0.isDrained = true }
    closeUnlessPinned()
    return true
  }

  /// Closes the file, once no transaction is open and nobody holds a snapshot.
  func closeUnlessPinned() {
    life.withLock { life in
      guard life.isDrained, life.pins.isEmpty, !life.isClosed else { return }
      life.isClosed = true
      environment.close()
      locks?.release()
      StoreRegistry.shared.forget(registryKey)
      locks?.forgetDirectory()
    }
  }

  // MARK: Errors

  static let writeInsideRead = ObjectBoxError.cannotWriteWhileReading(
    message: "Cannot start a write transaction inside a read only transaction"
  )

  static func closed(_ location: String) -> ObjectBoxError {
    .illegalState(message: "the store at '\(location)' is closed; open it again")
  }

  static func readOnly(_ location: String) -> ObjectBoxError {
    .illegalState(
      message:
        "cannot write to the store at '\(location)': it was opened with readOnly: true; open it "
        + "without that"
    )
  }
}
