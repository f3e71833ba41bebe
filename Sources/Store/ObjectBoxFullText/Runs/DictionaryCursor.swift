import CObjectBoxFullText
import ObjectBoxStorage

/// A cursor on the entries of a run's dictionary, by terms and segments.
final class DictionaryCursor {
  private let table: IndexTable
  private let run: UInt32
  @exclusivity(unchecked) private var block = UnsafeRawBufferPointer(start: nil, count: 0)
  /// The key of the block, to find the next one.
  @exclusivity(unchecked) private var blockKey: [UInt8] = []
  @exclusivity(unchecked) private var copy: UnsafeMutableRawPointer?
  /// The place in the block, which C moves in merges.
  let place: UnsafeMutablePointer<obx_dictionary_cursor>

  init(_ table: IndexTable, _ run: UInt32) {
    self.table = table
    self.run = run
    place = .allocate(capacity: 1)
    place.initialize(
      to: obx_dictionary_cursor(
        place: nil,
        end: nil,
        entry: obx_entry(),
        term: .allocate(capacity: TermLimit.size),
        term_size: 0,
        is_valid: false,
        is_same_term: false,
        is_ended: false
      )
    )
  }

  deinit {
    copy?.deallocate()
    place.pointee.term.deallocate()
    place.deallocate()
  }

  /// Whether there is a current entry.
  var isValid: Bool { place.pointee.is_valid }

  /// The current entry, if ``isValid``; its bytes are valid until the cursor goes to another block.
  var entry: obx_entry { place.pointee.entry }

  /// Whether the current entry has the same term as the previous one.
  var isSameTerm: Bool { place.pointee.is_same_term }

  /// The term of the current entry.
  var term: UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(start: place.pointee.term, count: Int(place.pointee.term_size))
  }

  /// Goes to the first entry with a term not less than the given one.
  func seek(_ term: UnsafeRawBufferPointer) throws(FullTextError) {
    let term = TermLimit.cut(term)
    place.pointee.is_valid = false
    place.pointee.term_size = 0
    place.pointee.is_ended = false
    guard let row = try table.block(run, upTo: term) else {
      place.pointee.is_ended = true
      return
    }
    try load(row)
    var shared = 0
    let offset = block.withMemoryRebound(to: UInt8.self) { bytes in
      term.withMemoryRebound(to: UInt8.self) { term -> Int? in
        guard let start = bytes.baseAddress else { return nil }
        guard let termStart = term.baseAddress else { return 0 }
        let place = obx_dictionary_seek(start, bytes.count, termStart, term.count, &shared)
        return place == .max ? nil : place
      }
    }
    guard let offset, shared <= TermLimit.size, let known = place.pointee.place else {
      throw damage()
    }
    place.pointee.place = known + offset
    // Each entry shares at most as much of the term's beginning as the previous entry.
    if shared > 0, let start = term.baseAddress {
      UnsafeMutableRawPointer(place.pointee.term).copyMemory(from: start, byteCount: shared)
    }
    place.pointee.term_size = UInt32(shared)
    if try next(), offset > 0 {
      // The block may be the previous one, with all entries less.
      while isValid, self.term.lexicographicallyPrecedes(term) { _ = try next() }
    }
  }

  /// Goes to the first entry.
  func first() throws(FullTextError) { try seek(UnsafeRawBufferPointer(start: nil, count: 0)) }

  /// Goes to the next entry; false at the end.
  @discardableResult
  func next() throws(FullTextError) -> Bool {
    if place.pointee.place == place.pointee.end {
      place.pointee.is_valid = false
      guard try loadNextBlock() else {
        place.pointee.is_ended = true
        return false
      }
    }
    guard obx_dictionary_next(place) else { throw damage() }
    return true
  }

  private func loadNextBlock() throws(FullTextError) -> Bool {
    if block.isEmpty { return false }
    let row = try blockKey.withBytes { key throws(FullTextError) in
      try table.block(run, after: key)
    }
    guard let row else { return false }
    try load(row)
    // The first entry shares nothing with the previous block.
    guard block[0] == 0 else { throw damage() }
    return true
  }

  private func load(_ row: StorageCursor.Row) throws(FullTextError) {
    blockKey.removeAll(keepingCapacity: true)
    blockKey.append(contentsOf: row.key)
    block = row.value
    if block.isEmpty { throw damage() }
    if table.isWriting {
      copy?.deallocate()
      let room = UnsafeMutableRawPointer.allocate(byteCount: block.count, alignment: 8)
      copy = room
      if let bytes = block.baseAddress { room.copyMemory(from: bytes, byteCount: block.count) }
      block = UnsafeRawBufferPointer(start: room, count: block.count)
    }
    let start = block.baseAddress?.assumingMemoryBound(to: UInt8.self)
    place.pointee.place = start
    place.pointee.end = start.map { $0 + block.count }
  }

  private func damage() -> FullTextError { .damaged(run: run, "a block of its dictionary") }
}
