internal import ObjectBoxCommandLine

extension Verb {
  static let export = Verb(
    name: "export",
    summary: "writes the objects of an entity as CSV or JSON Lines, for other programs",
    operands: ["STORE", "ENTITY", "[CONDITION]"],
    options: [
      CommandOption(
        "--output, -o FILE",
        "write there instead of to standard output; whole or not at all"
      ),
      CommandOption.format(
        "csv, or json, an object a line (default: by the name of FILE, else csv)",
        of: ImportFormat.self
      ),
      CommandOption("--columns NAMES", "writes these properties, with commas (default: all)"),
      CommandOption("--order NAMES", "by these properties, with commas; '-name' descends"),
      separatorOption, DatabaseAddress.schemaOption,
    ],
    details: """
      the condition is that of 'query'. Dates of CSV are 1990-01-31T12:30:15Z, vectors JSON, bytes Base64; null is an \
      empty field. 'import' reads what this writes; relations of many objects are in 'dump' only. STORE may be the \
      address of a database of ObjectBoxCluster as well, postgresql://USER@HOST/DATABASE

      ends with 0, or 1 when the store cannot be read or the output not written
      """,
    examples: [
      "export notes Author -o authors.csv",
      "export notes Note 'created > 2026-01-01' --columns id,title -o notes.jsonl",
    ],
    run: export
  )

  private static func export(_ arguments: CommandArguments) throws -> ExitCode {
    let format =
      arguments.value("--format").flatMap(ImportFormat.init(rawValue:))
      ?? arguments.value("--output").flatMap(ImportFormat.init(path:)) ?? .csv
    return try answer(arguments, as: format == .csv ? .csv : .json)
  }
}
