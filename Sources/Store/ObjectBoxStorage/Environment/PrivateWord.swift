internal import CObjectBoxLMDB

/// The number of pages including those that a write transaction has added: `mt_next_pgno` of LMDB's
/// `MDB_txn`.
///
/// No other word of LMDB's private structures is read. No public call returns the size to which the file would
/// grow, and reaching LMDB's own limit, the end of the map, ends the transaction and makes removals fail too.
/// The structure is the same in all releases of LMDB 0.9. ``WriteRoom/begin(_:)`` compares the word of the
/// first write transaction with `mdb_env_info`, and does not use it if they differ.
///
/// - Parameter transaction: A write transaction, during which the word may be read.
/// - Returns: The address of the word, which follows the pointers to the parent and the child.
func lmdbPageCount(of transaction: OpaquePointer) -> UnsafePointer<UInt> {
  (UnsafeRawPointer(transaction) + 2 * MemoryLayout<UnsafeRawPointer>.stride)
    .assumingMemoryBound(to: UInt.self)
}
