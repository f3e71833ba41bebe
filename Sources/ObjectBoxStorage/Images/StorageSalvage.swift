internal import CObjectBoxLMDB
internal import CObjectBoxPages

/// A walk over a file that may be damaged in any way, which passes on what can be read.
///
/// A class, since it owns the memory that says which pages were read.
package final class StorageSalvage {
  /// The reasons why an entry may be no part of the version.
  package struct Doubts: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The key is not in the order or the range that the pages above say.
    package static let misplaced = Self(rawValue: UInt32(OBX_SALVAGE_MISPLACED))
    /// The page is known to be free, or below one that is.
    package static let free = Self(rawValue: UInt32(OBX_SALVAGE_FREE))
    /// The page is in no tree that can be read.
    package static let orphan = Self(rawValue: UInt32(OBX_SALVAGE_ORPHAN))
  }

  /// An entry of a table, whose bytes are valid as long as the image; each ID of a set is one.
  package struct Entry {
    package let key: UnsafeRawBufferPointer
    package let value: UnsafeRawBufferPointer
    package let page: UInt64
    package let doubts: Doubts
    /// True for the record of a table, in the main table.
    package let isTable: Bool

    fileprivate init(_ entry: obx_salvage_entry) {
      key = UnsafeRawBufferPointer(start: entry.key, count: Int(entry.key_size))
      value = UnsafeRawBufferPointer(start: entry.value, count: Int(entry.value_size))
      page = entry.page
      doubts = Doubts(rawValue: entry.reasons)
      isTable = entry.is_table != 0
    }
  }

  /// A part of a table that cannot be read.
  package struct Gap: Sendable {
    package let page: UInt64
    /// The key that those of the part are not below, nil without a bound; of lost IDs of a key, that key.
    package let low: [UInt8]?
    /// The key that those of the part are below; nil without a bound.
    package let high: [UInt8]?
    /// True when the page is lost with all below it, false for single entries of it.
    package let isSubtree: Bool

    fileprivate init(_ gap: obx_salvage_gap) {
      page = gap.page
      low = gap.low.map { [UInt8](UnsafeBufferPointer(start: $0, count: Int(gap.low_size))) }
      high = gap.high.map { [UInt8](UnsafeBufferPointer(start: $0, count: Int(gap.high_size))) }
      isSubtree = gap.is_subtree != 0
    }
  }

  /// The functions that a walk calls; an error of one ends the walk, which throws it.
  package struct Visitor {
    package var entry: (Entry) throws -> Void
    package var gap: (Gap) throws -> Void
    /// Is passed the number of pages that were read so far, every few thousand.
    package var progress: (Int) throws -> Void

    package init(
      entry: @escaping (Entry) throws -> Void,
      gap: @escaping (Gap) throws -> Void = { _ in },
      progress: @escaping (Int) throws -> Void
    ) {
      self.entry = entry
      self.gap = gap
      self.progress = progress
    }
  }

  /// The image is kept as long as the walk.
  private let image: StorageImage
  private let salvage: OpaquePointer
  /// The number of pages of the file.
  package let pageCount: Int

  /// Prepares a walk; takes two bits for each page in memory.
  ///
  /// - Parameters:
  ///   - image: The file.
  ///   - pageSize: The size of its pages; nil for the one that most pages speak for.
  /// - Throws: ``StorageError`` when there is no memory; `isCorrupt` when no page speaks for a size.
  package init(_ image: StorageImage, pageSize: Int?) throws(StorageError) {
    var bytes = image.image
    let size = pageSize.map { UInt32($0) } ?? obx_salvage_page_size(&bytes)
    guard size > 0 else {
      throw StorageError(code: MDB_INVALID, call: "looking for pages")
    }
    guard let salvage = obx_salvage_begin(&bytes, size) else {
      throw StorageError(code: objectbox_out_of_memory, call: "obx_salvage_begin")
    }
    self.image = image
    self.salvage = salvage
    pageCount = image.sizeInBytes / Int(size)
  }

  deinit {
    obx_salvage_end(salvage)
  }

  /// Notes the free pages of a version, before tables are walked; false when a part of their list cannot be read.
  package func noteFreePages(of head: StorageImage.Head) -> Bool {
    var raw = head.head
    return obx_salvage_free_list(salvage, &raw) != 0
  }

  /// Walks the table of all tables.
  package func walkMainTable(of head: StorageImage.Head, _ visitor: Visitor) throws {
    let record = withUnsafeBytes(of: head.head.main_table) { [UInt8]($0) }
    try walk(record, flags: UInt16(OBX_SALVAGE_MAIN_TABLE), visitor)
  }

  /// Walks a table.
  ///
  /// - Parameters:
  ///   - record: The value of the table in the main table.
  ///   - kind: The kind that the table must have.
  ///   - visitor: Is called for all that is met.
  /// - Throws: The error of the visitor.
  package func walk(_ record: [UInt8], _ kind: StorageTable.Kind, _ visitor: Visitor) throws {
    try walk(record, flags: UInt16(StorageTable.flags(of: kind)), visitor)
  }

  private func walk(_ record: [UInt8], flags: UInt16, _ visitor: Visitor) throws {
    guard record.count == 48 else { return }
    try calling(visitor) { obx_salvage_tree(salvage, record, flags, $0) }
  }

  /// The number of entries that a table's record says; a damaged record may say any.
  package static func entryCount(_ record: [UInt8]) -> UInt64 {
    record.count == 48
      ? record.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 32, as: UInt64.self) } : 0
  }

  /// Walks pages that look like leaves and that no walked table has, in the order of their numbers.
  ///
  /// - Parameters:
  ///   - hasObjectIDs: True for tables of records, false for tables whose keys are bytes.
  ///   - withFree: Whether to walk free pages too.
  ///   - withWalked: Whether to walk the pages of walked tables too.
  ///   - visitor: Is called for all that is met; there are no gaps.
  /// - Throws: The error of the visitor.
  package func walkLeaves(
    hasObjectIDs: Bool,
    withFree: Bool = false,
    withWalked: Bool = false,
    _ visitor: Visitor
  ) throws {
    let scope =
      (withFree ? UInt32(OBX_SALVAGE_FREE_PAGES) : 0)
      | (withWalked ? UInt32(OBX_SALVAGE_TREE_PAGES) : 0)
    try calling(visitor) { obx_salvage_leaves(salvage, hasObjectIDs ? 1 : 0, scope, $0) }
  }

  private func calling(
    _ visitor: Visitor,
    _ walk: (UnsafePointer<obx_salvage_observer>) -> Int32
  ) throws {
    var state = State(visitor: visitor)
    _ = withUnsafeMutablePointer(to: &state) { context in
      var observer = obx_salvage_observer(
        context: context,
        entry: { context, entry in
          State.run(context) { try $0.entry(Entry(entry.pointee)) }
        },
        gap: { context, gap in State.run(context) { try $0.gap(Gap(gap.pointee)) } },
        progress: { context, pages in State.run(context) { try $0.progress(Int(pages)) } }
      )
      return walk(&observer)
    }
    if let error = state.error { throw error }
  }

  private struct State {
    let visitor: Visitor
    var error: (any Error)?

    // The pointer is that of a local variable of `calling`, which lives during the call that passes it back.
    static func run(
      _ context: UnsafeMutableRawPointer?,
      _ body: (Visitor) throws -> Void
    ) -> Int32 {
      guard let context else { preconditionFailure("the walk was begun with a context") }
      let state = context.assumingMemoryBound(to: Self.self)
      do {
        try body(state.pointee.visitor)
        return 0
      } catch {
        state.pointee.error = error
        return 1
      }
    }
  }
}
