extension Box {
  /// Stores one object in a batch with puts of other threads.
  ///
  /// Returns its ID, which is not written back yet; nil when the object needs its own transaction.
  ///
  /// The calling thread encodes the record. Entities with relations are excluded: their puts may
  /// store other objects too.
  func putGathered(_ entity: E, mode: PutMode) throws -> UInt64? {
    try store.checkOpen()
    try store.checkWritable()
    let transactions = store.transactions
    let table = try table()
    guard !table.links.isLinked, !transactions.isClosed else { return nil }
    let binding = E.entityBinding
    let given = binding.entityId(of: entity)
    // The put in its own transaction throws the error.
    if given == 0, mode == .update { return nil }
    let id = try transactions.chooseIDAhead(given: given, of: table)
    guard let record = try encodeWithoutWriting(entity, id: id, of: table) else { return nil }
    let encoded = EncodedPut(
      table: table,
      id: id,
      record: record,
      mode: mode,
      isNew: given == 0
    )
    let put = { [self] (transaction: Transaction) -> ObjectBoxError? in
      if let refusal = try encoded.write(in: transaction) { return refusal }
      try binding.postPut(fromEntity: entity, id: id, store: store)
      transaction.gatheredPuts.append(table.number)
      return nil
    }
    do {
      try store.openStore.groupCommitQueue.run(put)
    } catch {
      let object = given == 0 ? "a new '\(table.name)'" : "'\(table.name)' with ID \(id)"
      throw StoreError.naming("put \(object) of \(record.count) bytes", error)
    }
    return id
  }
}
