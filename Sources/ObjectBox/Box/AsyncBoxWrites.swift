/// A put for the writer thread, with the encoded object.
struct AsyncPut: AsyncWrite {
  let table: EntityTable
  let id: UInt64
  let record: [UInt8]
  let mode: PutMode
  let isOfHandler = UnheardFailures.isInHandler

  var sizeInBytes: Int { 64 + record.count }
  var operation: UnheardFailure.Operation { .asyncPut }
  var ids: [UInt64] { [id] }

  func write(in transaction: Transaction) throws -> ObjectBoxError? {
    let writer = try ObjectWriter(table, in: transaction)
    return try ObjectWriter.refusal {
      // `isNew` is false: a synchronous put may have stored the object first.
      try record.withUnsafeBytes { try writer.put($0, id: id, isNew: false, mode: mode) }
    }
  }
}

/// A removal for the writer thread.
struct AsyncRemoval: AsyncWrite {
  let table: EntityTable
  let ids: [UInt64]
  let isOfHandler = UnheardFailures.isInHandler

  var sizeInBytes: Int { 56 + 8 * ids.count }
  var operation: UnheardFailure.Operation { .asyncRemoval }

  func write(in transaction: Transaction) throws -> ObjectBoxError? {
    let writer = try ObjectWriter(table, in: transaction)
    return try ObjectWriter.refusal { _ = try writer.remove(ids: ids) }
  }
}
