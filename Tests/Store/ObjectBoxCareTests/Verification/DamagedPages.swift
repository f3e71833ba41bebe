import Foundation
import ObjectBoxCare
import ObjectBoxRuntimeTestSupport
import ObjectBoxStorage
import Testing

/// The pages of a closed store's tables, as targets of damage.
struct DamagedPages {
  /// An object's record: its leaf page, and all pages that hold its bytes.
  struct Record {
    let id: UInt64
    let leaf: UInt64
    let pages: Set<UInt64>
  }

  private var roots: [String: UInt64] = [:]
  private var entries: [String: [Record]] = [:]
  /// The pages of the main table.
  private(set) var mainPages: Set<UInt64> = []

  init(_ path: String) throws {
    let image = try StorageImage(path: path + "/data.mdb")
    let head = try #require(image.newestHead())
    let walk = try StorageSalvage(image, pageSize: head.pageSizeInBytes)
    var records: [String: [UInt8]] = [:]
    var mainPages: Set<UInt64> = []
    try walk.walkMainTable(
      of: head,
      StorageSalvage.Visitor(
        entry: { entry in
          records[String(decoding: entry.key, as: UTF8.self)] = [UInt8](entry.value)
          mainPages.insert(entry.page)
        },
        progress: { _ in }
      )
    )
    self.mainPages = mainPages
    let size = UInt64(head.pageSizeInBytes)
    let base = try #require(image.withBytes { $0.baseAddress })
    for (name, record) in records {
      let root = record.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 40, as: UInt64.self) }
      guard root != .max else { continue }
      roots[name] = root
      var found: [Record] = []
      let isSet = ["i", "r", "b"].contains { name.hasPrefix($0) } && !name.hasPrefix("retired")
      try walk.walk(
        record,
        name == "objectbox" ? .plain : isSet ? .index : .objects,
        StorageSalvage.Visitor(
          entry: { entry in
            let start = UInt64(entry.value.baseAddress.map { $0 - base } ?? 0)
            let last = start + UInt64(max(1, entry.value.count)) - 1
            found.append(
              Record(
                id: entry.key.count == 8 ? entry.key.loadUnaligned(as: UInt64.self) : 0,
                leaf: entry.page,
                pages: Set(start / size...last / size).union([entry.page])
              )
            )
          },
          progress: { _ in }
        )
      )
      entries[name] = found
    }
  }

  func root(_ name: String) -> UInt64 { roots[name] ?? 0 }

  func records(_ name: String) -> [Record] { entries[name] ?? [] }

  /// Returns the leaves of a table in the order of their keys.
  func leaves(_ name: String) -> [UInt64] {
    var pages: [UInt64] = []
    for record in records(name) where record.leaf != pages.last { pages.append(record.leaf) }
    return pages
  }

  func ids(_ name: String, on page: UInt64) -> [UInt64] {
    records(name).filter { $0.pages.contains(page) }.map(\.id)
  }

  /// All pages of tables, except branches below a root.
  var all: [UInt64] {
    Set(entries.values.joined().flatMap(\.pages)).union(roots.values).union(mainPages).sorted()
  }

  /// Overwrites pages with zeros.
  static func zero(_ pages: [UInt64], _ path: String) throws {
    let size = Int(sysconf(Int32(_SC_PAGESIZE)))
    try ChangedFile.changeBytes(path) { bytes in
      for page in pages.map({ Int($0) }) {
        bytes.replaceSubrange(page * size..<(page + 1) * size, with: Data(count: size))
      }
    }
  }
}
