extension StoreTransactions {
  /// Runs a body in a transaction that it begins or joins; an error rolls back an own write, and goes to
  /// ``Transaction/noteFailure(_:since:)`` of a joined one.
  @inline(__always)
  package func inTransaction<T>(
    isWritable: Bool,
    _ body: (Transaction, StoreThreadState) throws -> T
  ) throws -> T {
    try ThreadContext.withState(for: self) { state in
      let open = try begin(on: state, isWritable: isWritable)
      return try open._withUnsafeGuaranteedRef { transaction in
        let count = transaction.changeCount
        let result: T
        do {
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
    }
  }

  /// Begins or joins a transaction, and looks up an object in it.
  ///
  /// Not generic, since looking up type metadata in generic code would take as long as the object.
  ///
  /// - Parameters:
  ///   - id: The ID of an object.
  ///   - table: Its entity.
  ///   - state: The thread's own, for `end`.
  /// - Returns: A reader of the object until `end`; nil when there is none.
  /// - Throws: As `begin`, and ``ObjectBoxError/fileCorrupt(message:)``; the transaction has ended then.
  func beginReading(
    _ id: UInt64,
    of table: EntityTable,
    on state: StoreThreadState
  ) throws -> FlatBufferReader? {
    try beginReading(on: state) { transaction in
      try transaction.withStorage { try table.record(id, in: $0) }
    }
  }

  /// Begins or joins a transaction, and finds an object in it, as ``beginReading(_:of:on:)`` does.
  @inline(__always)
  func beginReading(
    on state: StoreThreadState,
    _ find: (Transaction) throws -> FlatBufferReader?
  ) throws -> FlatBufferReader? {
    let open = try begin(on: state, isWritable: false)
    do {
      return try open._withUnsafeGuaranteedRef(find)
    } catch {
      let seen = file.shown(error)
      try end(state)
      throw seen
    }
  }
}
