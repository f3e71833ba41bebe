internal import ObjectBox

/// The puts and removals of a transaction that are not sent yet.
///
/// Objects are encoded at once, before the first suspension, since only their bytes may be sent to other threads. Rows
/// are written in the order of entities and IDs, so that transactions that change the same rows wait for each other
/// without deadlock. Effects in memory, such as the IDs of new objects, are undone when the transaction is rolled back.
///
/// A transaction, its boxes and its relations share the buffer. One task at a time uses it.
final class WriteBuffer {
  /// A step that can be undone.
  private enum Step {
    /// An effect in memory.
    case action(() -> Void)
    /// The last rows added to an entity, unless they were written since.
    case newRows(entity: UInt32, count: Int, flush: Int)
    /// A row that replaced another one, unless it was written since.
    case row(entity: UInt32, id: UInt64, old: PendingRow, flush: Int)
    /// A relation entry that replaced another one, unless it was written since.
    case pair(relation: UInt32, pair: RelationPair, old: Bool?, flush: Int)
  }

  /// A point to which the buffer can be rolled back.
  struct Mark {
    fileprivate let stepCount: Int
  }

  let cluster: Cluster
  private var steps: [Step] = []
  /// False when the next change must be undoable separately.
  private var canExtendStep = false
  /// The marks at which savepoints begin.
  private var savepoints: [Mark] = []
  /// Number of calls of `statements`.
  private var flushCount = 0
  private var orderCount = 0
  var rows: [UInt32: PendingRows] = [:]
  /// Entries of standalone relations by the IDs of the relations: true to add, false to remove.
  var pairs: [UInt32: [RelationPair: Bool]] = [:]
  /// Relations whose objects are all replaced, with the remaining objects.
  var replaced: [RelationLink: ReplacedRelation] = [:]
  /// Statements that precede the rows' statements.
  private var sealed: [Statement] = []
  /// Receivers of the results of sealed statements, by their indices.
  private var receivers: [Int: (ResultRows) -> Void] = [:]
  /// The number of taken statements without results yet, and their receivers.
  private var sent: (count: Int, receivers: [Int: (ResultRows) -> Void]) = (0, [:])
  /// Rows of the taken statements, which identify the row at fault.
  private(set) var sentRows: [UInt32: [PendingRow]] = [:]
  /// See `explained`.
  var unknownViolation: UnknownViolation?
  /// See ``changes``.
  var changedIDs: [UInt64: [UInt64]?] = [:]
  private var encodings: [UInt32: AnyObject] = [:]

  // State of a put.
  /// IDs for new objects, reserved for this buffer.
  var granted: [UInt32: [Range<UInt64>]] = [:]
  /// IDs that the current attempt lacked.
  var needs: [UInt32: IDCounters.Need] = [:]
  /// IDs that the current attempt took, in order.
  var taken: [(entity: UInt32, ids: Range<UInt64>)] = []
  /// Entities whose counters were read during the current put.
  var told: Set<UInt32> = []
  /// The puts of new objects that other puts reach.
  let puts = PutQueue()

  init(_ cluster: Cluster) {
    self.cluster = cluster
  }

  // MARK: Undoing

  /// The current state, for ``rollBack(to:)``.
  func mark() -> Mark {
    canExtendStep = false
    return Mark(stepCount: steps.count)
  }

  /// Undoes all effects in memory since a mark, the last one first.
  ///
  /// The caller must undo rows on the server that were sent since the mark.
  func rollBack(to mark: Mark) {
    while steps.count > mark.stepCount, let step = steps.popLast() {
      switch step {
      case .action(let action): action()
      case .newRows(let entity, let count, let flush):
        if flush == flushCount { rows[entity]?.removeLast(count) }
      case .row(let entity, let id, let old, let flush):
        if flush == flushCount { rows[entity]?.undo(id, old: old) }
      case .pair(let relation, let pair, let old, let flush):
        if flush == flushCount { pairs[relation]?[pair] = old }
      }
    }
  }

  /// Begins a savepoint; the caller has sent everything before it.
  func beginSavepoint() { savepoints.append(mark()) }

  /// Ends the innermost savepoint.
  func endSavepoint(undoing: Bool) {
    guard let mark = savepoints.popLast(), undoing else { return }
    rollBack(to: mark)
    // All unsent content belongs to the savepoint.
    discard()
  }

  /// Registers work that undoes a change in memory.
  func onRollback(_ action: @escaping () -> Void) { steps.append(.action(action)) }

  /// Ends the use of the buffer after a commit.
  func didCommit() { reset() }

  /// Undoes all effects in memory after a rollback; the buffer is then empty and reusable.
  func didRollBack() {
    rollBack(to: Mark(stepCount: 0))
    reset()
  }

  /// Drops all unsent content.
  private func discard() {
    rows = [:]
    pairs = [:]
    replaced = [:]
    sealed = []
    receivers = [:]
    sent = (0, [:])
    sentRows = [:]
  }

  private func reset() {
    discard()
    steps = []
    savepoints = []
    changedIDs = [:]
    for (entity, ranges) in granted { giveBack(ranges, of: entity) }
    granted = [:]
  }

  // MARK: Flushing

  /// True if the buffer has no unsent content.
  var isEmpty: Bool {
    sealed.isEmpty && replaced.isEmpty && rows.values.allSatisfy { $0.rows.isEmpty }
      && pairs.values.allSatisfy(\.isEmpty)
  }

  /// Takes the statements that write the content, sorted by entity and ID.
  ///
  /// - Returns: Statements to run in this order; empty without content.
  /// - Throws: `ObjectBoxError` when a row cannot be read.
  func statements() throws -> [Statement] {
    try seal()
    let statements = sealed
    // Statements of an earlier call may be sent together with these.
    for (index, receiver) in receivers { sent.receivers[sent.count + index] = receiver }
    sent.count += statements.count
    sealed = []
    receivers = [:]
    return statements
  }

  /// Converts the rows and entries to statements, before later content.
  func seal() throws {
    flushCount += 1
    let rows = rows
    let pairs = pairs
    let replaced = replaced
    self.rows = [:]
    self.pairs = [:]
    self.replaced = [:]
    for entity in rows.keys.sorted() {
      guard let pending = rows[entity]?.rows, !pending.isEmpty,
        let table = cluster.writing.table(entity)
      else { continue }
      // Usually nothing is there yet, so the rows are shared and not copied.
      if sentRows[entity]?.append(contentsOf: pending) == nil { sentRows[entity] = pending }
      noteChanges(of: pending.indices.lazy.map { pending[$0].row.id }, in: table.entityUID)
      if table.replaces, !table.isLinked { noteChangesOfAll(in: table.entityUID) }
      sealed += try PutStatements(table).statements(pending)
    }
    for relation in Set(pairs.keys).union(replaced.keys.compactMap(\.end.relationID)).sorted() {
      guard let table = cluster.tables.pairs(relation: relation) else { continue }
      let links = replaced.filter { $0.key.end.relationID == relation }
      sealed += PairStatements(table).statements(pairs[relation] ?? [:], replacing: links)
      let uids = (table.source.identity.uid, table.schema.target.uid)
      noteChanges(of: pairs[relation, default: [:]].keys.lazy.map(\.source), in: uids.0)
      noteChanges(of: pairs[relation, default: [:]].keys.lazy.map(\.target), in: uids.1)
      if !links.isEmpty {
        noteChangesOfAll(in: uids.0)
        noteChangesOfAll(in: uids.1)
      }
    }
    for (link, replacement) in replaced.sorted(by: { $0.key.host < $1.key.host }) {
      guard case .toOneBacklink(let property) = link.end,
        let table = cluster.tables.table(entity: replacement.entity),
        let column = table.column(property: property)
      else { continue }
      noteChangesOfAll(in: table.schema.identity.uid)
      sealed.append(
        Statement(
          "UPDATE \(table.name) SET \(column.name) = NULL WHERE \(column.name) = $1 AND \(table.id.name) <> ALL($2)"
        ) { parameters in
          parameters.append(id: link.host)
          parameters.append(ids: replacement.kept.sorted())
        }
      )
    }
  }

  /// Adds a statement after all earlier and before all later content.
  func add(_ statement: Statement, _ receiver: ((ResultRows) -> Void)? = nil) throws {
    if !isEmptyOfRows { try seal() }
    if let receiver { receivers[sealed.count] = receiver }
    sealed.append(statement)
  }

  private var isEmptyOfRows: Bool { rows.isEmpty && pairs.isEmpty && replaced.isEmpty }

  /// Passes the results of all taken statements to their receivers.
  ///
  /// - Parameter results: The rows of each statement.
  func take(_ results: some Collection<ResultRows>) {
    for (index, rows) in results.prefix(sent.count).enumerated() { sent.receivers[index]?(rows) }
    sent = (0, [:])
    sentRows = [:]
  }

  /// Rows and entries that `suspend` takes out of the buffer.
  struct Waiting {
    let rows: [UInt32: PendingRows]
    fileprivate let pairs: [UInt32: [RelationPair: Bool]]
    fileprivate let replaced: [RelationLink: ReplacedRelation]
    fileprivate let flushCount: Int
  }

  /// Takes the rows and entries out, so that other statements can run before them.
  func suspend() -> Waiting {
    defer { (rows, pairs, replaced, canExtendStep) = ([:], [:], [:], false) }
    return Waiting(rows: rows, pairs: pairs, replaced: replaced, flushCount: flushCount)
  }

  /// Puts the rows and entries back, after everything that was added since.
  func resume(_ waiting: Waiting) {
    (rows, pairs, replaced) = (waiting.rows, waiting.pairs, waiting.replaced)
    canExtendStep = false
    // Their steps can be undone as before.
    flushCount = waiting.flushCount
  }

  // MARK: Rows

  /// Adds the row of an object.
  func add(_ row: RecordRow, of entity: UInt32, isNew: Bool, mode: PutMode) throws {
    try add(row, to: &rows[entity, default: PendingRows()], of: entity, isNew: isNew, mode: mode)
  }

  /// Adds the row of an object to its entity's rows.
  func add(
    _ row: RecordRow,
    to rows: inout PendingRows,
    of entity: UInt32,
    isNew: Bool,
    mode: PutMode
  ) throws {
    var pending = PendingRow(row: row, isNew: isNew)
    if let old = rows.row(of: row.id) {
      // The object is in the buffer, so it exists for this put.
      if mode == .insert { throw WriteRefusal.alreadyExists(row.id, try table(entity)) }
      pending.isNew = old.isNew
      pending.check = old.condition == nil ? old.check : .none
    } else if !isNew {
      pending.check =
        switch mode {
        case .put: .none
        case .insert: .absent
        case .update: .present
        }
    }
    put(pending, into: &rows, of: entity)
  }

  /// Adds a row, or replaces the row of the same object.
  func put(_ row: PendingRow, of entity: UInt32) {
    put(row, into: &rows[entity, default: PendingRows()], of: entity)
  }

  private func put(_ row: PendingRow, into rows: inout PendingRows, of entity: UInt32) {
    orderCount += 1
    var row = row
    row.order = orderCount
    if let old = rows.put(row) {
      steps.append(.row(entity: entity, id: row.row.id, old: old, flush: flushCount))
    } else if canExtendStep, case .newRows(entity, let count, flushCount)? = steps.last {
      steps[steps.count - 1] = .newRows(entity: entity, count: count + 1, flush: flushCount)
    } else {
      steps.append(.newRows(entity: entity, count: 1, flush: flushCount))
      canExtendStep = true
    }
  }

  /// Adds or removes an entry of a standalone relation.
  func set(_ pair: RelationPair, of relation: UInt32, to isThere: Bool) {
    let old = pairs[relation, default: [:]].updateValue(isThere, forKey: pair)
    steps.append(.pair(relation: relation, pair: pair, old: old, flush: flushCount))
  }

  /// Returns the table of an entity.
  ///
  /// - Throws: `ObjectBoxError.illegalArgument` when the model lacks the entity.
  func table(_ entity: UInt32, name: String? = nil) throws -> WriteTable {
    guard let table = cluster.writing.table(entity) else {
      throw WriteRefusal.missing(name ?? "", entity)
    }
    return table
  }

  /// Returns the encoding of an entity's objects.
  func encoding<E>(_ table: WriteTable, _ type: E.Type) -> RecordEncoding<E> {
    // Invariant of the cast: an entity has one type in a model.
    if let known = encodings[table.entityID] as? RecordEncoding<E> { return known }
    let new = RecordEncoding<E>(table.table)
    encodings[table.entityID] = new
    return new
  }

  // MARK: Putting

  /// Runs a body that encodes objects, and repeats it until there are IDs for all.
  ///
  /// The first attempt counts the missing IDs. They are reserved together, in one round trip.
  ///
  /// - Parameter body: Puts objects into the buffer without suspending.
  /// - Throws: Errors of the body; the buffer is then unchanged.
  func encoding(_ body: () throws -> Void) async throws {
    told = []
    while true {
      let mark = mark()
      needs = [:]
      taken = []
      do {
        let attempt = Attempt(self)
        defer { attempt.buffer = nil }
        try Attempt.$current.withValue(attempt, operation: body)
      } catch {
        undo(to: mark)
        throw error
      }
      if needs.isEmpty {
        taken = []
        return
      }
      undo(to: mark)
      let missing = needs
      for (entity, ranges) in try await cluster.writing.ids.reserve(missing, in: cluster) {
        granted[entity, default: []] += ranges
      }
      told.formUnion(missing.keys)
    }
  }

  private func undo(to mark: Mark) {
    rollBack(to: mark)
    puts.clear()
    takeBackIDs()
  }

  /// The object whose relations `postPut` binds; nil outside of it.
  var bound: (entity: UInt32, id: UInt64)?
}

/// The buffer into which objects are being encoded, for their relations.
///
/// Unchecked: the task of the buffer sets and uses the reference during one call without suspension. Tasks that user
/// code starts during it find nil afterwards.
final class Attempt: @unchecked Sendable {
  @TaskLocal static var current: Attempt?

  fileprivate(set) var buffer: WriteBuffer?

  fileprivate init(_ buffer: WriteBuffer) {
    self.buffer = buffer
  }
}
