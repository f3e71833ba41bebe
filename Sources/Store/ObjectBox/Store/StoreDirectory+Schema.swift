extension StoreDirectory {
  /// Returns the schema in the file of the directory; this process must not have a store open on
  /// it.
  ///
  /// - Throws: ``ObjectBoxError``: `storageGeneral` when there is no store; other cases when the
  ///   file cannot be read.
  func storedSchema() throws -> StoreSchema {
    guard !location.hasPrefix(Self.inMemoryPrefix) else {
      throw StoreError.missing(location, cause: "in this process")
    }
    try checkFiles()
    let schema = try StoreError.translating(location) {
      try SystemTable.schema(inDirectory: path)
    }
    guard let schema else {
      throw ObjectBoxError.storageGeneral(
        message:
          "the file at '\(location)' is a database of LMDB, and no store of this library; correct the path"
      )
    }
    return schema
  }
}
