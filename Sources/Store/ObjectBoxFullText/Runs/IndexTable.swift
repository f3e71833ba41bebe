import CObjectBoxFullText
package import ObjectBoxStorage

/// The kinds of an index's values; the second part of their keys.
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
  /// Offsets of a map from ordinals of a merge's input to ordinals of its output.
  case maps = 0x4f
  /// Directory of such a map.
  case mapDirectory = 0x51
}

/// The tables of an index.
package struct FullTextTables: Hashable, Sendable {
  /// The header and the runs.
  package let runs: StorageTable
  /// The state and the young runs: a table of one page, written by each commit.
  package let state: StorageTable

  package init(runs: StorageTable, state: StorageTable) {
    self.runs = runs
    self.state = state
  }
}

/// The values of an index in one transaction.
///
/// A key is the run's number (big-endian), the kind, and a number (big-endian) or a term.
final class IndexTable {
  /// The size of a full value: an LMDB page of 4 KB less its header, so that the value takes one page.
  static let chunkSize = 4080

  /// Whether values must be copied, because writes happen while they are used.
  let isWriting: Bool
  /// The table of the header and the runs.
  private let runs: TableAccess
  /// The table of the state and the young runs.
  private let state: TableAccess
  /// Bytes that were written.
  private(set) var writtenBytes = 0
  private let key: UnsafeMutableRawPointer

  init(_ tables: FullTextTables, _ transaction: StorageTransaction, isWriting: Bool) {
    self.isWriting = isWriting
    runs = TableAccess(tables.runs, transaction)
    state = TableAccess(tables.state, transaction)
    key = .allocate(byteCount: TermLimit.keySize, alignment: 8)
  }

  deinit { key.deallocate() }

  /// Returns the table of a value.
  private func access(_ run: UInt32, _ kind: ValueKind) -> TableAccess {
    RecentRun.isNumber(run) && kind != .header ? state : runs
  }

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

  /// Returns a value, valid until the next write; nil when it does not exist.
  func value(
    _ run: UInt32,
    _ kind: ValueKind,
    _ number: UInt32 = 0
  ) throws(FullTextError) -> UnsafeRawBufferPointer? {
    try access(run, kind).value(makeKey(run, kind, number))
  }

  /// Passes the values of a run with consecutive numbers from the given one on, until the body returns false.
  func forEachValue(
    _ run: UInt32,
    _ kind: ValueKind,
    _ first: UInt32,
    _ body: (UnsafeRawBufferPointer) -> Bool
  ) throws(FullTextError) {
    let cursor = try access(run, kind).cursor()
    var number = first
    var key = makeKey(run, kind, number)
    var row = try storing { () throws(StorageError) in try cursor.row(from: key) }
    while let found = row, ByteSearch.areEqual(found.key, key), body(found.value) {
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
    try put(makeKey(run, kind, number), value, in: access(run, kind))
  }

  /// Writes a block of a dictionary.
  func put(
    _ run: UInt32,
    term: UnsafeRawBufferPointer,
    segment: UInt32,
    _ value: UnsafeRawBufferPointer
  ) throws(FullTextError) {
    try put(makeKey(run, term: term, segment: segment), value, in: access(run, .terms))
  }

  private func put(
    _ key: UnsafeRawBufferPointer,
    _ value: UnsafeRawBufferPointer,
    in access: TableAccess
  ) throws(FullTextError) {
    writtenBytes += key.count + value.count
    try access.put(key, value)
  }

  /// Returns the block of a dictionary that can have the first entry not less than a term.
  ///
  /// This is the last block that does not begin above the term; the first block if there is none.
  func block(
    _ run: UInt32,
    upTo term: UnsafeRawBufferPointer
  ) throws(FullTextError) -> StorageCursor.Row? {
    let key = makeKey(run, term: term, segment: 0)
    let cursor = try access(run, .terms).cursor()
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
    let row = try access(run, .terms).row(from: key)
    return row.flatMap { isBlock($0.key, run) ? $0 : nil }
  }

  private func isBlock(_ key: UnsafeRawBufferPointer, _ run: UInt32) -> Bool {
    key.count > 5 && key.loadUnaligned(as: UInt32.self) == run.bigEndian
      && key[4] == ValueKind.terms.rawValue
  }

  /// Returns the first row with a key not below the given bytes, of one of the tables.
  func row(
    from key: UnsafeRawBufferPointer,
    besideState: Bool
  ) throws(FullTextError) -> StorageCursor.Row? {
    try (besideState ? state : runs).row(from: key)
  }

  /// Passes the blocks of a run's dictionary to a body, in order; the body must not write any.
  func forEachBlock(
    _ run: UInt32,
    _ body: (UnsafeRawBufferPointer) throws(FullTextError) -> Void
  ) throws(FullTextError) {
    makeKey(run, .terms)
    var row = try block(run, from: UnsafeRawBufferPointer(start: key, count: 5))
    let cursor = try access(run, .terms).cursor()
    while let found = row, isBlock(found.key, run) {
      try body(found.value)
      row = try storing { () throws(StorageError) in try cursor.nextRow() }
    }
  }

  /// Removes the values of a young run.
  func removeYoungRun(_ run: UInt32) throws(FullTextError) {
    for kind in [ValueKind.liveBits, .documents, .terms] {
      makeKey(run, kind)
      let prefix = [UInt8](UnsafeRawBufferPointer(start: key, count: 5))
      _ = try remove(from: state, startingWith: prefix, limit: .max)
    }
  }

  /// Removes values of a run that is not young, at most `limit`.
  ///
  /// - Returns: The number of removed values; below `limit` if none is left.
  func remove(_ run: UInt32, limit: Int) throws(FullTextError) -> Int {
    let prefix = withUnsafeBytes(of: run.bigEndian) { [UInt8]($0) }
    return try remove(from: runs, startingWith: prefix, limit: limit)
  }

  private func remove(
    from access: TableAccess,
    startingWith prefix: [UInt8],
    limit: Int
  ) throws(FullTextError) -> Int {
    var count = 0
    while count < limit {
      let row = try prefix.withBytes { prefix throws(FullTextError) in
        try access.row(from: prefix)
      }
      // A longer key is damaged, and not one of the index.
      guard let row, row.key.starts(with: prefix), row.key.count <= TermLimit.keySize,
        let bytes = row.key.baseAddress
      else { break }
      // The key is on a page that the removal changes.
      key.copyMemory(from: bytes, byteCount: row.key.count)
      try access.delete(UnsafeRawBufferPointer(start: key, count: row.key.count))
      count += 1
    }
    return count
  }
}

/// A table in a transaction, with cursors that are opened when needed.
private final class TableAccess {
  private let table: StorageTable
  private let transaction: StorageTransaction
  private var writer: WriteCursor?
  private var reader: StorageCursor?

  init(_ table: StorageTable, _ transaction: StorageTransaction) {
    self.table = table
    self.transaction = transaction
  }

  func value(_ key: UnsafeRawBufferPointer) throws(FullTextError) -> UnsafeRawBufferPointer? {
    try storing { () throws(StorageError) in try transaction.value(table, key: key) }
  }

  func cursor() throws(FullTextError) -> StorageCursor {
    if let reader { return reader }
    let cursor = try storing { () throws(StorageError) in try transaction.cursor(table) }
    reader = cursor
    return cursor
  }

  /// Returns the first row with a key not below the given bytes.
  func row(from key: UnsafeRawBufferPointer) throws(FullTextError) -> StorageCursor.Row? {
    let cursor = try cursor()
    return try storing { () throws(StorageError) in try cursor.row(from: key) }
  }

  func put(
    _ key: UnsafeRawBufferPointer,
    _ value: UnsafeRawBufferPointer
  ) throws(FullTextError) {
    let writer = writer ?? transaction.writeCursor(table)
    self.writer = writer
    try storing { () throws(StorageError) in try writer.put(key: key, value: value) }
  }

  func delete(_ key: UnsafeRawBufferPointer) throws(FullTextError) {
    _ = try storing { () throws(StorageError) in try transaction.delete(table, key: key) }
  }
}

/// The greatest size of a term.
package enum TermLimit {
  /// Longer terms are cut to this number of bytes.
  package static let size = Int(OBX_TERM_MAXIMUM)
  /// Room for every key.
  static let keySize = 288

  /// Returns the part of a term that an index holds: up to ``size`` bytes, and up to a zero byte.
  ///
  /// The key of a term ends with a zero byte, so a term must not contain one.
  static func cut(_ term: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
    guard let start = term.baseAddress else { return term }
    let count = obx_term_cut(start.assumingMemoryBound(to: UInt8.self), term.count)
    return UnsafeRawBufferPointer(start: start, count: count)
  }
}
