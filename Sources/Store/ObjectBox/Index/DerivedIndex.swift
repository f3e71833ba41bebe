package import ObjectBoxStorage

/// A derived index in one transaction.
///
/// The entries of a derived index are computed from records and are not ordered by the value of a
/// property: links between vectors, words of texts.
package protocol DerivedIndex: AnyObject {
  /// The storage transaction; inside a savepoint, a child of the outer transaction.
  var storage: StorageTransaction { get set }
  /// True if its memory exceeds a limit: then it is flushed, and reopened for the next use.
  var isTooLarge: Bool { get }
  /// True if another storage transaction may continue with it: the parent of a savepoint, with changes in memory, and
  /// the next write transaction after a commit.
  var isMovable: Bool { get }

  /// Indexes a record that is about to be written.
  ///
  /// - Parameters:
  ///   - record: The new record, which has passed ``DerivedIndexDefinition/check(_:of:)``.
  ///   - old: The stored record that it replaces; nil for a new object.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read, or the store is full.
  func willPut(_ record: RecordReader, replacing old: RecordReader?) throws

  /// Removes an object; its record is still stored.
  ///
  /// - Throws: ``ObjectBoxError`` when the file cannot be read, or the store is full.
  func willRemove(_ record: RecordReader) throws

  /// Writes changes that are only in memory.
  func flush() throws
}

extension DerivedIndex {
  package var isTooLarge: Bool { false }
  package var isMovable: Bool { false }
}

/// A derived index of an open store.
package protocol DerivedIndexDefinition: Sendable {
  associatedtype Index: DerivedIndex

  /// The ID of the index in the model.
  var indexID: UInt32 { get }
  /// The tables of the index; they contain nothing else.
  var tables: [StorageTable] { get }

  /// Checks a record before anything is written.
  ///
  /// - Throws: ``ObjectBoxError`` for a record that the index cannot take.
  func check(_ record: RecordReader, of records: RecordTable) throws

  /// Opens the index in a transaction.
  func open(
    _ records: RecordTable,
    in storage: StorageTransaction,
    isWritable: Bool
  ) throws -> Index

  /// Fills the empty index from the stored records.
  func build(from records: RecordTable, in storage: StorageTransaction) throws
}

extension DerivedIndexDefinition {
  package func check(_ record: RecordReader, of records: RecordTable) throws {}
}

/// Opens and searches one kind of derived indexes.
package protocol DerivedIndexEngine: Sendable {
  /// Returns a derived index of an entity.
  ///
  /// - Parameters:
  ///   - id: The ID of the index in the model.
  ///   - tables: Its open tables.
  ///   - entity: The entity.
  /// - Returns: The index; nil for an index of another kind.
  func definition(
    ofIndex id: UInt32,
    tables: [StorageTable],
    in entity: EntitySchema
  ) -> (any DerivedIndexDefinition)?
}
