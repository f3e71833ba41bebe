internal import CObjectBoxLMDB

/// The numbers of an environment's tables, and LMDB's handles for them.
///
/// Both are the same until a compaction opens the environment again: LMDB then numbers its tables anew, without the
/// gaps of those that were removed, and ``StorageTable`` keeps its number.
///
/// A class, since it owns memory. Invariant of `@unchecked Sendable`: tables are opened and removed, and their handles
/// read, by the holder of the write lock only, or while the store is being opened by one thread.
final class TableHandles: @unchecked Sendable {
  /// LMDB's handles by the numbers of the tables.
  let handles: UnsafeMutablePointer<MDB_dbi>
  /// The names of the tables by their numbers; nil for a number without a table.
  private var names: [String?]
  /// True until LMDB's handles and the numbers differ.
  private var areSame = true

  init(capacity: Int) {
    names = Array(repeating: nil, count: capacity)
    handles = .allocate(capacity: capacity)
    for number in 0..<capacity { (handles + number).initialize(to: MDB_dbi(number)) }
  }

  deinit { handles.deallocate() }

  /// Returns the number of a table that LMDB has opened.
  ///
  /// LMDB gives a handle anew when the transaction that opened its table was rolled back, or the table was removed.
  ///
  /// - Parameters:
  ///   - name: The name of the table.
  ///   - handle: LMDB's handle.
  /// - Returns: The same number for each call with the name.
  /// - Throws: ``StorageError`` when all numbers are taken.
  func number(of name: String, handle: MDB_dbi) throws(StorageError) -> UInt32 {
    let number = areSame ? Int(handle) : find(name, handle)
    guard let number, number < names.count else {
      throw StorageError(code: MDB_DBS_FULL, call: "mdb_dbi_open")
    }
    names[number] = name
    handles[number] = handle
    return UInt32(number)
  }

  /// Returns the number of a table with other handles than numbers; LMDB's own two tables have the first ones.
  private func find(_ name: String, _ handle: MDB_dbi) -> Int? {
    let numbers = names.indices.dropFirst(2)
    return numbers.first { names[$0] != nil && handles[$0] == handle }
      ?? numbers.first { names[$0] == name }
      ?? numbers.first { names[$0] == nil }
  }

  /// Notes that a table was removed.
  func forget(_ table: StorageTable) { names[Int(table.handle)] = nil }

  /// Opens all tables in a new environment.
  ///
  /// - Throws: ``StorageError`` when LMDB cannot open one; tables that the file does not have are forgotten.
  func reopen(in environment: OpaquePointer) throws(StorageError) {
    areSame = false
    let transaction = try OpenEnvironment.begin(environment, flags: UInt32(MDB_RDONLY))
    for number in names.indices {
      guard let name = names[number] else { continue }
      let code = mdb_dbi_open(transaction, name, 0, handles + number)
      if code == MDB_NOTFOUND {
        names[number] = nil
      } else if code != MDB_SUCCESS {
        mdb_txn_abort(transaction)
        try check(code, calling: "mdb_dbi_open")
      }
    }
    // LMDB keeps the handles of a transaction that was committed.
    try check(mdb_txn_commit(transaction), calling: "mdb_txn_commit")
  }
}
