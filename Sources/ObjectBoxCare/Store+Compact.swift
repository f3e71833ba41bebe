public import ObjectBox

extension Store {
  /// Makes the file smaller: writes what the store holds to a new file without free pages, which takes the place of
  /// the present one.
  ///
  /// No other process may have the store open: the error names one that has. Processes that open it meanwhile wait.
  /// All instances of this process go on with the new file, without noticing. Writes wait meanwhile. Reads, snapshots
  /// and live views go on; those that read the former file keep it on the disk until they end. No reader is waited
  /// for. The new file is checked, synced, and then renamed: however the process or the machine ends, the store has one
  /// or the other file, with all that was committed. Object IDs, versions and the permission bits stay.
  ///
  /// Pages become free when objects are removed or changed, and are used for later objects: compact only when much
  /// more was removed than will be put.
  ///
  /// - Parameter progress: Is passed the part that is done, from 0 to 1, now and then; false ends the compaction, and
  ///   leaves the file as it is.
  /// - Returns: The sizes; nil when `progress` ended it.
  /// - Throws: `ObjectBoxError`: `closed`; `illegalState` while another process has the store open, in a
  ///   transaction, in a store that is read-only or in memory, and for a file with several names; `dbFull` when the
  ///   disk has no room for a second file; `fileCorrupt` for damaged pages; `storageGeneral` when the file cannot be
  ///   written. The store is as it was, unless the new file could not be opened, as when the process has no
  ///   descriptor left: every call throws `illegalState` then, until the store is closed and opened again.
  /// - Complexity: O(size of the content), which is read, written and checked once.
  @discardableResult
  public func compact(
    progress: (Double) -> Bool = { _ in true }
  ) throws -> CompactionReport? {
    try checkOpen()
    if file.isReadOnly { throw StoreError.readOnly(file.location) }
    guard file.locks != nil else { throw refusal("it is in memory, and takes none on a disk") }
    if transactions.openTransaction != nil {
      throw refusal("the calling thread has a transaction open; call compact() before or after it")
    }
    return try transactions.compact(admit: admit, progress: progress)
  }

  private func refusal(_ reason: String) -> ObjectBoxError {
    .illegalState(message: "cannot compact the store at '\(file.location)': \(reason)")
  }

  private func admit(needed: Int, available: Int) throws {
    if available >= needed { return }
    throw ObjectBoxError.dbFull(
      message:
        "cannot compact the store at '\(file.location)': the new file takes \(needed) bytes, and the disk has room "
        + "for \(available); make room on it"
    )
  }
}
