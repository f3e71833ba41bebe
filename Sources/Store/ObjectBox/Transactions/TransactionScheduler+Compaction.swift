package import ObjectBoxStorage

extension TransactionScheduler {
  /// Takes the write lock and replaces the file by a compact one; see
  /// ``StoreFile/compact(write:)``.
  ///
  /// - Throws: ``ObjectBoxError``: `closed`, or the reason why the file is unchanged.
  package func compact(
    write: StorageEnvironment.CompactionWriter
  ) throws -> CompactionReport? {
    try withoutWriters { try file.compact(write: write) }
  }

  /// Makes the commits durable; nil for a store with its file on a disk.
  package var mirror: (any StorageMirror)? { file.environment.mirror }

  /// Pins the newest version for a body, after another body has run at it.
  ///
  /// - Parameters:
  ///   - kind: The kind of the holder, for ``Store/activeVersions``.
  ///   - begin: Runs while no commit runs.
  ///   - body: Receives the result of `begin`, and the version with its head page.
  /// - Returns: The result of the body.
  /// - Throws: ``ObjectBoxError``: `closed`, `maxReadersExceeded`; and errors of both bodies.
  package func atNewestVersion<Start, Result>(
    for kind: VersionInfo.Kind,
    begin: () -> Start,
    _ body: (Start, StorageImage, StorageImage.Head) throws -> Result
  ) throws -> Result {
    gate.enter()
    let pin: StorageTransaction
    let (image, head, start): (StorageImage, StorageImage.Head?, Start)
    do {
      defer { gate.leave() }
      pin = try self.pin(PinnedVersion.Holder(kind: kind))
      do { image = try file.environment.image() } catch {
        unpin(pin)
        throw file.shown(error)
      }
      // The second commit from now on overwrites this head page.
      head = image.newestHead()
      start = begin()
    }
    defer { unpin(pin) }
    guard let head else { throw file.shown(StorageError.damaged(0)) }
    return try body(start, image, head)
  }

  /// Runs a body while it holds the write lock and the file stays open.
  ///
  /// - Throws: ``ObjectBoxError/closed(message:)``, and the error of the body.
  package func withoutWriters<T>(_ body: () throws -> T) throws -> T {
    gate.enter()
    defer { gate.leave() }
    // Closing needs the write lock too, so the file stays open from here on.
    guard !isClosed else { throw StoreError.closed(file.location) }
    return try body()
  }
}
