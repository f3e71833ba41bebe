public import ObjectBox
internal import ObjectBoxDynamic

extension Store {
  /// Saves what can be read of a damaged store into a new store.
  ///
  /// The file may be damaged in any way, and is only read. The tables of its newest version are walked page by page:
  /// what cannot be read is left out alone and told. Each object keeps its ID; indexes, unique values and
  /// nearest-neighbour graphs are made anew, and no ID is given out again that an object of the file was seen to
  /// have. In files with checksums, what is saved is what was stored. In those of earlier versions, which have none,
  /// a changed byte in a plain value cannot be noticed.
  ///
  /// Records on pages that no readable table has are *uncertain*, as are those in places where they should not be:
  /// most are of objects whose table is damaged, some are of objects that had been changed or removed. They are
  /// counted and told, and saved only when the options say so.
  ///
  /// To-one relations keep the IDs of their targets, also of such as are lost. Data of entities that the model has
  /// lost is not saved.
  ///
  /// The new store is made beside its place under the name with `.salvage` behind it, and gets its name when
  /// everything is saved and on the disk: an interrupted run leaves nothing with the name, and the next one removes
  /// the rest. No other process should write to the damaged file meanwhile.
  ///
  /// - Parameters:
  ///   - directory: The directory of the damaged store, with or without `data.mdb`.
  ///   - target: The directory of the new store: it does not exist, or is empty. The one above it exists.
  ///   - options: The choices.
  ///   - progress: Is passed the part that is done, from 0 to 1, now and then; false ends the work, and leaves
  ///     nothing.
  /// - Returns: What was saved and what was not; nil when `progress` ended the work.
  /// - Throws: `ObjectBoxError`: `storageGeneral` when the file cannot be read or the new store not be written;
  ///   `illegalArgument` when there is something with the name of the new store, or the file lacks the version of
  ///   the options; `fileCorrupt` when the file has no pages of a store, or no schema can be read and no model file
  ///   is given; `schema` for a fault of the model file; `dbFull`. Nothing is left then.
  /// - Complexity: O(size of the file) page reads, and a put for each object. Takes two bits of memory for each page,
  ///   and some MiB.
  @discardableResult
  public static func salvage(
    directory: String,
    to target: String,
    options: SalvageOptions = SalvageOptions(),
    progress: @escaping (Double) -> Bool = { _ in true }
  ) throws -> SalvageReport? {
    let log = SalvageLog(
      maximumFindingCount: options.maximumFindingCount,
      progress: progress
    )
    let model = try options.modelJSON.map {
      ModelBuilder.takeSchema(try ModelFile.model(at: $0))
    }
    let place = try SalvageTarget(target)
    do {
      try VersionImage.withNewest(in: directory, for: .check) { image, _ in
        let file = try StoreError.translating(directory) {
          try SalvageFile(image, version: options.version, log: log)
        }
        let source = try schema(of: file, model, directory, log)
        let path = VersionImage.location(directory) + "/data.mdb"
        var isDone = false
        defer { if !isDone { try? place.discard() } }
        let store = try place.makeStore(source.schema, source: path)
        defer { store.close() }
        try SalvageRun(file, source, into: store, options, log).run()
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
