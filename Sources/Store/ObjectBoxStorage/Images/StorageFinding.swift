internal import CObjectBoxPages

/// A fault in the structure of a store file, and its location.
package struct StorageFinding: Hashable, Sendable {
  /// The name of the table; nil for the main table, the free list and the file as a whole.
  package let table: String?
  /// The number of the page.
  package let page: UInt64
  /// The fault in words, such as "has 3 leaf pages, and its record says 4".
  package let text: String
  /// True for pages that nothing uses or frees: they waste space, but nothing leads to them.
  package let isWasteOnly: Bool

  /// The fault with its location, in words.
  package var description: String {
    "page \(page)\(table.map { " of the table '\($0)'" } ?? "") \(text)"
  }

  init(_ finding: obx_finding) {
    table = finding.table.map { name in
      String(
        decoding: UnsafeBufferPointer(start: name, count: Int(finding.table_size)),
        as: UTF8.self
      )
    }
    page = finding.page
    text = Self.text(finding)
    isWasteOnly = finding.kind == OBX_FINDING_LOST_PAGES
  }

  private static func text(_ finding: obx_finding) -> String {
    let (found, expected) = (finding.found, finding.expected)
    return switch finding.kind {
    case OBX_FINDING_PAGE_OUTSIDE: "leads to page \(found); the last page is \(expected)"
    case OBX_FINDING_PAGE_MISSING: "is missing: the file has \(found) pages"
    case OBX_FINDING_PAGE_USED_TWICE: "is used twice"
    case OBX_FINDING_PAGE_NUMBER: "says that it is page \(found)"
    case OBX_FINDING_PAGE_KIND:
      "is of another kind: its flags are 0x\(String(found, radix: 16)), not 0x\(String(expected, radix: 16))"
    case OBX_FINDING_PAGE_HEADER: "has a header that none has"
    case OBX_FINDING_PAGE_EMPTY: "has only \(found) entries"
    case OBX_FINDING_NODE: "has an entry that none has, number \(found)"
    case OBX_FINDING_PAGE_ROOM: "has \(found) bytes in use, and its header says \(expected)"
    case OBX_FINDING_KEY_ORDER: "has keys out of order, at entry \(found)"
    case OBX_FINDING_KEY_RANGE: "has a key outside of its branch, at entry \(found)"
    case OBX_FINDING_OVERFLOW:
      "begins a run of \(found) overflow pages for a value of \(expected) bytes"
    case OBX_FINDING_DUPLICATES: "has a damaged set of IDs, at entry \(found)"
    case OBX_FINDING_TABLE_RECORD: "has a damaged record of the table"
    case OBX_FINDING_BRANCH_COUNT: counts(finding, "branch pages")
    case OBX_FINDING_LEAF_COUNT: counts(finding, "leaf pages")
    case OBX_FINDING_OVERFLOW_COUNT: counts(finding, "overflow pages")
    case OBX_FINDING_ENTRY_COUNT: counts(finding, "entries")
    case OBX_FINDING_FREE_LIST: "has a damaged list of the pages that version \(found) freed"
    case OBX_FINDING_FREE_VERSION:
      "is of version \(expected), and the free list ends with version \(found): the page is older or newer "
        + "than the others"
    case OBX_FINDING_LOST_PAGES:
      "is the first of \(found) pages that no table has and that are not free"
    default: "is damaged"
    }
  }

  private static func counts(_ finding: obx_finding, _ parts: String) -> String {
    "has the record of a table with \(finding.found) \(parts); it says \(finding.expected)"
  }
}
