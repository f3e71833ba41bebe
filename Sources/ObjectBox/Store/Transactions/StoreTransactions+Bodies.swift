extension StoreTransactions {
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
      guard let transaction = state.current else { throw closedError }
      result = try body(transaction, state)
    } catch {
      let seen = file.shown(error)
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
      guard let transaction = state.current else { throw closedError }
      return (state, try table.record(id, in: transaction.storage))
    } catch {
      let seen = file.shown(error)
      try end(state)
      throw seen
    }
  }
}
