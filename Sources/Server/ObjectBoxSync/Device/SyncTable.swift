internal import ObjectBox
internal import ObjectBoxStorage
internal import ObjectBoxSyncProtocol

/// The table of a store file with the state of synchronization.
///
/// A row's key begins with the letter of its kind. Values have the same form as in messages. The objects themselves are
/// not in it: the table has only data that records lack.
struct SyncTable {
  /// The kinds of rows, by the first byte of their keys.
  enum Kind: UInt8 {
    /// The state of the device.
    case state = 0x73  // s
    /// The models that the rows depend on.
    case models = 0x64  // d
    /// The user of the last login; missing before the first one.
    case user = 0x6F  // o
    /// The properties without received values, by entity; missing if there are none.
    case unreceived = 0x75  // u
    /// Origin ID, stamps and pairs of an object: a row without values.
    case versions = 0x6D  // m
    /// Versions of new objects with consecutive IDs; the key has the entity and the last ID.
    case markedRange = 0x72  // r
    /// A pair that its source's versions lack; the key has source, relation and target.
    case addedPair = 0x61  // a
    /// The to-one relations of an object that are queued as empty until all earlier objects are queued.
    case incomplete = 0x69  // i
    /// A pair by its target; the key has target, relation and source.
    case source = 0x78  // x
    /// The server's row of an object that waiting transactions changed.
    case base = 0x62  // b
    /// Such rows of several objects; the key has the entity and the last ID.
    case bases = 0x63  // c
    /// A waiting transaction, by its place in the queue.
    case waiting = 0x71  // q
    /// The place in the queue of a waiting transaction, by the origin ID of its objects.
    case originID = 0x74  // t
    /// A decision that the program has not read, by a number.
    case decision = 0x76  // v
    /// The head of the staged parts of a reset.
    case stagingArea = 0x67  // g
    /// A piece of a staged part, by its number.
    case piece = 0x70  // p
  }

  static let name = SystemTable.sync
  private let table: StorageTable
  /// The state that was read or written last.
  private let lastState = Guarded<KnownState?>(nil)

  /// A state with its bytes.
  ///
  /// It is valid for any table with the same bytes, even after a rolled back transaction or a write by another process.
  private struct KnownState {
    let bytes: [UInt8]
    let record: StateRecord
    /// The number of bytes of the head; 0 if it was not written.
    let headCount: Int
  }

  /// Opens the table, and creates it if it is missing; the transaction must commit.
  init(creatingIn storage: StorageTransaction) throws {
    guard let table = try storage.openTable(Self.name, .plain, create: true) else {
      throw Self.missing(.state)
    }
    self.table = table
  }

  /// Opens the table of a file that is only read; nil if the store was never synchronized.
  init?(existingIn storage: StorageTransaction) throws {
    guard let table = try storage.openTable(Self.name, .plain, create: false) else { return nil }
    self.table = table
  }

  // MARK: State

  /// Reads the state; nil if there is none.
  ///
  /// Decodes it only if it differs from the last state that was read or written.
  ///
  /// - Throws: ``ObjectBoxError/fileCorrupt(message:)`` when the state cannot be read;
  ///   ``ObjectBoxError/schema(message:)`` for a table of another form.
  func state(in storage: StorageTransaction) throws -> StateRecord? {
    let key = SyncKey(.state)
    guard let bytes = try storage.get(table, key: key.bytes) else { return nil }
    if let known = lastState.copy, known.bytes == bytes { return known.record }
    if let form = bytes.first, form != StateRecord.form { throw Self.otherForm(form) }
    let record = try Self.decode(bytes, key, as: StateRecord.self)
    lastState.withLock { $0 = KnownState(bytes: bytes, record: record, headCount: 0) }
    return record
  }

  /// Writes the state.
  func setState(_ record: StateRecord, in storage: StorageTransaction) throws {
    let known = lastState.copy
    var writer = WireWriter(capacity: 64 + (known?.bytes.count ?? 192))
    if let known, known.headCount > 0, record.hasSameHead(as: known.record) {
      known.bytes.withUnsafeBytes {
        writer.append(raw: UnsafeRawBufferPointer(rebasing: $0[..<known.headCount]))
      }
    } else {
      record.writeHead(to: &writer)
    }
    let headCount = writer.bytes.count
    record.writeRest(to: &writer)
    try set(encoded: writer.bytes, at: SyncKey(.state), in: storage)
    let new = KnownState(bytes: writer.bytes, record: record, headCount: headCount)
    lastState.withLock { $0 = new }
  }

  // MARK: Rows

  /// Reads the value at a key; nil if there is none.
  ///
  /// - Throws: ``ObjectBoxError/fileCorrupt(message:)`` when the value cannot be read.
  func read<Value: WireValue>(
    _ key: SyncKey,
    in storage: StorageTransaction,
    as type: Value.Type = Value.self
  ) throws -> Value? {
    try storage.get(table, key: key.bytes).map { try Self.decode($0, key) }
  }

  /// Sets the value at a key.
  func set(_ value: some WireValue, at key: SyncKey, in storage: StorageTransaction) throws {
    var writer = WireWriter(capacity: 128)
    writer.append(value)
    try set(encoded: writer.bytes, at: key, in: storage)
  }

  /// Sets the encoded value at a key.
  func set(encoded bytes: [UInt8], at key: SyncKey, in storage: StorageTransaction) throws {
    try storage.put(table, key: key.bytes, value: bytes)
  }

  /// Opens a cursor that writes; it must be released before the transaction ends.
  func writeCursor(in storage: StorageTransaction) -> WriteCursor {
    storage.writeCursor(table)
  }

  /// Adds a key without a value.
  func add(_ key: SyncKey, in storage: StorageTransaction) throws {
    try storage.put(table, key: key.bytes, value: [])
  }

  /// Removes a key and its value; does nothing if it is missing.
  func remove(_ key: SyncKey, in storage: StorageTransaction) throws {
    _ = try storage.delete(table, key: key.bytes)
  }

  /// Returns the first row of an entity whose ID is at least the given one.
  ///
  /// - Parameters:
  ///   - kind: A kind whose keys have an entity and an ID.
  ///   - key: The entity and the ID.
  ///   - cursor: A cursor of this table.
  /// - Returns: The row's key and value, valid until the next write; nil if there is none.
  /// - Throws: `StorageError` when the table cannot be read.
  static func first(
    _ kind: Kind,
    from key: ObjectKey,
    _ cursor: StorageCursor
  ) throws -> (key: SyncKey, value: UnsafeRawBufferPointer)? {
    let start = SyncKey(kind, key)
    guard let row = try start.bytes.withUnsafeBytes({ try cursor.row(from: $0) }),
      start.hasSameStart(as: row.key)
    else { return nil }
    return (SyncKey(bytes: Array(row.key)), row.value)
  }

  /// Opens a cursor, which must be released before the next write.
  func cursor(in storage: StorageTransaction) throws -> StorageCursor {
    try storage.cursor(table)
  }

  /// Calls a body with rows of an entity, in the order of their IDs.
  ///
  /// - Parameters:
  ///   - kind: A kind whose keys have an entity and an ID.
  ///   - first: The entity and the first ID.
  ///   - storage: The transaction.
  ///   - body: Gets a key and a value, and returns false to stop; it must not write to the table.
  /// - Throws: `StorageError` when the table cannot be read, and the error of the body.
  func forEach(
    _ kind: Kind,
    from first: ObjectKey,
    in storage: StorageTransaction,
    _ body: (_ key: SyncKey, _ value: UnsafeRawBufferPointer) throws -> Bool
  ) throws {
    let cursor = try storage.cursor(table)
    let start = SyncKey(kind, first)
    var next = try start.bytes.withUnsafeBytes { try cursor.row(from: $0) }
    while let row = next, start.hasSameStart(as: row.key) {
      guard try body(SyncKey(bytes: Array(row.key)), row.value) else { return }
      next = try cursor.nextRow()
    }
  }

  /// Removes all rows of a kind.
  func removeAll(_ kind: Kind, in storage: StorageTransaction) throws {
    var keys: [SyncKey] = []
    try forEach(SyncKey(kind), in: storage) { key, _ in keys.append(key) }
    for key in keys { try remove(key, in: storage) }
  }

  /// Calls a body with the rows whose keys begin with the given bytes, in the order of their keys.
  ///
  /// The body must not write to the table.
  ///
  /// - Parameters:
  ///   - prefix: The first bytes of the keys.
  ///   - storage: The transaction.
  ///   - body: Gets a key and a value.
  /// - Throws: `StorageError` when the table cannot be read, and the error of the body.
  func forEach(
    _ prefix: SyncKey,
    in storage: StorageTransaction,
    _ body: (_ key: SyncKey, _ value: UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let cursor = try storage.cursor(table)
    var next = try prefix.bytes.withUnsafeBytes { try cursor.row(from: $0) }
    while let row = next, row.key.starts(with: prefix.bytes) {
      try body(SyncKey(bytes: Array(row.key)), row.value)
      next = try cursor.nextRow()
    }
  }

  /// Returns true if no key begins with the given bytes.
  func isEmpty(_ prefix: SyncKey, in storage: StorageTransaction) throws -> Bool {
    let cursor = try storage.cursor(table)
    let row = try prefix.bytes.withUnsafeBytes { try cursor.row(from: $0) }
    return row.map { !$0.key.starts(with: prefix.bytes) } ?? true
  }

  /// Reads a value from its bytes.
  ///
  /// - Throws: ``ObjectBoxError/fileCorrupt(message:)`` for malformed bytes.
  static func decode<Value: WireValue>(
    _ bytes: [UInt8],
    _ key: SyncKey,
    as type: Value.Type = Value.self
  ) throws -> Value {
    try decode(bytes, key) { (reader) throws(WireError) in try reader.value() }
  }

  /// Reads a value from all of the bytes by a body.
  ///
  /// - Throws: ``ObjectBoxError/fileCorrupt(message:)`` when the body fails.
  static func decode<Value>(
    _ bytes: [UInt8],
    _ key: SyncKey,
    _ read: (inout WireReader) throws(WireError) -> Value
  ) throws -> Value {
    do throws(WireError) {
      var reader = WireReader(bytes)
      let value = try read(&reader)
      try reader.end()
      return value
    } catch {
      throw unreadable(key, "\(error)")
    }
  }

  /// The error of a row that cannot be read.
  static func unreadable(_ key: SyncKey, _ reason: String) -> ObjectBoxError {
    .fileCorrupt(
      message: "a row \(key) in the table '\(name)' of the store file cannot be read (\(reason)); "
        + ObjectBoxError.damageAdvice
    )
  }

  /// The error of a table that another version of the library has written.
  private static func otherForm(_ form: UInt8) -> ObjectBoxError {
    .schema(
      message: "the form of the table '\(name)' in the store file is "
        + SystemTable.refusal(of: UInt32(form), reading: UInt32(StateRecord.form))
    )
  }

  /// The error of a row that must be there.
  static func missing(_ kind: Kind) -> ObjectBoxError {
    .fileCorrupt(
      message: "the table '\(name)' of the store file lacks a row of the kind '\(kind)'; "
        + ObjectBoxError.damageAdvice
    )
  }
}
