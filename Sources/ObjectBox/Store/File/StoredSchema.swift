internal import ObjectBoxStorage

/// The schema in a file that is being opened, as a read transaction sees it.
struct StoredSchema {
  /// The transaction, which goes on.
  let reading: StorageTransaction
  /// Empty for a new file.
  private(set) var schema = StoreSchema()
  private(set) var retired = RetiredSchema()

  /// Reads the schema of the newest version.
  ///
  /// - Throws: `StorageError` and ``ObjectBoxError`` when it is damaged; no transaction goes on then.
  init(in environment: StorageEnvironment) throws {
    reading = try environment.beginRead()
    guard let table = try reading.openTable(SystemTable.name, .plain, create: false) else { return }
    let system = SystemTable(table: table)
    schema = try system.schema(in: reading)
    retired = try system.retired(in: reading)
  }

  /// The number of tables, with those of retired elements.
  var tableCount: Int { schema.tableCount + retired.tableCount }
}
