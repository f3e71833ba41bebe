internal import ObjectBoxStorage

/// The table of a store file that describes the others.
///
/// Keys: `format` (4 bytes: the version of the file format), `schema`, `layouts/<entity ID>`,
/// `sequence/<entity ID>` (8 bytes: the highest ID that was given out when objects were last removed).
struct SystemTable {
  /// The version of the file format that this code writes and reads.
  static let formatVersion: UInt32 = 1
  static let name = "objectbox"

  let table: StorageTable

  static func objects(entity: UInt32) -> String { "e\(entity)" }
  static func index(_ id: UInt32) -> String { "i\(id)" }
  /// The targets of each source of a standalone relation.
  static func relation(_ id: UInt32) -> String { "r\(id)" }
  /// The sources of each target of a standalone relation.
  static func backlink(_ id: UInt32) -> String { "b\(id)" }
  static func vectorIndex(_ id: UInt32) -> String { "v\(id)" }

  // MARK: Format

  func format(in transaction: StorageTransaction) throws -> UInt32? {
    try number(key: "format", in: transaction)
  }

  func setFormat(in transaction: StorageTransaction) throws {
    try set(Self.formatVersion, key: "format", in: transaction)
  }

  // MARK: Schema

  func schema(in transaction: StorageTransaction) throws -> StoreSchema {
    guard let bytes = try transaction.get(table, key: Array("schema".utf8)) else {
      return StoreSchema()
    }
    do {
      return try SchemaCoding.schema(from: bytes).inOrderOfIDs
    } catch { throw damaged("schema") }
  }

  func set(_ schema: StoreSchema, in transaction: StorageTransaction) throws {
    try transaction.put(
      table,
      key: Array("schema".utf8),
      value: SchemaCoding.bytes(of: schema)
    )
  }

  func layouts(
    entity: UInt32,
    in transaction: StorageTransaction
  ) throws -> [RecordLayout.Definition] {
    guard let bytes = try transaction.get(table, key: Array("layouts/\(entity)".utf8)) else {
      return []
    }
    do {
      return try SchemaCoding.layouts(from: bytes)
    } catch { throw damaged("layouts of entity \(entity)") }
  }

  func set(
    _ layouts: [RecordLayout.Definition],
    entity: UInt32,
    in transaction: StorageTransaction
  ) throws {
    try transaction.put(
      table,
      key: Array("layouts/\(entity)".utf8),
      value: SchemaCoding.bytes(of: layouts)
    )
  }

  // MARK: ID sequences

  func sequence(entity: UInt32, in transaction: StorageTransaction) throws -> UInt64 {
    try number(key: "sequence/\(entity)", in: transaction) ?? 0
  }

  func setSequence(
    _ last: UInt64,
    entity: UInt32,
    in transaction: StorageTransaction
  ) throws {
    try set(last, key: "sequence/\(entity)", in: transaction)
  }

  /// Forgets layouts and sequence of an entity.
  func removeEntity(_ entity: UInt32, in transaction: StorageTransaction) throws {
    _ = try transaction.delete(table, key: Array("layouts/\(entity)".utf8))
    _ = try transaction.delete(table, key: Array("sequence/\(entity)".utf8))
  }

  private func number<T: FixedWidthInteger>(
    key: String,
    in transaction: StorageTransaction
  ) throws -> T? {
    guard let bytes = try transaction.get(table, key: Array(key.utf8)) else { return nil }
    var reader = ByteReader(bytes)
    do {
      return try reader.read(T.self)
    } catch { throw damaged(key) }
  }

  private func set<T: FixedWidthInteger>(
    _ value: T,
    key: String,
    in transaction: StorageTransaction
  ) throws {
    var writer = ByteWriter()
    writer.write(value)
    try transaction.put(table, key: Array(key.utf8), value: writer.bytes)
  }

  private func damaged(_ what: String) -> ObjectBoxError {
    .fileCorrupt(message: "the \(what) in the store file cannot be read; restore it from a backup")
  }
}
