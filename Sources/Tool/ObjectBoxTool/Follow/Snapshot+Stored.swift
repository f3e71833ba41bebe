internal import ObjectBox
internal import ObjectBoxDynamic
internal import ObjectBoxLive

extension Snapshot {
  /// Runs a body that reads the version of the snapshot as its records hold it.
  ///
  /// - Parameter body: Reads; what it is passed is valid until it returns. The store is for dynamic boxes and
  ///   queries.
  /// - Returns: The body's result.
  /// - Throws: `ObjectBoxError.invalidated`, and the body's error.
  func readingStored<T>(_ body: (StoredVersion, Store) throws -> T) throws -> T {
    try reading { store in try store.readingStored { try body($0, store) } }
  }
}
