internal import CObjectBoxLMDB
internal import Foundation

extension StorageTransaction {
  // MARK: Ending and beginning again

  /// Ends a read transaction but keeps its reader slot, for `renew`.
  package func reset() {
    takeCalls()
    endVersion()
    calls.give()
    leaveGate()
  }

  private func endVersion() {
    // After an exchange of the environment, nothing pins the version, and only the tables retain
    // its file.
    if let lmdb { mdb_txn_reset(lmdb) } else { tables?.leave() }
    isReset = true
  }

  /// Restarts a read transaction after `reset`, at the newest commit.
  package func renew() throws(StorageError) {
    if let gate { return try renew(through: gate) }
    takeCalls()
    try renewLMDB()
    calls.give()
  }

  @inline(never)
  private func renew(through gate: MapGate) throws(StorageError) {
    try gate.curing { () throws(StorageError) in
      enterGate(gate)
      takeCalls()
      do throws(StorageError) {
        try renewLMDB()
        calls.give()
      } catch {
        leaveGate()
        throw error
      }
    }
  }

  /// Renews LMDB's transaction; gives the calls back when it throws.
  private func renewLMDB() throws(StorageError) {
    guard let lmdb else { return try beginAgain() }
    let code = mdb_txn_renew(lmdb)
    if code != MDB_SUCCESS {
      calls.give()
      try check(code, calling: "mdb_txn_renew")
    }
    try becomeConsistent()
  }

  /// Begins in the environment that has replaced the former one.
  @inline(never)
  private func beginAgain() throws(StorageError) {
    // An exchange holds the environment's lock while it waits for the calls.
    calls.give()
    try environment?.beginAgain { lmdb in
      takeCalls()
      self.lmdb = lmdb
    }
    try becomeConsistent()
  }

  /// Makes a begun LMDB transaction consistent; when it throws, ends it and gives the calls back.
  func becomeConsistent() throws(StorageError) {
    do throws(StorageError) {
      try renewUntilConsistent()
      isReset = false
    } catch {
      endVersion()
      calls.give()
      throw error
    }
  }

  private func takeCalls() {
    if !calls.take() { waitForCalls() }
  }

  @inline(never)
  private func waitForCalls() {
    repeat { environment?.waitForExchange() } while !calls.take()
  }

  // MARK: Exchange

  /// Ends LMDB's transaction for an exchange of the environment, and takes the calls until `goOn`.
  ///
  /// A transaction in use continues to read: no process writes to the former file, so its pages stay.
  func leaveLMDB() {
    // Its thread is in a call of LMDB, which does not wait.
    while !calls.take() { sched_yield() }
    if let lmdb { mdb_txn_abort(lmdb) }
    lmdb = nil
    if isReset { tables?.leave() }
  }

  /// Gives the calls back after `leaveLMDB`.
  func goOn() { calls.give() }

  // MARK: Consistency

  /// Moves the tables to the version of the transaction's ID.
  @inline(never)
  func moveToNewest() throws(StorageError) {
    guard let tables, let file else { return }
    var previous: (id: Int, pages: PageVersion?)?
    while true {
      let pinned = mdb_txn_id(handle)
      let id = environment?.mirrored?.visible(pinned) ?? pinned
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
        // No process replaces the file while it holds a store's locks.
        throw try file.isReplaced ? .lostFile : .damaged(UInt64(id & 1))
      }
      if let previous, previous.id == id {
        // The same ID again: the next commit was still unpublished, and no commit begins before it
        // is published. So the roots that were copied before are whole (`Tests/Trials/RaceModels/heads.pml`).
        if let whole = previous.pages { return tables.move(to: whole) }
        if pages == nil { throw .damaged(UInt64(id & 1)) }
      }
      previous = (id, pages)
      mdb_txn_reset(handle)
      try check(mdb_txn_renew(handle), calling: "mdb_txn_renew")
    }
  }
}
