package import ObjectBoxStorage
internal import Synchronization

/// An open transaction; inner transactions join it and raise its depth.
///
/// It owns an LMDB transaction (`storage`) and everything that belongs to it: cursors, index
/// writers, derived indexes, queued puts, and undo actions for objects in memory.
/// ``TransactionScheduler`` makes it for the calling thread, ``CommitGroup`` for a member of a group,
/// and ``PinnedRead`` for a thread that reads a pinned version.
///
/// One thread at a time uses it: the thread that began it, or the borrower of a
/// ``WriterThreadTransaction``. In both cases a write transaction of LMDB begins and ends on the same
/// thread.
///
/// A write goes through these steps:
///
/// 1. Boxes write with `writeCursor` and `indexWriter`, count each change (`noteWrite`), and note it for observers
///    while there are listeners to objects (`note`).
/// 2. `undoing` puts a savepoint around an operation of several steps, if `failure` says so. A savepoint
///    is a child transaction of LMDB, and `storage` is the innermost child. Without savepoints a failed operation dooms
///    the transaction: the outermost block continues, and its end rolls back and throws `failure.refusal`.
/// 3. `flushForCommit` writes derived indexes and ID sequences, closes the cursors and returns the ``CommitSummary``.
///    It runs on the thread that wrote.
/// 4. The owner of the LMDB transaction commits or aborts it.
/// 5. `outcome` drops the undo actions after a commit, and runs them after a failure. A rollback calls `undoInMemory`
///    before LMDB's abort. Cursors must always end before their LMDB transaction.
///
/// After its end a thread may reuse the instance: `reset` and `renew` for reads, `clear` and
/// `restart` for writes.
///
/// Exclusive access is unchecked for variables in hot paths. Each is read or set at once, or
/// changed by calls that run no other code, so no two accesses overlap.
package final class Transaction {
  package let file: StoreFile
  /// The storage transaction; inside a savepoint, a child of the outer transaction.
  ///
  /// Set only between operations.
  @exclusivity(unchecked) package var storage: StorageTransaction
  package let isWritable: Bool
  /// The number of the commit that it reads; in a write transaction, of its own commit.
  package var version: Int { storage.snapshotID }
  /// Number of nested transactions, including the outermost.
  var depth = 1
  @exclusivity(unchecked) var failure = TransactionFailure()
  /// Number of changes to records and relations so far, without undone changes.
  private(set) var changeCount = 0
  /// The open savepoints, the outermost first.
  @exclusivity(unchecked) var savepoints: [Savepoint] = []

  /// True once another thread has rolled it back.
  private let abandoned = Atomic<Bool>(false)

  /// The changes since the last savepoint.
  @exclusivity(unchecked) var work = TransactionWork()
  // Keyed by the entity's number; made at the first use.
  @exclusivity(unchecked) private var indexWriters: [(entity: Int, writer: IndexWriter)] = []
  @exclusivity(unchecked) var derivedIndexes = UsedDerivedIndexes()
  @exclusivity(unchecked) private var listeners: TransactionListeners
  /// True when the changes of each object are noted.
  var notesChanges: Bool { listeners.isAny }
  /// One entity for each gathered put that it stores; see ``GroupCommitQueue``.
  @exclusivity(unchecked) var gatheredPuts: [Int] = []
  /// True if a rollback also resets the new IDs of instances whose own put succeeded.
  ///
  /// The functions of ObjectBox keep these IDs. Instances that a put reached through a relation always lose their IDs:
  /// with an ID, the next put would treat them as stored.
  var takesIDsBack = false
  /// The listeners that are not notified of its commit.
  var skipped = SkippedListeners.none
  private(set) var queue: PutQueue?
  @exclusivity(unchecked) var undoActions: [() -> Void] = []

  init(
    _ file: StoreFile,
    _ storage: StorageTransaction,
    isWritable: Bool = false,
    notesChanges: Bool = false,
    participant: (any CommitParticipant)? = nil
  ) {
    self.file = file
    self.storage = storage
    self.isWritable = isWritable
    listeners = TransactionListeners(
      observers: notesChanges,
      participant: participant,
      checksTargets: isWritable && file.refusesDanglingRelations
    )
  }

  /// Lets a transaction join this one.
  ///
  /// - Parameter needsWriting: Whether the joining transaction writes.
  /// - Returns: False if another thread has rolled this transaction back.
  /// - Throws: ``ObjectBoxError`` when it cannot join.
  func join(isWritable needsWriting: Bool) throws -> Bool {
    if isAbandoned { return false }
    if needsWriting && !isWritable { throw StoreError.writeInsideRead }
    if let error = failure.error { throw error }
    if needsWriting && isCancelled { throw Self.cancelled }
    depth += 1
    return true
  }

  /// Notes that an operation failed.
  ///
  /// - Parameters:
  ///   - error: The error of the operation.
  ///   - count: The number of changes when it began.
  func noteFailure(_ error: any Error, since count: Int) {
    if !failure.undoesOperations {
      failure.doom(by: "\(error)")
    } else if changeCount != count {
      failure.fail(by: file.shown(error))
    }
  }

  /// Makes all later operations and the commit fail.
  package func stop(by error: any Error) { failure.stop(by: error) }

  /// Rolls back a transaction that was cancelled while in use.
  private var pendingEnd: (() -> Void)?

  /// Ends a write transaction as soon as nothing on this thread uses it: no joined scan, and no pinned version that is
  /// read inside it.
  ///
  /// - Parameters:
  ///   - current: The thread's transaction.
  ///   - end: Rolls this transaction back.
  func cancel(_ current: Transaction?, by end: @escaping () -> Void) {
    if depth == 1, current === self { return end() }
    depth -= 1
    pendingEnd = end
  }

  /// True between a cancellation while in use and the rollback.
  var isCancelled: Bool { pendingEnd != nil }

  static let cancelled = ObjectBoxError.transactionEnded(
    message: "the write transaction was cancelled; nothing more can be written in it"
  )

  /// Returns `pendingEnd` and clears it; the caller must call it.
  func takePendingEnd() -> (() -> Void)? {
    guard let end = pendingEnd else { return nil }
    pendingEnd = nil
    depth = 1
    return end
  }

  var isAbandoned: Bool { abandoned.load(ordering: .acquiring) }

  /// Notes that its holder was released, and another thread rolls it back.
  func abandon() {
    abandoned.store(true, ordering: .releasing)
  }

  // MARK: Writing

  /// Returns the cursor that writes records of an entity.
  func writeCursor(_ table: EntityTable) throws -> WriteCursor {
    if let cursor = work.cursor(of: table.number) { return cursor }
    let cursor = storage.writeCursor(table.records.objects)
    if file.isShared { try file.catchUp(table, .lmdb(cursor), in: storage) }
    work.add(cursor, of: table.number)
    return cursor
  }

  /// Returns the writer of an entity's indexes.
  package func indexWriter(_ table: EntityTable) -> IndexWriter {
    for known in indexWriters where known.entity == table.number { return known.writer }
    let writer = IndexWriter(table: table.records, indexes: table.allIndexes)
    indexWriters.append((table.number, writer))
    return writer
  }

  // MARK: Changes

  /// Notes each changed object from now on; does nothing if something has changed already.
  func beginNoting() {
    if isWritable, changedEntities.isEmpty { listeners.addObservers() }
  }

  /// Hides the transaction from the participant, and takes relations as they come; call it before
  /// the first change.
  package func leaveOutParticipant() { listeners.keepObserversOnly() }

  /// Counts a change of a record or a relation that is about to happen.
  package func noteWrite() { changeCount &+= 1 }

  /// Resets the number of changes after an undo.
  func forgetWrites(since count: Int) { changeCount = count }

  /// Notes that objects of an entity were removed.
  package func noteRemoval(_ table: EntityTable) {
    work.shrunkEntities.insert(table.number)
  }

  /// Notes that entries of a standalone relation were changed.
  ///
  /// For each changed pair, call `notePair(_:_:of:)` too.
  package func noteChange(of relation: RelationTable) {
    noteWrite()
    work.relatedEntities.insert(relation.source)
    if notesChanges {
      work.changes[relation.source, default: EntityChanges()].hasRelated = true
      work.changes[relation.target, default: EntityChanges()].hasRelated = true
    }
  }

  /// Notes a changed pair, while there are listeners to objects.
  package func notePair(_ source: UInt64, _ target: UInt64, of relation: RelationTable) {
    guard notesChanges else { return }
    let pair = ChangedPair(relation: relation.schema.identity.id, source: source, target: target)
    work.changes[relation.source, default: EntityChanges()].changedPairs.insert(pair)
  }

  /// Notes the change of an object, while there are listeners to objects.
  func note(_ change: EntityChanges.Change, of id: UInt64, _ table: EntityTable) {
    if listeners.observers {
      work.changes[table.number, default: EntityChanges()].note(change, of: id)
    } else if notesChanges {
      work.changes[table.number, default: EntityChanges()].noteForParticipant(change, of: id)
    }
  }

  /// Notes the removal of all objects of an entity, while there are listeners to objects.
  func noteRemovalOfAll(_ table: EntityTable) {
    if notesChanges { work.changes[table.number, default: EntityChanges()].noteRemovalOfAll() }
  }

  /// Numbers of the entities with objects that were put, related or removed so far, including side effects.
  package var changedEntities: Set<Int> {
    savepoints.reduce(work.entities) { $0.union($1.work.entities) }
  }

  /// True when something was put, related or removed so far.
  package var hasChanges: Bool { isWritable && !changedEntities.isEmpty }

  // MARK: Queued puts

  /// The puts of new objects that other puts reach.
  var puts: PutQueue {
    if let queue { return queue }
    let queue = PutQueue()
    self.queue = queue
    return queue
  }

  /// Runs the queued puts; usually there are none.
  func runQueuedPuts() throws {
    if let queue { try queue.run() }
  }

  // MARK: Reading

  /// Calls a body with the storage transaction, without counting a reference.
  ///
  /// The body must not begin a savepoint.
  package func withStorage<T>(_ body: (StorageTransaction) throws -> T) rethrows -> T {
    try Unmanaged.passUnretained(storage)._withUnsafeGuaranteedRef(body)
  }

  /// Restarts a read transaction after `reset`, at the newest commit.
  func renew() throws {
    try withStorage { try $0.renew() }
    depth = 1
  }

  /// Ends a read transaction, and keeps its reader slot for `renew`.
  func reset() { withStorage { $0.reset() } }

  // MARK: Ending

  /// True when nothing was written and no cursor opened; a commit has nothing to do.
  var isUntouched: Bool {
    work.isUntouched && derivedIndexes.open.isEmpty && savepoints.isEmpty
  }

  /// Prepares a write transaction that is not doomed: after this, only its storage must be committed.
  ///
  /// The caller must call `outcome` after the commit or its failure.
  ///
  /// - Returns: The changes of the transaction.
  func flushForCommit() throws -> CommitSummary {
    if listeners.checksTargets { try TargetCheck(self).run() }
    if let participant = listeners.participant { try participant.willCommit(self) }
    // Before the cursors close, which know the written entities.
    let entities = changedEntities
    let indexes = derivedIndexes.open
    try storage.finishing {
      try flushDerivedIndexes()
      closeCursors()
      for number in work.shrunkEntities.sorted() {
        try file.keepSequence(of: file.tables[number], in: storage)
      }
    }
    derivedIndexes.written = indexes
    return CommitSummary(
      entities: entities,
      gatheredPuts: gatheredPuts,
      changes: listeners.observers ? work.changes : nil,
      skipped: skipped
    )
  }

  /// Undoes changes in memory unless the storage committed.
  func outcome(isCommitted: Bool) {
    if isCommitted { undoActions = [] } else { undo() }
  }

  /// Undoes changes in memory, before the storage transaction is aborted.
  func undoInMemory() {
    closeCursors()
    undo()
  }

  /// Releases the cursors and derived indexes, which must end before the storage transaction.
  func closeCursors() {
    work.dropCursors()
    dropDerivedIndexes()
  }

  /// Rolls back a write transaction, or ends a read transaction for good.
  func abort() {
    undoInMemory()
    storage.abort()
  }

  // MARK: Beginning again

  /// Releases everything that belongs to an ended write transaction, so that `restart` can reuse
  /// the instance.
  ///
  /// Index writers stay: they hold nothing of a transaction.
  ///
  /// - Returns: False if the transaction did not end in the usual way, and cannot be reused.
  func clear() -> Bool {
    guard isWritable, depth == 1, savepoints.isEmpty, pendingEnd == nil, !isAbandoned else {
      return false
    }
    // Checked first: most are empty, and even setting an empty value counts references.
    if !failure.isInitial { failure = TransactionFailure() }
    changeCount = 0
    if !work.isEmpty { work = TransactionWork() }
    if !indexWriters.isEmpty {
      for (_, writer) in indexWriters { writer.releaseLargeRoom() }
    }
    dropDerivedIndexes()
    if !derivedIndexes.written.isEmpty { derivedIndexes.written = [] }
    if !gatheredPuts.isEmpty { gatheredPuts = [] }
    takesIDsBack = false
    skipped = .none
    if queue != nil { queue = nil }
    if !undoActions.isEmpty { undoActions = [] }
    return true
  }

  /// Begins another write transaction after `clear`; the caller holds the write lock.
  ///
  /// Throws `StorageError` when it cannot begin.
  func restart(notesChanges: Bool, _ participant: (any CommitParticipant)?) throws {
    // A kept index may still refer to the storage transaction.
    if isKnownUniquelyReferenced(&storage) {
      try withStorage { storage in
        try Unmanaged.passUnretained(file.environment)._withUnsafeGuaranteedRef {
          try $0.beginWrite(again: storage)
        }
      }
    } else {
      storage = try file.environment.beginWrite()
    }
    listeners = TransactionListeners(
      observers: notesChanges,
      participant: participant,
      checksTargets: file.refusesDanglingRelations
    )
  }
}
