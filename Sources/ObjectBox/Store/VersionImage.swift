internal import Foundation
package import ObjectBoxStorage

/// The newest version of a store file, kept from commits while a body reads it without the store's tables.
package enum VersionImage {
  /// The number of versions that are tried: two commits between pinning one and mapping the file are rare, and a head
  /// page that LMDB takes for sound and the image does not stays as it is.
  private static let attemptCount = 100

  /// Passes the newest version of an open store to a body.
  ///
  /// - Parameters:
  ///   - transactions: The transactions of the store.
  ///   - kind: The kind of the holder, for ``Store/activeVersions``.
  ///   - body: Is passed the file and the head page of the version.
  /// - Returns: The result of the body.
  /// - Throws: ``ObjectBoxError``: `closed`, `maxReadersExceeded`, and the error of the body.
  package static func withNewest<T>(
    of transactions: StoreTransactions,
    for kind: VersionInfo.Kind,
    _ body: (StorageImage, StorageImage.Head) throws -> T
  ) throws -> T {
    for _ in 0..<attemptCount {
      let pin = try transactions.pin(PinnedVersion.Holder(kind: kind))
      defer { transactions.unpin(pin) }
      let result: T? = try transactions.file.translating {
        try use(try transactions.file.environment.image(), pin, body)
      }
      if let result { return result }
    }
    throw ObjectBoxError.fileCorrupt(
      message:
        "the store at '\(transactions.file.location)' has a damaged head page; close it, and check its file "
        + "with Store.verify(directory:)"
    )
  }

  /// Passes the newest version of a store file that this process need not have open to a body.
  ///
  /// The version of a file that LMDB can open is pinned; that of a damaged one is not.
  ///
  /// - Parameters:
  ///   - directory: The directory of the store, with or without `data.mdb`.
  ///   - kind: The kind of the holder.
  ///   - body: Is passed the file, and the head page of the version, or nil when neither is sound.
  /// - Returns: The result of the body.
  /// - Throws: ``ObjectBoxError/storageGeneral(message:)`` when the file cannot be read, and the error of the body.
  package static func withNewest<T>(
    in directory: String,
    for kind: VersionInfo.Kind,
    _ body: (StorageImage, StorageImage.Head?) throws -> T
  ) throws -> T {
    let location = location(directory)
    // LMDB must not open a file twice in a process.
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

  /// Passes the newest version of an open file to a body; returns nil when it was overwritten again and again.
  package static func withNewest<T>(
    of environment: StorageEnvironment,
    _ body: (StorageImage, StorageImage.Head) throws -> T
  ) throws -> T? {
    for _ in 0..<attemptCount {
      let pin = try environment.beginRead()
      defer { pin.abort() }
      if let result = try use(try environment.image(), pin, body) { return result }
    }
    return nil
  }

  /// The directory of a store, given with or without its data file.
  package static func location(_ path: String) -> String {
    let name = StorageEnvironment.fileNames[0]
    var status = stat()
    // A folder may have the name of a file.
    if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { return path }
    if path == name { return "." }
    return path.suffix(name.count + 1) == "/" + name ? String(path.dropLast(name.count + 1)) : path
  }

  /// Returns nil when the next but one commit has overwritten the head page of the pinned version.
  private static func use<T>(
    _ image: StorageImage,
    _ pin: StorageTransaction,
    _ body: (StorageImage, StorageImage.Head) throws -> T
  ) throws -> T? {
    let version = UInt64(pin.snapshotID)
    return try image.heads().compactMap(\.head).first { $0.version == version }
      .map { try body(image, $0) }
  }

  private static func environment(in location: String) throws -> StorageEnvironment {
    var options = StorageEnvironment.Options(mapSizeInBytes: 1 << 20, maximumTableCount: 1)
    options.isReadOnly = true
    return try StorageEnvironment(directory: location, options: options)
  }
}
