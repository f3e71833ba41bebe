internal import CObjectBoxLMDB
internal import CObjectBoxPages
internal import Foundation

/// The pages of a table in one version.
package struct TablePages: Hashable, Sendable {
  /// The name.
  ///
  /// LMDB's own tables are `main`, which lists the others, and `free`, which lists free pages.
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

  /// Reads LMDB's record of a table.
  fileprivate init(name: String, _ record: UnsafeRawBufferPointer) {
    func number(at offset: Int) -> Int {
      Int(truncatingIfNeeded: record.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
    }
    self.name = name
    depth = Int(record.loadUnaligned(fromByteOffset: 6, as: UInt16.self))
    branchPages = number(at: 8)
    leafPages = number(at: 16)
    overflowPages = number(at: 24)
    entries = number(at: 32)
  }
}

/// A reader slot of an environment.
package struct ReaderSlot: Hashable, Sendable {
  /// The process that took the slot.
  package var process: Int32
  /// The system's number of the thread that took it.
  package var thread: UInt64
  /// The version that is being read and keeps its pages; nil if none is.
  package var version: Int?
  /// False when the process no longer exists and the slot waits to be freed.
  package var isAlive: Bool
  /// True for a slot of this process.
  package var isOwn: Bool { process == getpid() }
}

extension StorageTransaction {
  /// Returns the pages of all tables in the read transaction's version: `main`, `free`, then the
  /// others by name.
  package func tablePages() throws(StorageError) -> [TablePages] {
    let version = try pageVersion
    var tables = [("main", version.head.main_table), ("free", version.head.free_table)].map {
      (name, record) in withUnsafeBytes(of: record) { TablePages(name: name, $0) }
    }
    try version.forEachTable { name, record in
      tables.append(TablePages(name: String(decoding: name, as: UTF8.self), record))
    }
    return tables
  }

  /// Returns the number of pages that are free in the read transaction's version, or become free
  /// when no reader needs them.
  package func freePageCount() throws(StorageError) -> Int {
    var count = 0
    try forEachFreeList { count += $1 }
    return count
  }

  /// Passes the number of pages that each commit has freed, and the commit's number, to a body.
  func forEachFreeList(
    _ body: (_ version: Int, _ count: Int) -> Void
  ) throws(StorageError) {
    try pageVersion.forEachFreeList { key, pages in
      guard key.count >= MemoryLayout<Int>.size, pages.count >= MemoryLayout<Int>.size else {
        return
      }
      // A commit's list begins with its length.
      body(key.loadUnaligned(as: Int.self), pages.loadUnaligned(as: Int.self))
    }
  }
}

extension StorageEnvironment {
  /// Returns the reader slots that are or were in use, in all processes.
  ///
  /// The system reports whether a process is alive; it does not see processes in other containers.
  package func readerSlots() throws(StorageError) -> [ReaderSlot] {
    try opened.use(Self.readerSlots)
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
    // Negative only after an error.
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
