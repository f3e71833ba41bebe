internal import ObjectBox
internal import ObjectBoxCommandLine
internal import ObjectBoxDynamic

extension Verb {
  static let load = Verb(
    name: "load",
    summary: "stores the objects of a dump under their IDs, in a new store or an existing one",
    operands: ["STORE", "[FILE]"],
    options: [
      CommandOption(
        "--batch NUMBER",
        "objects of a transaction; 0 for all in one. Default: all in one up to \(Load.allInOneLimit) objects, "
          + "else \(Load.usualBatchSize)"
      ),
      CommandOption(
        "--max-size KIB",
        "greatest size of the file, as maxDbSizeInKByte of the program has it; default 256 GiB"
      ),
    ],
    details: """
      FILE is a dump; without it, or for -, standard input. A store that is missing is made with the schema of the \
      dump, encrypted if a key is given; an existing one must have the same entities as the dump, with the same properties, types, indexes and \
      UIDs. Objects replace those that have their IDs, and others stay. No ID of the dump is given out again, also \
      those of objects that were removed

      a line that cannot be stored is told as FILE:LINE:COLUMN with what was found and what is expected. In one \
      transaction nothing is stored then. In batches, those before stay, and the same command goes on from there \
      once the line is right: objects are put again under their IDs, which does no harm

      ends with 0, or 1 when not everything is stored
      """,
    examples: [
      "load copy notes.jsonl", "dump notes | objectbox load copy",
      "load copy notes.jsonl --batch 0",
    ],
    run: load
  )

  private static func load(_ arguments: CommandArguments) throws -> ExitCode {
    var location = try StoreLocation(arguments.operands[0])
    location.encryption =
      location.fileSize == nil
      ? try StoreKey.own.read(arguments) : try StoreKey.of(location, arguments)
    let batch: Int? = try number(arguments, "--batch", 0...Int.max)
    let size: Int? = try number(arguments, "--max-size", 64...(Int.max / 1024))
    let path = arguments.operands.count > 1 ? arguments.operands[1] : "-"
    let load = try Load(try InputLines(path == "-" ? nil : path))
    let target = try LoadTarget(location, load, maximumSizeInKilobytes: size.map { UInt64($0) })
    try SyncWarning.tell(target.store, writing: load.header.schema.entities)
    let batchSize = load.batchSize(asked: batch)
    var bar = ProgressBar("load")
    defer { bar.end() }
    do {
      let outcome = try load.run(into: target.store, batchSize: batchSize) { done in
        try Interruption.check()
        bar.show(done, of: load.header.totalCount)
      }
      target.store.close()
      bar.end()
      let pairs = outcome.pairs > 0 ? " and \(outcome.pairs.counted("pair")) of relations" : ""
      Console.tell("stored \(outcome.objects.counted("object"))\(pairs)")
      return .success
    } catch let stopped as Load.Stopped {
      bar.end()
      try target.giveUp(stopped)
      throw stopped.cause
    }
  }
}

/// The store that a dump is loaded into.
private struct LoadTarget {
  let store: Store
  private let isNew: Bool

  /// Opens the store, or makes it with the dump's schema.
  init(_ location: StoreLocation, _ load: Load, maximumSizeInKilobytes size: UInt64?) throws {
    isNew = location.fileSize == nil
    var configuration = location.configuration(maximumSizeInKilobytes: size)
    if isNew {
      try location.checkIsFree()
      store = try Store(schema: load.header.schema, configuration: configuration)
      return
    }
    try location.checkExists()
    // A program that shares the store may have it open.
    configuration.isSharedWithOtherProcesses = location.isShared
    store = try Store(existing: configuration)
    do {
      try load.check(against: store.schema)
    } catch {
      store.close()
      throw error
    }
  }

  /// Reports what is stored after an unfinished load; removes a new store without content.
  func giveUp(_ stopped: Load.Stopped) throws {
    guard stopped.stored > 0 else {
      if isNew { try store.closeAndDeleteAllFiles() } else { store.close() }
      return Console.tell("nothing was stored")
    }
    store.close()
    Console.tell(
      "stored \(stopped.stored.counted("object or pair", "objects and pairs")), up to line \(stopped.line); "
        + "run the same command again to go on"
    )
  }
}
