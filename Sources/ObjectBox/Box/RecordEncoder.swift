/// Encodes objects to records outside of a transaction, on the calling thread.
struct RecordEncoder<E>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  let box: Box<E>
  let table: EntityTable

  /// Returns the bytes of the record.
  ///
  /// If the binding must put other objects first (new targets of to-one relations), it runs in a
  /// write transaction that stores them.
  func record(of entity: E, id: UInt64) throws -> [UInt8] {
    if let record = try recordWithoutWriting(of: entity, id: id) { return record }
    return try box.writing { writer, state in
      let record = try encode(entity, id: id, state)
      try writer.transaction.runQueuedPuts()
      return record
    }
  }

  /// Returns the bytes of the record; nil when the binding must put other objects first.
  func recordWithoutWriting(of entity: E, id: UInt64) throws -> [UInt8]? {
    let state = ThreadContext.current.state(for: box.store.transactions)
    // A nested encoding must leave the outer one's mark set.
    let wasEncoding = state.isEncoding
    state.isEncoding = true
    defer { state.isEncoding = wasEncoding }
    do {
      return try encode(entity, id: id, state)
    } catch is StoreThreadState.WriteWhileEncoding {
      return nil
    }
  }

  private func encode(_ entity: E, id: UInt64, _ state: StoreThreadState) throws -> [UInt8] {
    let layout = table.records.currentLayout
    return try state.withBuilder(layout) { builder in
      builder.scratch.begin(layout: layout)
      try E.entityBinding.collect(
        fromEntity: entity,
        id: id,
        propertyCollector: builder,
        store: box.store
      )
      return [UInt8](try builder.scratch.finish(of: table.schema, id: id))
    }
  }
}
