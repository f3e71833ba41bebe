internal import ObjectBox
internal import ObjectBoxCare
internal import ObjectBoxCluster
internal import ObjectBoxCommandLine
internal import ObjectBoxEncryption

extension Verb {
  static let copy = Verb(
    name: "copy",
    summary:
      "copies a store to a PostgreSQL database, a database to a new store, or a store to an encrypted one",
    operands: ["FROM", "TO"],
    options: [
      DatabaseAddress.schemaOption,
      CommandOption(
        "--max-size KIB",
        "greatest size of the file of a new store, as maxDbSizeInKByte of the program has it; default 256 GiB"
      ),
    ] + StoreKey.target.options + [StoreKey.plainOption],
    details: """
      FROM and TO are stores, or one of them is the address of a database, postgresql://USER@HOST/DATABASE. Give the \
      password by PGPASSWORD or a password file, since other users see command lines. IDs, relations and the IDs that \
      were given out are kept; data of earlier models is not copied to or from a database

      one version is copied, whatever programs write meanwhile. In the end everything is read back, and counts and \
      checksums are compared. Until then a database is marked, so that no program opens it, and a store has the name \
      TO.copying. The same command goes on where a copy was interrupted; where FROM has changed since, it starts anew

      between stores, pages are copied as they are, with the schema and data of earlier models, and checked before: a \
      store that is not encrypted gets a key by --to-key-file or --to-passphrase-file, an encrypted one another key, or \
      none by --plain. TO has a store when all of it is on the disk. FROM stays as it is: remove it yourself

      a database needs a schema without objects. Indexes and constraints are made at the end

      ends with 0, 1 when not everything is copied, 130 after a signal
      """,
    examples: [
      "copy notes postgresql://db1/app", "copy postgresql://db1/app notes",
      "copy notes notes-encrypted --to-key-file key",
      "copy notes-encrypted notes-plain --key-file key --plain",
      "copy notes 'postgresql://db1,db2/app?target_session_attrs=read-write' --schema notes",
    ],
    run: copy
  )

  private static func copy(_ arguments: CommandArguments) throws -> ExitCode {
    let (from, to) = (arguments.operands[0], arguments.operands[1])
    switch (DatabaseAddress.isOne(from), DatabaseAddress.isOne(to)) {
    case (false, true): return try copyStore(toDatabase: to, arguments)
    case (true, false): return try copy(database: from, to: to, arguments)
    case (true, true):
      throw UsageFault(text: "both places are databases; use pg_dump to copy between them")
    case (false, false): return try copyStore(toStore: to, arguments)
    }
  }

  private static func copyStore(
    toStore path: String,
    _ arguments: CommandArguments
  ) throws -> ExitCode {
    let isRewrapped = StoreKey.target.isGiven(arguments) || arguments.has(StoreKey.plainOption.key)
    guard isRewrapped || StoreKey.own.isGiven(arguments) else {
      throw UsageFault(
        text:
          "no place is a database, such as postgresql://HOST/DATABASE; use 'backup' to copy a store, or "
          + "'\(StoreKey.target.key.key)' to encrypt it"
      )
    }
    for option in ["--schema", "--max-size"] where arguments.has(option) {
      throw UsageFault(
        text: "'\(option)' is for databases; pages of a store are copied as they are"
      )
    }
    let location = try StoreLocation.existing(arguments)
    var target = Store.Configuration(directory: try StoreLocation(path).directory)
    target.encryption = try StoreKey.ofTarget(arguments, isSourceEncrypted: location.isEncrypted)
    let store = try location.openToRead()
    defer { store.close() }
    let version = try InterruptibleWork.run("copy") { progress in
      try store.copy(to: target, progress: progress)
    }
    if let version {
      let form = target.encryption == nil ? "without encryption" : "encrypted"
      Console.tell("wrote version \(version) to '\(target.directory)', \(form)")
    }
    return .success
  }

  private static func copyStore(
    toDatabase address: String,
    _ arguments: CommandArguments
  ) throws -> ExitCode {
    if StoreKey.target.isGiven(arguments) {
      throw UsageFault(text: "'\(StoreKey.target.key.key)' is for stores, not for databases")
    }
    let store = try StoreLocation.existing(arguments).openToRead()
    defer { store.close() }
    var bar = ProgressBar("copy")
    defer { bar.end() }
    let copy = CopyIntoDatabase(store, to: DatabaseAddress.configuration(address, arguments)) {
      done,
      total in
      try Interruption.check()
      bar.show(done, of: total)
    }
    let outcome = try goingOnLater { try copy.run() }
    bar.end()
    return tell(outcome)
  }

  private static func copy(
    database address: String,
    to path: String,
    _ arguments: CommandArguments
  ) throws -> ExitCode {
    try StoreKey.refuseForDatabase(arguments)
    let size: Int? = try number(arguments, "--max-size", 64...(Int.max / 1024))
    var location = try StoreLocation(path)
    location.encryption = try StoreKey.ofTarget(arguments, isSourceEncrypted: false)
    var bar = ProgressBar("copy")
    defer { bar.end() }
    let copy = CopyIntoStore(
      DatabaseAddress.configuration(address, arguments),
      to: location,
      maximumSizeInKilobytes: size.map { UInt64($0) }
    ) { done, total in
      try Interruption.check()
      bar.show(done, of: total)
    }
    let outcome = try goingOnLater { try copy.run() }
    bar.end()
    return tell(outcome)
  }

  private static func goingOnLater<T>(_ body: () throws -> T) throws -> T {
    do {
      return try body()
    } catch let requested as Interruption.Requested {
      Console.tell("the copy is not complete; run the same command again to go on")
      throw requested
    }
  }

  private static func tell(_ outcome: CopyOutcome) -> ExitCode {
    let pairs = outcome.pairs > 0 ? " and \(outcome.pairs.counted("pair")) of relations" : ""
    let beginning = outcome.wentOn ? ", going on where an earlier copy ended" : ""
    Console.tell(
      "copied \(outcome.objects.counted("object"))\(pairs)\(beginning); counts and checksums are equal"
    )
    return .success
  }
}

/// The address of a database on a command line.
enum DatabaseAddress {
  static let schemaOption = CommandOption(
    "--schema NAME",
    "the schema of the database that has the tables; default public"
  )

  static func isOne(_ text: String) -> Bool {
    text.hasPrefix("postgresql://") || text.hasPrefix("postgres://")
  }

  static func configuration(
    _ address: String,
    _ arguments: CommandArguments
  ) -> Cluster.Configuration {
    var configuration = Cluster.Configuration(address)
    if let schema = arguments.value("--schema") { configuration.schema = schema }
    return configuration
  }
}
