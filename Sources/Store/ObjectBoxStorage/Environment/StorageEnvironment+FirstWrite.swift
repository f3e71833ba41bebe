internal import CObjectBoxLMDB

extension StorageEnvironment {
  /// The greatest size of a file whose pages are all checked before its first write.
  package static let greatestCheckedSize = 16 << 20

  /// Checks the structure of a small file, all pages of the newest version: about a millisecond per
  /// MB.
  ///
  /// Writes use LMDB's own cursors, which trust every page. A damaged page that opening did not check could
  /// crash the process, or spread. The caller holds the write lock, so the version does not change.
  ///
  /// - Throws: ``StorageError`` with `isCorrupt` and the first fault.
  func checkBeforeFirstWrite() throws(StorageError) {
    let image = try image()
    guard image.sizeInBytes <= Self.greatestCheckedSize, let head = image.newestHead() else {
      return
    }
    try image.checkStructure(head)
  }
}

extension StorageImage {
  /// Checks all pages of a version.
  ///
  /// - Throws: ``StorageError`` with `isCorrupt` and the first fault that a reader or writer could
  ///   meet.
  package func checkStructure(_ head: Head) throws(StorageError) {
    guard let first = try firstFinding(head, .all, where: { !$0.isWasteOnly }) else { return }
    throw StorageError(code: MDB_CORRUPTED, call: "verify", fault: first.description)
  }
}
