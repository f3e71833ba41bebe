public import ObjectBox
internal import ObjectBoxDynamic
internal import ObjectBoxStorage

extension Store {
  /// Saves everything readable of a damaged store into a new store.
  ///
  /// The file may be damaged in any way, and is only read. The tables of its newest version are
  /// walked page by page; only the unreadable parts are left out, and they are reported. Each
  /// object keeps its ID. Indexes, unique values and nearest-neighbour graphs are rebuilt. No
  /// ID that the file shows to have been used is assigned again. Checksums prove that the saved
  /// objects are exactly what was stored.
  ///
  /// Records on pages of no readable table are *uncertain*, and so are records in unexpected
  /// places. Most belong to objects whose table is damaged, some to objects that had been changed
  /// or removed. They are counted and reported, and saved only if the options say so.
  ///
  /// To-one relations keep the IDs of their targets, even of lost ones. Data of entities that the
  /// model no longer has is not saved.
  ///
  /// The new store is first made under its name with `.salvage` appended. The final
  /// name comes last, when everything is saved and on disk. An interrupted run leaves nothing under
  /// the final name, and the next run removes the rest. If this process has the store open, its
  /// newest version is pinned and read; no other process should write to the damaged file meanwhile.
  ///
  ///     if let report = try Store.salvage(directory: "notes", to: "notes-saved") {
  ///       print(report.isWhole ? "nothing was lost" : "\(report)")
  ///     }
  ///
  /// - Parameters:
  ///   - directory: The directory of the damaged store, with or without `data.mdb`.
  ///   - target: The directory of the new store, missing or empty. Its parent directory exists.
  ///   - options: The options.
  ///   - progress: Gets the finished part, from 0 to 1, from time to time; false ends the work, and
  ///     leaves nothing behind.
  /// - Returns: What was saved and what was not; nil when `progress` ended the work.
  /// - Throws: `ObjectBoxError`: `storageGeneral` when the file cannot be read or the new store
  ///   cannot be written; `illegalArgument` when something has the name of the new store, or the
  ///   file lacks the requested version; `fileCorrupt` when the file has no pages of a store, or
  ///   has no readable schema and no model file is given; `schema` for a fault of the model file, and for
  ///   a file of another format; `dbFull`. Nothing is left behind then.
  /// - Complexity: O(size of the file) page reads, and a put for each object. Takes two bits of
  ///   memory for each page, and some MiB.
  @discardableResult
  public static func salvage(
    directory: String,
    to target: String,
    options: SalvageOptions = SalvageOptions(),
    progress: @escaping (Double) -> Bool = { _ in true }
  ) throws -> SalvageReport? {
    try salvage(
      Store.Configuration(directory: directory),
      to: Store.Configuration(directory: target),
      options: options,
      progress: progress
    )
  }

  /// Saves everything readable of a damaged store, which may be encrypted, into a new store, which
  /// may be encrypted too; see ``salvage(directory:to:options:progress:)``.
  ///
  /// Pages of an encrypted store that the key does not open are left out and reported. If the log is
  /// damaged, the version before the damage is read. At least one copy of each part of the head must
  /// be whole: without it, nothing opens.
  ///
  /// ```text
  /// var source = Store.Configuration(directory: "notes")
  /// source.encryption = .passphrase("correct horse battery staple")  // import ObjectBoxEncryption
  /// var target = Store.Configuration(directory: "notes-saved")
  /// target.encryption = source.encryption
  /// let report = try Store.salvage(source, to: target)
  /// ```
  ///
  /// - Parameters:
  ///   - source: The directory of the damaged store, and its encryption.
  ///   - target: The directory of the new store, missing or empty, and its encryption; without
  ///     encryption the saved objects are not encrypted. Other options are not used.
  ///   - options: The options.
  ///   - progress: Gets the finished part, from 0 to 1, from time to time; false ends the work, and
  ///     leaves nothing behind.
  /// - Returns: What was saved and what was not; nil when `progress` ended the work.
  /// - Throws: As ``salvage(directory:to:options:progress:)``; for an encrypted store also
  ///   `illegalState` when another process has it open, `dbFull` when memory cannot hold it, and
  ///   `EncryptionError.wrongKey`.
  /// - Complexity: As ``salvage(directory:to:options:progress:)``. The whole encrypted store is
  ///   read into memory.
  @discardableResult
  public static func salvage(
    _ source: Store.Configuration,
    to target: Store.Configuration,
    options: SalvageOptions = SalvageOptions(),
    progress: @escaping (Double) -> Bool = { _ in true }
  ) throws -> SalvageReport? {
    let directory = source.directory
    let log = SalvageLog(
      maximumFindingCount: options.maximumFindingCount,
      progress: progress
    )
    let model = try options.modelJSON.map {
      ModelBuilder.takeSchema(try ModelFile.model(at: $0))
    }
    let place = try SalvageTarget(target)
    do {
      try withReadable(source) { copy in
        for fault in copy.faults { log.add(.file, fault.message, page: fault.page) }
        let file = try StoreError.translating(directory) {
          try SalvageFile(copy, version: options.version, log: log)
        }
        let schema = try schema(of: file, model, directory, log)
        var isDone = false
        defer { if !isDone { try? place.discard() } }
        let store = try place.makeStore(
          schema.schema,
          source: PageSnapshot.location(directory),
          size: copy.image.sizeInBytes
        )
        defer { store.close() }
        try SalvageRun(file, schema, into: store, options, log).run()
        store.close()
        try place.finish()
        isDone = true
      }
    } catch is SalvageLog.Ended {
      return nil
    }
    return log.report
  }

  private static func schema(
    of file: SalvageFile,
    _ model: StoreSchema?,
    _ location: String,
    _ log: SalvageLog
  ) throws -> SalvageSchema {
    let rows = try file.systemRows()
    if let stored = SalvageSchema(rows: rows) { return stored }
    if let format = SalvageSchema.otherFormat(rows) {
      throw ObjectBoxError.schema(
        message: "cannot salvage the store at '\(location)': its file format is "
          + SystemTable.refusal(of: format)
      )
    }
    if let model {
      log.add(
        .schema,
        "the schema in the file cannot be read; that of the model file is used, and objects that were stored under "
          + "another model may be lost"
      )
      return SalvageSchema(model: model, rows: rows)
    }
    if let found = try file.schemaElsewhere() {
      log.add(
        .schema,
        "the schema of the version cannot be read; that of page \(found.page) is used, which may be older",
        page: found.page
      )
      return found.schema
    }
    throw ObjectBoxError.fileCorrupt(
      message:
        "cannot salvage the store at '\(location)': the schema in its file cannot be read; pass the model.json of "
        + "the program that wrote it (modelJSON, or --model of the tool)"
    )
  }
}
