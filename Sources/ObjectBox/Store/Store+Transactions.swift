internal import ObjectBoxStorage

extension Store {
  /// Runs a block in a write transaction: all it does becomes lasting together, or not at all.
  ///
  /// Inside another write transaction it joins that one, and everything commits with the outermost.
  /// Waits while another thread writes. When the block throws, everything is rolled back, in the outer
  /// transactions too, even if those go on; inside of a write block, such as that of ``Store/write``, the
  /// changes of this block alone.
  ///
  /// - Parameter block: Reads and writes; it must not hand its work to another thread.
  /// - Returns: What the block returns.
  /// - Throws: What the block throws, unchanged; ``ObjectBoxError/cannotWriteWhileReading(message:)``
  ///   inside a read transaction; ``ObjectBoxError`` when the commit is not possible.
  @discardableResult
  public func runInTransaction<T>(_ block: () throws -> T) throws -> T {
    try inTransaction(isWritable: true, block)
  }

  /// Runs a block in a write transaction; see ``runInTransaction(_:)-(_)``.
  ///
  /// - Parameter block: Reads and writes.
  /// - Throws: What the block throws, or ``ObjectBoxError``.
  public func runInTransaction(_ block: () throws -> Void) throws {
    try inTransaction(isWritable: true, block)
  }

  /// Runs a block in a read transaction: everything in it sees the same state.
  ///
  /// Never waits for a writer. Inside a write transaction it sees the writes so far.
  ///
  /// - Parameter block: Reads only.
  /// - Returns: What the block returns.
  /// - Throws: What the block throws, unchanged; ``ObjectBoxError/maxReadersExceeded(message:)``
  ///   when too many threads read.
  @discardableResult
  public func runInReadOnlyTransaction<T>(_ block: () throws -> T) throws -> T {
    try inTransaction(isWritable: false, block)
  }

  /// Runs a block in a read transaction; see ``runInReadOnlyTransaction(_:)-(_)``.
  ///
  /// - Parameter block: Reads only.
  /// - Throws: What the block throws, or ``ObjectBoxError``.
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

extension StoreCore {
  /// Runs a body in a transaction that it begins or joins; an error rolls back a write, and of a joined one
  /// what ``Transaction/noteFailure(_:since:)`` says.
  @inline(__always)
  func inTransaction<T>(
    isWritable: Bool,
    _ body: (Transaction, StoreThreadState) throws -> T
  ) throws -> T {
    let state = try begin(isWritable: isWritable)
    let count = state.current?.changeCount ?? 0
    let result: T
    do {
      guard let transaction = state.current else { throw Self.closed(location) }
      result = try body(transaction, state)
    } catch {
      let seen = shown(error)
      // An error of a read leaves the write around it as it is.
      try end(state, failure: isWritable ? seen : nil, since: count)
      throw seen
    }
    try end(state)
    return result
  }

  /// Begins or joins a transaction, and looks an object up in it.
  ///
  /// It stands outside of generic code, which would take as long to ask for the types of what it passes on
  /// as for the object.
  ///
  /// - Parameters:
  ///   - id: The ID of an object.
  ///   - table: Its entity.
  /// - Returns: The thread's state, for `end`, and what reads the object until then; nil when there is none.
  /// - Throws: As `begin`, and ``ObjectBoxError/fileCorrupt(message:)``; the transaction has ended then.
  func beginReading(
    _ id: UInt64,
    of table: EntityTable
  ) throws -> (state: StoreThreadState, reader: FlatBufferReader?) {
    let state = try begin(isWritable: false)
    do {
      guard let transaction = state.current else { throw Self.closed(location) }
      guard let record = try transaction.storage.get(table.records.objects, id: id) else {
        return (state, nil)
      }
      return (state, try table.records.reader(record, id: id))
    } catch {
      let seen = shown(error)
      try end(state)
      throw seen
    }
  }
}
