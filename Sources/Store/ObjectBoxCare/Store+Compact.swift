public import ObjectBox
internal import ObjectBoxStorage

extension Store {
  /// Makes the file smaller: writes the store's content to a new file without free pages, which
  /// replaces the file.
  ///
  /// No other process may have the store open; the error names such a process. Processes that open
  /// it during the compaction wait. All instances of this process continue with the new file,
  /// without noticing. Writes wait. Reads, snapshots and live views continue; those that read the
  /// former file keep it on disk until they end, and the compaction does not wait for them. The new
  /// file is checked, synced, and then renamed: however the process or the machine ends, the store
  /// has one of the two files, with everything that was committed. Object IDs, versions and
  /// permission bits stay.
  ///
  /// An encrypted store is written to new files with a new data key, which the same key opens. The
  /// former and the new content are in memory together meanwhile.
  ///
  /// Removing or changing objects frees pages, which later objects reuse. Compact only if much more
  /// was removed than will be put.
  ///
  ///     if let report = try store.compact() {
  ///       print("\(report.bytesBefore) bytes before, \(report.bytesAfter) now")
  ///     }
  ///
  /// - Parameter progress: Gets the finished part, from 0 to 1, from time to time; false ends the
  ///   compaction, and leaves the file unchanged.
  /// - Returns: The sizes; nil when `progress` ended it.
  /// - Throws: `ObjectBoxError`: `illegalState` for a closed store, while another process has it open,
  ///   in a transaction, in a store that is read-only or in memory, and for a file with several
  ///   names; `dbFull` when the disk has no room for a second file, or memory for a second copy of
  ///   an encrypted store; `fileCorrupt` for damaged
  ///   pages; `storageGeneral` when the file cannot be written. The store is then unchanged, with
  ///   one exception: if the new file cannot be opened, as when the process has no file descriptor
  ///   left, every call throws `illegalState` until the store is closed and opened again.
  /// - Complexity: O(size of the content), which is read, written and checked once.
  @discardableResult
  public func compact(
    progress: (Double) -> Bool = { _ in true }
  ) throws -> CompactionReport? {
    try checkOpen()
    if file.isReadOnly { throw StoreError.readOnly(file.location) }
    guard file.locks != nil || transactions.mirror != nil else {
      throw refusal("it is in memory, and takes none on a disk")
    }
    if transactions.openTransaction != nil {
      throw refusal("the calling thread has a transaction open; call compact() before or after it")
    }
    return try transactions.compact { try $0.write(admit: admit, progress: progress) }
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
