extension StorageTransaction {
  /// Begins to read the version of a read transaction without LMDB.
  ///
  /// It can open tables by name that the store has not opened; LMDB lets only the holder of the write lock open
  /// tables. It must not be used after this transaction, which pins the version's pages, has ended.
  ///
  /// - Returns: The transaction; nil in a write transaction, which may open tables itself.
  /// - Throws: ``StorageError`` with `isCorrupt` when the version's form is unknown.
  package func beginReadOfSameVersion() throws(StorageError) -> StorageTransaction? {
    if tables == nil { return nil }
    return StorageTransaction(image: try pageVersion)
  }

  /// A number that changes whenever the transaction may read other pages than before; nil in a write
  /// transaction.
  ///
  /// While a renewed transaction has the same number, it reads the same version through the same
  /// map. So byte buffers from before the renewal are valid again.
  package var pagesGeneration: Int? { tables?.generation }
}
