extension StoreDirectory {
  /// Returns the schema that the file in the directory holds; no store on it may be open in this process.
  ///
  /// - Throws: ``ObjectBoxError``: `storageGeneral` when there is no store, others when it cannot be read.
  func storedSchema() throws -> StoreSchema {
    guard !isInMemory else { throw StoreError.missing(location, cause: "in this process") }
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
