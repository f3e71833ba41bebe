import CObjectBoxPages
import Foundation
import ObjectBoxStorage
import ObjectBoxTestSupport
import Testing

/// The page reader gives the same entries as LMDB's cursors, and reports damage.
struct PageReaderTests {
  /// A store of one table with random content, and a read transaction on one version.
  struct Content {
    let folder: TemporaryDirectory
    let environment: StorageEnvironment
    let table: StorageTable
    let read: StorageTransaction
    /// The entries of the version, read by LMDB's cursor in the transaction that wrote it.
    let entries: [PageTable.Entry]

    init(_ kind: StorageTable.Kind, seed: Int, _ fill: (inout SplitMix, Writer) throws -> Void)
      throws
    {
      folder = try TemporaryDirectory()
      var options = StorageEnvironment.Options(mapSizeInBytes: 64 << 20, maximumTableCount: 4)
      options.isDurable = false
      environment = try StorageEnvironment(directory: folder.path, options: options)
      var random = SplitMix(seed: seed)
      let first = try environment.beginWrite()
      table = try #require(try first.openTable("table", kind, create: true))
      try fill(&random, Writer(transaction: first, table: table))
      entries = try Self.entries(kind, first.cursor(table))
      try first.commit()
      let pinned = try environment.beginRead()
      // Later commits must not touch the pages of the version.
      let second = try environment.beginWrite()
      try fill(&random, Writer(transaction: second, table: table))
      try second.commit()
      read = pinned
    }

    private static func entries(
      _ kind: StorageTable.Kind,
      _ cursor: StorageCursor
    ) throws -> [PageTable.Entry] {
      func bytes(_ id: UInt64) -> [UInt8] { withUnsafeBytes(of: id) { Array($0) } }
      var entries: [PageTable.Entry] = []
      if kind == .index {
        var next = try cursor.firstEntry()
        while let entry = next {
          entries.append(.init(key: Array(entry.key), value: bytes(entry.id)))
          next = try cursor.nextEntry()
        }
      } else {
        var next = try cursor.firstObject()
        while let entry = next {
          entries.append(.init(key: bytes(entry.id), value: Array(entry.record)))
          next = try cursor.nextObject()
        }
      }
      return entries
    }

    func close() {
      read.abort()
      environment.close()
    }

    func version() throws -> PageVersion {
      let image = try environment.image()
      let id = UInt64(read.snapshotID)
      let head = try #require(image.heads().compactMap(\.head).first { $0.version == id })
      return try image.version(head)
    }

    func pageTable() throws -> PageTable {
      let version = try version()
      let table = try Array("table".utf8).withUnsafeBytes { try version.table($0) }
      return PageTable(try #require(table), of: version)
    }
  }

  struct Writer {
    let transaction: StorageTransaction
    let table: StorageTable

    func put(_ id: UInt64, size: Int) throws {
      var record = [UInt8](repeating: UInt8(truncatingIfNeeded: id), count: size)
      if size >= 8 { withUnsafeBytes(of: id) { record.replaceSubrange(0..<8, with: $0) } }
      try record.withUnsafeBytes { try transaction.put(table, id: id, record: $0) }
    }

    func insert(_ key: [UInt8], _ id: UInt64) throws {
      try key.withUnsafeBytes { try transaction.insert(table, key: $0, id: id) }
    }
  }

  private static func objects(seed: Int) throws -> Content {
    try Content(.objects, seed: seed) { random, writer in
      let count = [0, 1, 2, 60, 400, 900][seed % 6]
      let step: UInt64 = random.pick([1, 1, 7, 0x9E37_79B9_7F4A_7C15])
      let sizes = random.pick([[0, 8, 40], [8, 100, 900], [20, 3000, 6000]])
      for _ in 0..<count {
        let id = UInt64.random(in: 1...UInt64(count * 2), using: &random) &* step
        try writer.put(id, size: random.pick(sizes))
      }
    }
  }

  private static func index(seed: Int) throws -> Content {
    try Content(.index, seed: seed) { random, writer in
      let count = [0, 1, 3, 300, 3000, 3000][seed % 6]
      // Few keys make sets with trees of their own; long keys make deep trees.
      let (keyCount, length) = random.pick([(1, 0), (3, 20), (40, 1), (900, 4), (2000, 440)])
      for _ in 0..<count {
        let number = Int.random(in: 0..<keyCount, using: &random)
        let key = [UInt8](repeating: 1, count: length + 1) + Array("\(number)".utf8)
        try writer.insert(key, UInt64.random(in: 1...4000, using: &random))
      }
    }
  }

  /// A table whose root is a branch.
  private static func branched() throws -> Content {
    try Content(.objects, seed: 0) { random, writer in
      for id in 1...400 { try writer.put(UInt64(id), size: random.pick([8, 100, 900, 5000])) }
    }
  }

  // MARK: Comparison

  @Test(arguments: 0..<12)
  func `the records of a random table are those that LMDB reads`(seed: Int) throws {
    let content = try Self.objects(seed: seed)
    defer { content.close() }
    let expected = content.entries
    var records: [UInt64: [UInt8]] = [:]
    var ids: Set<UInt64> = [0, 1, .max]
    for entry in expected {
      let id = entry.key.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
      records[id] = entry.value
      ids.formUnion([id &- 1, id, id &+ 1])
    }
    let table = try content.pageTable()
    #expect(table.count == expected.count)
    #expect(try table.entries(obx_pages_next) == expected)
    #expect(try table.entries(obx_pages_previous) == expected.reversed())
    #expect(try table.runs(room: 1 + seed) == expected)
    #expect(try table.runs(room: 1 + seed, isBackward: true) == expected.reversed())
    for id in ids { #expect(try table.record(id) == records[id]) }
  }

  @Test(arguments: 0..<12)
  func `the IDs of a random index are those that LMDB reads`(seed: Int) throws {
    let content = try Self.index(seed: seed)
    defer { content.close() }
    let all = content.entries
    var expected: [(key: [UInt8], ids: [UInt64])] = []
    for entry in all {
      if expected.last?.key != entry.key { expected.append((entry.key, [])) }
      let id = entry.value.withUnsafeBytes { $0.loadUnaligned(as: UInt64.self) }
      expected[expected.count - 1].ids.append(id)
    }
    let table = try content.pageTable()
    #expect(table.count == all.count)
    #expect(try table.entries(obx_pages_next) == all)
    #expect(try table.entries(obx_pages_previous) == all.reversed())
    #expect(try table.entries(obx_pages_next_key).map(\.key) == expected.map(\.key))
    #expect(try table.entries(obx_pages_previous_key).map(\.key) == expected.map(\.key).reversed())
    #expect(try table.value([2]) == nil)
    var random = SplitMix(seed: seed)
    for _ in 0..<20 where !expected.isEmpty {
      let (lowest, high) = (random.pick(expected), random.pick(expected).key)
      let low = lowest.key
      let ids = expected.filter { key, _ in
        !key.lexicographicallyPrecedes(low) && !high.lexicographicallyPrecedes(key)
      }.flatMap(\.ids)
      let found = try table.ids(from: low, upTo: high, room: random.pick([1, 5, 5000]))
      #expect(found.ids == ids)
      #expect(found.count == ids.count)
      let id = UInt64.random(in: 1...4000, using: &random)
      #expect(try table.contains(low, id) == lowest.ids.contains(id))
    }
  }

  @Test func `threads read one version side by side`() throws {
    let content = try Self.objects(seed: 5)
    defer { content.close() }
    let table = try content.pageTable()
    let expected = try table.entries(obx_pages_next)
    // The table is immutable, and the version stays pinned until all threads have read.
    nonisolated(unsafe) let shared = table
    DispatchQueue.concurrentPerform(iterations: 8) { _ in
      let found = try? shared.runs(room: 30)
      #expect(found == expected)
    }
  }

  @Test func `a table that a version lacks is empty`() throws {
    let folder = try TemporaryDirectory()
    var options = StorageEnvironment.Options(mapSizeInBytes: 64 << 20, maximumTableCount: 4)
    options.isDurable = false
    let environment = try StorageEnvironment(directory: folder.path, options: options)
    defer { environment.close() }
    let read = try environment.beginRead()
    defer { read.abort() }
    let writing = try environment.beginWrite()
    let objects = try #require(try writing.openTable("objects", .objects, create: true))
    let index = try #require(try writing.openTable("index", .index, create: true))
    try Writer(transaction: writing, table: objects).put(1, size: 8)
    try Writer(transaction: writing, table: index).insert([1], 1)
    try writing.commit()
    #expect(try read.count(objects) == 0)
    #expect(try read.get(objects, id: 1) == nil)
    #expect(try read.parts(of: objects, objectCount: 1) == nil)
    #expect(try read.cursor(objects).firstObject() == nil)
    #expect(try read.cursor(objects).record(id: 1) == nil)
    #expect(try read.cursor(objects).nextObjects(isBackwards: false).isEmpty)
    try ([1] as [UInt8]).withUnsafeBytes { (key) throws in
      #expect(try read.firstID(index, key: key) == nil)
      #expect(try read.cursor(index).find(key: key) == nil)
      #expect(try !read.cursor(index).contains(key: key, id: 1))
      #expect(try read.cursor(index).count(from: key, to: .upTo(key)).count == 0)
    }
  }

  // MARK: Damage

  /// A modifiable copy of a store's file.
  final class FileCopy {
    let bytes: UnsafeMutableRawPointer
    let pageSize: Int
    /// Offset of the table's record.
    let record: Int
    let root: Int
    let depth: Int
    var pageCount: Int

    init(_ content: Content) throws {
      let pages = try content.version().pages
      let data = try Data(contentsOf: content.folder.url.appendingPathComponent("data.mdb"))
      pageSize = Int(pages.page_size)
      pageCount = Int(pages.page_count)
      let size = pageCount * pageSize
      bytes = .allocate(byteCount: size, alignment: 8)
      data.copyBytes(to: UnsafeMutableRawBufferPointer(start: bytes, count: size))
      let table = try content.pageTable()
      (root, depth) = (table.root, table.depth)
      // The record ends with the number of entries and the root.
      var end = withUnsafeBytes(of: table.count) { Data($0) }
      withUnsafeBytes(of: table.root) { end.append(contentsOf: $0) }
      record = try #require(data.range(of: end)).lowerBound - 32
    }

    init(_ other: FileCopy) {
      let size = other.pageCount * other.pageSize
      bytes = .allocate(byteCount: size, alignment: 8)
      bytes.copyMemory(from: other.bytes, byteCount: size)
      (pageSize, pageCount) = (other.pageSize, other.pageCount)
      (record, root, depth) = (other.record, other.root, other.depth)
    }

    deinit { bytes.deallocate() }

    func table() throws -> PageTable {
      try PageTable(record: record, of: bytes, pageCount: pageCount, pageSize: pageSize)
    }

    func number<T: FixedWidthInteger & BitwiseCopyable>(page: Int, _ place: Int) -> T {
      bytes.loadUnaligned(fromByteOffset: page * pageSize + place, as: T.self)
    }

    func set<T: FixedWidthInteger & BitwiseCopyable>(_ number: T, page: Int, _ place: Int) {
      bytes.storeBytes(of: number, toByteOffset: page * pageSize + place, as: T.self)
    }

    /// The offset of a node in its page.
    func node(_ index: Int, page: Int) -> Int {
      Int(number(page: page, 16 + 2 * index) as UInt16)
    }
  }

  /// A change of a root page with at least two nodes, and the page that is reported; nil for the
  /// root.
  struct Change: CustomTestStringConvertible, Sendable {
    let testDescription: String
    let page: UInt64?
    let make: @Sendable (FileCopy) -> Void
  }

  private static let changes: [Change] = [
    Change(testDescription: "another number", page: nil) { $0.set(7, page: $0.root, 0) },
    Change(testDescription: "another kind", page: nil) { $0.set(UInt16(4), page: $0.root, 10) },
    Change(testDescription: "no entries", page: nil) { $0.set(UInt16(16), page: $0.root, 12) },
    Change(testDescription: "an odd end of offsets", page: nil) {
      $0.set(UInt16(19), page: $0.root, 12)
    },
    Change(testDescription: "more offsets than bytes", page: nil) {
      $0.set(UInt16.max - 1, page: $0.root, 12)
    },
    Change(testDescription: "an offset behind the page", page: nil) {
      $0.set(UInt16.max, page: $0.root, 16)
    },
    Change(testDescription: "an offset in the header", page: nil) {
      $0.set(UInt16(2), page: $0.root, 16)
    },
    Change(testDescription: "a child that is a head page", page: 1) {
      $0.set(UInt32(1), page: $0.root, $0.node(0, page: $0.root))
    },
    Change(testDescription: "a child behind the file", page: 0xFF_FFFF) {
      $0.set(UInt32(0xFF_FFFF), page: $0.root, $0.node(0, page: $0.root))
    },
    Change(testDescription: "a child that is its parent", page: nil) {
      $0.set(UInt32($0.root), page: $0.root, $0.node(0, page: $0.root))
    },
  ]

  @Test(arguments: changes)
  func `a damaged page is told by its number`(change: Change) throws {
    let content = try Self.branched()
    defer { content.close() }
    let copy = try FileCopy(content)
    try #require(copy.depth > 1)
    #expect(try copy.table().entries(obx_pages_next).count == copy.table().count)
    change.make(copy)
    let damage = PageTable.Damage(
      status: OBX_PAGES_CORRUPT.rawValue,
      page: change.page ?? UInt64(copy.root)
    )
    #expect(throws: damage) { try copy.table().entries(obx_pages_next) }
    #expect(throws: damage) { try copy.table().runs(room: 20) }
    #expect(throws: damage) { try copy.table().record(0) }
  }

  @Test func `pages of which all lead to one leaf end a walk`() throws {
    let content = try Self.branched()
    defer { content.close() }
    let copy = try FileCopy(content)
    try #require(copy.depth > 1)
    let count = Int((copy.number(page: copy.root, 12) as UInt16 - 16) / 2)
    let first = copy.node(0, page: copy.root)
    let child: UInt32 = copy.number(page: copy.root, first)
    for index in 1..<count { copy.set(child, page: copy.root, copy.node(index, page: copy.root)) }
    let table = try copy.table()
    let found = Result { try table.entries(obx_pages_next).count }
    switch found {
    case .success(let found): #expect(found <= 2 * table.count)
    case .failure(let error): #expect(error is PageTable.Damage)
    }
  }

  @Test func `a table with flags of another kind has an unknown form`() throws {
    let content = try Self.branched()
    defer { content.close() }
    let copy = try FileCopy(content)
    copy.set(UInt16(2), page: 0, copy.record + 4)
    let unknownForm = PageTable.Damage(status: OBX_PAGES_UNKNOWN_FORM.rawValue, page: 0)
    #expect(throws: unknownForm) { try copy.table() }
  }

  @Test(arguments: 0..<8)
  func `random damage gives values or is told`(seed: Int) throws {
    let content = try seed % 2 == 0 ? Self.branched() : Self.index(seed: 3 + seed % 3)
    defer { content.close() }
    var random = SplitMix(seed: seed)
    let whole = try FileCopy(content)
    for _ in 0..<12 {
      let copy = FileCopy(whole)
      if Bool.random(using: &random) {
        copy.pageCount = Int.random(in: 3...copy.pageCount, using: &random)
      }
      for _ in 0..<Int.random(in: 0..<30, using: &random) {
        let page = Int.random(in: 2..<copy.pageCount, using: &random)
        let place = random.pick([
          Int.random(in: 0..<40, using: &random), copy.node(0, page: page),
        ])
        let number = UInt16.random(in: 0...300, using: &random)
        copy.set(number, page: page, min(place, copy.pageSize - 8))
      }
      guard copy.record + 48 <= copy.pageCount * copy.pageSize else { continue }
      do {
        let table = try copy.table()
        _ = try table.entries(obx_pages_next)
        _ = try table.entries(obx_pages_previous)
        if seed % 2 == 0 {
          _ = try table.runs(room: 50)
          _ = try table.changes(since: whole.table())
          _ = try whole.table().changes(since: table)
        } else {
          _ = try table.ids(from: [1], upTo: [2], room: 50)
        }
      } catch is PageTable.Damage {
        continue
      }
    }
  }
}
