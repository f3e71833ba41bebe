internal import CObjectBoxLMDB

/// Maps the numbers of an environment's tables to LMDB's handles.
///
/// The two are equal until a compaction reopens the environment: LMDB then numbers its tables
/// again, without the gaps of removed ones, while ``StorageTable`` keeps its number.
///
/// Invariant of `@unchecked Sendable`: only the holder of the write lock opens and removes tables
/// and reads their handles, or the one thread that opens the store.
final class TableHandles: @unchecked Sendable {
  /// LMDB's handles, by table number.
  let handles: UnsafeMutablePointer<MDB_dbi>
  /// Table names, by number; nil for a number without a table.
  private var names: [String?]
  /// True while LMDB's handles equal the numbers.
  private var areSame = true

  init(capacity: Int) {
    names = Array(repeating: nil, count: capacity)
    handles = .allocate(capacity: capacity)
    for number in 0..<capacity { (handles + number).initialize(to: MDB_dbi(number)) }
  }

  deinit { handles.deallocate() }

  /// Returns the number of a table that LMDB has opened.
  ///
  /// LMDB reuses a handle after the transaction that opened its table was rolled back, or the table
  /// was removed.
  ///
  /// - Parameters:
  ///   - name: The name of the table.
  ///   - handle: LMDB's handle.
  /// - Returns: The same number for each call with the same name.
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

  /// Returns the number of a table when handles and numbers differ; LMDB's own two tables come
  /// first.
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
  /// - Throws: ``StorageError`` when LMDB cannot open a table; tables that the file lacks are
  ///   forgotten.
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
    // A commit keeps the handles of its transaction.
    try check(mdb_txn_commit(transaction), calling: "mdb_txn_commit")
  }
}
