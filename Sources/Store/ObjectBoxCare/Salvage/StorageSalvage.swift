internal import CObjectBoxCare
internal import CObjectBoxPages
internal import Foundation
package import ObjectBoxStorage

/// Walks over a file that may be damaged in any way, and passes on everything readable.
///
/// Owns the bits that record which pages were read.
package final class StorageSalvage {
  /// Reasons to doubt that an entry belongs to the version.
  package struct Doubts: OptionSet, Sendable {
    package let rawValue: UInt32

    package init(rawValue: UInt32) { self.rawValue = rawValue }

    /// The key is not in the order or range that the pages above require.
    package static let misplaced = Self(rawValue: UInt32(OBX_SALVAGE_MISPLACED))
    /// The page is listed as free, or is below such a page.
    package static let free = Self(rawValue: UInt32(OBX_SALVAGE_FREE))
    /// The page is in no readable tree.
    package static let orphan = Self(rawValue: UInt32(OBX_SALVAGE_ORPHAN))
  }

  /// An entry of a table, valid as long as the image; each ID of a key is one entry.
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
    /// Lower bound of the part's keys, nil without a bound; for lost IDs of a key, that key.
    package let low: [UInt8]?
    /// Upper bound of the part's keys, excluded; nil without a bound.
    package let high: [UInt8]?
    /// True when the page and everything below it is lost; false when single entries are.
    package let isSubtree: Bool

    fileprivate init(_ gap: obx_salvage_gap) {
      page = gap.page
      low = gap.low.map { [UInt8](UnsafeBufferPointer(start: $0, count: Int(gap.low_size))) }
      high = gap.high.map { [UInt8](UnsafeBufferPointer(start: $0, count: Int(gap.high_size))) }
      isSubtree = gap.is_subtree != 0
    }
  }

  /// Functions that a walk calls; an error of one ends the walk, which throws it.
  package struct Visitor {
    package var entry: (Entry) throws -> Void
    package var gap: (Gap) throws -> Void
    /// Gets the number of pages read so far, every few thousand.
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

  /// Retained as long as the walk.
  private let image: StorageImage
  private let salvage: OpaquePointer
  /// The number of pages of the file.
  package let pageCount: Int

  /// Prepares a walk; takes two bits of memory per page.
  ///
  /// - Parameters:
  ///   - image: The file.
  ///   - pageSize: The size of its pages; nil to use the size that most pages indicate.
  /// - Throws: ``StorageError`` when memory is short; `isCorrupt` when no page indicates a size.
  package init(_ image: StorageImage, pageSize: Int?) throws(StorageError) {
    var bytes = image.image
    let size = pageSize.map { UInt32($0) } ?? obx_salvage_page_size(&bytes)
    guard size > 0 else {
      throw .noPages
    }
    guard let salvage = obx_salvage_begin(&bytes, size) else {
      throw StorageError(code: ENOMEM, call: "obx_salvage_begin")
    }
    self.image = image
    self.salvage = salvage
    pageCount = image.sizeInBytes / Int(size)
  }

  deinit {
    obx_salvage_end(salvage)
  }

  /// Notes the free pages of a version, before tables are walked; false if part of the list cannot
  /// be read.
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
  ///   - kind: The required kind of the table.
  ///   - visitor: Called for everything that is found.
  /// - Throws: The error of the visitor.
  package func walk(_ record: [UInt8], _ kind: StorageTable.Kind, _ visitor: Visitor) throws {
    try walk(record, flags: UInt16(StorageTable.flags(of: kind)), visitor)
  }

  private func walk(_ record: [UInt8], flags: UInt16, _ visitor: Visitor) throws {
    guard record.count == 48 else { return }
    try calling(visitor) { obx_salvage_tree(salvage, record, flags, $0) }
  }

  /// The number of entries that a table's record states; a damaged record may state any.
  package static func entryCount(_ record: [UInt8]) -> UInt64 {
    record.count == 48
      ? record.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 32, as: UInt64.self) } : 0
  }

  /// Walks pages that look like leaves and belong to no walked table, in page order.
  ///
  /// - Parameters:
  ///   - hasObjectIDs: True for tables of records, false for tables with byte keys.
  ///   - withFree: Whether to include free pages.
  ///   - withWalked: Whether to include pages of walked tables.
  ///   - visitor: Called for everything that is found; there are no gaps.
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

    // Points to a local variable of `calling`, which exists during the call that passes it back.
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
