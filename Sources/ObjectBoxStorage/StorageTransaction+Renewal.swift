internal import CObjectBoxLMDB
internal import Synchronization

/// The renewals that make a read transaction consistent; see ``StorageTransaction/renewUntilConsistent()``.
extension StorageTransaction {
  /// Moves the tables to the version that the transaction's ID names.
  @inline(never)
  func moveToNewest() throws(StorageError) {
    guard let tables, let file else { return }
    var previous: (id: Int, pages: PageVersion?)?
    while true {
      let id = mdb_txn_id(handle)
      if id == tables.version { return }
      let map = file.map
      var pages: PageVersion?
      switch try map.find(id) {
      case .found(let found, let mayBeWriting):
        if !mayBeWriting { return tables.move(to: found) }
        pages = found
      case .overwritten: break
      case .outgrown:
        try file.enlarge(map)
        continue
      case .outdated:
        try file.follow()
        if file.map === map { throw damaged(UInt64(id & 1)) }
      }
      if let previous, previous.id == id {
        // The same ID again: the next commit was not published by then, and no commit begins before it is. So the
        // roots that were copied before are whole.
        if let whole = previous.pages { return tables.move(to: whole) }
        if pages == nil, file.map === map { throw damaged(UInt64(id & 1)) }
      }
      previous = (id, pages)
      mdb_txn_reset(handle)
      try check(mdb_txn_renew(handle), calling: "mdb_txn_renew")
    }
  }

  /// Renews a transaction whose roots LMDB has copied.
  func renewUntilConsistentWithoutPages() throws(StorageError) {
    var information = MDB_envinfo()
    while true {
      // Processors with a weak order may read the head pages before the roots that LMDB has copied.
      atomicMemoryFence(ordering: .acquiring)
      try check(mdb_env_info(mdb_txn_env(handle), &information), calling: "mdb_env_info")
      let id = mdb_txn_id(handle)
      // `me_last_txnid` is read from the head pages, so it counts a commit that is written and not yet published.
      let newer = information.me_last_txnid - id
      var isConsistent = newer <= 0
      if newer == 1 { isConsistent = try publishedID() == id }
      if isConsistent { return }
      mdb_txn_reset(handle)
      try check(mdb_txn_renew(handle), calling: "mdb_txn_renew")
    }
  }

  /// Returns the ID of the newest published commit.
  ///
  /// With one newer commit on a head page, the next may have begun to write the head page of this transaction before
  /// its roots were copied. An ID that is taken afterwards, and is still this transaction's, shows that the newer
  /// commit was not published by then, and no commit begins before it is. Renewing this transaction would show
  /// nothing, since it copies other roots after the ID: `Tests/Models/heads.pml`.
  @inline(never)
  private func publishedID() throws(StorageError) -> Int {
    var probe: OpaquePointer?
    try check(
      mdb_txn_begin(mdb_txn_env(handle), nil, UInt32(MDB_RDONLY), &probe),
      calling: "mdb_txn_begin"
    )
    defer { mdb_txn_abort(probe) }
    return mdb_txn_id(probe)
  }
}
