package import ObjectBoxStorage
internal import Synchronization

/// An open transaction; inner ones join it and increment its depth.
///
/// A class, since it owns the storage transaction and its cursors. One thread at a time uses it: the thread
/// that began it, or one that borrows it; a lock orders the two. Variables whose exclusive access is unchecked are read
/// and set at once, or changed by calls that run no code of others, so that no two accesses overlap.
package final class Transaction {
  package let file: StoreFile
  /// The storage transaction; inside a savepoint a child of the one that will commit.
  ///
  /// Unchecked: it is set between the operations that use it.
  @exclusivity(unchecked) package var storage: StorageTransaction
  package let isWritable: Bool
  /// The number of the commit that it sees; in a write transaction that of its own.
  package var version: Int { storage.snapshotID }
  /// The number of transactions that have joined, the outermost included.
  ///
  /// Unchecked: it is read and set at once, so that no two accesses overlap.
  @exclusivity(unchecked) var depth = 1
  /// The reason to roll back at the end, while the outermost block goes on.
  @exclusivity(unchecked) var doom: String?
  /// The error of later operations and of the commit, after a part of an operation could not be undone or the
  /// transaction was cancelled.
  @exclusivity(unchecked) private(set) var failure: (any Error)?
  /// True when `failure` stays, whatever is undone.
  private var isStopped = false
  /// True when a failed operation is undone alone and the transaction goes on; false when it dooms the
  /// transaction.
  var undoesFailures = false
  /// Number of changes to records and relations so far, without undone ones.
  ///
  /// Unchecked: it is read and set at once, so that no two accesses overlap.
  @exclusivity(unchecked) private(set) var changeCount = 0
  /// The open savepoints, the outermost first.
  @exclusivity(unchecked) var savepoints: [Savepoint] = []

  /// True when it was rolled back on another thread than the one that uses it.
  private let abandoned = Atomic<Bool>(false)

  /// The changes since the last savepoint.
  ///
  /// Unchecked: its functions call nothing that uses it, so that no two accesses overlap.
  @exclusivity(unchecked) var work = TransactionWork()
  // With the entity's number; made when first needed. Unchecked, as `work` is.
  @exclusivity(unchecked) private var indexWriters: [(entity: Int, writer: IndexWriter)] = []
  @exclusivity(unchecked) var vectorGraphs: [StorageTable: VectorGraph] = [:]
  /// The graphs of a write transaction that is ready to commit.
  @exclusivity(unchecked) private var writtenGraphs: [StorageTable: VectorGraph] = [:]
  /// The version that the graphs of a read transaction were read from.
  private var graphSnapshotID = 0
  /// True when the changes of each object are noted.
  private(set) var notesChanges: Bool
  /// The entities of the single puts of several threads that it stores.
  @exclusivity(unchecked) var gatheredPuts: [Int] = []
  /// True when a rollback resets the new IDs of instances of classes; the older functions leave them.
  var takesIDsBack = false
  /// The listeners that its commit leaves out.
  @exclusivity(unchecked) var skipped = SkippedListeners.none
  @exclusivity(unchecked) private(set) var queue: PutQueue?
  @exclusivity(unchecked) var undoActions: [() -> Void] = []

  init(
    _ file: StoreFile,
    _ storage: StorageTransaction,
    isWritable: Bool = false,
    notesChanges: Bool = false
  ) {
    self.file = file
    self.storage = storage
    self.isWritable = isWritable
    self.notesChanges = notesChanges
  }

  /// Adds a transaction that joins this one.
  ///
  /// - Parameter needsWriting: Whether the joining one writes.
  /// - Returns: False when this one was rolled back on another thread.
  /// - Throws: ``ObjectBoxError`` when it cannot join.
  @inline(__always)
  func join(isWritable needsWriting: Bool) throws -> Bool {
    if isAbandoned { return false }
    if needsWriting && !isWritable { throw StoreError.writeInsideRead }
    if let failure { throw failure }
    if needsWriting && isCancelled { throw Self.cancelled }
    depth += 1
    return true
  }

  /// Marks the transaction as one that must not commit.
  func markDoomed(by reason: String) {
    if doom == nil { doom = reason }
  }

  /// Notes that an operation failed.
  ///
  /// - Parameters:
  ///   - error: The error of the operation.
  ///   - count: The number of changes when it began.
  func noteFailure(_ error: any Error, since count: Int) {
    if !undoesFailures {
      markDoomed(by: "\(error)")
    } else if changeCount != count {
      fail(by: error)
    }
  }

  /// Makes later operations fail, until a savepoint that is open now is undone.
  func fail(by error: any Error) {
    if failure == nil { failure = file.shown(error) }
  }

  /// Forgets a failure that has been undone.
  func forgetFailure(sparing earlier: (any Error)?) {
    if !isStopped { failure = earlier }
  }

  /// Makes all later operations and the commit fail.
  package func stop(by error: any Error) {
    failure = error
    isStopped = true
  }

  /// Why the transaction must not commit; nil when it may.
  var refusal: (any Error)? {
    if failure == nil, doom == nil { return nil }
    return failure
      ?? doom.map { reason in
        ObjectBoxError.illegalState(
          message: "the transaction was rolled back, since one inside it did not succeed: \(reason)"
        )
      }
  }

  /// Ends a transaction that was cancelled while in use, once nothing uses it any more.
  ///
  /// Unchecked: it is read and set at once, so that no two accesses overlap.
  @exclusivity(unchecked) private var pendingEnd: (() -> Void)?

  /// Ends a write transaction of this thread as soon as nothing on the thread uses it: joined scans, and
  /// versions that are read inside of it.
  ///
  /// - Parameters:
  ///   - current: The thread's transaction.
  ///   - end: Rolls it back.
  func cancel(_ current: Transaction?, by end: @escaping () -> Void) {
    if depth == 1, current === self { return end() }
    depth -= 1
    pendingEnd = end
  }

  /// True between the cancellation while in use and the rollback.
  var isCancelled: Bool { pendingEnd != nil }

  static let cancelled = ObjectBoxError.transactionEnded(
    message: "the write transaction was cancelled; nothing more can be written in it"
  )

  /// Takes `pendingEnd`.
  func takePendingEnd() -> (() -> Void)? {
    guard let end = pendingEnd else { return nil }
    pendingEnd = nil
    depth = 1
    return end
  }

  @inline(__always)
  var isAbandoned: Bool { abandoned.load(ordering: .acquiring) }

  /// Notes that it was rolled back on another thread, as its holder is gone.
  func abandon() {
    abandoned.store(true, ordering: .releasing)
  }

  // MARK: Writing

  /// Returns the cursor with which records of an entity are written.
  func writeCursor(_ table: EntityTable) throws -> StorageCursor {
    if let cursor = work.cursor(of: table.number) { return cursor }
    let cursor = storage.writeCursor(table.records.objects)
    if file.isShared { try file.catchUp(table, cursor, in: storage) }
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

  // MARK: Nearest neighbours

  /// The memory that the graph of a read transaction may keep for the thread's next query.
  private static let keptGraphByteCount = 64 << 20

  /// Returns the graph of a nearest-neighbour index, with the changes of this transaction.
  ///
  /// A renewed read transaction keeps its graphs when there was no commit in between, since their pages are
  /// unchanged.
  func vectorGraph(
    _ definition: VectorIndexDefinition,
    of table: EntityTable
  ) throws -> VectorGraph {
    if !isWritable, storage.snapshotID != graphSnapshotID {
      vectorGraphs = [:]
      graphSnapshotID = storage.snapshotID
    }
    if let graph = vectorGraphs[definition.table] {
      let limit = isWritable ? definition.cacheLimitInBytes : Self.keptGraphByteCount
      if graph.byteCount <= limit { return graph }
      try graph.write()
    }
    let graph =
      try takeKeptGraph(definition.table)
      ?? VectorGraph(definition, records: table.records, in: storage, isWritable: isWritable)
    vectorGraphs[definition.table] = graph
    return graph
  }

  /// Takes the graph that an earlier write transaction left behind.
  private func takeKeptGraph(_ table: StorageTable) -> VectorGraph? {
    guard isWritable, let graph = file.keptGraphs.withLock({ $0.removeValue(forKey: table) })
    else { return nil }
    graph.storage = storage
    return graph
  }

  /// Leaves its graphs to the next write transaction, after a commit of this one alone; the caller has the write
  /// lock still.
  func keepGraphs() {
    guard !writtenGraphs.isEmpty, !file.isShared else { return }
    file.keptGraphs.withLock { kept in
      for (table, graph) in writtenGraphs where graph.isSmallEnoughToKeep { kept[table] = graph }
    }
  }

  /// Forgets the graph of a nearest-neighbour index, whose table is about to be emptied.
  func forgetVectorGraph(_ definition: VectorIndexDefinition) {
    vectorGraphs[definition.table] = nil
    file.keptGraphs.withLock { $0[definition.table] = nil }
  }

  /// Notes each changed object from now on; does nothing after a change.
  func beginNoting() {
    if isWritable && changedEntities.isEmpty { notesChanges = true }
  }

  /// Counts a change of a record or a relation that is about to happen.
  @inline(__always)
  package func noteWrite() { changeCount &+= 1 }

  /// Resets the number of changes after an undo.
  func forgetWrites(since count: Int) { changeCount = count }

  /// Notes that objects of an entity were removed.
  package func noteRemoval(_ table: EntityTable) {
    work.shrunkEntities.insert(table.number)
  }

  /// Notes that entries of a standalone relation were changed.
  package func noteChange(of relation: RelationTable) {
    noteWrite()
    work.relatedEntities.insert(relation.source)
    if notesChanges {
      work.changes[relation.source, default: EntityChanges()].noteRelations()
      work.changes[relation.target, default: EntityChanges()].noteRelations()
    }
  }

  /// Notes the change of an object, while there are listeners to objects.
  func note(_ change: EntityChanges.Change, of id: UInt64, _ table: EntityTable) {
    if notesChanges { work.changes[table.number, default: EntityChanges()].note(change, of: id) }
  }

  /// Notes the removal of all objects of an entity, while there are listeners to objects.
  func noteRemovalOfAll(_ table: EntityTable) {
    if notesChanges { work.changes[table.number, default: EntityChanges()].noteRemovalOfAll() }
  }

  /// The numbers of the entities with objects that were put, related or removed so far, also by side effects.
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

  /// Runs the queued puts; nearly always none.
  @inline(__always)
  func runQueuedPuts() throws {
    if let queue { try queue.run() }
  }

  /// Adds an action that restores an object in memory on a rollback.
  func onRollback(_ action: @escaping () -> Void) {
    undoActions.append(action)
  }

  /// Runs undo actions, the last one first, until a number of them is left.
  func undo(downTo count: Int = 0) {
    while undoActions.count > count { undoActions.removeLast()() }
  }

  // MARK: Reading

  /// Passes the storage transaction to a body, which begins no savepoint; no reference is counted.
  @inline(__always)
  package func withStorage<T>(_ body: (StorageTransaction) throws -> T) rethrows -> T {
    try Unmanaged.passUnretained(storage)._withUnsafeGuaranteedRef(body)
  }

  /// Restarts a read transaction after `reset`, at the newest commit.
  @inline(__always)
  func renew() throws {
    try withStorage { try $0.renew() }
    depth = 1
  }

  /// Ends a read transaction, and keeps its reader slot for `renew`.
  @inline(__always)
  func reset() { withStorage { $0.reset() } }

  // MARK: Ending

  /// True when nothing was written and no cursor opened, so that a commit has nothing to do.
  var isUntouched: Bool { work.isUntouched && vectorGraphs.isEmpty && savepoints.isEmpty }

  /// Writes pending changes and closes the cursors, so that the storage transaction can commit or have a
  /// child.
  private func flush() throws {
    try storage.finishing {
      for graph in vectorGraphs.values { try graph.write() }
      closeCursors()
      for number in work.shrunkEntities.sorted() {
        try file.keepSequence(of: file.tables[number], in: storage)
      }
    }
  }

  /// Prepares a write transaction that is not doomed, so that only its storage has to commit.
  ///
  /// The caller must call `outcome` after the commit or its failure.
  ///
  /// - Returns: The changes of the transaction.
  func flushForCommit() throws -> CommitSummary {
    // The flush closes the cursors that know which entities were written.
    let entities = changedEntities
    let graphs = vectorGraphs
    try flush()
    writtenGraphs = graphs
    return CommitSummary(
      entities: entities,
      gatheredPuts: gatheredPuts,
      changes: notesChanges ? work.changes : nil,
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

  /// Releases the objects that must end before the storage transaction.
  func closeCursors() {
    work.dropCursors()
    vectorGraphs = [:]
  }

  /// Rolls back a write transaction, or ends a read transaction for good.
  func abort() {
    undoInMemory()
    storage.abort()
  }

  // MARK: Beginning again

  /// Releases everything that belongs to a write transaction that has ended, so that another one can begin in its
  /// memory with `restart`.
  ///
  /// The writers of indexes stay, since they hold nothing of a transaction.
  ///
  /// - Returns: False when it was not ended in the usual way.
  func clear() -> Bool {
    guard isWritable, depth == 1, savepoints.isEmpty, pendingEnd == nil, !isAbandoned else {
      return false
    }
    // Most are empty, and setting an empty one would count references.
    if doom != nil { doom = nil }
    if failure != nil { failure = nil }
    isStopped = false
    undoesFailures = false
    changeCount = 0
    if !work.isEmpty { work = TransactionWork() }
    if !indexWriters.isEmpty {
      for (_, writer) in indexWriters { writer.releaseLargeRoom() }
    }
    if !vectorGraphs.isEmpty { vectorGraphs = [:] }
    if !writtenGraphs.isEmpty { writtenGraphs = [:] }
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
  func restart(notesChanges: Bool) throws {
    // A graph that is kept may refer to the storage transaction.
    if isKnownUniquelyReferenced(&storage) {
      try withStorage { storage in
        try Unmanaged.passUnretained(file.environment)._withUnsafeGuaranteedRef {
          try $0.beginWrite(again: storage)
        }
      }
    } else {
      storage = try file.environment.beginWrite()
    }
    self.notesChanges = notesChanges
  }
}
