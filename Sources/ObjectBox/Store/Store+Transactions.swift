extension Store {
  /// Runs a block in a write transaction: its changes are committed together, or not at all.
  ///
  /// Inside another write transaction it joins that one, and everything commits with the outermost.
  /// Waits while another thread writes. When the block throws, everything is rolled back, also the changes of
  /// outer transactions, even if those go on; inside of a write block, such as that of `store.write`, only
  /// the changes of this block.
  ///
  /// - Parameter block: Reads and writes; it must not hand its work to another thread.
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

  /// Runs a block in a read transaction: all its reads see the same version.
  ///
  /// Never waits for a writer. Inside a write transaction it sees the writes so far.
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
