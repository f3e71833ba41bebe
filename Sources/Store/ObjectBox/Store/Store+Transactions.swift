extension Store {
  /// Runs a block in a write transaction: its changes are committed together or not at all.
  ///
  /// It waits while another thread writes. Inside another write transaction the block joins it, and
  /// all changes are committed with the outermost transaction. If the block throws, all changes are
  /// rolled back, including the changes of outer transactions, even if outer blocks catch the
  /// error. Inside a block of `store.write` or another write block, only the changes of the
  /// throwing block are rolled back.
  ///
  ///     let count = try store.runInTransaction {
  ///       ada.name = "Ada Lovelace"
  ///       try authors.put(ada)
  ///       try notes.put(Note(title: "Engines", author: ada))
  ///       return try notes.count()
  ///     }
  ///
  /// - Parameter block: Reads and writes, on the calling thread only.
  /// - Returns: The block's result.
  /// - Throws: The block's error, unchanged; ``ObjectBoxError/cannotWriteWhileReading(message:)``
  ///   inside a read transaction; ``ObjectBoxError`` when the commit is not possible.
  @discardableResult
  public func runInTransaction<T>(_ block: () throws -> T) throws -> T {
    try inTransaction(isWritable: true, block)
  }

  /// Runs a block in a write transaction; see ``runInTransaction(_:)-(_)``.
  ///
  /// - Parameter block: Reads and writes.
  /// - Throws: The block's error, or ``ObjectBoxError``.
  public func runInTransaction(_ block: () throws -> Void) throws {
    try inTransaction(isWritable: true, block)
  }

  /// Runs a block in a read transaction: all reads see the same version.
  ///
  /// It never waits for a writer. Inside a write transaction it sees the changes so far.
  ///
  ///     let (pinned, all) = try store.runInReadOnlyTransaction {
  ///       (try notes.query { Note.isPinned == true }.build().count(), try notes.count())
  ///     }
  ///
  /// - Parameter block: Reads only.
  /// - Returns: The block's result.
  /// - Throws: The block's error, unchanged; ``ObjectBoxError/maxReadersExceeded(message:)``
  ///   when too many threads read.
  @discardableResult
  public func runInReadOnlyTransaction<T>(_ block: () throws -> T) throws -> T {
    try inTransaction(isWritable: false, block)
  }

  /// Runs a block in a read transaction; see ``runInReadOnlyTransaction(_:)-(_)``.
  ///
  /// - Parameter block: Reads only.
  /// - Throws: The block's error, or ``ObjectBoxError``.
  public func runInReadOnlyTransaction(_ block: () throws -> Void) throws {
    try inTransaction(isWritable: false, block)
  }

  private func inTransaction<T>(isWritable: Bool, _ block: () throws -> T) throws -> T {
    try checkOpen()
    return try inTransaction(isWritable: isWritable) { transaction, _ in
      isWritable ? try transaction.undoingAsOne(block) : try block()
    }
  }
}
