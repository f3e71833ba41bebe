internal import CObjectBoxLMDB
internal import Foundation

/// The pages of one table of a version.
package struct TablePages: Hashable, Sendable {
  /// The name; of LMDB's own tables `main`, which lists the others, and `free`, which lists free pages.
  package var name: String
  /// The number of entries; an index counts each pair of key and ID.
  package var entries: Int
  /// The number of levels of the tree; 0 for an empty table.
  package var depth: Int
  package var branchPages: Int
  package var leafPages: Int
  /// Pages of values that are too large for a leaf.
  package var overflowPages: Int

  package var pages: Int { branchPages + leafPages + overflowPages }

  init(name: String, _ statistics: MDB_stat) {
    self.name = name
    entries = statistics.ms_entries
    depth = Int(statistics.ms_depth)
    branchPages = statistics.ms_branch_pages
    leafPages = statistics.ms_leaf_pages
    overflowPages = statistics.ms_overflow_pages
  }
}

/// A reader slot of an environment.
package struct ReaderSlot: Hashable, Sendable {
  /// The process that took the slot.
  package var process: Int32
  /// The system's number of the thread that took it.
  package var thread: UInt64
  /// The version that is being read, which keeps its pages; nil while nothing is.
  package var version: Int?
  /// False when there is no such process any more, so that the slot waits to be freed.
  package var isAlive: Bool
  /// True for a slot of this process.
  package var isOwn: Bool { process == getpid() }
}

extension StorageTransaction {
  private static let freeTable: MDB_dbi = 0
  private static let mainTable: MDB_dbi = 1

  /// Returns the pages of all tables: `main`, `free`, then the others by name.
  ///
  /// No other thread may open tables meanwhile.
  package func tablePages() throws(StorageError) -> [TablePages] {
    var tables = [
      try pages(of: Self.mainTable, named: "main"), try pages(of: Self.freeTable, named: "free"),
    ]
    for name in try tableNames() {
      var table: MDB_dbi = 0
      try check(mdb_dbi_open(handle, name, 0, &table), calling: "mdb_dbi_open")
      tables.append(try pages(of: table, named: name))
    }
    return tables
  }

  private func pages(of table: MDB_dbi, named name: String) throws(StorageError) -> TablePages {
    var statistics = MDB_stat()
    try check(mdb_stat(handle, table, &statistics), calling: "mdb_stat")
    return TablePages(name: name, statistics)
  }

  /// Returns the names of the tables in their order.
  private func tableNames() throws(StorageError) -> [String] {
    var names: [String] = []
    try forEach(in: Self.mainTable) { key, _ in
      names.append(String(decoding: key, as: UTF8.self))
    }
    return names
  }

  /// Returns the number of pages that are free in this version, or wait until no reader needs them.
  package func freePageCount() throws(StorageError) -> Int {
    var count = 0
    try forEachFreeList { count += $1 }
    return count
  }

  /// Passes the number of pages that each commit has freed, with its number, to a body.

  func forEachFreeList(
    _ body: (_ version: Int, _ count: Int) -> Void
  ) throws(StorageError) {
    try forEach(in: Self.freeTable) { key, pages in
      guard key.count >= MemoryLayout<Int>.size, pages.count >= MemoryLayout<Int>.size else {
        return
      }
      // The list of a commit begins with its length.
      body(key.loadUnaligned(as: Int.self), pages.loadUnaligned(as: Int.self))
    }
  }

  private func forEach(
    in table: MDB_dbi,
    _ body: (_ key: UnsafeRawBufferPointer, _ value: UnsafeRawBufferPointer) -> Void
  ) throws(StorageError) {
    var opened: OpaquePointer?
    try check(mdb_cursor_open(handle, table, &opened), calling: "mdb_cursor_open")
    guard let cursor = opened else { return }
    defer { mdb_cursor_close(cursor) }
    var key = MDB_val()
    var value = MDB_val()
    var code = mdb_cursor_get(cursor, &key, &value, MDB_FIRST)
    while code == MDB_SUCCESS {
      body(key.bytes, value.bytes)
      code = mdb_cursor_get(cursor, &key, &value, MDB_NEXT)
    }
    if code != MDB_NOTFOUND { try check(code, calling: "mdb_cursor_get") }
  }
}

extension StorageEnvironment {
  /// Returns the reader slots that are or were in use, in all processes.
  ///
  /// Whether a process is alive is asked of the system, which does not see those of other containers.
  package func readerSlots() throws(StorageError) -> [ReaderSlot] {
    try Self.readerSlots(handle)
  }

  static func readerSlots(_ handle: OpaquePointer) throws(StorageError) -> [ReaderSlot] {
    var text = ""
    let code = withUnsafeMutablePointer(to: &text) { text in
      mdb_reader_list(
        handle,
        { line, context in
          guard let line else { return 0 }
          context?.assumingMemoryBound(to: String.self).pointee += String(cString: line)
          return 0
        },
        text
      )
    }
    // The result is negative for an error only.
    if code < 0 { try check(code, calling: "mdb_reader_list") }
    return text.split(separator: "\n").compactMap { line in
      // A process, a thread in hexadecimal digits, and a version, or "-" for none.
      let words = line.split(separator: " ")
      guard words.count == 3, let process = Int32(words[0]),
        let thread = UInt64(words[1], radix: 16)
      else { return nil }
      return ReaderSlot(
        process: process,
        thread: thread,
        version: Int(words[2]),
        isAlive: kill(process, 0) == 0 || errno != ESRCH
      )
    }
  }
}
