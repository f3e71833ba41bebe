package import ObjectBox

/// One version of a store, whose objects are read as stored records.
///
/// For tools that copy data exactly, such as a dump. Valid in the body that gets it.
package struct StoredVersion {
  package let transaction: Transaction
  package let file: StoreFile

  fileprivate init(_ transaction: Transaction) {
    self.transaction = transaction
    file = transaction.file
  }

  /// The number of the commit.
  package var number: Int { transaction.version }

  /// Returns the number of objects of an entity.
  ///
  /// - Parameter entity: The index of the entity in ``Store/schema``.
  /// - Returns: The number.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read.
  package func count(entity: Int) throws -> Int {
    try reading { try file.tables[entity].count(in: $0.storage) }
  }

  /// Returns the highest ID that an entity is known to have assigned; 0 for none.
  ///
  /// - Parameter entity: The index of the entity in ``Store/schema``.
  /// - Returns: The ID.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read.
  package func lastID(entity: Int) throws -> UInt64 {
    try reading { try file.tables[entity].lastID(in: $0) }
  }

  /// Passes the objects of an entity to a body, by ascending ID.
  ///
  /// - Parameters:
  ///   - entity: The index of the entity in ``Store/schema``.
  ///   - body: Gets the record of an object, which is valid until it returns.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read, and the error of the body.
  package func forEachObject(
    entity: Int,
    _ body: (RecordReader) throws -> Void
  ) throws {
    try reading { transaction in
      var scan = try RecordScan(file.tables[entity], in: transaction)
      while let record = try scan.next() { try body(record) }
    }
  }

  /// Passes the objects of an entity that differ from an older version to a body, by ascending ID.
  ///
  /// - Parameters:
  ///   - entity: The index of the entity in ``Store/schema``.
  ///   - older: An older version of the same store, pinned since then.
  ///   - body: Gets the old and the new record of an object, nil where it does not exist. They are
  ///     valid until it returns.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read, and the error of the body.
  /// - Complexity: O(pages written between the versions).
  package func forEachChange(
    entity: Int,
    since older: StoredVersion,
    _ body: (_ before: RecordReader?, _ after: RecordReader?) throws -> Void
  ) throws {
    try reading { newer in
      try older.reading { older in
        try file.tables[entity].forEachChange(since: older.storage, in: newer.storage, body)
      }
    }
  }

  /// Returns the number of pairs of a standalone relation; 0 for an unknown relation.
  package func linkCount(relation id: UInt32) throws -> Int {
    try reading { try file.relation(id: id)?.count(in: $0.storage) ?? 0 }
  }

  /// Passes the pairs of a standalone relation to a body, by source, then by target.
  ///
  /// - Parameters:
  ///   - id: The ID of the relation.
  ///   - body: Gets the IDs of a source and a target.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read, and the error of the body.
  package func forEachLink(
    relation id: UInt32,
    _ body: (_ source: UInt64, _ target: UInt64) throws -> Void
  ) throws {
    try reading { try file.relation(id: id)?.forEachLink(in: $0.storage, body) }
  }

  private func reading<T>(_ body: (Transaction) throws -> T) throws -> T {
    try file.translating { try body(transaction) }
  }
}

/// Writes objects with given IDs from stored values, in one write transaction.
///
/// Valid in the body that gets it.
package struct StoredWriting {
  package let transaction: Transaction
  package let state: StoreThreadState
  package let file: StoreFile

  fileprivate init(_ transaction: Transaction, _ state: StoreThreadState) {
    self.transaction = transaction
    self.state = state
    file = transaction.file
  }

  /// Stores an object under an ID; replaces a stored one.
  ///
  /// The ID may be above all IDs that the entity has assigned, whatever its model says.
  ///
  /// - Parameters:
  ///   - entity: The index of the entity in ``Store/schema``.
  ///   - id: The ID, from 1 to 2⁶⁴ − 2.
  ///   - keepsOthers: True to keep stored values of properties that are not set.
  ///   - fill: Gets a function that sets the value of a property; properties that are not set are
  ///     null, unless they are kept.
  /// - Throws: ``ObjectBoxError``: `uniqueViolation` when another object holds a unique value,
  ///   others when the store is full or the ID is invalid; and the error of `fill`.
  package func put(
    entity: Int,
    id: UInt64,
    keepsOthers: Bool = false,
    _ fill: (_ set: (PropertySchema, ExactValue) -> Void) throws -> Void
  ) throws {
    let table = file.tables[entity]
    guard id > 0, id <= EntityTable.maximumID else {
      throw ObjectBoxError.illegalArgument(
        message: "\(id) is no ID of an object; IDs are 1 to \(EntityTable.maximumID)"
      )
    }
    let writer = try ObjectWriter(table, in: transaction)
    let isNew = id > table.highestID
    try state.withBuilder(writer.layout) { builder in
      let stored = keepsOthers ? try table.record(id, in: transaction.storage) : nil
      if let stored { try table.records.check(stored) }
      let record = try builder.record(
        of: table.schema,
        id: id,
        keeping: stored,
        fill
      )
      try writer.put(record, id: id, isNew: isNew, mode: .put)
    }
    // Last, so that a rejected object uses no ID.
    table.raise(to: id)
  }

  /// Returns the record of an object, valid until the next write; nil if there is none.
  ///
  /// - Parameters:
  ///   - entity: The index of the entity in ``Store/schema``.
  ///   - id: The ID of an object.
  /// - Returns: The record.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read, or the record is damaged.
  package func record(entity: Int, id: UInt64) throws -> RecordReader? {
    let table = file.tables[entity]
    let record = try file.translating { try table.record(id, in: transaction.storage) }
    if let record { try table.records.check(record) }
    return record
  }

  /// Adds a pair to a standalone relation; does nothing if it exists.
  ///
  /// - Throws: ``ObjectBoxError/notFound(message:)`` when one of the objects is not stored; others
  ///   when the store is full or lacks the relation.
  package func relate(relation id: UInt32, source: UInt64, target: UInt64) throws {
    guard let relation = file.relation(id: id) else {
      throw ObjectBoxError.illegalArgument(message: "the store has no relation \(id)")
    }
    for (entity, object) in [(relation.source, source), (relation.target, target)] {
      guard try file.tables[entity].contains(object, in: transaction.storage) else {
        throw ObjectBoxError.notFound(
          message: "there is no '\(file.tables[entity].name)' with ID \(object)"
        )
      }
    }
    transaction.noteChange(of: relation)
    transaction.notePair(source, target, of: relation)
    try relation.add(source: source, target: target, in: transaction.storage)
  }

  /// Returns the highest ID that an entity is known to have assigned; 0 for none.
  ///
  /// - Parameter entity: The index of the entity in ``Store/schema``.
  /// - Returns: The ID.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read.
  package func lastID(entity: Int) throws -> UInt64 {
    let table = file.tables[entity]
    return max(table.highestID, try table.lastID(in: transaction))
  }

  /// Returns the ID after the highest assigned one; `UInt64.max`, which no object has, if there is none.
  ///
  /// - Parameter entity: The index of the entity in ``Store/schema``.
  /// - Returns: The ID.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read.
  package func nextID(entity: Int) throws -> UInt64 {
    let last = try lastID(entity: entity)
    return last == .max ? .max : last + 1
  }

  /// Makes sure that an entity assigns no ID up to the given one.
  ///
  /// - Parameters:
  ///   - entity: The index of the entity in ``Store/schema``.
  ///   - id: The highest ID that was assigned elsewhere.
  /// - Throws: ``ObjectBoxError`` when the store cannot be written.
  package func raiseLastID(entity: Int, to id: UInt64) throws {
    let table = file.tables[entity]
    guard try table.lastID(in: transaction) < id else { return }
    table.raise(to: id)
    transaction.noteWrite()
    transaction.noteRemoval(table)
  }
}

extension EntityTable {
  /// Returns the highest assigned ID that a transaction knows of; 0 for none.
  fileprivate func lastID(in transaction: Transaction) throws -> UInt64 {
    let kept = try transaction.file.system?.sequence(
      entity: schema.identity.id,
      in: transaction.storage
    )
    return max(try lastStoredID(in: transaction.storage), kept ?? 0)
  }
}

extension Store {
  /// The schema of the open store, with entities, properties and relations in the order of their
  /// IDs.
  package var schema: StoreSchema { file.schema }

  /// Runs a body that reads one version of the store as stored records.
  ///
  /// - Parameter body: Reads; its argument is valid until it returns.
  /// - Returns: The body's result.
  /// - Throws: ``ObjectBoxError`` when the store is closed, and the body's error.
  package func readingStored<T>(_ body: (StoredVersion) throws -> T) throws -> T {
    try checkOpen()
    return try inTransaction(isWritable: false) { transaction, _ in
      try body(StoredVersion(transaction))
    }
  }

  /// Runs a body in a write transaction that stores objects from stored values; all or nothing.
  ///
  /// - Parameter body: Writes; its argument is valid until it returns.
  /// - Returns: The body's result.
  /// - Throws: ``ObjectBoxError`` when the store is closed, read-only or full, and the body's
  ///   error.
  package func writingStored<T>(_ body: (StoredWriting) throws -> T) throws -> T {
    try checkOpen()
    return try inTransaction(isWritable: true) { transaction, state in
      try body(StoredWriting(transaction, state))
    }
  }
}
