internal import ObjectBox
internal import ObjectBoxSyncProtocol
internal import ObjectBoxSyncSchema

/// The targets of to-one relations from the objects of a program's transaction.
struct WrittenTargets {
  private let objects: WrittenObjects
  private let token: TransactionToken
  private let device: StoredDevice
  private var known: [ObjectKey: ObjectReference] = [:]

  /// - Parameters:
  ///   - objects: The objects of the transaction.
  ///   - token: The random identity of the transaction.
  ///   - device: The state in the transaction, before any change.
  init(_ objects: WrittenObjects, _ token: TransactionToken, _ device: StoredDevice) {
    self.objects = objects
    self.token = token
    self.device = device
  }

  /// Writes the value of a property in its form in messages.
  ///
  /// - Parameters:
  ///   - column: The property.
  ///   - record: The object.
  ///   - source: The key of a new object; nil for a changed one.
  ///   - room: Gets the bytes.
  /// - Returns: False if the value is a new object that the protocol inserts later than the source.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read.
  @inline(__always)
  mutating func write(
    _ column: SyncedColumn,
    of record: RecordReader,
    insertedAt source: ObjectKey?,
    to room: ByteRoom
  ) throws -> Bool {
    guard let target = column.target else {
      room.append(column.column.content(in: record))
      return true
    }
    guard let id = column.column.target(in: record) else {
      room.append(.null)
      return true
    }
    return try write(ObjectKey(entity: target, id: id), insertedAt: source, to: room)
  }

  private mutating func write(
    _ key: ObjectKey,
    insertedAt source: ObjectKey?,
    to room: ByteRoom
  ) throws -> Bool {
    // New objects are inserted in the order of their keys.
    if objects.inserts(key), source.map({ key >= $0 }) ?? true { return false }
    let target = try writtenReference(to: key)
    room.append { PropertyValue.target(target).write(to: &$0) }
    return true
  }

  /// Writes the value of a property of an object's base.
  ///
  /// An unconfirmed target that a waiting write has set becomes a reference; a target in the server's row becomes an
  /// ID.
  mutating func writeBase(
    _ column: SyncedColumn,
    of record: RecordReader,
    at key: ObjectKey,
    to room: ByteRoom
  ) throws {
    if let target = column.target, let id = column.column.target(in: record) {
      let reference = try reference(to: ObjectKey(entity: target, id: id))
      if reference.maker != nil, let base = try device.base(at: key),
        base.row?.values[column.uid]?.integerValue != Int64(bitPattern: id)
      {
        return room.append { PropertyValue.target(reference).write(to: &$0) }
      }
    }
    room.append(column.column.content(in: record))
  }

  /// Returns true if the device sees an object.
  mutating func sees(_ key: ObjectKey) throws -> Bool {
    try objects.inserts(key) || device.storedOrigin(at: key) != nil
  }

  /// Returns a reference to an object.
  mutating func writtenReference(to key: ObjectKey) throws -> ObjectReference {
    try objects.inserts(key) ? ObjectReference(key, madeBy: token) : reference(to: key)
  }

  /// Returns a reference to an object that the transaction does not insert.
  ///
  /// If a waiting transaction has made the object, the forecast need not be read: an object with its maker's origin ID
  /// has the ID that the maker gave it.
  mutating func reference(to key: ObjectKey) throws -> ObjectReference {
    if let reference = known[key] { return reference }
    let reference = try device.reference(to: key, try device.storedOrigin(at: key))
    known[key] = reference
    return reference
  }
}

extension StoredDevice {
  /// Returns a reference to an object with the given origin ID.
  func reference(to key: ObjectKey, _ originID: OriginID?) throws -> ObjectReference {
    // Without an object, the server will report that there is none.
    guard let originID else {
      return ObjectReference(ObjectIdentity(key: key, originID: OriginID(0)))
    }
    if let token = try waitingToken(originID: originID) {
      return ObjectReference(key, madeBy: token)
    }
    return ObjectReference(ObjectIdentity(key: key, originID: originID))
  }
}
