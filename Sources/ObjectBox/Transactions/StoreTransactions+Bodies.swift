extension StoreTransactions {
  /// Runs a body in a transaction that it begins or joins.
  ///
  /// An error of the body rolls back a write transaction that this call began. In a joined write
  /// transaction, ``Transaction/noteFailure(_:since:)`` decides what follows.
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
          // A failed read does not affect the write transaction around it.
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
  /// Not generic: looking up type metadata would take as long as finding the object.
  ///
  /// - Parameters:
  ///   - id: The ID of an object.
  ///   - table: Its entity.
  ///   - state: The state of the calling thread, for `end`.
  /// - Returns: A reader of the object until `end`; nil when there is none.
  /// - Throws: As `begin`, and ``ObjectBoxError/fileCorrupt(message:)``. Then the transaction has
  ///   ended.
  func beginReading(
    _ id: UInt64,
    of table: EntityTable,
    on state: StoreThreadState
  ) throws -> RecordReader? {
    try beginReading(on: state) { transaction in
      try transaction.withStorage { try table.record(id, in: $0) }
    }
  }

  /// Begins or joins a transaction, and finds an object in it, as ``beginReading(_:of:on:)`` does.
  @inline(__always)
  func beginReading(
    on state: StoreThreadState,
    _ find: (Transaction) throws -> RecordReader?
  ) throws -> RecordReader? {
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
