internal import ObjectBox
internal import ObjectBoxDynamic
internal import ObjectBoxStorage

/// A store file that may be damaged in any way: the version to salvage, and walks over its tables.
final class SalvageFile {
  /// An entry of a table; its bytes are valid as long as the file.
  struct Entry {
    let key: UnsafeRawBufferPointer
    let value: UnsafeRawBufferPointer
    let page: UInt64
    /// False when the file gives reason to doubt that the entry belongs to the version.
    let isCertain: Bool
    /// True when the page is known to be free.
    let isFree: Bool

    fileprivate init(_ entry: StorageSalvage.Entry) {
      key = entry.key
      value = entry.value
      page = entry.page
      isCertain = entry.doubts.isEmpty
      isFree = entry.doubts.contains(.free)
    }

    /// The key as an object ID; 0 for another key.
    var keyID: UInt64 { key.count == 8 ? key.loadUnaligned(as: UInt64.self) : 0 }
    /// The key as an ID in a relation; 0 for another key.
    var relatedID: UInt64 { UInt64(bigEndian: keyID) }
    /// The value as an object ID; 0 for another value.
    var valueID: UInt64 { value.count == 8 ? value.loadUnaligned(as: UInt64.self) : 0 }
  }

  /// A part of a table that cannot be read.
  struct Gap {
    let page: UInt64
    let low: [UInt8]?
    let high: [UInt8]?
    let isSubtree: Bool

    fileprivate init(_ gap: StorageSalvage.Gap) {
      (page, low, high, isSubtree) = (gap.page, gap.low, gap.high, gap.isSubtree)
    }

    /// The bounds as object IDs, the upper one included; nil without a bound.
    var ids: (low: UInt64?, high: UInt64?) { (Self.id(low), Self.id(high).map { $0 &- 1 }) }

    private static func id(_ key: [UInt8]?) -> UInt64? {
      guard let key, key.count == 8 else { return nil }
      return key.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
    }
  }

  /// The form of a table.
  enum Kind {
    case records, sets, rows

    fileprivate var storage: StorageTable.Kind {
      switch self {
      case .records: .objects
      case .sets: .index
      case .rows: .plain
      }
    }
  }

  /// A table in the version.
  struct Table {
    let name: String
    let record: [UInt8]
    /// The number of entries that the file states; a damaged file may state any.
    var entryCount: UInt64 { StorageSalvage.entryCount(record) }
  }

  private let image: StorageImage
  private let head: StorageImage.Head?
  /// The last page of a pinned version; later commits have written the pages above it.
  private let lastPage: UInt64
  private let log: SalvageLog
  private var walk: StorageSalvage
  private(set) var pagesTold = 0
  /// The tables of the version by their names.
  private(set) var tables: [String: Table] = [:]
  /// Reads single entries if no damaged page is in the way; nil when the main table is damaged.
  private let lookUp: StorageTransaction?
  private var lookUpTables: [String: StorageCursor?] = [:]

  /// Chooses the version of a file and finds its tables.
  ///
  /// - Parameters:
  ///   - copy: The file; its pinned version is the newest one.
  ///   - version: The commit; nil for the newest, or for the previous one if only that is sound.
  ///   - log: The report.
  /// - Throws: ``ObjectBoxError``: `illegalArgument` when the file lacks the version;
  ///   `StorageError` when it has no pages, or memory is short.
  init(_ copy: ReadableCopy, version: UInt64?, log: SalvageLog) throws {
    let image = copy.image
    self.image = image
    self.log = log
    lastPage = copy.pinned?.lastPage ?? .max
    head = try Self.chooseHead(copy, version, log)
    walk = try StorageSalvage(image, pageSize: head?.pageSizeInBytes)
    lookUp = try? head.map { try image.beginRead($0) }
    log.report.version = head?.version
    if let head {
      if !walk.noteFreePages(of: head) {
        log.add(
          .file,
          "a part of the list of free pages cannot be read, so that records of removed objects may count as "
            + "uncertain"
        )
      }
      try readMainTable(of: head)
    }
  }

  private static func chooseHead(
    _ copy: ReadableCopy,
    _ version: UInt64?,
    _ log: SalvageLog
  ) throws -> StorageImage.Head? {
    if version == nil, let pinned = copy.pinned { return pinned }
    let image = copy.image
    let states = image.heads()
    var heads = states.compactMap(\.head).sorted { $0.version > $1.version }
    if let version {
      // A pin protects the pages of its version and of the version before it.
      if let pinned = copy.pinned {
        heads = [pinned] + heads.filter { $0.version < pinned.version }
      }
      if let head = heads.first(where: { $0.version == version }) { return head }
      let known = heads.map { "\($0.version)" }.joined(separator: " and ")
      throw ObjectBoxError.illegalArgument(
        message:
          "the file has no version \(version); it has \(known.isEmpty ? "none that can be read" : known)"
      )
    }
    for number in states.indices where states[number].head == nil {
      log.add(
        .file,
        "head page \(number) cannot be read, so that the last commit may be missing",
        page: UInt64(number)
      )
    }
    guard let newest = heads.first, let older = heads.dropFirst().first,
      newest.version != older.version, let fault = try image.firstFinding(newest, .quick),
      try image.firstFinding(older, .all) == nil
    else {
      return heads.first
    }
    log.add(
      .file,
      "the newest commit, \(newest.version), is torn (page \(fault.page) \(fault.text)); the one before, "
        + "\(older.version), is sound and was read instead",
      page: fault.page
    )
    return older
  }

  private func readMainTable(of head: StorageImage.Head) throws {
    try walk.walkMainTable(
      of: head,
      visitor { entry in
        let name = String(decoding: entry.key, as: UTF8.self)
        guard entry.isTable, self.tables[name] == nil else { return }
        self.tables[name] = Table(name: name, record: [UInt8](entry.value))
      } gap: { gap in
        self.log.add(
          .file,
          "page \(gap.page) of the table of tables cannot be read, so that whole tables may be missing",
          page: gap.page
        )
      }
    )
  }

  /// The pages of the file.
  var pageCount: Int { walk.pageCount }

  // MARK: Walks

  /// Makes all pages count as not walked.
  func restart() throws {
    walk = try StorageSalvage(image, pageSize: head?.pageSizeInBytes)
    pagesTold = 0
    if let head { _ = walk.noteFreePages(of: head) }
  }

  /// Walks a table of the version, if it exists.
  func forEachEntry(
    of name: String,
    _ kind: Kind,
    _ body: @escaping (Entry) throws -> Void,
    gap: @escaping (Gap) throws -> Void
  ) throws {
    guard let table = tables[name] else { return }
    try walk.walk(
      table.record,
      kind.storage,
      visitor {
        try body(Entry($0))
      } gap: {
        try gap(Gap($0))
      }
    )
  }

  /// Walks the records on pages of no walked table, in page order.
  func forEachOrphan(withFree: Bool = false, _ body: @escaping (Entry) throws -> Void) throws {
    try walk.walkLeaves(
      hasObjectIDs: true,
      withFree: withFree,
      visitor {
        if $0.page <= self.lastPage { try body(Entry($0)) }
      } gap: { _ in
      }
    )
  }

  private func visitor(
    _ entry: @escaping (StorageSalvage.Entry) throws -> Void,
    gap: @escaping (StorageSalvage.Gap) throws -> Void
  ) -> StorageSalvage.Visitor {
    StorageSalvage.Visitor(entry: entry, gap: gap) { pages in
      defer { self.pagesTold = pages }
      try self.log.advance(by: pages - self.pagesTold)
    }
  }

  // MARK: The system table

  /// Returns the rows of the version's system table.
  func systemRows() throws -> [String: [UInt8]] {
    var rows: [String: [UInt8]] = [:]
    try forEachEntry(of: SystemTable.name, .rows) { entry in
      if entry.isCertain { rows[String(decoding: entry.key, as: UTF8.self)] = [UInt8](entry.value) }
    } gap: { _ in
    }
    return rows
  }

  /// Returns the newest complete schema on any page of the file, including free pages, and that
  /// page.
  func schemaElsewhere() throws -> (schema: SalvageSchema, page: UInt64)? {
    var best: (schema: SalvageSchema, page: UInt64)?
    var (page, rows): (UInt64, [String: [UInt8]]) = (0, [:])
    func finish() {
      if rows["schema"] != nil, let found = SalvageSchema(rows: rows),
        best.map({ $0.schema.age <= found.age }) ?? true
      {
        best = (found, page)
      }
      rows = [:]
    }
    let every = try StorageSalvage(image, pageSize: head?.pageSizeInBytes)
    try every.walkLeaves(
      hasObjectIDs: false,
      withFree: true,
      withWalked: true,
      StorageSalvage.Visitor(
        entry: { entry in
          if entry.page != page {
            finish()
            page = entry.page
          }
          // Keys of the system table are shorter.
          guard entry.key.count < 32 else { return }
          rows[String(decoding: entry.key, as: UTF8.self)] = [UInt8](entry.value)
        },
        progress: { _ in try self.log.advance(by: 0) }
      )
    )
    finish()
    return best
  }

  // MARK: Single entries

  /// Returns whether a table has an ID under a key, itself an ID; nil when the key's page cannot be
  /// read.
  func contains(_ name: String, key: UInt64, id: UInt64) -> Bool? {
    let cursor: StorageCursor?
    if let known = lookUpTables[name] {
      cursor = known
    } else {
      cursor = try? lookUp.flatMap { lookUp in
        try lookUp.openTable(name, .index, create: false).map { try lookUp.cursor($0) }
      }
      lookUpTables[name] = .some(cursor)
    }
    guard let cursor else { return nil }
    return try? withUnsafeBytes(of: key.bigEndian) { try cursor.contains(key: $0, id: id) }
  }
}
