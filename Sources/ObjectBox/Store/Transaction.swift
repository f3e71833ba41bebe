internal import ObjectBoxStorage
internal import Synchronization

/// An open transaction; inner ones join it and only count up its depth.
///
/// A class, since it owns the storage transaction and its cursors. One thread at a time uses it: the one
/// that began it, or one that it is lent to, between which a lock hands it over.
final class Transaction {
  let core: StoreCore
  let storage: StorageTransaction
  let isWritable: Bool
  /// The number of transactions that have joined, the outermost included.
  var depth = 1
  /// Why everything must be rolled back, although the outermost block goes on.
  private var doom: String?

  /// True when it was rolled back on another thread than the one that it is in use on.
  private let abandoned = Atomic<Bool>(false)

  // Indexed by the entity's number; made when first needed.
  private var writeCursors: [StorageCursor?] = []
  private var indexWriters: [IndexWriter?] = []
  private var vectorGraphs: [StorageTable: VectorGraph] = [:]
  /// What the graphs of a read transaction were read from.
  private var graphSnapshotID = 0
  /// Entities of which objects were removed, so that the sequence must outlive their IDs.
  private var shrunkEntities: Set<Int> = []
  /// Entities whose standalone relations were changed, which leaves no trace in their records.
  private var relatedEntities: Set<Int> = []
  /// True when the changes of each object are noted.
  private(set) var notesChanges: Bool
  /// The entities of puts that threads asked for each by itself and that are committed together.
  var gatheredPuts: [Int] = []
  /// True when instances of classes lose their new IDs with a rollback; the older functions leave them.
  var takesIDsBack = false
  /// What has been noted, by the number of the entity's table.
  private(set) var changes: [Int: EntityChanges] = [:]
  /// Who is not to be told of them.
  var skipped = CommitFeed.Skipping.keys([])
  private var queue: PutQueue?
  private var undoActions: [() -> Void] = []

  init(core: StoreCore, storage: StorageTransaction, isWritable: Bool) {
    self.core = core
    self.storage = storage
    self.isWritable = isWritable
    notesChanges = isWritable && core.feed.isWanted
  }

  /// Marks the transaction as one that must not commit.
  func markDoomed(by reason: String) {
    if doom == nil { doom = reason }
  }

  /// Why the transaction must not commit; nil when it may.
  var refusal: ObjectBoxError? {
    doom.map { reason in
      .illegalState(
        message: "the transaction was rolled back, since one inside it did not succeed: \(reason)"
      )
    }
  }

  /// How the transaction ends once nothing uses it any more, when it was cancelled in the middle of a use.
  private var pendingEnd: (() -> Void)?

  /// Ends a write transaction that this thread has, as soon as nothing on it uses that: scans that joined it
  /// and go on, and versions that are read inside of it.
  ///
  /// - Parameters:
  ///   - current: The thread's transaction.
  ///   - end: Rolls it back.
  func cancel(_ current: Transaction?, by end: @escaping () -> Void) {
    if depth == 1, current === self { return end() }
    markDoomed(by: "it was cancelled")
    depth -= 1
    pendingEnd = end
  }

  /// Returns how to end a transaction that was cancelled in the middle of a use; nil for all others.
  func takePendingEnd() -> (() -> Void)? {
    guard let end = pendingEnd else { return nil }
    pendingEnd = nil
    depth = 1
    return end
  }

  @inline(__always)
  var isAbandoned: Bool { abandoned.load(ordering: .acquiring) }

  /// Takes note that its holder is gone.
  func abandon() {
    abandoned.store(true, ordering: .releasing)
  }

  // MARK: Writing

  /// Returns the cursor with which records of an entity are written.
  func writeCursor(_ table: EntityTable) throws -> StorageCursor {
    if writeCursors.isEmpty {
      writeCursors = [StorageCursor?](repeating: nil, count: core.tables.count)
    }
    if let cursor = writeCursors[table.number] { return cursor }
    let cursor = try storage.cursor(table.records.objects)
    if core.isShared { try core.catchUp(table, cursor, in: storage) }
    writeCursors[table.number] = cursor
    return cursor
  }

  /// Returns the writer of an entity's indexes.
  func indexWriter(_ table: EntityTable) -> IndexWriter {
    if indexWriters.isEmpty {
      indexWriters = [IndexWriter?](repeating: nil, count: core.tables.count)
    }
    if let writer = indexWriters[table.number] { return writer }
    let writer = IndexWriter(table: table.records, indexes: table.allIndexes)
    indexWriters[table.number] = writer
    return writer
  }

  // MARK: Nearest neighbours

  /// The memory that the graph of a read transaction may keep for the thread's next query.
  private static let keptGraphByteCount = 64 << 20

  /// Returns the graph of a nearest-neighbour index, with the changes of this transaction.
  ///
  /// A read transaction that is begun again without a commit in between still has what it had read: the
  /// newest commit's pages stay as they are.
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
    let graph = try VectorGraph(
      definition,
      records: table.records,
      in: storage,
      isWritable: isWritable
    )
    vectorGraphs[definition.table] = graph
    return graph
  }

  /// Forgets the graph of a nearest-neighbour index, whose table has been emptied.
  func forgetVectorGraph(_ definition: VectorIndexDefinition) {
    vectorGraphs[definition.table] = nil
  }

  /// Notes each object from now on; nothing happens when something was changed already.
  func beginNoting() {
    if isWritable && changedEntities.isEmpty { notesChanges = true }
  }

  /// Notes that objects of an entity were removed.
  func noteRemoval(_ table: EntityTable) {
    shrunkEntities.insert(table.number)
  }

  /// Notes that entries of a standalone relation were changed.
  func noteChange(of relation: RelationTable) {
    relatedEntities.insert(relation.source)
    if notesChanges {
      changes[relation.source, default: EntityChanges()].noteRelations()
      changes[relation.target, default: EntityChanges()].noteRelations()
    }
  }

  /// Notes what became of an object, when somebody wants to know.
  func note(_ change: EntityChanges.Change, of id: UInt64, _ table: EntityTable) {
    if notesChanges { changes[table.number, default: EntityChanges()].note(change, of: id) }
  }

  /// Notes that all objects of an entity were removed, when somebody wants to know.
  func noteRemovalOfAll(_ table: EntityTable) {
    if notesChanges { changes[table.number, default: EntityChanges()].noteRemovalOfAll() }
  }

  /// The numbers of the entities of which objects were put, related or removed so far, side effects
  /// included.
  var changedEntities: Set<Int> {
    var changed = shrunkEntities.union(relatedEntities)
    for (number, cursor) in writeCursors.enumerated() where cursor?.hasWritten ?? false {
      changed.insert(number)
    }
    return changed
  }

  /// True when something was put, related or removed so far.
  var hasChanges: Bool { isWritable && !changedEntities.isEmpty }

  // MARK: Puts on the way

  /// The puts that other puts meet on their way.
  var puts: PutQueue {
    if let queue { return queue }
    let queue = PutQueue()
    self.queue = queue
    return queue
  }

  /// Does the puts that wait; nearly always none.
  @inline(__always)
  func runQueuedPuts() throws {
    if let queue { try queue.run() }
  }

  /// Keeps an action that sets an object in memory back, should the transaction be rolled back.
  func onRollback(_ action: @escaping () -> Void) {
    undoActions.append(action)
  }

  private func undo() {
    for action in undoActions.reversed() { action() }
    undoActions = []
  }

  // MARK: Ending

  /// Writes what is kept in memory and closes the cursors, so that the storage transaction can commit, or
  /// take others inside it.
  private func flush() throws {
    for graph in vectorGraphs.values { try graph.write() }
    closeCursors()
    for number in shrunkEntities.sorted() {
      try core.keepSequence(of: core.tables[number], in: storage)
    }
  }

  /// Brings a write transaction that is not doomed to the point where only its storage has to commit.
  ///
  /// Afterwards `outcome` must be called with what became of it.
  ///
  /// - Returns: What it changed.
  func flushForCommit() throws -> CommitSummary {
    // The flush closes the cursors that know what was written.
    let entities = changedEntities
    try flush()
    return CommitSummary(
      entities: entities,
      gatheredPuts: gatheredPuts,
      changes: changes,
      isNoted: notesChanges,
      skipped: skipped
    )
  }

  /// Takes note of whether the storage committed.
  func outcome(isCommitted: Bool) {
    if isCommitted { undoActions = [] } else { undo() }
  }

  /// Undoes what was changed in memory, before the storage transaction is aborted.
  func undoInMemory() {
    closeCursors()
    undo()
  }

  /// Forgets what must end before the storage transaction.
  func closeCursors() {
    writeCursors = []
    indexWriters = []
    vectorGraphs = [:]
  }

  /// Rolls back a write transaction, or ends a read transaction for good.
  func abort() {
    undoInMemory()
    storage.abort()
  }
}

/// What a transaction changed, for those who hear of commits.
struct CommitSummary {
  /// The numbers of the changed entities.
  var entities: Set<Int>
  /// The entity of each put, where they are in effect transactions of their own.
  var gatheredPuts: [Int]
  /// Each object, when somebody wanted to know.
  var changes: [Int: EntityChanges]
  /// False when nobody wanted to know as the transaction began.
  var isNoted: Bool
  var skipped: CommitFeed.Skipping
}
