internal import Foundation
internal import ObjectBox
internal import ObjectBoxCommandLine
internal import ObjectBoxDynamic
internal import ObjectBoxJSON
internal import ObjectBoxStorage

extension Verb {
  static let stats = Verb(
    name: "stats",
    summary: "tells how a store uses its file: the pages of each table, free pages, readers",
    operands: ["STORE"],
    options: [ReportFormat.option, SizeLimit.option],
    details: """
      main lists the tables, free the free pages, objectbox has the schema; free pages count those that wait until \
      no reader needs them

      \(SizeLimit.details)

      readers are slots of lock.mdb: the version that one reads keeps its pages from being used again; a reader \
      of a process that is gone is freed by the next program that opens the store to write. A process in another \
      container is not seen, and told as gone

      ends with 0, or 1 when the store cannot be read
      """,
    examples: ["stats notes", "stats notes --format json"],
    run: stats
  )

  private static func stats(_ arguments: CommandArguments) throws -> ExitCode {
    let limit = try SizeLimit.bytes(arguments)
    let location = try StoreLocation.existing(arguments)
    let store = try location.openToRead()
    defer { store.close() }
    let report = try StatsReport(store, at: location.file, limit)
    try Console.write(ReportFormat(arguments) == .json ? report.json : report.text.printable)
    return .success
  }
}

/// Reports how a store uses its file.
struct StatsReport {
  private let pages: StorePages
  /// LMDB's own tables first, then the other tables by number.
  private let tables: [TablePages]
  private let pageSize: Int
  private let pageCount: Int
  private let fileSize: Int
  private let limit: SizeLimit
  private let path: String
  /// The content of each table, by table name.
  private let contents: [String: String]
  /// The readers except this tool's reader.
  private let readers: [ReaderSlot]

  init(_ store: Store, at file: String, _ maximumSize: Int) throws {
    let statistics = try store.statistics
    pages = try store.pages()
    limit = SizeLimit(maximumSize, statistics, pages)
    let named = pages.tables.dropFirst(2)
    tables =
      pages.tables.prefix(2)
      + named.sorted { $0.name.compare($1.name, options: .numeric) == .orderedAscending }
    pageSize = statistics.pageSizeInBytes
    pageCount = statistics.pages
    fileSize = StoreLocation.size(ofStoreWith: file) ?? 0
    path = file
    contents = Self.contents(store.schema)
    readers = pages.readers.filter { $0.process != getpid() }
  }

  private static func contents(_ schema: StoreSchema) -> [String: String] {
    var contents = [
      "main": "tables", "free": "free pages", "objectbox": "schema, layouts, ID sequences",
      "sync": "queue and state of synchronization",
    ]
    for entity in schema.entities {
      contents["e\(entity.identity.id)"] = "objects of \(entity.name)"
      for property in entity.properties {
        guard let index = property.index else { continue }
        let isGraph = property.hnsw != nil
        contents["\(isGraph ? "v" : "i")\(index.id)"] =
          "\(isGraph ? "graph" : "index") of \(entity.name).\(property.name)"
      }
      for index in entity.compoundIndexes {
        let names = entity.names(of: index.propertyIDs)
        contents["i\(index.identity.id)"] =
          "index of \(entity.name).(\(names.joined(separator: ", ")))"
      }
      for index in entity.fullTextIndexes {
        contents["f\(index.identity.id)"] =
          "words of \(entity.name).\(index.title(in: entity))"
        contents["s\(index.identity.id)"] =
          "last words of \(entity.name).\(index.title(in: entity))"
      }
      for relation in entity.relations {
        let target = schema.name(ofEntity: relation.target.id)
        contents["r\(relation.identity.id)"] = "pairs from \(entity.name) to \(target)"
        contents["b\(relation.identity.id)"] = "the same pairs by their targets"
      }
    }
    return contents
  }

  private func content(of table: TablePages) -> String {
    contents[table.name] ?? "kept of an earlier model"
  }

  // MARK: Text

  var text: String {
    var text = """
      \(path)
        version     \(pages.version)
        file        \(fileSize.asByteCount), \(pageCount.counted("page")) of \(pageSize) bytes
        free        \(pages.freePages.counted("page")), \((pages.freePages * pageSize).asByteCount)
        limit       \(limit.text)


      """
    var tables = ConsoleTable(
      ["table", "entries", "depth", "branch", "leaf", "overflow", "size", "content"],
      numbers: [1, 2, 3, 4, 5, 6]
    )
    for table in self.tables {
      tables.add(
        [
          table.name, "\(table.entries)", "\(table.depth)", "\(table.branchPages)",
          "\(table.leafPages)", "\(table.overflowPages)", (table.pages * pageSize).asByteCount,
          content(of: table),
        ]
      )
    }
    text += tables.text
    guard !readers.isEmpty else { return text + "\nno other process reads the store\n" }
    text += "\n"
    var slots = ConsoleTable(["reader", "thread", "version", "behind", ""], numbers: [0, 2, 3])
    for slot in readers {
      slots.add(
        [
          "\(slot.process)", String(slot.thread, radix: 16), slot.version.map { "\($0)" } ?? "-",
          slot.version.map { (pages.version - $0).counted("commit") } ?? "-",
          slot.isAlive ? Self.name(of: slot.process) : "stale: there is no such process",
        ]
      )
    }
    return text + slots.text
  }

  /// Returns the name of a process; empty when the system does not report it.
  private static func name(of process: Int32) -> String {
    guard let file = FileHandle(forReadingAtPath: "/proc/\(process)/comm") else { return "" }
    // The size of a file in /proc is unknown before it is read.
    return String(decoding: file.readDataToEndOfFile(), as: UTF8.self)
      .trimmingCharacters(in: .whitespacesAndNewlines)
  }

  // MARK: JSON

  var json: String {
    var writer = JSONWriter()
    let size: [(key: String, write: (inout JSONWriter) -> Void)] = [
      ("store", { $0.string(path) }), ("version", { $0.integer(pages.version) }),
      ("fileSize", { $0.integer(fileSize) }), ("pageSize", { $0.integer(pageSize) }),
      ("pages", { $0.integer(pageCount) }), ("freePages", { $0.integer(pages.freePages) }),
    ]
    let content: [(key: String, write: (inout JSONWriter) -> Void)] = [
      ("tables", { $0.list(tables) { write($1, to: &$0) } }),
      ("readers", { $0.list(readers) { write($1, to: &$0) } }),
    ]
    writer.object(size + limit.members + content)
    return String(decoding: writer.bytes, as: UTF8.self) + "\n"
  }

  private func write(_ table: TablePages, to writer: inout JSONWriter) {
    writer.object([
      ("name", { $0.string(table.name) }), ("content", { $0.string(content(of: table)) }),
      ("entries", { $0.integer(table.entries) }), ("depth", { $0.integer(table.depth) }),
      ("branchPages", { $0.integer(table.branchPages) }),
      ("leafPages", { $0.integer(table.leafPages) }),
      ("overflowPages", { $0.integer(table.overflowPages) }),
      ("bytes", { $0.integer(table.pages * pageSize) }),
    ])
  }

  private func write(_ slot: ReaderSlot, to writer: inout JSONWriter) {
    writer.object([
      ("process", { $0.integer(slot.process) }),
      ("thread", { $0.string(String(slot.thread, radix: 16)) }),
      (
        "version",
        { writer in
          if let version = slot.version { writer.integer(version) } else { writer.raw("null") }
        }
      ),
      ("isStale", { $0.raw(slot.isAlive ? "false" : "true") }),
    ])
  }
}
