/// A put of an object that was encoded outside of a transaction, for the transaction of another
/// thread.
struct EncodedPut: AsyncWrite {
  let table: EntityTable
  let id: UInt64
  let record: [UInt8]
  let mode: PutMode
  /// True if no other put can have stored the object first.
  let isNew: Bool

  var sizeInBytes: Int { 64 + record.count }
  var operation: UnheardFailure.Operation { .asyncPut }
  var ids: [UInt64] { [id] }

  func write(in transaction: Transaction) throws -> ObjectBoxError? {
    let writer = try ObjectWriter(table, in: transaction)
    return try ObjectWriter.refusal {
      try record.withUnsafeBytes { try writer.put($0, id: id, isNew: isNew, mode: mode) }
    }
  }
}

extension Box {
  /// Encodes an object outside of a transaction, on the calling thread.
  ///
  /// If the binding must put other objects first (new targets of to-one relations), it runs in a
  /// write transaction that stores them.
  func encode(_ entity: E, id: UInt64, of table: EntityTable) throws -> [UInt8] {
    if let record = try encodeWithoutWriting(entity, id: id, of: table) { return record }
    return try writing { writer, state in
      let record = try encode(entity, id: id, of: table, state)
      try writer.transaction.runQueuedPuts()
      return record
    }
  }

  /// Encodes an object outside of a transaction; nil when the binding must put other objects first.
  func encodeWithoutWriting(_ entity: E, id: UInt64, of table: EntityTable) throws -> [UInt8]? {
    let state = ThreadContext.current.state(for: store.transactions)
    // A nested encoding must not clear the outer encoding's mark.
    let wasEncoding = state.isEncoding
    state.isEncoding = true
    defer { state.isEncoding = wasEncoding }
    do {
      return try encode(entity, id: id, of: table, state)
    } catch is StoreThreadState.WriteWhileEncoding {
      return nil
    }
  }

  private func encode(
    _ entity: E,
    id: UInt64,
    of table: EntityTable,
    _ state: StoreThreadState
  ) throws -> [UInt8] {
    try state.withBuilder(table.records.currentLayout) { builder in
      [UInt8](try E.entityBinding.record(of: entity, id: id, in: builder, table.schema, store))
    }
  }
}
