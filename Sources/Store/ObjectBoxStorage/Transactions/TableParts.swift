internal import CObjectBoxLMDB
internal import CObjectBoxPages
package import CObjectBoxRecords

/// Parts of a table of objects, which several threads may read at once.
///
/// Invariant of `@unchecked Sendable`: its read transaction pins the version and outlives it; the
/// version's pages do not change, and each reading has its own cursor.
package struct TableParts: @unchecked Sendable {
  /// Number of objects that are tested at once.
  ///
  /// A page has fewer, so the calls of a filter and of a body serve several pages.
  private static let batchSize = 256

  private let table: obx_pages_table
  /// The first ID of each part except the first.
  private let cuts: [UInt64]

  fileprivate init(_ table: obx_pages_table, cuts: [UInt64]) {
    self.table = table
    self.cuts = cuts
  }

  /// Number of parts, which are ordered by ID.
  package var count: Int { cuts.count + 1 }

  /// Passes the objects of a part that pass a filter to a body.
  ///
  /// - Parameters:
  ///   - part: The number of the part, from 0.
  ///   - filter: Tests the records.
  ///   - body: Gets one or more objects, by ascending ID. They are valid as long as the
  ///     transaction, their buffer during the call.
  /// - Returns: The first object with a damaged record, at which the reading ended; nil when all
  ///   objects were read.
  /// - Throws: ``StorageError`` with `isCorrupt` for a damaged page.
  package func read(
    _ part: Int,
    passing filter: UnsafePointer<obx_filter>,
    _ body: (UnsafeBufferPointer<StorageCursor.ObjectEntry>) -> Void
  ) throws(StorageError) -> StorageCursor.ObjectEntry? {
    let room = UnsafeMutableBufferPointer<StorageCursor.ObjectEntry>.allocate(
      capacity: Self.batchSize
    )
    defer { room.deallocate() }
    var table = table
    let cursor = ReadCursor(&table)
    if part > 0 {
      let first = try withUnsafeBytes(of: cuts[part - 1]) { (id) throws(StorageError) in
        try cursor.move(MDB_SET_RANGE, id)
      }
      if first == nil { return nil }
    }
    while true {
      // An error counts after the objects before it, one of which may be damaged.
      var end: StorageError?
      let objects = UnsafeBufferPointer(rebasing: room[..<cursor.nextObjects(in: room, &end)])
      var wanted = objects.count
      if part < cuts.count {
        while wanted > 0, objects[wanted - 1].id >= cuts[part] { wanted -= 1 }
      }
      var tested = 0
      let passed = StorageCursor.keep(objects, wanted, passing: filter, &tested)
      if passed > 0 { body(UnsafeBufferPointer(rebasing: objects[..<passed])) }
      if tested < wanted { return objects[tested] }
      if wanted < objects.count { return nil }
      if let end { throw end }
      if wanted < room.count { return nil }
    }
  }
}

extension StorageTransaction {
  /// The greatest number of cuts of a table.
  private static let cutCapacity = 8192

  /// Cuts a table of objects into parts of similar size.
  ///
  /// - Parameters:
  ///   - table: The table.
  ///   - objectCount: The number of objects per part.
  /// - Returns: At least two parts; nil in a write transaction, and for a table that is small or
  ///   has no objects.
  /// - Throws: ``StorageError`` with `isCorrupt` for a damaged page.
  package func parts(
    of table: StorageTable,
    objectCount: Int
  ) throws(StorageError) -> TableParts? {
    guard let pages = try pages(table) else { return nil }
    var ids = [UInt64](repeating: 0, count: Self.cutCapacity)
    var count = 0
    var badPage: UInt64 = 0
    let status = obx_pages_cuts(pages, &ids, ids.count, &count, &badPage)
    if status == OBX_PAGES_CORRUPT { throw .damaged(badPage) }
    // A table that the version lacks has no cuts either.
    guard count > 0 else { return nil }
    let wanted = min(count + 1, max(2, Int(pages.pointee.entries) / objectCount))
    return TableParts(pages.pointee, cuts: (1..<wanted).map { ids[$0 * count / wanted] })
  }
}
