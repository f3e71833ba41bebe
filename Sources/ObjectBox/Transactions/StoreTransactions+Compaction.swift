package import ObjectBoxStorage

extension StoreTransactions {
  /// Takes the write lock and replaces the file by a compact one; see
  /// ``StoreFile/compact(write:)``.
  ///
  /// - Throws: ``ObjectBoxError``: `closed`, or the reason why the file stays as it is.
  package func compact(
    write: StorageEnvironment.CompactionWriter
  ) throws -> CompactionReport? {
    gate.enter()
    defer { gate.leave() }
    // Closing needs the write lock too, so the file stays open from here on.
    guard !isClosed else { throw StoreError.closed(file.location) }
    return try file.compact(write: write)
  }
}
