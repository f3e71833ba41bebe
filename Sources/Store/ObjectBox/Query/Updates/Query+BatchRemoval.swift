extension Query {
  /// Removes the results in batches, each in a transaction of its own.
  ///
  /// A removal copies the pages that it changes before it frees them, so removing many objects at
  /// once needs up to as much free space as they take. Here each transaction reuses the pages that
  /// earlier ones freed; use it to empty a full store. While a snapshot or another reader holds an
  /// older version, its pages cannot be reused, and the file grows with each batch.
  ///
  /// The results are the objects that match at the call and still match when their batch is
  /// removed. When this throws, earlier batches stay removed. Readers see the store between
  /// batches, and observers are notified of each.
  ///
  /// - Parameter size: The greatest number of results per transaction, at least 1; 100 is a good
  ///   value.
  /// - Returns: The number of removed results.
  /// - Throws: ``ObjectBoxError``: `illegalArgument` for a size below 1,
  ///   `alreadyInWriteTransaction` inside a transaction, which would hold all batches; others when
  ///   the store is closed, read-only or full.
  @discardableResult
  public func remove(inBatchesOf size: Int) throws -> UInt64 {
    let condition = selection.copy.condition
    return try box.store.remove(inBatchesOf: size, findIds().map(\.value)) { ids, transaction in
      let table = try box.table()
      return try box.removeMany(
        try QueryExecution.matching(ids, condition, in: table, transaction)
      )
    }
  }
}

extension Store {
  /// Removes query results, each batch in a transaction of its own.
  ///
  /// - Parameters:
  ///   - size: The greatest number of results per transaction.
  ///   - ids: Returns the IDs of the results.
  ///   - remove: Removes the given objects that are still results, in the passed transaction.
  /// - Returns: The number of removed results.
  /// - Throws: ``ObjectBoxError`` as ``Query/remove(inBatchesOf:)`` does, and the error of the first
  ///   batch that is not removed; earlier batches stay removed.
  package func remove(
    inBatchesOf size: Int,
    _ ids: @autoclosure () throws -> [UInt64],
    remove: (ArraySlice<UInt64>, Transaction) throws -> UInt64
  ) throws -> UInt64 {
    guard size > 0 else {
      throw ObjectBoxError.illegalArgument(
        message: "remove(inBatchesOf: \(size)): a batch has at least one object; use 100"
      )
    }
    try checkOpen()
    if transactions.isWritingOnThisThread {
      throw ObjectBoxError.alreadyInWriteTransaction(
        message:
          "cannot remove in batches in a write transaction, which is one for all of them; call remove(), or "
          + "remove(inBatchesOf:) outside of it"
      )
    }
    let ids = try ids()
    var count: UInt64 = 0
    for start in stride(from: 0, to: ids.count, by: size) {
      count += try inTransaction(isWritable: true) { transaction, _ in
        try remove(ids[start..<min(start + size, ids.count)], transaction)
      }
    }
    return count
  }
}
