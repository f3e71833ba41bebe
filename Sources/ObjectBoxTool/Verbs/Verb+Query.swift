internal import Foundation
internal import ObjectBox
internal import ObjectBoxCommandLine

extension Verb {
  static let query = Verb(
    name: "query",
    summary: "finds objects by a condition, and shows them as a table, JSON or CSV",
    operands: ["STORE", "ENTITY", "[CONDITION]"],
    options: [
      CommandOption("--order NAMES", "by these properties, with commas; '-name' descends"),
      CommandOption("--limit NUMBER", "at most as many; 0 for all (default)"),
      CommandOption("--offset NUMBER", "leaves as many out at the beginning"),
      CommandOption("--columns NAMES", "shows these properties, with commas (default: all)"),
      CommandOption.format(
        "table (default), json, an object a line, or csv",
        of: ResultFormat.self
      ),
      CommandOption("--count", "tells how many objects match"),
      CommandOption("--explain", "tells how the objects are found, and finds none"),
      CommandOption("--output, -o FILE", "write there instead of to standard output"),
    ],
    details: """
      a condition compares properties with values, joined by '&&' (and) and '||' (or), with parentheses:

        ==, !=, <, <=, >, >=                   name == "Ada", born < 1990-01-31, rank != 3, isDone == true
        between, in, not in                    rank between 1 and 5, name in ["Ada", "Bob"]
        startsWith, endsWith, contains         name startsWith "A" ignoring case, tags contains "swift"
        is null, is not null                   photo is null
        RELATION(…), RELATION.PROPERTY         author(born < 1990-01-01 && name == "Ada"), author.name == "Ada"
        ENTITY.RELATION(…)                     of authors: Note.author(title contains "Swift")
        is nearest to […] at most NUMBER       place is nearest to [52.5, 13.4] at most 10

      texts stand in quotes, names that are words of the language in backticks. Dates are 1990-01-31, \
      1990-01-31T12:30 or 1990-01-31T12:30:15.5+02:00, in UTC without a zone; bytes 0x00ff; UUIDs texts. A null \
      matches 'is null' only

      a table cuts long values; json and csv have them whole. In csv, dates are as above, vectors JSON, bytes Base64, \
      and null is an empty field

      ends with 0, or 1 when the condition has a fault or the store cannot be read
      """,
    examples: [
      #"query notes Note 'created > 2026-01-01 && title startsWith "A"' --order -created --limit 20"#,
      "query notes Author --columns id,name --format csv -o authors.csv",
      #"query notes Note 'author.name == "Ada"' --explain"#,
    ],
    run: query
  )

  private static func query(_ arguments: CommandArguments) throws -> ExitCode {
    let location = try StoreLocation.existing(arguments)
    let store = try location.openToRead()
    defer { store.close() }
    let entity = try entity(arguments.operands[1], in: store.schema)
    let limit = try number(arguments, "--limit", 0...Int.max) ?? 0
    let offset = try number(arguments, "--offset", 0...Int.max) ?? 0
    let query = try StoreQuery(
      entity.name,
      condition: arguments.operands.count > 2 ? arguments.operands[2] : "",
      orders: names(arguments, "--order"),
      in: store
    ).query
    if arguments.has("--explain") {
      try Console.write(try query.explain(limit: limit).printable + "\n")
      return .success
    }
    if arguments.has("--count") {
      try Console.write("\(try query.count())\n")
      return .success
    }
    let format = arguments.value("--format").flatMap(ResultFormat.init) ?? .table
    let columns = try columns(names(arguments, "--columns"), of: entity)
    guard let path = arguments.value("--output") else {
      try write(
        query,
        offset,
        limit,
        columns,
        format,
        to: StandardOutput(),
        isTerminal: Console.isColoured
      )
      return .success
    }
    try location.checkIsNotOwn(path)
    let file = try OutputFile(path, mode: location.fileMode & 0o666)
    let count = try write(query, offset, limit, columns, format, to: file)
    try file.finish()
    Console.tell("wrote \(count.counted("object")) to '\(path)'")
    return .success
  }

  @discardableResult
  private static func write(
    _ query: DynamicQuery,
    _ offset: Int,
    _ limit: Int,
    _ columns: [PropertySchema],
    _ format: ResultFormat,
    to output: any ByteOutput,
    isTerminal: Bool = false
  ) throws -> Int {
    var results = try ResultOutput(columns, as: format, to: output, isColoured: isTerminal)
    try query.forEachRecord(offset: offset, limit: limit) { record in
      try Interruption.check()
      try results.write(record)
    }
    try results.finish()
    return results.count
  }

  // MARK: Names

  /// Returns the entity of a name, also one in another case of letters when there is only one.
  static func entity(_ name: String, in schema: StoreSchema) throws -> EntitySchema {
    if let entity = schema.entities.first(where: { $0.name == name }) { return entity }
    let similar = schema.entities.filter { $0.name.lowercased() == name.lowercased() }
    if similar.count == 1 { return similar[0] }
    let names = schema.entities.map { "'\($0.name)'" }.joined(separator: ", ")
    throw Failure("the store has no entity '\(name)'; it has \(names.isEmpty ? "none" : names)")
  }

  static func names(_ arguments: CommandArguments, _ option: String) -> [String] {
    arguments.all(option).flatMap { $0.split(separator: ",") }
      .map { $0.trimmingCharacters(in: .whitespaces) }
  }

  static func columns(
    _ names: [String],
    of entity: EntitySchema
  ) throws -> [PropertySchema] {
    if names.isEmpty { return entity.properties }
    return try names.map { name in
      guard let property = entity.properties.first(where: { $0.name == name }) else {
        let known = entity.properties.map { "'\($0.name)'" }.joined(separator: ", ")
        throw Failure("'\(entity.name)' has no property '\(name)'; it has \(known)")
      }
      return property
    }
  }
}
