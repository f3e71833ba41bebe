package import ObjectBoxStorage

/// The kinds of values of an index; the second part of their keys.
enum ValueKind: UInt8 {
  /// The header; of run 0.
  case header = 0x48
  /// The state: counts, runs and merges; of run 0.
  case state = 0x53
  /// Live bits, a bit for each document.
  case liveBits = 0x42
  /// IDs and lengths of a small run.
  case documents = 0x44
  /// Offsets of a table of IDs.
  case ids = 0x49
  /// Directory of a table of IDs.
  case idDirectory = 0x4a
  /// Lengths of documents.
  case lengths = 0x4e
  /// Postings with their directories.
  case postings = 0x50
  /// Dictionary.
  case terms = 0x54
  /// Positions.
  case positions = 0x58
  /// Offsets of a table from ordinals of an input of a merge to ordinals of its output.
  case maps = 0x4f
  /// Directory of such a table.
  case mapDirectory = 0x51
}

/// The tables of an index.
package struct FullTextTables: Hashable, Sendable {
  /// The header and the runs.
  package let runs: StorageTable
  /// The state and the young run, which each commit writes: a table of one page.
  ///
  /// Nil for an index of format 1, whose state is beside its runs; it has no young run.
  package let state: StorageTable?

  package init(runs: StorageTable, state: StorageTable?) {
    self.runs = runs
    self.state = state
  }
}

/// The values of an index in one transaction.
///
/// A key is the run's number (big-endian), the kind, and a number (big-endian) or a term.
final class IndexTable {
  /// The size of a full value: an LMDB page of 4 KB less its header, so that it takes one page.
  static let chunkSize = 4080

  let transaction: StorageTransaction
  let tables: FullTextTables
  /// Whether values must be copied because writes follow while they are used.
  let isWriting: Bool
  /// Bytes that were written.
  private(set) var writtenBytes = 0
  private let key: UnsafeMutableRawPointer
  private var writer: WriteCursor?
  private var stateWriter: WriteCursor?
  private var reader: StorageCursor?
  private var stateReader: StorageCursor?

  init(_ tables: FullTextTables, _ transaction: StorageTransaction, isWriting: Bool) {
    self.tables = tables
    self.transaction = transaction
    self.isWriting = isWriting
    key = .allocate(byteCount: TermLimit.keySize, alignment: 8)
  }

  deinit { key.deallocate() }

  /// Whether values of a run are in the table of the state.
  private func isBesideState(_ run: UInt32) -> Bool { run == 0 && tables.state != nil }

  private func makeKey(_ run: UInt32, _ kind: ValueKind) {
    key.storeBytes(of: run.bigEndian, as: UInt32.self)
    key.storeBytes(of: kind.rawValue, toByteOffset: 4, as: UInt8.self)
  }

  private func makeKey(
    _ run: UInt32,
    _ kind: ValueKind,
    _ number: UInt32
  ) -> UnsafeRawBufferPointer {
    makeKey(run, kind)
    key.storeBytes(of: number.bigEndian, toByteOffset: 5, as: UInt32.self)
    return UnsafeRawBufferPointer(start: key, count: 9)
  }

  /// Makes the key of a block of a dictionary that begins with a segment of a term.
  private func makeKey(
    _ run: UInt32,
    term: UnsafeRawBufferPointer,
    segment: UInt32
  ) -> UnsafeRawBufferPointer {
    makeKey(run, .terms)
    let count = min(term.count, TermLimit.size)
    if count > 0, let bytes = term.baseAddress {
      (key + 5).copyMemory(from: bytes, byteCount: count)
    }
    key.storeBytes(of: 0, toByteOffset: 5 + count, as: UInt8.self)
    key.storeBytes(of: segment.bigEndian, toByteOffset: 6 + count, as: UInt32.self)
    return UnsafeRawBufferPointer(start: key, count: 10 + count)
  }

  /// Returns a value, which is valid until the next write; nil when it does not exist.
  func value(
    _ run: UInt32,
    _ kind: ValueKind,
    _ number: UInt32 = 0
  ) throws(FullTextError) -> UnsafeRawBufferPointer? {
    let key = makeKey(run, kind, number)
    let table = isBesideState(run) && kind != .header ? tables.state ?? tables.runs : tables.runs
    return try storing { () throws(StorageError) in try transaction.value(table, key: key) }
  }

  /// Passes the values of a run from a number on, without gaps in the numbers, until the body
  /// returns false.
  func forEachValue(
    _ run: UInt32,
    _ kind: ValueKind,
    _ first: UInt32,
    _ body: (UnsafeRawBufferPointer) -> Bool
  ) throws(FullTextError) {
    let cursor = try cursor(of: run)
    var number = first
    var key = makeKey(run, kind, number)
    var row = try storing { () throws(StorageError) in try cursor.row(from: key) }
    while let found = row, found.key.count == key.count, ByteSearch.areEqual(found.key, key),
      body(found.value)
    {
      number += 1
      key = makeKey(run, kind, number)
      row = try storing { () throws(StorageError) in try cursor.nextRow() }
    }
  }

  /// Writes a value.
  func put(
    _ run: UInt32,
    _ kind: ValueKind,
    _ number: UInt32 = 0,
    _ value: UnsafeRawBufferPointer
  ) throws(FullTextError) {
    try put(makeKey(run, kind, number), value, isBesideState(run) && kind != .header)
  }

  /// Writes a block of a dictionary.
  func put(
    _ run: UInt32,
    term: UnsafeRawBufferPointer,
    segment: UInt32,
    _ value: UnsafeRawBufferPointer
  ) throws(FullTextError) {
    try put(makeKey(run, term: term, segment: segment), value, isBesideState(run))
  }

  private func put(
    _ key: UnsafeRawBufferPointer,
    _ value: UnsafeRawBufferPointer,
    _ isBesideState: Bool
  ) throws(FullTextError) {
    writtenBytes += key.count + value.count
    let writer: WriteCursor
    if isBesideState, let table = tables.state {
      writer = stateWriter ?? transaction.writeCursor(table)
      stateWriter = writer
    } else {
      writer = self.writer ?? transaction.writeCursor(tables.runs)
      self.writer = writer
    }
    try storing { () throws(StorageError) in try writer.put(key: key, value: value) }
  }

  /// Returns the block of a dictionary that can have the first entry not less than a term.
  ///
  /// That is the last block that begins not above the term; the first block if there is none.
  func block(
    _ run: UInt32,
    upTo term: UnsafeRawBufferPointer
  ) throws(FullTextError) -> StorageCursor.Row? {
    let key = makeKey(run, term: term, segment: 0)
    let cursor = try cursor(of: run)
    let row = try storing { () throws(StorageError) in try cursor.row(upTo: key) }
    if let row, isBlock(row.key, run) { return row }
    makeKey(run, .terms)
    return try block(run, from: UnsafeRawBufferPointer(start: self.key, count: 5))
  }

  /// Returns the first block of a dictionary that begins above a block with the given key.
  func block(
    _ run: UInt32,
    after key: UnsafeRawBufferPointer
  ) throws(FullTextError) -> StorageCursor.Row? {
    let count = min(key.count, TermLimit.keySize - 1)
    if let bytes = key.baseAddress { self.key.copyMemory(from: bytes, byteCount: count) }
    self.key.storeBytes(of: 0, toByteOffset: count, as: UInt8.self)
    return try block(run, from: UnsafeRawBufferPointer(start: self.key, count: count + 1))
  }

  private func block(
    _ run: UInt32,
    from key: UnsafeRawBufferPointer
  ) throws(FullTextError) -> StorageCursor.Row? {
    let cursor = try cursor(of: run)
    let row = try storing { () throws(StorageError) in try cursor.row(from: key) }
    return row.flatMap { isBlock($0.key, run) ? $0 : nil }
  }

  private func isBlock(_ key: UnsafeRawBufferPointer, _ run: UInt32) -> Bool {
    key.count > 5 && key.loadUnaligned(as: UInt32.self) == run.bigEndian
      && key[4] == ValueKind.terms.rawValue
  }

  private func cursor(of run: UInt32) throws(FullTextError) -> StorageCursor {
    if run == 0, let table = tables.state {
      if let stateReader { return stateReader }
      let cursor = try storing { () throws(StorageError) in try transaction.cursor(table) }
      stateReader = cursor
      return cursor
    }
    if let reader { return reader }
    let cursor = try storing { () throws(StorageError) in try transaction.cursor(tables.runs) }
    reader = cursor
    return cursor
  }

  /// Returns the first row of one of the tables whose key is not below the given bytes.
  func row(
    from key: UnsafeRawBufferPointer,
    besideState: Bool = false
  ) throws(FullTextError) -> StorageCursor.Row? {
    let cursor = try cursor(of: besideState ? 0 : 1)
    return try storing { () throws(StorageError) in try cursor.row(from: key) }
  }

  /// Passes the blocks of a run's dictionary to a body, in their order; none may be written meanwhile.
  func forEachBlock(
    _ run: UInt32,
    _ body: (UnsafeRawBufferPointer) throws(FullTextError) -> Void
  ) throws(FullTextError) {
    makeKey(run, .terms)
    var row = try block(run, from: UnsafeRawBufferPointer(start: key, count: 5))
    let cursor = try cursor(of: run)
    while let found = row, isBlock(found.key, run) {
      try body(found.value)
      row = try storing { () throws(StorageError) in try cursor.nextRow() }
    }
  }

  /// Removes the values of the young run.
  func removeYoungRun() throws(FullTextError) {
    guard let table = tables.state else { return }
    for kind in [ValueKind.liveBits, .documents, .terms] {
      while true {
        makeKey(0, kind)
        let start = UnsafeRawBufferPointer(start: key, count: 5)
        guard let row = try row(from: start, besideState: true), row.key.count > 5,
          row.key.count <= TermLimit.keySize, row.key[4] == kind.rawValue,
          let bytes = row.key.baseAddress
        else { break }
        // The key is on a page that the removal changes.
        key.copyMemory(from: bytes, byteCount: row.key.count)
        let copy = UnsafeRawBufferPointer(start: key, count: row.key.count)
        _ = try storing { () throws(StorageError) in try transaction.delete(table, key: copy) }
      }
    }
  }

  /// Removes values of a run that is not the young one, at most `limit`.
  ///
  /// - Returns: The number of removed values; less than `limit` if none is left.
  func remove(_ run: UInt32, limit: Int) throws(FullTextError) -> Int {
    var first = run.bigEndian
    var count = 0
    while count < limit {
      let row = try withUnsafeBytes(of: &first) {
        bytes throws(FullTextError) -> StorageCursor.Row? in
        try self.row(from: bytes)
      }
      guard let row, row.key.count >= 4, row.key.loadUnaligned(as: UInt32.self) == first
      else { break }
      // The key is on a page that the removal changes.
      let size = min(row.key.count, TermLimit.keySize)
      if let bytes = row.key.baseAddress { key.copyMemory(from: bytes, byteCount: size) }
      let copy = UnsafeRawBufferPointer(start: key, count: size)
      _ = try storing { () throws(StorageError) in
        try transaction.delete(tables.runs, key: copy)
      }
      count += 1
    }
    return count
  }
}

/// The greatest size of a term.
package enum TermLimit {
  /// Longer terms are cut to this number of bytes.
  package static let size = 256
  /// Room for every key.
  static let keySize = 288

  /// Returns the part of a term that an index holds: up to ``size`` bytes, and up to a zero byte.
  ///
  /// The key of a term ends with a zero byte, which must not be in the term.
  static func cut(_ term: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    let end = term.prefix(size).firstIndex(of: 0) ?? min(term.count, size)
    return UnsafeRawBufferPointer(rebasing: term[..<end])
  }
}
