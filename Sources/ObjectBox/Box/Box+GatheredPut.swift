extension Box {
  /// Stores one object in a batch with puts of other threads.
  ///
  /// Returns its ID, which is not written back yet; nil when the object needs a transaction of its
  /// own.
  ///
  /// The calling thread encodes the record. A batch pays when commits wait for the disk and another
  /// thread is writing. Entities with relations are excluded: their puts may store other objects
  /// too.
  func putGathered(_ entity: E, mode: PutMode) throws -> UInt64? {
    let openStore = store.openStore
    let transactions = store.transactions
    let state = ThreadContext.current.state(for: transactions)
    guard state.current == nil, !state.isEncoding, store.file.isDurable, !store.file.isReadOnly,
      openStore.configuration.groupCommit.maximumGroupSize > 1,
      transactions.gate.isTaken || openStore.gatheredPuts.expectsOthers
    else { return nil }
    try store.checkOpen()
    try store.checkWritable()
    let table = try table()
    guard !table.links.isLinked, !transactions.isClosed else { return nil }
    let binding = E.entityBinding
    let given = binding.entityId(of: entity)
    if given != 0 {
      try transactions.admitAhead(id: given, of: table)
    } else if mode == .update {
      // The put in a transaction of its own throws the error.
      return nil
    }
    let id = given == 0 ? try transactions.takeIDAhead(of: table) : given
    let encoder = RecordEncoder(box: self, table: table)
    guard let record = try encoder.recordWithoutWriting(of: entity, id: id) else { return nil }
    let put = { [self] (transaction: Transaction) -> ObjectBoxError? in
      let writer = try ObjectWriter(table, in: transaction)
      let refusal = try ObjectWriter.refusal {
        try record.withUnsafeBytes { try writer.put($0, id: id, isNew: given == 0, mode: mode) }
      }
      if let refusal { return refusal }
      try binding.postPut(fromEntity: entity, id: id, store: store)
      transaction.gatheredPuts.append(table.number)
      return nil
    }
    do {
      try openStore.gatheredPuts.run(put)
    } catch {
      let object = given == 0 ? "a new '\(table.name)'" : "'\(table.name)' with ID \(id)"
      throw StoreError.naming("put \(object) of \(record.count) bytes", error)
    }
    return id
  }
}
