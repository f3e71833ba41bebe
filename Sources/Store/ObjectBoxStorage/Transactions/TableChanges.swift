internal import CObjectBoxPages

/// The objects that differ between two versions of a table, by ascending ID.
///
/// The cost grows with the pages written in between: pages of both versions are skipped. Must be
/// released before either transaction ends.
package final class TableChanges {
  /// An object before and after; nil where it does not exist.
  package typealias Change = (before: StorageCursor.ObjectEntry?, after: StorageCursor.ObjectEntry?)

  private let changes: UnsafeMutablePointer<obx_pages_changes>
  /// Retained, because their pages are read.
  private let transactions: [StorageTransaction]

  /// Begins before the first object.
  ///
  /// - Parameters:
  ///   - table: A table of objects.
  ///   - older: A read transaction that was open when the newer version was written.
  ///   - newer: A read transaction of the same store, at a later version.
  /// - Throws: ``StorageError`` with `isCorrupt` for a damaged page, and for a form that no store
  ///   has.
  package init(
    of table: StorageTable,
    since older: StorageTransaction,
    in newer: StorageTransaction
  ) throws(StorageError) {
    guard let before = try older.pages(table), let after = try newer.pages(table) else {
      throw .unknownForm
    }
    transactions = [older, newer]
    changes = .allocate(capacity: 1)
    // `deinit` also runs when the last of these lines throws.
    let status = obx_pages_changes_init(changes, before, after)
    try checkPages(status, page: 0)
  }

  deinit { changes.deallocate() }

  /// Goes to the next change; nil at the end.
  ///
  /// - Returns: The object; its bytes are valid as long as the transactions.
  /// - Throws: ``StorageError`` with `isCorrupt` for a damaged page.
  package func next() throws(StorageError) -> Change? {
    var before = obx_pages_entry()
    var after = obx_pages_entry()
    let status = obx_pages_next_change(changes, &before, &after)
    try checkPages(status, page: changes.pointee.bad_page)
    if status == OBX_PAGES_END { return nil }
    return (Self.object(before), Self.object(after))
  }

  private static func object(_ entry: obx_pages_entry) -> StorageCursor.ObjectEntry? {
    entry.key == nil ? nil : StorageCursor.ObjectEntry(entry)
  }
}
