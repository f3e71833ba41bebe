internal import Foundation
package import ObjectBoxStorage

/// Passes the newest version of a store file to bodies that read its pages directly.
///
/// The version is pinned meanwhile, so commits do not reuse its pages.
package enum PageSnapshot {
  /// Maximum number of attempts.
  ///
  /// An attempt fails if a commit comes between pinning a version and reading its head page. It fails
  /// always if the image finds a fault in a head page that LMDB accepts. A commit that a killed process
  /// has not published fails one.
  private static let attemptCount = 100

  /// Passes the newest version of an open store to a body.
  ///
  /// - Parameters:
  ///   - transactions: The transactions of the store.
  ///   - kind: The kind of the holder, for ``Store/activeVersions``.
  ///   - body: Receives the file and the head page of the version.
  /// - Returns: The result of the body.
  /// - Throws: ``ObjectBoxError``: `closed`, `maxReadersExceeded`, and the error of the body.
  package static func withNewest<T>(
    of transactions: TransactionScheduler,
    for kind: VersionInfo.Kind,
    _ body: (StorageImage, StorageImage.Head) throws -> T
  ) throws -> T {
    let result: T? = try transactions.file.translating {
      try attempt(
        pin: { try transactions.pin(PinnedVersion.Holder(kind: kind)) },
        unpin: transactions.unpin,
        image: { try transactions.file.environment.image() },
        body
      )
    }
    if let result { return result }
    throw ObjectBoxError.fileCorrupt(
      message:
        "the store at '\(transactions.file.location)' has a damaged head page; close it, and check its file "
        + "with Store.verify(directory:)"
    )
  }

  /// Passes the newest version of a store file to a body; this process need not have the store
  /// open.
  ///
  /// The version is pinned if LMDB can open the file. The version of a damaged file is not pinned.
  ///
  /// - Parameters:
  ///   - directory: The directory of the store, with or without `data.mdb`.
  ///   - kind: The kind of the holder.
  ///   - body: Receives the file, and the head page of the version; nil if no head page is sound.
  /// - Returns: The result of the body.
  /// - Throws: ``ObjectBoxError/storageGeneral(message:)`` when the file cannot be read, and the error of the body.
  package static func withNewest<T>(
    in directory: String,
    for kind: VersionInfo.Kind,
    _ body: (StorageImage, StorageImage.Head?) throws -> T
  ) throws -> T {
    let location = location(directory)
    // A process must not open a file twice with LMDB.
    if let open = try? Store.attachTo(directory: location) {
      defer { open.close() }
      return try withNewest(of: open.transactions, for: kind, body)
    }
    try StoreDirectory(location: location).checkFiles()
    return try StoreError.translating(location) {
      let path = location + "/" + StorageEnvironment.fileNames[0]
      while true {
        let image = try StorageImage(path: path)
        let newest = image.newestHead()
        guard let newest, try image.firstFinding(newest, .quick) == nil,
          let environment = try? environment(in: location)
        else {
          guard try image.isCurrent(newest, at: path) else { continue }
          return try body(image, newest)
        }
        defer { environment.close() }
        return try withNewest(of: environment, body) ?? body(image, image.newestHead())
      }
    }
  }

  /// Passes the newest version of an open file to a body; returns nil if all attempts failed, or if
  /// a head page is damaged, so that no version can be pinned.
  package static func withNewest<T>(
    of environment: StorageEnvironment,
    _ body: (StorageImage, StorageImage.Head) throws -> T
  ) throws -> T? {
    try attempt(
      pin: { try pin(environment) },
      unpin: { $0.abort() },
      image: environment.image,
      body
    )
  }

  /// Begins a read transaction; nil if a head page is damaged.
  private static func pin(_ environment: StorageEnvironment) throws -> StorageTransaction? {
    do { return try environment.beginRead() } catch {
      if error.isCorrupt { return nil }
      throw error
    }
  }

  /// The directory of a store, given with or without its data file.
  package static func location(_ path: String) -> String {
    let name = StorageEnvironment.fileNames[0]
    var status = stat()
    // A folder may be called `data.mdb` too.
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return path }
    if path == name { return "." }
    return path.suffix(name.count + 1) == "/" + name ? String(path.dropLast(name.count + 1)) : path
  }

  /// Pins versions until the head page of one is certainly whole, and passes that to a body; returns nil
  /// if all attempts failed, or if no version can be pinned.
  ///
  /// The second commit after a version overwrites its head page, and may be doing so as soon as the
  /// first one is the newest version. If the next attempt pins the version again, the first one was
  /// still unpublished, as a killed process leaves it, and no commit begins before it is published.
  private static func attempt<T>(
    pin: () throws -> StorageTransaction?,
    unpin: (StorageTransaction) -> Void,
    image: () throws -> StorageImage,
    _ body: (StorageImage, StorageImage.Head) throws -> T
  ) throws -> T? {
    var last: StorageImage.Head?
    for _ in 0..<attemptCount {
      guard let pin = try pin() else { return nil }
      defer { unpin(pin) }
      let (image, version) = (try image(), UInt64(pin.snapshotID))
      if let last, last.version == version { return try body(image, last) }
      last = image.heads().compactMap(\.head).first { $0.version == version }
      if let last, image.newestHead()?.version == version { return try body(image, last) }
    }
    return nil
  }

  private static func environment(in location: String) throws -> StorageEnvironment {
    var options = StorageEnvironment.Options(mapSizeInBytes: 1 << 20, maximumTableCount: 1)
    options.isReadOnly = true
    return try StorageEnvironment(directory: location, options: options)
  }
}
