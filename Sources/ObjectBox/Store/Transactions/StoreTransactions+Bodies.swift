extension StoreTransactions {
  /// Runs a body in a transaction that it begins or joins; an error rolls back an own write, and goes to
  /// ``Transaction/noteFailure(_:since:)`` of a joined one.
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
      // An error of a read does not affect the write around it.
      try end(state, failure: isWritable ? seen : nil, since: count)
      throw seen
    }
    try end(state)
    return result
  }

  /// Begins or joins a transaction, and looks up an object in it.
  ///
  /// Not generic, since looking up type metadata in generic code would take as long as the object.
  ///
  /// - Parameters:
  ///   - id: The ID of an object.
  ///   - table: Its entity.
  /// - Returns: The thread's state, for `end`, and a reader of the object until then; nil when there is none.
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
