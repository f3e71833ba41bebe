internal import ObjectBox
internal import ObjectBoxSyncProtocol
internal import ObjectBoxSyncSchema

/// The targets of to-one relations from the objects of a program's transaction.
struct WrittenTargets {
  private let objects: WrittenObjects
  private let token: TransactionToken
  private let device: StoredDevice
  /// References to objects that the transaction does not insert; nil for those that the device does not see.
  private var known: [ObjectKey: ObjectReference?] = [:]
  /// True if the transaction inserts objects.
  let areInserted: Bool

  /// - Parameters:
  ///   - objects: The objects of the transaction.
  ///   - token: The random identity of the transaction.
  ///   - device: The state in the transaction, before it is changed.
  init(_ objects: WrittenObjects, _ token: TransactionToken, _ device: StoredDevice) {
    self.objects = objects
    self.token = token
    self.device = device
    areInserted = objects.parts.contains { !$0.inserted.isEmpty }
  }

  /// Writes the value of a property as it travels.
  ///
  /// - Parameters:
  ///   - column: The property.
  ///   - record: The object.
  ///   - room: Gets the bytes.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read.
  @inline(__always)
  mutating func write(
    _ column: SyncedColumn,
    of record: RecordReader,
    to room: ByteRoom
  ) throws {
    guard let target = column.target else {
      return room.append(column.column.content(in: record))
    }
    guard let id = column.column.target(in: record) else { return room.append(.null) }
    let reference = try writtenReference(to: ObjectKey(entity: target, id: id))
    room.append { PropertyValue.target(reference).write(to: &$0) }
  }

  /// Writes the value of a property of an object's base.
  ///
  /// An unconfirmed target that a waiting write has set is a reference, one in the server's row an ID.
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

  /// Returns whether a to-one relation leads to an object that the transaction inserts.
  func leadsToInserted(_ column: SyncedColumn, of record: RecordReader) -> Bool {
    guard let target = column.target, let id = column.column.target(in: record) else {
      return false
    }
    return objects.inserts(ObjectKey(entity: target, id: id))
  }

  /// Returns whether the device sees an object.
  mutating func sees(_ key: ObjectKey) throws -> Bool {
    try objects.inserts(key) || knownReference(to: key) != nil
  }

  /// Returns a reference to an object.
  mutating func writtenReference(to key: ObjectKey) throws -> ObjectReference {
    try objects.inserts(key) ? ObjectReference(key, madeBy: token) : reference(to: key)
  }

  /// Returns a reference to an object that the transaction does not insert.
  ///
  /// If a waiting transaction has made the object, the reference needs no look at the forecast: an
  /// object with the mark of its maker has the ID that the maker gave it.
  mutating func reference(to key: ObjectKey) throws -> ObjectReference {
    try knownReference(to: key) ?? device.reference(to: key, nil)
  }

  private mutating func knownReference(to key: ObjectKey) throws -> ObjectReference? {
    if let reference = known[key] { return reference }
    let reference = try device.storedOrigin(at: key).map { try device.reference(to: key, $0) }
    known[key] = .some(reference)
    return reference
  }
}

extension StoredDevice {
  /// Returns a reference to an object with the given origin ID.
  func reference(to key: ObjectKey, _ originID: OriginID?) throws -> ObjectReference {
    // Without an object the server will tell that there is none.
    guard let originID else {
      return ObjectReference(ObjectIdentity(key: key, originID: OriginID(0)))
    }
    if let token = try waitingToken(originID: originID) {
      return ObjectReference(key, madeBy: token)
    }
    return ObjectReference(ObjectIdentity(key: key, originID: originID))
  }
}
