import CObjectBoxPages
import ObjectBoxStorage

/// A table of one version, read from its pages.
struct PageTable {
  struct Entry: Hashable {
    var key: [UInt8]
    var value: [UInt8]
  }

  /// A failure of the page reader.
  struct Damage: Error, Hashable {
    var status: UInt32
    var page: UInt64
  }

  typealias Step = (
    UnsafeMutablePointer<obx_pages_cursor>, UnsafeMutablePointer<obx_pages_entry>
  ) -> obx_pages_status

  /// Never changed; a variable because C functions take its address.
  private var table: obx_pages_table

  /// Keeps the mapped pages alive.
  private let version: PageVersion?

  init(_ table: obx_pages_table, of version: PageVersion? = nil) {
    self.table = table
    self.version = version
  }

  /// Opens the table whose record begins at an offset of a copied file.
  init(
    record: Int,
    of file: UnsafeRawPointer,
    pageCount: Int,
    pageSize: Int
  ) throws {
    var map = obx_pages_map()
    map.base = file.assumingMemoryBound(to: UInt8.self)
    map.page_count = UInt64(pageCount)
    map.page_size = UInt32(pageSize)
    var pages = obx_pages()
    let size = UInt64(pageCount * pageSize)
    var status = obx_pages_open(&pages, &map, 1, UInt64(pageCount - 1), size)
    try Self.check(status, 0)
    table = obx_pages_table()
    version = nil
    var badPage: UInt64 = 0
    status = obx_pages_table_open(&table, &pages, file + record, 48, &badPage)
    try Self.check(status, badPage)
  }

  var root: Int { Int(table.root) }
  var depth: Int { Int(table.depth) }
  var count: Int { Int(table.entries) }

  private static func check(_ status: obx_pages_status, _ page: UInt64) throws {
    if status == OBX_PAGES_CORRUPT || status == OBX_PAGES_UNKNOWN_FORM {
      throw Damage(status: status.rawValue, page: status == OBX_PAGES_CORRUPT ? page : 0)
    }
  }

  private func withCursor<T>(
    _ body: (UnsafeMutablePointer<obx_pages_cursor>) throws -> T
  ) rethrows -> T {
    let cursor = UnsafeMutablePointer<obx_pages_cursor>.allocate(capacity: 1)
    defer { cursor.deallocate() }
    withUnsafePointer(to: table) { obx_pages_cursor_init(cursor, $0) }
    return try body(cursor)
  }

  private static func entry(_ entry: obx_pages_entry) -> Entry {
    Entry(
      key: Array(UnsafeBufferPointer(start: entry.key, count: Int(entry.key_size))),
      value: Array(UnsafeBufferPointer(start: entry.value, count: Int(entry.value_size)))
    )
  }

  /// Returns the entries that repeated steps of a new cursor give.
  func entries(_ step: Step) throws -> [Entry] {
    try withCursor { cursor in
      var result: [Entry] = []
      var entry = obx_pages_entry()
      var status = step(cursor, &entry)
      while status == OBX_PAGES_OK {
        result.append(Self.entry(entry))
        status = step(cursor, &entry)
      }
      try Self.check(status, cursor.pointee.bad_page)
      return result
    }
  }

  /// Returns all entries, one leaf at a time.
  func runs(room: Int, isBackward: Bool = false) throws -> [Entry] {
    try withCursor { cursor in
      var result: [Entry] = []
      var entries = [obx_pages_entry](repeating: obx_pages_entry(), count: room)
      let run = isBackward ? obx_pages_run_back : obx_pages_run
      var count = 0
      var status = run(cursor, &entries, room, &count)
      while status == OBX_PAGES_OK {
        result += entries[..<count].map(Self.entry)
        status = run(cursor, &entries, room, &count)
      }
      try Self.check(status, cursor.pointee.bad_page)
      return result
    }
  }

  /// Returns the entries that differ from an older version, and the number of pages opened to find
  /// them.
  func changes(since older: PageTable) throws -> (
    list: [(before: Entry?, after: Entry?)], opened: Int
  ) {
    var before = older.table
    var after = table
    let changes = UnsafeMutablePointer<obx_pages_changes>.allocate(capacity: 1)
    defer { changes.deallocate() }
    try Self.check(obx_pages_changes_init(changes, &before, &after), 0)
    var list: [(before: Entry?, after: Entry?)] = []
    while true {
      var (old, new) = (obx_pages_entry(), obx_pages_entry())
      let status = obx_pages_next_change(changes, &old, &new)
      try Self.check(status, changes.pointee.bad_page)
      if status == OBX_PAGES_END { break }
      list.append(
        (old.key == nil ? nil : Self.entry(old), new.key == nil ? nil : Self.entry(new))
      )
    }
    return (list, Int(changes.pointee.older.opened + changes.pointee.newer.opened))
  }

  /// Returns the record of an object; nil when there is none.
  func record(_ id: UInt64) throws -> [UInt8]? {
    var table = table
    var value: UnsafePointer<UInt8>?
    var (size, badPage) = (UInt32(0), UInt64(0))
    let status = obx_pages_get_id(&table, id, &value, &size, &badPage)
    try Self.check(status, badPage)
    return status == OBX_PAGES_OK ? Array(UnsafeBufferPointer(start: value, count: Int(size))) : nil
  }

  /// Returns the value or first duplicate of a key; nil when there is none.
  func value(_ key: [UInt8]) throws -> [UInt8]? {
    var table = table
    var value: UnsafePointer<UInt8>?
    var (size, badPage) = (UInt32(0), UInt64(0))
    let status = obx_pages_get(&table, key, key.count, &value, &size, &badPage)
    try Self.check(status, badPage)
    return status == OBX_PAGES_OK ? Array(UnsafeBufferPointer(start: value, count: Int(size))) : nil
  }

  /// Returns whether the set of a key contains an ID.
  func contains(_ key: [UInt8], _ id: UInt64) throws -> Bool {
    var (table, id, badPage) = (table, id, UInt64(0))
    let status = obx_pages_contains(&table, key, key.count, &id, 8, &badPage)
    try Self.check(status, badPage)
    return status == OBX_PAGES_OK
  }

  /// Returns the IDs of the keys between two bounds, and the result of counting them.
  func ids(
    from lower: [UInt8],
    upTo upper: [UInt8],
    room: Int
  ) throws -> (ids: [UInt64], count: Int) {
    try withCursor { cursor in
      try upper.withUnsafeBytes { upper in
        var bound = obx_pages_bound(
          bytes: upper.baseAddress,
          size: upper.count,
          kind: OBX_PAGES_KEYS_UP_TO
        )
        var entry = obx_pages_entry()
        var total: UInt64 = 0
        var status = obx_pages_seek(cursor, lower, lower.count, &entry)
        if status == OBX_PAGES_OK { status = obx_pages_count(cursor, &bound, .max, &total) }
        try Self.check(status, cursor.pointee.bad_page)
        var result: [UInt64] = []
        var ids = [UInt64](repeating: 0, count: room)
        var count = 0
        status = obx_pages_seek(cursor, lower, lower.count, &entry)
        while status == OBX_PAGES_OK {
          status = obx_pages_ids(cursor, &bound, &ids, room, &count)
          result += ids[..<count]
        }
        try Self.check(status, cursor.pointee.bad_page)
        return (result, Int(total))
      }
    }
  }
}
