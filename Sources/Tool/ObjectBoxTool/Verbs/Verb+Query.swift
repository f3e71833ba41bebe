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
      CommandOption("--best", "the best matches first, instead of by '--order'"),
      CommandOption("--snippets WORDS", "marks found words, with as many words of each text"),
      CommandOption("--explain", "tells how the objects are found, and finds none"),
      CommandOption(
        "--width NUMBER",
        "shortens texts so that lines of a table fit; 0 for any width (default: of the terminal)"
      ),
      CommandOption("--output, -o FILE", "write there instead of to standard output"),
      DatabaseAddress.schemaOption,
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
        matches                                text matches "swift conc* \\"data race\\" -objc"

      'matches' searches the full-text index of a property, or of several by the name of the index. '--best' puts \
      the matches with the highest scores first, or the nearest neighbours. '--snippets 12' shows 12 words of each \
      text around those that were found, with '**' at both sides of them

      texts stand in quotes, names that are words of the language in backticks. Dates are 1990-01-31, \
      1990-01-31T12:30 or 1990-01-31T12:30:15.5+02:00, in UTC without a zone; bytes 0x00ff; UUIDs texts. A null \
      matches 'is null' only

      STORE may be the address of a database of ObjectBoxCluster as well, postgresql://USER@HOST/DATABASE

      a table cuts long values, on a terminal also to its width (or COLUMNS); json and csv have them whole. In csv, dates are as above, vectors JSON, bytes Base64, \
      and null is an empty field

      ends with 0, or 1 when the condition has a fault or the store cannot be read
      """,
    examples: [
      #"query notes Note 'created > 2026-01-01 && title startsWith "A"' --order -created --limit 20"#,
      "query notes Author --columns id,name --format csv -o authors.csv",
      #"query notes Note 'author.name == "Ada"' --explain"#,
      #"query notes Note 'text matches "swift \"data race\""' --best --limit 10 --snippets 12"#,
      "query postgresql://db1/app Note 'stars > 3' --count",
    ],
    run: query
  )

  private static func query(_ arguments: CommandArguments) throws -> ExitCode {
    try answer(arguments, as: arguments.value("--format").flatMap(ResultFormat.init) ?? .table)
  }

  /// Writes the results of a command line's query.
  static func answer(_ arguments: CommandArguments, as format: ResultFormat) throws -> ExitCode {
    let source = try ObjectSource(arguments)
    defer { source.close() }
    let entity = try entity(arguments.operands[1], in: source.schema)
    let limit = try number(arguments, "--limit", 0...Int.max) ?? 0
    let offset = try number(arguments, "--offset", 0...Int.max) ?? 0
    let query = try source.query(
      entity.name,
      condition: arguments.operands.count > 2 ? arguments.operands[2] : "",
      orders: names(arguments, "--order")
    )
    if arguments.has("--explain") {
      try Console.write(try query.explain(limit: limit).printable + "\n")
      return .success
    }
    if arguments.has("--count") {
      try Console.write("\(try query.count())\n")
      return .success
    }
    let columns = try columns(names(arguments, "--columns"), of: entity)
    let separator = try separator(arguments, arguments.value("--output") ?? "")
    let found = try number(arguments, "--snippets", 1...1000).map(query.foundTexts)
    let part = ResultPart(offset: offset, limit: limit, isBestFirst: arguments.has("--best"))
    if part.isBestFirst, !names(arguments, "--order").isEmpty {
      throw Failure("'--best' and '--order' are two orders; leave one of them out")
    }
    let width = try number(arguments, "--width", 0...Int.max)
    guard let path = arguments.value("--output") else {
      let results = try ResultOutput(
        columns,
        as: format,
        to: StandardOutput(),
        isColoured: Console.isColoured,
        width: width.map { $0 == 0 ? nil : $0 } ?? Console.width,
        separator: separator,
        found: found
      )
      if try write(query, part, to: results).hasShortened {
        Console.tell(
          "note: texts that end with '…' are shortened to the width; '--width 0' and '--format json' show more"
        )
      }
      return .success
    }
    try source.location?.checkIsNotOwn(path)
    let file = try OutputFile(path, mode: (source.location?.fileMode ?? 0o600) & 0o666)
    let results = try ResultOutput(
      columns,
      as: format,
      to: file,
      width: width == 0 ? nil : width,
      separator: separator,
      found: found
    )
    let total = Console.isInteractive ? try query.count() : 0
    let count = try write(query, part, to: results, of: total).count
    try file.finish()
    Console.tell("wrote \(count.counted("object")) to '\(path)'")
    return .success
  }

  /// Writes the results and returns the output.
  ///
  /// A total enables the progress bar.
  private static func write(
    _ query: ObjectQuery,
    _ part: ResultPart,
    to results: ResultOutput,
    of total: Int = 0
  ) throws -> ResultOutput {
    var results = results
    var bar = ProgressBar("write")
    defer { bar.end() }
    try query.forEachRecord(part) { record in
      try Interruption.check()
      try results.write(record)
      bar.show(results.count, of: total)
    }
    try results.finish()
    return results
  }

  // MARK: Names

  /// Returns the entity with a name; a unique match that ignores case also counts.
  static func entity(_ name: String, in schema: StoreSchema) throws -> EntitySchema {
    if let entity = schema.entities.first(where: { $0.name == name }) { return entity }
    let similar = schema.entities.filter { $0.name.lowercased() == name.lowercased() }
    if similar.count == 1 { return similar[0] }
    let names = schema.entities.map { "'\($0.name)'" }.joined(separator: ", ")
    throw Failure("there is no entity '\(name)'; there is \(names.isEmpty ? "none" : names)")
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
    return try names.enumerated().map { place, name in
      if names[..<place].contains(name) {
        throw Failure("'--columns' names '\(name)' twice; name each property once")
      }
      guard let property = entity.properties.first(where: { $0.name == name }) else {
        let known = entity.properties.map { "'\($0.name)'" }.joined(separator: ", ")
        throw Failure("'\(entity.name)' has no property '\(name)'; it has \(known)")
      }
      return property
    }
  }
}
