internal import Foundation
internal import ObjectBox
internal import ObjectBoxCommandLine
internal import ObjectBoxDynamic

extension Verb {
  static let importing = Verb(
    name: "import",
    summary: "stores objects of a CSV or JSON Lines file, with their types checked",
    operands: ["STORE", "ENTITY", "[FILE]"],
    options: [
      CommandOption.format(
        "csv, or json, an object a line (default: by the name of the file)",
        of: ImportFormat.self
      ),
      separatorOption,
      CommandOption(
        "--rejected FILE",
        "stores all good lines, and writes the faulty ones there; otherwise one faulty line keeps all from being stored"
      ),
      CommandOption("--max-faults NUMBER", "tells at most as many faults (default 20; 0 for all)"),
      CommandOption("--update", "stored objects keep the values that a line leaves out"),
      CommandOption("--replace", "values that a line leaves out become null in stored objects"),
      CommandOption(
        "--model FILE",
        "model.json of the program, to make the store if it is missing"
      ),
    ],
    details: """
      the first line of CSV has the names of properties; an empty field is null, and "" an empty text. Dates are \
      1990-01-31, 1990-01-31T12:30:15.5Z or numbers as in dumps, bytes Base64, UUIDs texts, vectors JSON, to-one \
      relations IDs. Without --format, names that end with .csv, .tsv, .json, .jsonl or .ndjson tell the form; \
      FILE may be left out or - for standard input

      an object whose ID is stored replaces that one; one without an ID, or with 0, gets a new one. A line that \
      leaves out a value of the stored object is refused without --update or --replace; an empty field of CSV, and \
      null in JSON, are no omission. In a new object a value that is left out is null, which a program reads as 0, false, \
      an empty text or the like if its property is not optional. All is stored in \
      one transaction; with --rejected in transactions of \(Load.usualBatchSize), and faulty lines do not keep the \
      others from being stored

      ends with 0, or 1 when a line is faulty or the store cannot be written
      """,
    examples: [
      "import notes Author authors.csv", "import notes Note stars.csv --update",
      "import notes Note notes.jsonl --rejected faulty.jsonl",
      "query other Note --format json | objectbox import notes Note --format json",
    ],
    run: importing
  )

  static let separatorOption = CommandOption(
    "--separator TEXT",
    "between the fields of CSV, 'tab' for a tab (default: a tab in files that end with .tsv, else a comma)"
  )

  private static func importing(_ arguments: CommandArguments) throws -> ExitCode {
    let path = arguments.operands.count > 2 ? arguments.operands[2] : "-"
    guard
      let format = arguments.value("--format").flatMap(ImportFormat.init(rawValue:))
        ?? ImportFormat(path: path)
    else {
      throw UsageFault(text: "the name '\(path)' tells no form; use --format csv or --format json")
    }
    let separator = try separator(arguments, path)
    let limit = try number(arguments, "--max-faults", 0...Int.max) ?? 20
    let merging = try merging(arguments)
    let target = try ImportTarget(arguments)
    var isStored = false
    defer { target.close(isStored: isStored) }
    let (store, location) = (target.store, target.location)
    let schema = try entity(arguments.operands[1], in: store.schema)
    guard let index = store.schema.index(ofEntity: schema.name) else { return .failure }
    let entity = DumpEntity(schema, index: index)
    try SyncWarning.tell(store, writing: [schema])
    let lines = try InputLines(path == "-" ? nil : path)
    let records = try ImportRecords(lines, as: format, separator: separator, of: entity)
    var rejected: OutputFile?
    if let path = arguments.value("--rejected") {
      try location.checkIsNotOwn(path)
      rejected = try OutputFile(path, mode: location.fileMode & 0o666)
      if let header = records.header { try rejected?.write(header + [0x0A]) }
    }
    var faults = ImportFaults(limit: limit, file: rejected)
    let run = ImportRun(entity, records, merging)
    return try Self.run(run, of: lines, into: store, &faults) { isStored = true }
  }

  private static func merging(_ arguments: CommandArguments) throws -> ImportMerging {
    switch (arguments.has("--update"), arguments.has("--replace")) {
    case (false, false): .none
    case (true, false): .update
    case (false, true): .replace
    case (true, true):
      throw UsageFault(
        text: "'--update' keeps the values that '--replace' makes null; leave one of them out"
      )
    }
  }

  private static func run(
    _ start: ImportRun,
    of lines: InputLines,
    into store: Store,
    _ faults: inout ImportFaults,
    didStore: () -> Void
  ) throws -> ExitCode {
    var run = start
    var bar = ProgressBar("import")
    defer { bar.end() }
    let isWhole = faults.file == nil
    var stored = 0
    do {
      while !run.isAtEnd {
        try store.writingStored { writing in
          try run.storeBatch(writing, size: isWhole ? nil : Load.usualBatchSize) { rejected in
            try faults.add(rejected)
          } progress: { _ in
            try Interruption.check()
            bar.show(lines.readCount, of: lines.size)
          }
          if isWhole, !faults.isEmpty { throw ImportFaults.Refused() }
        }
        stored = run.stored
        if stored > 0 { didStore() }
      }
      didStore()
    } catch is ImportFaults.Refused {
      bar.end()
      faults.tellRest()
      Console.tell(
        faults.count == 0
          ? "nothing was stored"
          : "nothing was stored: \(faults.count.counted("faulty line")); '--rejected FILE' stores the others"
      )
      return .failure
    } catch {
      bar.end()
      Console.tell(stored == 0 ? "nothing was stored" : "stored \(stored.counted("object"))")
      throw error
    }
    bar.end()
    try faults.file?.finish()
    faults.tellRest()
    run.numbers.tell()
    let new = run.new == 0 ? "" : ", \(run.new) of them new"
    Console.tell("stored \(stored.counted("object"))\(new)")
    if faults.count > 0 { Console.tell("rejected \(faults.count.counted("line"))") }
    return faults.count > 0 ? .failure : .success
  }

  /// The byte between CSV fields: from the option, or else by the file's name.
  static func separator(_ arguments: CommandArguments, _ path: String) throws -> UInt8 {
    guard let text = arguments.value("--separator") else {
      return path.lowercased().hasSuffix(".tsv") ? UInt8(ascii: "\t") : UInt8(ascii: ",")
    }
    if text == "tab" || text == "\\t" { return UInt8(ascii: "\t") }
    let bytes = Array(text.utf8)
    guard bytes.count == 1, !bytes.contains(where: { [0x22, 0x0A, 0x0D].contains($0) }) else {
      throw UsageFault(text: "'\(text)' is no separator; use one character, such as ';', or 'tab'")
    }
    return bytes[0]
  }
}

/// The store that objects are imported into.
private struct ImportTarget {
  let location: StoreLocation
  let store: Store
  private let isNew: Bool

  /// Opens the store that the command line names, or makes it with a model.
  ///
  /// - Parameter arguments: The command line.
  /// - Throws: ``Failure`` when there is no store and no model; `ObjectBoxError` for a store that
  ///   cannot be opened or made.
  init(_ arguments: CommandArguments) throws {
    var location = try StoreLocation(arguments.operands[0])
    isNew = location.fileSize == nil
    guard isNew else {
      location.encryption = try StoreKey.of(location, arguments)
      self.location = location
      store = try location.openToShare()
      return
    }
    guard let model = arguments.value("--model") else {
      do { try location.checkExists() } catch {
        throw Failure("\(error); to make one, add '--model FILE' with model.json of the program")
      }
      throw Failure("there is no store in '\(location.directory)'")
    }
    try location.checkIsFree()
    location.encryption = try StoreKey.own.read(arguments)
    self.location = location
    store = try Store(
      configuration: location.configuration(maximumSizeInKilobytes: nil),
      modelJSON: URL(fileURLWithPath: model)
    )
  }

  /// Closes the store; removes a new store in which nothing is stored.
  func close(isStored: Bool) {
    guard isNew, !isStored else { return store.close() }
    do { try store.closeAndDeleteAllFiles() } catch { Console.tell("error: \(error)") }
  }
}
