package import ObjectBoxStorage

/// The table of a store file that describes the other tables.
///
/// Its keys are:
///
/// - `format`: the version of the file format (4 bytes).
/// - `schema`: the schema of the store.
/// - `layouts/<entity ID>`: the record layouts of an entity.
/// - `sequence/<entity ID>`: the highest ID that was given out when objects were last removed (8
///   bytes).
/// - `retired`: the entities and relations that are no longer in the model, if there are any.
/// - `digest`: a checksum of all other rows except the sequences (4 bytes).
package struct SystemTable {
  /// The version of the file format.
  ///
  /// A change of the meaning of any byte needs another number. Programs reject files of other versions. Versions below
  /// 6 were never released.
  package static let formatVersion: UInt32 = 6
  package static let name = "objectbox"
  /// The name of the table with the state of synchronization, if the store is synchronized.
  package static let sync = "sync"

  let table: StorageTable
  let quoting: ValueQuoting

  /// The table of an open file.
  package init(table: StorageTable, quoting: ValueQuoting) {
    self.table = table
    self.quoting = quoting
  }

  package static func objects(entity: UInt32) -> String { "e\(entity)" }
  package static func index(_ id: UInt32) -> String { "i\(id)" }
  /// The targets of each source of a standalone relation.
  package static func relation(_ id: UInt32) -> String { "r\(id)" }
  /// The sources of each target of a standalone relation.
  package static func backlink(_ id: UInt32) -> String { "b\(id)" }
  package static func vectorIndex(_ id: UInt32) -> String { "v\(id)" }
  package static func fullTextIndex(_ id: UInt32) -> String { "f\(id)" }
  /// The state and the young run of a full-text index.
  package static func fullTextState(_ id: UInt32) -> String { "s\(id)" }

  /// Returns the schema in a file that is not open in this process.
  ///
  /// - Parameter directory: The path of the store's directory.
  /// - Returns: The schema; empty for an unknown version of the file format, nil for a file that is
  ///   not a store.
  /// - Throws: `StorageError` when the file cannot be opened, ``ObjectBoxError`` when it is damaged.
  static func schema(inDirectory directory: String) throws -> StoreSchema? {
    let path = directory + "/" + StorageEnvironment.fileNames[0]
    while true {
      let image = try StorageImage(path: path)
      guard let head = image.newestHead() else {
        // LMDB recognizes files without a head page, but does not check the values of damaged head
        // pages.
        guard image.heads().contains(where: { if case .damaged = $0 { true } else { false } })
        else {
          return try schemaByLMDB(inDirectory: directory)
        }
        throw ObjectBoxError.fileCorrupt(
          message: "the head pages of '\(path)' are damaged; restore it from a backup"
        )
      }
      let reading = try beginRead(image, head)
      let result = Result { try schema(in: reading) }
      if try image.isCurrent(head, at: path) { return try result.get() }
    }
  }

  /// Begins to read the newest version; if it is damaged, the older version, to which opening may
  /// go back.
  private static func beginRead(
    _ image: StorageImage,
    _ newest: StorageImage.Head
  ) throws -> StorageTransaction {
    let isSound = try image.firstFinding(newest, .quick) == nil
    let older = image.heads().compactMap(\.head).first { $0.version < newest.version }
    return try image.beginRead(isSound ? newest : older ?? newest)
  }

  /// Returns the schema in a file that is new or is not a store; if LMDB rejects the file, throws its reason.
  private static func schemaByLMDB(inDirectory directory: String) throws -> StoreSchema? {
    var options = StorageEnvironment.Options(mapSizeInBytes: 1 << 20, maximumTableCount: 1)
    options.isReadOnly = true
    let environment = try StorageEnvironment(directory: directory, options: options)
    defer { environment.close() }
    let reading = try environment.beginRead()
    defer { reading.abort() }
    return try schema(in: reading)
  }

  private static func schema(in reading: StorageTransaction) throws -> StoreSchema? {
    guard let table = try reading.openTable(name, .plain, create: false) else { return nil }
    let system = SystemTable(table: table, quoting: .shown)
    guard let format = try system.format(in: reading), format == formatVersion else {
      return StoreSchema()
    }
    return try system.schema(in: reading)
  }

  // MARK: Format

  package func format(in transaction: StorageTransaction) throws -> UInt32? {
    try value(of: "format", in: transaction)
  }

  /// Sets the format of a new file.
  func setFormat(in transaction: StorageTransaction) throws {
    try set(Self.formatVersion, key: "format", in: transaction)
  }

  /// The text for data of another version, which continues "its format is"; the version is nil if the data have none.
  ///
  /// - Parameters:
  ///   - version: The version of the data.
  ///   - known: The version that this library reads.
  /// - Returns: The text, with what to do.
  package static func refusal(of version: UInt32?, reading known: UInt32 = formatVersion) -> String
  {
    let advice =
      (version ?? 0) > known
      ? "use the version of the library that wrote it, or a later one"
      : "no release of the library wrote it; make a new store"
    return "\(version.map(String.init) ?? "not given"), and this version of the library reads "
      + "\(known); \(advice)"
  }

  // MARK: Schema

  package func schema(in transaction: StorageTransaction) throws -> StoreSchema {
    let schema: StoreSchema? = try value(of: "schema", in: transaction)
    return schema?.inOrderOfIDs ?? StoreSchema()
  }

  func set(_ schema: StoreSchema, in transaction: StorageTransaction) throws {
    try set(schema, key: "schema", in: transaction)
  }

  func layouts(
    of entity: EntitySchema,
    in transaction: StorageTransaction
  ) throws -> [RecordLayout.Definition] {
    let key = "layouts/\(entity.identity.id)"
    let name = "layouts of '\(entity.name)'"
    return try value(of: key, name, in: transaction) ?? []
  }

  func set(
    _ layouts: [RecordLayout.Definition],
    of entity: EntitySchema,
    in transaction: StorageTransaction
  ) throws {
    try set(layouts, key: "layouts/\(entity.identity.id)", in: transaction)
  }

  // MARK: Retired data

  package func retired(in transaction: StorageTransaction) throws -> RetiredSchema {
    try value(of: "retired", "list of retired entities", in: transaction) ?? RetiredSchema()
  }

  func set(_ retired: RetiredSchema, in transaction: StorageTransaction) throws {
    if retired.isEmpty {
      _ = try transaction.delete(table, key: Array("retired".utf8))
    } else {
      try set(retired, key: "retired", in: transaction)
    }
  }

  // MARK: Digest

  /// Writes the digest, after changes of the schema or the retired data.
  package func writeDigest(in transaction: StorageTransaction) throws {
    try set(try computeDigest(in: transaction), key: "digest", in: transaction)
  }

  /// Checks the rows that describe the other tables against the digest.
  ///
  /// - Throws: ``ObjectBoxError/fileCorrupt(message:)`` when they differ.
  package func checkDigest(in transaction: StorageTransaction) throws {
    let digest: UInt32? = try value(of: "digest", in: transaction)
    guard try digest != computeDigest(in: transaction) else { return }
    throw ObjectBoxError.fileCorrupt(
      message:
        "the digest of the schema in the store file is wrong: its schema, layouts or format are damaged; "
        + ObjectBoxError.damageAdvice
    )
  }

  /// Computes the digest of the present rows.
  private func computeDigest(in transaction: StorageTransaction) throws -> UInt32 {
    var digest = SchemaDigest()
    let cursor = try transaction.cursor(table)
    var next = try cursor.firstRow()
    while let row = next {
      digest.add([UInt8](row.key), [UInt8](row.value))
      next = try cursor.nextRow()
    }
    return digest.value
  }

  // MARK: ID sequences

  package func sequence(entity: UInt32, in transaction: StorageTransaction) throws -> UInt64 {
    try value(of: "sequence/\(entity)", in: transaction) ?? 0
  }

  func setSequence(
    _ last: UInt64,
    entity: UInt32,
    in transaction: StorageTransaction
  ) throws {
    try set(last, key: "sequence/\(entity)", in: transaction)
  }

  /// Removes the layouts and the ID sequence of an entity.
  func removeEntity(_ entity: UInt32, in transaction: StorageTransaction) throws {
    _ = try transaction.delete(table, key: Array("layouts/\(entity)".utf8))
    _ = try transaction.delete(table, key: Array("sequence/\(entity)".utf8))
  }

  private func set(
    _ value: some ByteCodable,
    key: String,
    in transaction: StorageTransaction
  ) throws {
    try transaction.put(table, key: Array(key.utf8), value: ByteCoder.bytes(of: value))
  }

  /// Reads and decodes a value; nil when there is none.
  ///
  /// The error of a damaged value contains the name, if there is one, else the key.
  private func value<T: ByteCodable>(
    of key: String,
    _ name: String? = nil,
    in transaction: StorageTransaction
  ) throws -> T? {
    guard let bytes = try transaction.get(table, key: Array(key.utf8)) else { return nil }
    do { return try ByteCoder.value(in: bytes) as T } catch {
      throw ObjectBoxError.fileCorrupt(
        message: "the \(name ?? key) in the store file cannot be read; "
          + ObjectBoxError.damageAdvice
      )
    }
  }
}
