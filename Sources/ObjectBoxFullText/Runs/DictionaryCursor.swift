import CObjectBoxFullText
import ObjectBoxStorage

/// A cursor on the entries of a run's dictionary, by terms and segments.
final class DictionaryCursor {
  private let table: IndexTable
  private let run: UInt32
  @exclusivity(unchecked) private var block = UnsafeRawBufferPointer(start: nil, count: 0)
  @exclusivity(unchecked) private var offset = 0
  /// The key of the block, to find the next one.
  @exclusivity(unchecked) private var blockKey: [UInt8] = []
  @exclusivity(unchecked) private var copy: UnsafeMutableRawPointer?
  private let termBytes: UnsafeMutableRawPointer
  @exclusivity(unchecked) private var termSize = 0
  /// The current entry, if `isValid`; its bytes are valid until the cursor goes to another block.
  @exclusivity(unchecked) private(set) var entry = obx_entry()
  @exclusivity(unchecked) private(set) var isValid = false
  /// Whether the current entry has the same term as the one before.
  @exclusivity(unchecked) private(set) var isSameTerm = false

  init(_ table: IndexTable, _ run: UInt32) {
    self.table = table
    self.run = run
    termBytes = .allocate(byteCount: TermLimit.size, alignment: 8)
  }

  deinit {
    copy?.deallocate()
    termBytes.deallocate()
  }

  /// The term of the current entry.
  var term: UnsafeRawBufferPointer { UnsafeRawBufferPointer(start: termBytes, count: termSize) }

  /// Goes to the first entry whose term is not less than the given one.
  func seek(_ term: UnsafeRawBufferPointer) throws(FullTextError) {
    let term = TermLimit.cut(term)
    isValid = false
    termSize = 0
    guard let row = try table.block(run, upTo: term) else { return }
    try load(row)
    var shared = 0
    let place = block.withMemoryRebound(to: UInt8.self) { bytes in
      term.withMemoryRebound(to: UInt8.self) { term -> Int? in
        guard let start = bytes.baseAddress else { return nil }
        guard let termStart = term.baseAddress else { return 0 }
        let place = obx_dictionary_seek(start, bytes.count, termStart, term.count, &shared)
        return place == .max ? nil : place
      }
    }
    guard let place, shared <= TermLimit.size else { throw damage() }
    offset = place
    // Entries share the beginning of the term at most that the entry before does.
    if shared > 0, let start = term.baseAddress {
      termBytes.copyMemory(from: start, byteCount: shared)
    }
    termSize = shared
    if try next(), offset > 0 {
      // The block may be the one before, with all entries less.
      while isValid, self.term.lexicographicallyPrecedes(term) { _ = try next() }
    }
  }

  /// Goes to the first entry.
  func first() throws(FullTextError) { try seek(UnsafeRawBufferPointer(start: nil, count: 0)) }

  /// Goes to the next entry; false at the end.
  @discardableResult
  func next() throws(FullTextError) -> Bool {
    isValid = false
    let previousSize = termSize
    if offset == block.count {
      if block.isEmpty { return false }
      let row = try blockKey.withBytes { key throws(FullTextError) in
        try table.block(run, after: key)
      }
      guard let row else { return false }
      try load(row)
      termSize = 0
    }
    guard let start = block.baseAddress?.assumingMemoryBound(to: UInt8.self),
      let end = obx_entry_read(start + offset, start + block.count, &entry),
      Int(entry.shared) <= termSize, Int(entry.shared) + Int(entry.suffix_size) <= TermLimit.size,
      let suffix = entry.suffix
    else { throw damage() }
    let size = Int(entry.suffix_size)
    termSize = Int(entry.shared) + size
    let place = termBytes + Int(entry.shared)
    isSameTerm =
      termSize == previousSize
      && ByteSearch.areEqual(
        UnsafeRawBufferPointer(start: place, count: size),
        UnsafeRawBufferPointer(start: suffix, count: size)
      )
    place.copyMemory(from: suffix, byteCount: size)
    offset = end - start
    isValid = true
    return true
  }

  private func load(_ row: StorageCursor.Row) throws(FullTextError) {
    blockKey.removeAll(keepingCapacity: true)
    blockKey.append(contentsOf: row.key)
    block = row.value
    offset = 0
    if block.isEmpty { throw damage() }
    guard table.isWriting else { return }
    copy?.deallocate()
    let room = UnsafeMutableRawPointer.allocate(byteCount: block.count, alignment: 8)
    copy = room
    if let bytes = block.baseAddress { room.copyMemory(from: bytes, byteCount: block.count) }
    block = UnsafeRawBufferPointer(start: room, count: block.count)
  }

  private func damage() -> FullTextError { .damaged(run: run, "a block of its dictionary") }
}
