internal import ObjectBoxStorage

extension StoreCore {
  /// The least size of a store file: LMDB's two root pages and one page each for two trees.
  private static let minimumSizeInKilobytes: UInt64 = 16
  /// Room for snapshots; threads are counted besides.
  private static let slotCount = 1024
  /// Fewer threads are admitted in any case: the reference rounds up as well.
  private static let minimumReaderCount = 126

  /// Opens the file in a directory, or makes it.
  ///
  /// - Throws: ``ObjectBoxError``; nothing stays open then.
  static func open(
    _ directory: StoreDirectory,
    schema: StoreSchema,
    maxDbSizeInKByte: UInt64,
    fileMode: UInt32,
    maxReaders: UInt32,
    readOnly: Bool
  ) throws -> StoreCore {
    let location = directory.location
    try directory.prepare(fileMode: fileMode)
    defer { directory.unlinkIfInMemory() }
    guard maxDbSizeInKByte >= minimumSizeInKilobytes else {
      throw ObjectBoxError.dbFull(message: "Could not put")
    }
    let size = maxDbSizeInKByte.multipliedReportingOverflow(by: 1024)
    guard !size.overflow, let bytes = Int(exactly: size.partialValue) else {
      throw ObjectBoxError.illegalArgument(
        message: "maxDbSizeInKByte: \(maxDbSizeInKByte) is more than this machine can address"
      )
    }
    // A page of LMDB is a page of the system: 4 KiB nearly everywhere, 16 KiB on Apple's processors.
    var options = StorageEnvironment.Options(
      mapSizeInBytes: bytes / 16384 * 16384,
      maximumTableCount: schema.tableCount + 32
    )
    options.fileMode = fileMode
    options.isReadOnly = readOnly
    options.isDurable = !directory.isInMemory
    options.maximumReaderCount = max(slotCount, Int(maxReaders))

    return try StoreError.translating(location) {
      var environment = try StorageEnvironment(directory: directory.path, options: options)
      do {
        // An older schema in the file may have more tables than the model.
        let stored = try StoreContent.storedTableCount(in: environment)
        if stored > 30 {
          options.maximumTableCount = schema.tableCount + stored + 2
          environment.close()
          environment = try StorageEnvironment(directory: directory.path, options: options)
        }
        let content = try StoreContent.load(
          from: environment,
          model: schema,
          isReadOnly: readOnly,
          location: location
        )
        return StoreCore(
          location: location,
          registryKey: directory.registryKey,
          isReadOnly: readOnly,
          isDurable: !directory.isInMemory,
          maximumReaderCount: maxReaders == 0
            ? slotCount : max(minimumReaderCount, Int(maxReaders)),
          environment: environment,
          content: content
        )
      } catch {
        environment.close()
        throw error
      }
    }
  }
}

extension StoreSchema {
  /// The number of tables for objects, indexes and relations.
  var tableCount: Int {
    entities.reduce(0) {
      $0 + 1 + $1.properties.count(where: { $0.index != nil }) + 2 * $1.relations.count
        + $1.compoundIndexes.count
    }
  }
}
