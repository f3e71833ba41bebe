internal import ObjectBoxStorage

extension StoreFile {
  /// Opens the file in a directory, or makes it.
  ///
  /// - Parameters:
  ///   - directory: A directory that was prepared.
  ///   - schema: The model.
  ///   - options: The options of the file.
  ///   - onClose: Called once when the file is closed, while its directory is still open.
  /// - Returns: The open file.
  /// - Throws: ``ObjectBoxError``; nothing stays open then.
  static func open(
    _ directory: StoreDirectory,
    schema: StoreSchema,
    options: Options,
    onClose: @escaping @Sendable () -> Void
  ) throws -> StoreFile {
    try directory.prepareMemory()
    defer { directory.unlinkIfInMemory() }
    let storage = try options.storage(
      tableCount: schema.tableCount,
      isDurable: !directory.isInMemory
    )
    // No other process can find a store in memory.
    let locks = directory.isInMemory ? nil : try ProcessLocks(directory, options)
    do {
      let file = try StoreError.translating(
        directory.location,
        limitInKilobytes: options.maximumSizeInKilobytes
      ) {
        let (environment, content) = try load(
          directory,
          schema: schema,
          options: storage,
          locks: locks
        )
        return try StoreFile(
          options: options,
          environment: environment,
          content: content,
          locks: locks,
          onClose: onClose
        )
      }
      locks?.endOpening()
      return file
    } catch {
      locks?.release()
      throw error
    }
  }

  private static func load(
    _ directory: StoreDirectory,
    schema: StoreSchema,
    options: StorageEnvironment.Options,
    locks: ProcessLocks?
  ) throws -> (StorageEnvironment, StoreContent) {
    var options = options
    var environment = try openEnvironment(directory, options, locks)
    do {
      // The schema in the file, with its retired elements, may have more tables than the model.
      let stored = try StoreContent.storedTableCount(in: environment)
      if stored > 30 {
        options.maximumTableCount = schema.tableCount + stored + 2
        environment.close()
        environment = try openEnvironment(directory, options, locks)
      }
      let content = try StoreContent.load(
        from: environment,
        model: try schema.completed(from: environment, location: directory.location),
        isReadOnly: options.isReadOnly,
        location: directory.location,
        locks: locks
      )
      try environment.readPages(knownTable: SystemTable.name)
      return (environment, content)
    } catch {
      environment.close()
      throw error
    }
  }

  /// Opens the file; when a loss of power has torn the newest commit, at the version before.
  private static func openEnvironment(
    _ directory: StoreDirectory,
    _ options: StorageEnvironment.Options,
    _ locks: ProcessLocks?
  ) throws -> StorageEnvironment {
    do {
      return try StorageEnvironment(directory: directory.path, options: options)
    } catch {
      let file = directory.path + "/" + StorageEnvironment.fileNames[0]
      guard error.isHeadInvalid, let locks, HeadPages.isRepairable(path: file) else { throw error }
      guard try locks.alone({ try HeadPages.repair(path: file) }) ?? false else {
        throw ObjectBoxError.fileCorrupt(
          message:
            "the newest commit of the store at '\(directory.location)' is torn; open it once "
            + "without readOnly, and in no other process, so that it goes on from the one before"
        )
      }
      return try StorageEnvironment(directory: directory.path, options: options)
    }
  }
}

extension StoreSchema {
  /// Returns the schema with parameters that a model file lacks, taken from the store file.
  ///
  /// - Throws: ``ObjectBoxError/schema(message:)`` when the store file lacks them too.
  fileprivate func completed(
    from environment: StorageEnvironment,
    location: String
  ) throws -> StoreSchema {
    guard lacksVectorParameters else { return self }
    let reading = try environment.beginRead()
    defer { reading.abort() }
    var stored = StoreSchema()
    if let table = try reading.openTable(SystemTable.name, .plain, create: false) {
      stored = try SystemTable(table: table).schema(in: reading)
    }
    let model = takingVectorParameters(from: stored)
    try model.checkVectorParameters(location: location)
    return model
  }

  /// The number of tables for objects, indexes and relations.
  var tableCount: Int {
    entities.reduce(0) {
      $0 + 1 + $1.properties.count(where: { $0.index != nil }) + 2 * $1.relations.count
        + $1.compoundIndexes.count
    }
  }
}
