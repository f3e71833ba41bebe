extension StoreTransactions {
  /// Takes the write lock and replaces the file by a compact one; see
  /// ``StoreFile/compact(admit:progress:)``.
  ///
  /// - Throws: ``ObjectBoxError``: `closed`, or the reason why the file stays as it is.
  package func compact(
    admit: (_ needed: Int, _ available: Int) throws -> Void,
    progress: (Double) -> Bool
  ) throws -> CompactionReport? {
    gate.enter()
    defer { gate.leave() }
    // Closing needs the write lock too, so the file stays open from here on.
    guard !isClosed else { throw StoreError.closed(file.location) }
    return try file.compact(admit: admit, progress: progress)
  }
}
