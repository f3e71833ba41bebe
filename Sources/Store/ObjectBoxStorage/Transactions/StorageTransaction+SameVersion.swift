extension StorageTransaction {
  /// Begins to read the version of a read transaction without LMDB.
  ///
  /// Tables that the store does not have open can be opened by name in it: in LMDB only the holder of
  /// the write lock opens tables. It must not be used after this transaction has ended, which keeps
  /// the version's pages.
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
