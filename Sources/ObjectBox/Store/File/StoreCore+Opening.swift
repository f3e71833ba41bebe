internal import ObjectBoxStorage

extension StoreCore {
  /// The least size of a store file: LMDB's two root pages and one page each for two trees.
  private static let minimumSizeInKilobytes: UInt64 = 16
  /// How many reader slots there are at least, for threads, snapshots and live views.
  private static let slotCount = 1024
  /// Fewer threads are admitted in any case: the reference rounds up as well.
  ///
  /// Snapshots and live views leave as many slots to them.
  private static let minimumReaderCount = 126

  /// Opens the file in a directory, or makes it.
  ///
  /// - Parameters:
  ///   - directory: A directory that was prepared.
  ///   - registryKey: What the store is known by in ``StoreRegistry``.
  ///   - schema: The model.
  ///   - configuration: Everything else.
  /// - Returns: The open store.
  /// - Throws: ``ObjectBoxError``; nothing stays open then.
  static func open(
    _ directory: StoreDirectory,
    registryKey: String,
    schema: StoreSchema,
    configuration: Store.Configuration
  ) throws -> StoreCore {
    try directory.prepareMemory()
    defer { directory.unlinkIfInMemory() }
    let options = try storageOptions(directory, schema: schema, configuration: configuration)
    // Nobody else can find a store in memory.
    let locks = directory.isInMemory ? nil : try ProcessLocks(directory, configuration)
    do {
      let core = try StoreError.translating(
        directory.location,
        limitInKilobytes: configuration.maxDbSizeInKByte
      ) {
        let (environment, content) = try load(
          directory,
          schema: schema,
          configuration: configuration,
          options: options,
          locks: locks
        )
        return StoreCore(
          configuration: configuration,
          registryKey: registryKey,
          isDurable: options.isDurable,
          maximumReaderCount: configuration.maxReaders == 0
            ? slotCount : keptReaderCount(configuration),
          maximumPinCount: max(
            1,
            try environment.information().maximumReaderCount - keptReaderCount(configuration)
          ),
          environment: environment,
          locks: locks,
          content: content
        )
      }
      locks?.endOpening()
      return core
    } catch {
      locks?.release()
      throw error
    }
  }

  /// How many reader slots are kept for the reads of threads.
  private static func keptReaderCount(_ configuration: Store.Configuration) -> Int {
    max(minimumReaderCount, Int(configuration.maxReaders))
  }

  private static func storageOptions(
    _ directory: StoreDirectory,
    schema: StoreSchema,
    configuration: Store.Configuration
  ) throws -> StorageEnvironment.Options {
    let kilobytes = configuration.maxDbSizeInKByte
    guard kilobytes >= minimumSizeInKilobytes else {
      throw ObjectBoxError.dbFull(message: ObjectBoxError.tooSmallMessage)
    }
    let size = kilobytes.multipliedReportingOverflow(by: 1024)
    guard !size.overflow, let bytes = Int(exactly: size.partialValue) else {
      throw ObjectBoxError.illegalArgument(
        message: "maxDbSizeInKByte: \(kilobytes) is more than this machine can address; "
          + "use at most \(Int.max / 1024)"
      )
    }
    // A page of LMDB is a page of the system: 4 KiB nearly everywhere, 16 KiB on Apple's processors.
    var options = StorageEnvironment.Options(
      mapSizeInBytes: bytes / 16384 * 16384,
      maximumTableCount: schema.tableCount + 32
    )
    options.fileMode = configuration.fileMode
    options.isReadOnly = configuration.readOnly
    options.isDurable = !directory.isInMemory
    options.isShared = configuration.isSharedWithOtherProcesses
    options.maximumReaderCount =
      slotCount - minimumReaderCount + keptReaderCount(configuration)
    return options
  }

  private static func load(
    _ directory: StoreDirectory,
    schema: StoreSchema,
    configuration: Store.Configuration,
    options: StorageEnvironment.Options,
    locks: ProcessLocks?
  ) throws -> (StorageEnvironment, StoreContent) {
    var options = options
    var environment = try openEnvironment(directory, options, locks)
    do {
      // An older schema in the file, with what it has retired, may have more tables than the model.
      let stored = try StoreContent.storedTableCount(in: environment)
      if stored > 30 {
        options.maximumTableCount = schema.tableCount + stored + 2
        environment.close()
        environment = try openEnvironment(directory, options, locks)
      }
      let content = try StoreContent.load(
        from: environment,
        model: try schema.completed(from: environment, location: directory.location),
        isReadOnly: configuration.readOnly,
        location: directory.location,
        locks: locks
      )
      return (environment, content)
    } catch {
      environment.close()
      throw error
    }
  }

  /// Opens the file, at the version before when the newest commit was torn by a loss of power.
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
  /// Returns the schema with what a model file leaves out and the store file has.
  ///
  /// - Throws: ``ObjectBoxError/schema(message:)`` when the store file does not have it either.
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
