internal import ObjectBoxStorage

/// Writes and removes the records of one entity in an open write transaction, with their index
/// entries.
///
/// Every put and removal of an object ends here, whether it comes from `Box`, a `WriteTransaction`,
/// a relation, a query that removes, a dynamic box, or the writer thread with the queued writes of
/// `AsyncBox`. A writer is made for one transaction and used on the transaction's thread. It only
/// changes pages of the transaction: the caller begins, commits or rolls back.
///
/// A put runs in this order:
///
/// 1. The caller takes the ID from ``chooseID(given:mode:)``, or ahead of the transaction for queued writes, and
///    encodes the record.
/// 2. `put` checks the mode, then the requirements of derived indexes, such as the dimensions of vectors.
/// 3. Unique values are checked. Objects that the put replaces, because they have one of its unique values, are removed
///    first, with their references.
/// 4. Index entries are written. An update compares the stored record with the new one.
/// 5. Derived indexes (of vectors and words) are updated. They still read the stored record.
/// 6. The change is noted for observers; this still reads the stored record too.
/// 7. The record is written over the stored one.
///
/// Invariant: errors that ``refusal(_:)`` returns are thrown before anything is written, so the transaction can
/// continue. After any other error the caller rolls back or undoes the operation. `noteWrite` comes before the writes
/// to indexes and records, so the transaction knows whether a failure may have left changes. The bytes of a stored
/// record are valid until the next write, so each step reads the stored record itself.
///
/// A removal removes the index entries, the record, then references from other objects.
/// With delete rules, ``Removal`` first collects all objects to remove.
package struct ObjectWriter {
  /// Error code of ObjectBox for an insert of an existing ID.
  private static let idAlreadyExists: Int32 = 10210
  /// Error code of ObjectBox for an update of a missing ID.
  private static let idNotFound: Int32 = 10211

  package let table: EntityTable
  package let transaction: Transaction
  private let cursor: WriteCursor
  private let indexWriter: IndexWriter?

  package init(_ table: EntityTable, in transaction: Transaction) throws {
    self.table = table
    self.transaction = transaction
    cursor = try transaction.writeCursor(table)
    indexWriter = table.hasIndexes ? transaction.indexWriter(table) : nil
  }

  /// True when the entity has relations or is a target of relations.
  var isLinked: Bool { table.links.isLinked }

  /// The layout of new records.
  package var layout: RecordLayout { table.records.currentLayout }

  // MARK: Putting

  /// Returns the ID to store an object under: its own, or the next one.
  package func chooseID(given: UInt64, mode: PutMode) throws -> UInt64 {
    if given == 0 {
      if mode == .update { throw notFound(0) }
      return try table.takeFreeID { try table.contains($0, in: transaction.storage) }
    }
    try table.admit(id: given)
    return given
  }

  /// Runs a body and returns its refusal, an error that comes before anything is written; nil when
  /// it succeeds.
  static func refusal(_ body: () throws -> Void) throws -> ObjectBoxError? {
    do {
      try body()
      return nil
    } catch let error as ObjectBoxError {
      switch error {
      case .uniqueViolation, .constraintViolated, .unknown(code: idAlreadyExists, _),
        .unknown(code: idNotFound, _):
        return error
      default: throw error
      }
    }
  }

  /// Stores a record.
  ///
  /// Throws the errors of `refusal` before it writes anything.
  ///
  /// - Parameters:
  ///   - record: Bytes in the current layout.
  ///   - id: The ID from `chooseID`.
  ///   - isNew: True when no object has the ID: it has just been assigned from the sequence, is above
  ///   it, or was looked up.
  ///   - mode: Whether the object must or must not exist.
  ///   - checksUnique: False if the caller ensures that unique values are unique at the end of the
  ///   transaction.
  /// - Throws: ``ObjectBoxError`` when the mode forbids the put, a unique value is taken, or the
  ///   store is full.
  package func put(
    _ record: UnsafeRawBufferPointer,
    id: UInt64,
    isNew: Bool,
    mode: PutMode,
    checksUnique: Bool = true
  ) throws {
    if !isNew, mode != .put {
      let exists = try cursor.record(id: id) != nil
      if mode == .insert && exists { throw alreadyExists(id) }
      if mode == .update && !exists { throw notFound(id) }
    }
    try store(record, id: id, isNew: isNew, checksUnique: checksUnique)
  }

  /// Stores a record with its index entries.
  ///
  /// - Parameters:
  ///   - record: Bytes in the current layout.
  ///   - id: The ID of the object.
  ///   - isNew: True when no object has the ID.
  ///   - checksUnique: False if the caller ensures that unique values are unique.
  ///   - keepsKeys: True when the record has the same keys as the stored one, and the cursor is on the stored one.
  /// - Throws: ``ObjectBoxError`` when a unique value is taken, or the store is full.
  func store(
    _ record: UnsafeRawBufferPointer,
    id: UInt64,
    isNew: Bool,
    checksUnique: Bool = true,
    keepsKeys: Bool = false
  ) throws {
    let hasDerivedIndexes = !table.derivedIndexes.isEmpty
    if hasDerivedIndexes { try checkDerived(record, id: id) }
    var place = keepsKeys ? WriteCursor.Place.current : .unknown
    if let indexWriter, !keepsKeys {
      place =
        checksUnique
        ? try putIndexed(record, id: id, isNew: isNew, indexWriter: indexWriter)
        : try putEntries(try table.records.reader(record, id: id), isNew: isNew, indexWriter)
    }
    transaction.noteWrite()
    if hasDerivedIndexes { try putDerived(record, id: id, isNew: isNew) }
    if transaction.notesChanges { try noteChange(to: record, id: id, isNew: isNew) }
    // The ID is above all stored IDs, unless a nested put took a later one.
    if isNew && table.highestID <= id { place = .end }
    #if OBJECTBOX_INTERNAL_CHECKS
      table.records.checkInvariants(record, id: id)
    #endif
    try cursor.put(id: id, record: record, at: place)
    #if OBJECTBOX_INTERNAL_CHECKS
      try indexWriter?.checkInvariants(
        try table.records.reader(record, id: id),
        isStored: true,
        in: transaction.storage
      )
    #endif
  }

  /// Moves the cursor to the record of an object; nil when there is none.
  ///
  /// Readers are valid until the next write or move.
  func record(of id: UInt64) throws -> RecordReader? {
    try cursor.record(id: id).map { try table.records.reader($0, id: id) }
  }

  /// Moves the cursor to the first record; nil when there is none.
  func firstRecord() throws -> RecordReader? {
    try cursor.first().map { try table.records.reader($0.record, id: $0.id) }
  }

  /// Moves the cursor to the next record; nil at the end.
  func nextRecord() throws -> RecordReader? {
    try cursor.next().map { try table.records.reader($0.record, id: $0.id) }
  }

  private func noteChange(to record: UnsafeRawBufferPointer, id: UInt64, isNew: Bool) throws {
    guard !isNew, let old = try cursor.record(id: id) else {
      transaction.note(.inserted, of: id, table)
      return
    }
    let difference = RecordDifference.properties(
      try table.records.reader(old, id: id),
      try table.records.reader(record, id: id),
      of: table.schema
    )
    transaction.note(.updated(difference), of: id, table)
  }

  /// Updates the indexes.
  ///
  /// - Returns: The position of the cursor: on the record that the put replaces, or unknown.
  private func putIndexed(
    _ record: UnsafeRawBufferPointer,
    id: UInt64,
    isNew: Bool,
    indexWriter: IndexWriter
  ) throws -> WriteCursor.Place {
    let reader = try table.records.reader(record, id: id)
    if indexWriter.hasUnique {
      var holder: UInt64?
      if isNew {
        let count = transaction.changeCount
        transaction.noteWrite()
        switch try indexWriter.insertIfFree(reader, in: transaction.storage) {
        case .done: return .unknown
        case .taken(let id): holder = id
        case .undecided: break
        }
        transaction.forgetWrites(since: count)
      }
      let others = try indexWriter.conflicts(
        of: reader,
        knowing: holder,
        in: transaction.storage
      )
      if !others.isEmpty { _ = try remove(ids: others, keeping: id) }
    }
    return try putEntries(reader, isNew: isNew, indexWriter)
  }

  private func putEntries(
    _ record: RecordReader,
    isNew: Bool,
    _ indexWriter: IndexWriter
  ) throws -> WriteCursor.Place {
    transaction.noteWrite()
    if !isNew, let old = try cursor.record(id: record.id) {
      try indexWriter.update(from: old, to: record, in: transaction.storage)
      return .current
    }
    let isLast = isNew && table.highestID <= record.id
    try indexWriter.insert(record, isLast: isLast, in: transaction.storage)
    return .unknown
  }

  private func checkDerived(_ record: UnsafeRawBufferPointer, id: UInt64) throws {
    for definition in table.derivedIndexes {
      try definition.check(try table.records.reader(record, id: id), of: table.records)
    }
  }

  /// Updates the derived indexes, before the record that they still read is replaced.
  private func putDerived(_ record: UnsafeRawBufferPointer, id: UInt64, isNew: Bool) throws {
    for definition in table.derivedIndexes {
      // Read for each index: a write may move the stored record.
      let old = isNew ? nil : try self.record(of: id)
      try transaction.derivedIndex(definition, of: table)
        .willPut(try table.records.reader(record, id: id), replacing: old)
    }
  }

  // MARK: Removing

  /// Removes objects, and the objects that delete rules remove with them.
  ///
  /// - Parameters:
  ///   - ids: IDs; those without an object are skipped.
  ///   - kept: The ID of the object that is being put, which no rule may remove; 0 for none.
  /// - Returns: How many of the given objects existed.
  /// - Throws: ``ObjectBoxError/constraintViolated(message:)`` before anything is removed, when a
  ///   remaining object restricts a removal.
  package func remove<S: Sequence>(ids: S, keeping kept: UInt64 = 0) throws -> UInt64
  where S.Element == UInt64 {
    // A removal may exceed the size limit of the store. A put may not, including the removals that
    // it causes.
    try transaction.storage.removing(kept == 0) {
      if table.links.hasDeleteRules {
        var removal = Removal(in: transaction, keeping: kept, of: table)
        return try removal.run(ids, of: table)
      }
      var count: UInt64 = 0
      for id in ids where id != 0 {
        if try removeAlone(id: id) { count += 1 }
      }
      return count
    }
  }

  /// Removes an object and the references to it, without delete rules.
  ///
  /// - Parameters:
  ///   - id: The ID of the object.
  ///   - sources: Numbers of the entities that keep the ID in their to-one relations.
  /// - Returns: False when the object does not exist.
  /// - Throws: ``ObjectBoxError`` when the store is full or damaged.
  package func removeAlone(id: UInt64, keepingReferencesOf sources: Set<Int> = []) throws -> Bool {
    transaction.noteWrite()
    if let indexWriter {
      guard let record = try cursor.record(id: id) else { return false }
      #if OBJECTBOX_INTERNAL_CHECKS
        let copy = Array(record)
      #endif
      try indexWriter.remove(record, id: id, in: transaction.storage)
      #if OBJECTBOX_INTERNAL_CHECKS
        try copy.withUnsafeBytes { bytes in
          try indexWriter.checkInvariants(
            try table.records.reader(bytes, id: id),
            isStored: false,
            in: transaction.storage
          )
        }
      #endif
    }
    for definition in table.derivedIndexes {
      guard let record = try record(of: id) else { return false }
      try transaction.derivedIndex(definition, of: table).willRemove(record)
    }
    guard try transaction.storage.delete(table.records.objects, id: id) else { return false }
    transaction.noteRemoval(table)
    transaction.note(.removed, of: id, table)
    if isLinked {
      try removeReferences(to: id, keeping: sources)
    }
    try transaction.storage.checkRoom()
    return true
  }

  /// Removes all objects and the references to them, and returns their number.
  ///
  /// Without delete rules, the cost grows with the referring objects of other entities only.
  package func removeAll() throws -> UInt64 {
    let count = try transaction.storage.count(table.records.objects)
    guard count > 0 else { return 0 }
    if table.links.hasDeleteRules { return try remove(ids: allIDs()) }
    try transaction.storage.removing { try dropAll() }
    return UInt64(count)
  }

  /// Empties the tables of the entity.
  private func dropAll() throws {
    transaction.noteWrite()
    try transaction.storage.drop(table.records.objects, delete: false)
    for index in table.allIndexes {
      try transaction.storage.drop(index.table, delete: false)
    }
    for definition in table.derivedIndexes {
      transaction.forget(definition)
      for table in definition.tables { try transaction.storage.drop(table, delete: false) }
    }
    transaction.noteRemoval(table)
    transaction.noteRemovalOfAll(table)
    if isLinked {
      try removeReferencesToAll()
    }
  }

  private func allIDs() throws -> [UInt64] {
    var ids: [UInt64] = []
    var scan = try RecordScan(table, in: transaction)
    while let record = try scan.next() { ids.append(record.id) }
    return ids
  }

  // MARK: Errors

  private func alreadyExists(_ id: UInt64) -> ObjectBoxError {
    .unknown(
      code: Self.idAlreadyExists,
      message: "cannot insert '\(table.name)' with ID \(id): an object has that ID already; put it "
        + "with mode .put or .update to change it"
    )
  }

  private func notFound(_ id: UInt64) -> ObjectBoxError {
    let found = id == 0 ? "it was never stored (its ID is 0)" : "no object has ID \(id)"
    return .unknown(
      code: Self.idNotFound,
      message: "cannot update '\(table.name)': \(found); put it with mode .put or .insert"
    )
  }
}
