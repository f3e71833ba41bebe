/// A removal of objects for the writer thread.
struct AsyncRemoval: AsyncWrite {
  let table: EntityTable
  let ids: [UInt64]

  var sizeInBytes: Int { 56 + 8 * ids.count }
  var operation: UnheardFailure.Operation { .asyncRemoval }

  func write(in transaction: Transaction) throws -> ObjectBoxError? {
    let writer = try ObjectWriter(table, in: transaction)
    return try ObjectWriter.refusal { _ = try writer.remove(ids: ids) }
  }
}
