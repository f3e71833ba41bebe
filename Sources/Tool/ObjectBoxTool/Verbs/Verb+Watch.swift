internal import Foundation
internal import ObjectBox
internal import ObjectBoxCommandLine
internal import ObjectBoxDynamic
internal import ObjectBoxJSON
internal import ObjectBoxLive

extension Verb {
  static let watch = Verb(
    name: "watch",
    summary: "follows the commits of programs, and shows which objects they change",
    operands: ["STORE", "ENTITY", "[CONDITION]"],
    options: [
      CommandOption("--columns NAMES", "shows these properties, with commas (default: all)"),
      CommandOption.format("text (default), or json, a change a line", of: ReportFormat.self),
      CommandOption("--changes NUMBER", "ends after as many changes (default: goes on)"),
    ],
    details: """
      '+' is an object that is new, or matches the condition now; '~' one that has changed, with its values before \
      and after; '-' one that was removed, or matches no more. Commits that follow one another within a tenth of a \
      second are told together, by the values before the first and after the last of them. The cost is that of what \
      was written, whatever the size of the store

      json lines are {"version":42,"id":1,"before":{...},"after":{...}}, without "before" for '+' and without \
      "after" for '-'. The condition is that of 'query'; a change of a related object alone is not told, and one of \
      a standalone relation is none of the object

      goes on until a signal ends it, with 130; ends with 0 after --changes, and with 1 when the store cannot be read
      """,
    examples: [
      "watch notes Note", #"watch notes Note 'stars > 3' --columns title,stars"#,
      "watch notes Note --format json | jq -c .after",
    ],
    run: watch
  )

  private static func watch(_ arguments: CommandArguments) throws -> ExitCode {
    let location = try StoreLocation.existing(arguments)
    let limit = try number(arguments, "--changes", 1...Int.max) ?? .max
    let store = try location.openToRead()
    defer { store.close() }
    let entity = try entity(arguments.operands[1], in: store.schema)
    let columns = try columns(names(arguments, "--columns"), of: entity)
    let changes = try ResultChanges(
      entity,
      condition: arguments.operands.count > 2 ? arguments.operands[2] : "",
      in: store
    )
    var follower = try CommitFollower(store)
    var output = ChangeOutput(columns, ReportFormat(arguments), limit: limit)
    Console.tell("watching '\(entity.name)' from version \(try follower.current.version()) on")
    do {
      while true {
        let before = follower.current
        let after = try follower.next()
        output.version = try after.version()
        try changes.forEach(from: before, to: after) { change in
          try Interruption.check()
          try output.write(change)
        }
        try output.flush()
      }
    } catch is ChangeOutput.Complete {
      try output.flush()
      return .success
    }
  }
}

/// Writes changes, for people or for scripts.
private struct ChangeOutput {
  /// Thrown after the last wanted change.
  struct Complete: Error {}

  private static let pieceSize = 1 << 16

  /// The version after the changes.
  var version = 0
  private let columns: [CellText]
  private let objects: RecordJSON
  private let format: ReportFormat
  private let limit: Int
  private var count = 0
  /// The version of the last line.
  private var shownVersion = 0
  private var writer = JSONWriter()
  private var output = StandardOutput()

  init(_ columns: [PropertySchema], _ format: ReportFormat, limit: Int) {
    self.columns = columns.map(CellText.init)
    objects = RecordJSON(columns)
    self.format = format
    self.limit = limit
  }

  mutating func write(_ change: ResultChanges.Change) throws {
    guard let record = change.after ?? change.before else { return }
    switch format {
    case .json: writeJSON(change, record.objectID)
    case .text:
      guard let line = line(change, record) else { return }
      if shownVersion != version {
        shownVersion = version
        writer.raw("version \(version)\n")
      }
      writer.raw(line + "\n")
    }
    count += 1
    if count == limit { throw Complete() }
    if writer.bytes.count >= Self.pieceSize { try flush() }
  }

  mutating func flush() throws {
    try output.write(writer.bytes)
    writer.removeAll()
  }

  private mutating func writeJSON(_ change: ResultChanges.Change, _ id: UInt64) {
    writer.raw("{\"version\":\(version),\"id\":\(id)")
    for (key, record) in [("before", change.before), ("after", change.after)] {
      guard let record else { continue }
      writer.raw(",\"\(key)\":")
      objects.write(record, to: &writer)
    }
    writer.raw("}\n")
  }

  /// The line of a change; nil when no shown value has changed.
  private func line(_ change: ResultChanges.Change, _ record: RecordReader) -> String? {
    let values = columns.filter { !$0.property.has(.id) }
    let parts: [String]
    let mark: String
    switch change {
    case (let before?, let after?):
      mark = "~"
      parts = values.compactMap { column in
        guard column.whole(in: before) != column.whole(in: after) else { return nil }
        return "\(column.property.name): \(text(column, before)) → \(text(column, after))"
      }
      if parts.isEmpty { return nil }
    default:
      mark = change.after == nil ? "-" : "+"
      parts = values.compactMap { column in
        column.shown(in: record).map { "\(column.property.name): \($0)" }
      }
    }
    let line = "  \(mark) \(record.objectID)  \(parts.joined(separator: ", "))"
    let colour = mark == "+" ? 32 : mark == "-" ? 31 : 33
    return Console.isColoured ? "\u{1B}[\(colour)m\(line)\u{1B}[0m" : line
  }

  private func text(_ column: CellText, _ record: RecordReader) -> String {
    column.shown(in: record) ?? "null"
  }
}
