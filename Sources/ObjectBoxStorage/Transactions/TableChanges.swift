internal import CObjectBoxPages

/// The objects that two versions of a table do not have alike, in the order of their IDs.
///
/// The cost is that of the pages that were written in between: those that both versions have are passed over. Ends
/// before either transaction does.
///
/// A class, since it owns memory.
package final class TableChanges {
  /// An object before and after; nil where the version does not have it.
  package typealias Change = (before: StorageCursor.ObjectEntry?, after: StorageCursor.ObjectEntry?)

  private let changes: UnsafeMutablePointer<obx_pages_changes>
  /// Their pages are read.
  private let transactions: [StorageTransaction]

  /// Begins before the first object.
  ///
  /// - Parameters:
  ///   - table: A table of objects.
  ///   - older: A read transaction, which was open when the other version was written.
  ///   - newer: A read transaction of the same store, at a later version.
  /// - Throws: ``StorageError`` with `isCorrupt` for a damaged page, and for a form that no store has.
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
    // `deinit` runs also when the last of these lines throws.
    let status = obx_pages_changes_init(changes, before, after)
    guard try isReadable(status, page: 0) else { throw .unknownForm }
  }

  deinit { changes.deallocate() }

  /// Goes to the next change; nil when there is none.
  ///
  /// - Returns: The object; its bytes are valid as long as the transactions.
  /// - Throws: ``StorageError`` with `isCorrupt` for a damaged page.
  package func next() throws(StorageError) -> Change? {
    var before = obx_pages_entry()
    var after = obx_pages_entry()
    let status = obx_pages_next_change(changes, &before, &after)
    guard try isReadable(status, page: changes.pointee.bad_page) else { throw .unknownForm }
    if status == OBX_PAGES_END { return nil }
    return (Self.object(before), Self.object(after))
  }

  private static func object(_ entry: obx_pages_entry) -> StorageCursor.ObjectEntry? {
    entry.key == nil ? nil : StorageCursor.ObjectEntry(entry)
  }
}
