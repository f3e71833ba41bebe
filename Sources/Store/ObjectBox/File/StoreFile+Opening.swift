internal import ObjectBoxStorage

extension StoreFile {
  /// Opens the file in a directory; creates it if it is missing.
  ///
  /// - Parameters:
  ///   - directory: The prepared directory.
  ///   - schema: The model.
  ///   - options: The options of the file.
  ///   - mirror: Makes the commits of a copy in memory durable; nil for other files. It is closed
  ///     with the file.
  ///   - validate: Checks the file before anything is written to it.
  ///   - onClose: Called once, when the file is closed.
  /// - Returns: The open file.
  /// - Throws: ``ObjectBoxError``. Nothing stays open then.
  static func open(
    _ directory: StoreDirectory,
    schema: StoreSchema,
    options: Options,
    mirror: (any StorageMirror)? = nil,
    validate: (StorageEnvironment) throws -> Void,
    onClose: @escaping @Sendable () -> Void
  ) throws -> StoreFile {
    try schema.checkEngine(location: directory.location)
    try directory.prepareMemory()
    try directory.checkFiles()
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
        room: { StoreRoom(location: directory.location, limit: options.maximumSizeInBytes) }
      ) {
        let check = try locks.flatMap { try checkFile(directory, storage, $0) }
        let (environment, content) = try load(
          directory,
          schema: schema,
          options,
          storage,
          locks: locks,
          source: (check?.image, mirror),
          validate
        )
        return try StoreFile(
          options: options,
          environment: environment,
          content: content,
          locks: locks,
          damage: mirror?.damage ?? check?.damage,
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
    _ options: Options,
    _ storage: StorageEnvironment.Options,
    locks: ProcessLocks?,
    source: (image: StorageImage?, mirror: (any StorageMirror)?),
    _ validate: (StorageEnvironment) throws -> Void
  ) throws -> (StorageEnvironment, StoreContent) {
    var storage = storage
    let path = directory.path
    func open() throws -> StorageEnvironment {
      try StorageEnvironment(
        directory: path,
        options: storage,
        image: source.image,
        mirror: source.mirror
      )
    }
    var environment = try open()
    do {
      try validate(environment)
      var stored = try StoredSchema(in: environment)
      defer { stored.reading.abortUnlessEnded() }
      // The file, with its retired elements, may have more tables than the model; synchronization
      // adds one.
      if stored.tableCount > 30 {
        storage.maximumTableCount = schema.tableCount + stored.tableCount + 3
        stored.reading.abort()
        environment.close()
        environment = try open()
        stored = try StoredSchema(in: environment)
      }
      let content = try StoreContent.load(
        from: environment,
        stored: stored,
        model: try schema.completed(from: stored, location: directory.location),
        options: options,
        locks: locks
      )
      return (environment, content)
    } catch {
      environment.close()
      throw error
    }
  }

  /// Checks the file before it is opened; creates it if nothing was ever stored in it.
  ///
  /// - Returns: The damage that the file went back from, in words, and an image of a sound file;
  ///   both are nil for a new file.
  /// - Throws: ``ProcessLocks/DirectoryIsGone`` when the file was created: the locks belong to the
  ///   replaced file, so the caller must start again. ``ObjectBoxError/fileCorrupt(message:)`` when
  ///   no version of the file is sound.
  private static func checkFile(
    _ directory: StoreDirectory,
    _ options: StorageEnvironment.Options,
    _ locks: ProcessLocks
  ) throws -> (damage: String?, image: StorageImage?) {
    if !options.isReadOnly { try StorageEnvironment.endCompaction(directory: directory.path) }
    let path = directory.path + "/" + StorageEnvironment.fileNames[0]
    let check = OpeningCheck(path: path, location: directory.location)
    switch try check.run(alone: { try locks.alone($0) != nil }) {
    case .sound(let image): return (nil, image)
    case .wentBack(let damage): return (damage, nil)
    case .new:
      // LMDB reports that there is no store to read.
      if options.isReadOnly { return (nil, nil) }
      let isMade: Void? = try locks.alone {
        try StorageEnvironment.makeFile(directory: directory.path, options: options)
      }
      // Another process that has the empty file open is about to create the store.
      if isMade != nil { throw ProcessLocks.DirectoryIsGone() }
      return (nil, nil)
    }
  }
}

extension StoreSchema {
  /// Returns the schema with parameters that a model file lacks, taken from the store file.
  ///
  /// - Throws: ``ObjectBoxError/schema(message:)`` when the store file lacks them too.
  fileprivate func completed(
    from stored: StoredSchema,
    location: String
  ) throws -> StoreSchema {
    guard lacksVectorParameters else { return self }
    let model = takingVectorParameters(from: stored.schema)
    try model.checkVectorParameters(location: location)
    return model
  }

  /// The number of tables for objects, indexes and relations.
  var tableCount: Int {
    entities.reduce(0) {
      $0 + 1 + 2 * $1.relations.count + $1.indexTables.flatMap(\.tables).count
    }
  }
}
