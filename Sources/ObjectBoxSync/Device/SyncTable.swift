internal import ObjectBox
internal import ObjectBoxStorage
internal import ObjectBoxSyncProtocol

/// The table of a store file that has the state of synchronization.
///
/// A row's key begins with the letter of its kind. Objects are their own rows: the table has only
/// what records lack.
struct SyncTable {
  /// Thrown when a row cannot be read.
  struct Damage: Error {}

  /// The kinds of rows, by the first byte of their keys.
  enum Kind: UInt8 {
    /// The state of the device.
    case state = 0x73  // s
    /// Birth mark, stamps and pairs of an object; the key goes on with the object.
    case marks = 0x6D  // m
    /// A pair from its target; the key goes on with target, relation and source.
    case source = 0x78  // x
    /// The server's row below an object that waiting transactions changed.
    case base = 0x62  // b
    /// A waiting transaction; the key goes on with its place in the queue.
    case waiting = 0x71  // q
    /// The place in the queue of a waiting transaction, by the birth mark of its objects.
    case birth = 0x74  // t
    /// A verdict that the program has not taken; the key goes on with a number.
    case verdict = 0x76  // v
  }

  static let name = SystemTable.sync
  let table: StorageTable

  /// Opens the table; nil if there is none.
  init?(in storage: StorageTransaction) throws {
    guard let table = try storage.openTable(Self.name, .plain, create: false) else { return nil }
    self.table = table
  }

  /// Opens the table, and creates it if it is missing; the transaction must commit.
  init(creatingIn storage: StorageTransaction) throws {
    guard let table = try storage.openTable(Self.name, .plain, create: true) else {
      throw Self.damaged(.state)
    }
    self.table = table
  }

  /// Reads the value at a key.
  ///
  /// - Throws: ``ObjectBoxError/fileCorrupt(message:)`` when the value cannot be read.
  func read<T>(
    _ key: SyncBytes,
    in storage: StorageTransaction,
    _ body: (inout SyncBytesReader) throws(Damage) -> T
  ) throws -> T? {
    guard let bytes = try storage.get(table, key: key.bytes) else { return nil }
    return try Self.decode(bytes, key.bytes, body)
  }

  static func decode<T>(
    _ bytes: [UInt8],
    _ key: [UInt8],
    _ body: (inout SyncBytesReader) throws(Damage) -> T
  ) throws -> T {
    var reader = SyncBytesReader(bytes)
    do {
      let value = try body(&reader)
      if reader.isAtEnd { return value }
    } catch {}
    throw damaged(key.first.flatMap(Kind.init))
  }

  static func damaged(_ kind: Kind?) -> ObjectBoxError {
    .fileCorrupt(
      message:
        "a row of the kind '\(kind.map { "\($0)" } ?? "unknown")' in the table '\(name)' of the "
        + "store file cannot be read; \(ObjectBoxError.damageAdvice)"
    )
  }

  /// Calls a body with the rows whose keys begin with the given bytes, in the order of their keys.
  ///
  /// The body must not write to the table.
  ///
  /// - Parameters:
  ///   - prefix: The first bytes of the keys.
  ///   - storage: The transaction.
  ///   - body: Gets a key and a value; returns false to stop.
  /// - Throws: `StorageError` when the table cannot be read, and the error of the body.
  func forEach(
    _ prefix: SyncBytes,
    in storage: StorageTransaction,
    _ body: (_ key: [UInt8], _ value: [UInt8]) throws -> Bool
  ) throws {
    let cursor = try storage.cursor(table)
    var next = try prefix.bytes.withUnsafeBytes { try cursor.row(from: $0) }
    while let row = next, row.key.starts(with: prefix.bytes) {
      guard try body([UInt8](row.key), [UInt8](row.value)) else { return }
      next = try cursor.nextRow()
    }
  }
}

extension SyncTable {
  /// The error of a row that must be there.
  static func missing(_ kind: Kind) -> ObjectBoxError {
    .fileCorrupt(
      message: "the table '\(name)' of the store file lacks a row of the kind '\(kind)'; "
        + ObjectBoxError.damageAdvice
    )
  }

  /// Returns the object of a key that begins with it.
  static func objectKey(in key: [UInt8]) throws -> ObjectKey {
    var reader = SyncBytesReader(key, at: 1)
    do { return try reader.key() } catch { throw damaged(key.first.flatMap(Kind.init)) }
  }

  /// Returns the relation and the source of a key of the kind ``Kind/source``.
  static func pair(in key: [UInt8]) throws -> (relation: PropertyUID, source: ObjectKey) {
    var reader = SyncBytesReader(key, at: 17)
    do {
      return (PropertyUID(try reader.number()), try reader.key())
    } catch { throw damaged(.source) }
  }
}
