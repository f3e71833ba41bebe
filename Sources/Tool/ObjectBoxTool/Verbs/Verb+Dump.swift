internal import ObjectBox
internal import ObjectBoxCommandLine

extension Verb {
  static let dump = Verb(
    name: "dump",
    summary: "writes all objects as JSON Lines, with the schema, exactly as they are stored",
    operands: ["STORE", "[ENTITY ...]"],
    options: [
      CommandOption(
        "--output, -o FILE",
        "write there instead of to standard output; whole or not at all"
      )
    ],
    details: """
      the first line has the version of the dump, the schema as a model file, and how much follows; then comes a \
      line for each object, {"ENTITY":{"id":1,...}}, and then the pairs of standalone relations, \
      {"relation":1,"source":2,"targets":[3]}. Nulls are left out. Dates are milliseconds or nanoseconds since 1970, \
      to-one relations IDs, bytes Base64, UUIDs their usual text; what is no number is "NaN", "Infinity", \
      "-Infinity" or its bits, "0x7fc00001"

      the dump is of one version, whatever programs write meanwhile; the pages of that version are kept until it \
      ends. With entities, relations are written when both ends are. Data of earlier models is not written

      ends with 0, or 1 when the store cannot be read or the output not written
      """,
    examples: [
      "dump notes -o notes.jsonl", "dump notes Note Author | gzip >notes.jsonl.gz",
      "dump notes | jq -r '.Note.title // empty'",
    ],
    run: dump
  )

  private static func dump(_ arguments: CommandArguments) throws -> ExitCode {
    let location = try StoreLocation.existing(arguments)
    let store = try location.openToRead()
    defer { store.close() }
    var bar = ProgressBar("dump")
    defer { bar.end() }
    let dump = Dump(store, entities: Array(arguments.operands.dropFirst())) { done, total in
      try Interruption.check()
      bar.show(done, of: total)
    }
    guard let path = arguments.value("--output") else {
      var output = StandardOutput()
      try dump.write(to: &output)
      return .success
    }
    try location.checkIsNotOwn(path)
    // A dump contains the store's secrets, so it gets no wider permissions.
    var output = try OutputFile(path, mode: location.fileMode & 0o666)
    let header = try dump.write(to: &output)
    try output.finish()
    bar.end()
    let count = header.entities.reduce(0) { $0 + ($1.count ?? 0) }
    Console.tell("wrote \(count.counted("object")) to '\(path)'")
    return .success
  }
}
