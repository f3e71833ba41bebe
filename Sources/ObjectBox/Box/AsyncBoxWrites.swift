internal import ObjectBoxStorage

/// A put that waits for the writer thread; the object is encoded already.
struct AsyncPut: AsyncWrite {
  let table: EntityTable
  let id: UInt64
  let record: [UInt8]
  let mode: PutMode

  var sizeInBytes: Int { 64 + record.count }

  func write(in transaction: Transaction) throws {
    let writer = try ObjectWriter(table, in: transaction)
    do {
      // Not as a new one: a synchronous put of the object may have come first.
      try record.withUnsafeBytes { try writer.put($0, id: id, isNew: false, mode: mode) }
    } catch let error as ObjectBoxError where ObjectWriter.isRefusal(error) {
      return
    }
  }
}

/// A removal that waits for the writer thread.
struct AsyncRemoval: AsyncWrite {
  let table: EntityTable
  let ids: [UInt64]

  var sizeInBytes: Int { 56 + 8 * ids.count }

  func write(in transaction: Transaction) throws {
    do {
      _ = try ObjectWriter(table, in: transaction).remove(ids: ids)
    } catch let error as ObjectBoxError where ObjectWriter.isRefusal(error) {
      return
    }
  }
}
