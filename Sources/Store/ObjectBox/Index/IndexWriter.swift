package import ObjectBoxStorage

/// Updates the indexes of one entity when its records change; nothing else writes index entries.
///
/// One write transaction at a time uses it.
package final class IndexWriter {
  private let table: RecordTable
  private let indexes: [IndexDefinition]
  /// The elements of `indexes`, unretained: each put uses them all without counting references.
  private let references: [Unmanaged<IndexDefinition>]
  /// True if a put must look for other objects with the same values.
  let hasUnique: Bool
  /// The unique index, if there is exactly one.
  let soleUnique: IndexDefinition?
  /// A buffer for a new and an old key.
  private let room: UnsafeMutableRawPointer
  private var oldRecord = UnsafeMutableRawBufferPointer(start: nil, count: 0)

  init(table: RecordTable, indexes: [IndexDefinition]) {
    self.table = table
    self.indexes = indexes
    references = indexes.map(Unmanaged.passUnretained)
    let unique = indexes.filter(\.isUnique)
    hasUnique = !unique.isEmpty
    soleUnique = unique.count == 1 ? unique[0] : nil
    room = .allocate(byteCount: 2 * OrderedKey.capacity, alignment: 8)
  }

  deinit {
    room.deallocate()
    oldRecord.deallocate()
  }

  /// Releases the buffer for the copy of a record if it is unusually large.
  func releaseLargeRoom() {
    guard oldRecord.count > 4096 else { return }
    oldRecord.deallocate()
    oldRecord = UnsafeMutableRawBufferPointer(start: nil, count: 0)
  }

  /// Copies a stored record, because its bytes are valid only until the next write.
  private func copy(_ record: UnsafeRawBufferPointer, id: UInt64) throws -> RecordReader {
    if oldRecord.count < record.count {
      oldRecord.deallocate()
      oldRecord = .allocate(byteCount: max(256, record.count * 2), alignment: 8)
    }
    oldRecord.copyMemory(from: record)
    let copy = UnsafeRawBufferPointer(rebasing: oldRecord[..<record.count])
    return try table.reader(copy, id: id)
  }

  // Made for each use: as a stored variable it would have exclusivity checks at run time.
  var emptyKey: OrderedKey { OrderedKey(storage: room) }
  private var emptyOldKey: OrderedKey { OrderedKey(storage: room + OrderedKey.capacity) }

  func forEachIndex(_ body: (IndexDefinition) throws -> Void) rethrows {
    for reference in references { try reference._withUnsafeGuaranteedRef(body) }
  }

  /// Adds the entries of a new object.
  ///
  /// - Parameters:
  ///   - record: The record.
  ///   - isLast: True if the ID is above all stored ones.
  ///   - transaction: The transaction.
  /// - Throws: `StorageError` when an index cannot be written.
  func insert(
    _ record: RecordReader,
    isLast: Bool,
    in transaction: StorageTransaction
  ) throws {
    var key = emptyKey
    try forEachIndex { definition in
      guard definition.key.write(record, into: &key) else { return }
      try transaction.insert(definition.table, key: key.bytes, id: record.id, isLast: isLast)
    }
  }

  /// Changes the entries of an object when its record is replaced.
  ///
  /// Keys of unchanged values are not made, and entries with equal keys are not written.
  func update(
    from stored: UnsafeRawBufferPointer,
    to new: RecordReader,
    in transaction: StorageTransaction
  ) throws {
    var old = try table.reader(stored, id: new.id)
    var isCopied = false
    var oldKey = emptyOldKey
    var newKey = emptyKey
    try forEachIndex { definition in
      if definition.key.isUnchanged(from: old, to: new) { return }
      let hasOld = definition.key.write(old, into: &oldKey)
      let hasNew = definition.key.write(new, into: &newKey)
      if hasOld, hasNew, ByteSearch.areEqual(oldKey.bytes, newKey.bytes) { return }
      if !isCopied {
        // Copied: the first write invalidates the stored bytes.
        old = try copy(stored, id: new.id)
        isCopied = true
      }
      if hasOld {
        _ = try transaction.delete(definition.table, key: oldKey.bytes, id: new.id)
      }
      if hasNew {
        try transaction.insert(definition.table, key: newKey.bytes, id: new.id)
      }
    }
  }

  /// Removes the entries of an object that is removed.
  func remove(
    _ stored: UnsafeRawBufferPointer,
    id: UInt64,
    in transaction: StorageTransaction
  ) throws {
    let record = try copy(stored, id: id)
    var key = emptyOldKey
    for definition in indexes where definition.key.write(record, into: &key) {
      _ = try transaction.delete(definition.table, key: key.bytes, id: record.id)
    }
  }

  #if OBJECTBOX_INTERNAL_CHECKS
    /// Traps unless the indexes have exactly the entries of a record; no entries if it was removed.
    func checkInvariants(
      _ record: RecordReader,
      isStored: Bool,
      in transaction: StorageTransaction
    ) throws {
      var key = emptyKey
      for definition in indexes where definition.key.write(record, into: &key) {
        let cursor = try transaction.cursor(definition.table)
        let isHeld = try cursor.contains(key: key.bytes, id: record.id)
        precondition(
          isHeld == isStored,
          "index \(definition.name) holds object \(record.id): \(isHeld)"
        )
      }
    }
  #endif

  // MARK: Building

  /// Fills an empty index from the stored records.
  ///
  /// - Throws: ``ObjectBoxError/uniqueViolation(message:)`` when the index is unique and two
  ///   objects have the same value.
  func build(_ definition: IndexDefinition, in transaction: StorageTransaction) throws {
    var key = emptyKey
    var entries: [(key: [UInt8], id: UInt64)] = []
    try table.forEach(in: transaction) { record in
      if definition.key.write(record, into: &key) { entries.append((Array(key.bytes), record.id)) }
    }
    // Sorted, so that entries are appended without a search. The sort is not stable, so it compares
    // IDs too.
    entries.sort { a, b in
      a.key.lexicographicallyPrecedes(b.key) || (a.key == b.key && a.id < b.id)
    }
    let index = transaction.writeCursor(definition.table)
    for entry in entries {
      try entry.key.withUnsafeBytes { try index.append(key: $0, id: entry.id) }
    }
    guard definition.isUnique else { return }
    let constraint = UniqueConstraint(definition, table: table)
    for (previous, next) in zip(entries, entries.dropFirst()) where previous.key == next.key {
      guard let record = try transaction.get(table.objects, id: next.id) else { continue }
      let reader = try table.reader(record, id: next.id)
      if let other = try constraint.conflict(of: reader, key: &key, in: transaction) {
        throw constraint.duplicate(of: reader, with: other)
      }
    }
  }

  // MARK: Unique values

  /// Returns the objects that a new record replaces because they have one of its unique values.
  ///
  /// - Parameters:
  ///   - record: The new record.
  ///   - holder: The object of the result `taken` of ``insertIfFree(_:in:)``; nil otherwise.
  ///   - transaction: The transaction to search.
  /// - Returns: The IDs of the objects.
  /// - Throws: ``ObjectBoxError/uniqueViolation(message:)`` when one of these objects must not be
  ///   replaced.
  func conflicts(
    of record: RecordReader,
    knowing holder: UInt64? = nil,
    in transaction: StorageTransaction
  ) throws -> [UInt64] {
    var replaced: [UInt64] = []
    var key = emptyKey
    for definition in indexes where definition.isUnique {
      let constraint = UniqueConstraint(definition, table: table)
      let other = try constraint.conflict(of: record, key: &key, knowing: holder, in: transaction)
      guard let other else { continue }
      guard definition.replacesOnConflict else {
        throw constraint.violation(of: record, with: other)
      }
      replaced.append(other)
    }
    return replaced
  }

  /// Returns the other objects with a unique value of a record, whether or not a put would replace
  /// them.
  package func holders(
    of record: RecordReader,
    in transaction: StorageTransaction
  ) throws -> Set<UInt64> {
    var holders: Set<UInt64> = []
    var key = emptyKey
    for definition in indexes where definition.isUnique {
      let constraint = UniqueConstraint(definition, table: table)
      if let holder = try constraint.conflict(of: record, key: &key, in: transaction) {
        holders.insert(holder)
      }
    }
    return holders
  }
}

/// Puts of new objects of entities with a single unique index.
///
/// Earns 36 % of the row 'put with a unique string': one search checks the key and adds its entry.
extension IndexWriter {
  /// The effect of ``insertIfFree(_:in:)``.
  enum Insertion {
    /// All entries of the object are added.
    case done
    /// Nothing is added: the key of the unique value already has an object.
    case taken(by: UInt64)
    /// Nothing is added: one search cannot decide whether the unique values are free.
    case undecided
  }

  /// Adds the entries of a new object if its entity has a single unique index and the key is free.
  func insertIfFree(
    _ record: RecordReader,
    in transaction: StorageTransaction
  ) throws -> Insertion {
    guard let unique = soleUnique, !unique.key.isNull(record) else { return .undecided }
    var key = emptyKey
    guard unique.key.write(record, into: &key) else { return .undecided }
    let holder = try transaction.insertFirst(unique.table, key: key.bytes, id: record.id)
    if let holder { return .taken(by: holder) }
    try forEachIndex { definition in
      guard definition !== unique, definition.key.write(record, into: &key) else { return }
      try transaction.insert(definition.table, key: key.bytes, id: record.id)
    }
    return .done
  }
}
