internal import ObjectBox
internal import ObjectBoxStorage
internal import ObjectBoxSyncProtocol
internal import ObjectBoxSyncSchema

/// The updates of a program's transaction: their operations, and the marks and bases that they leave.
///
/// Everything is read before anything is written: the protocol's forecast may still be needed.
struct ObjectUpdates {
  /// The marks of an object after the transaction.
  private struct NewMarks {
    let key: ObjectKey
    let marks: Row
  }

  /// The base of an object: a part of `bases`.
  private struct NewBase {
    let key: ObjectKey
    let bytes: Range<Int>
  }

  private let transaction: SyncTransaction
  private let device: StoredDevice
  /// Cursors on the marks and on the bases, which move on with the objects.
  private let marksCursor: StorageCursor
  private let basesCursor: StorageCursor
  /// IDs of the present entity without bases of their own.
  private var free: Range<UInt64> = 0..<0
  /// The last mark of a maker that was looked up, and the waiting transaction that has it.
  private var lastMaker: (birth: BirthMark, token: TransactionToken?)?
  /// The differences of counters.
  private var increments = WireWriter()
  private var updates = WireWriter()
  private var bases = WireWriter()
  private var newBases: [NewBase] = []
  private var newMarks: [NewMarks] = []
  private var incrementCount = 0
  /// True if unique values changed.
  private var changesUniques = false
  /// Room for the base of an object.
  private var base = WireWriter()
  /// Room for a value.
  private var value = WireWriter()
  /// Room for the changed properties of an object, as indexes of its columns.
  private var changed: [Int] = []

  /// - Parameters:
  ///   - transaction: The transaction, without operations.
  ///   - device: The state in the transaction.
  /// - Throws: ``ObjectBoxError`` when the table cannot be read.
  init(_ transaction: SyncTransaction, _ device: StoredDevice) throws {
    self.transaction = transaction
    self.device = device
    marksCursor = try device.table.cursor(in: device.storage)
    basesCursor = try device.table.cursor(in: device.storage)
  }

  /// The number of operations.
  var count: Int { incrementCount + newMarks.count }

  /// The size of the operations in bytes.
  var size: Int { increments.bytes.count + updates.bytes.count }

  /// False if the operations need the protocol's forecast.
  ///
  /// An object with a counter is changed in two steps. Between them it has its former unique values,
  /// which another object may have by then.
  var areForecast: Bool { incrementCount == 0 || !changesUniques }

  // MARK: Reading

  /// Adds the changed objects of an entity.
  ///
  /// - Parameters:
  ///   - part: The objects.
  ///   - committed: The newest commit, which has the objects as they were before.
  ///   - targets: The targets of relations.
  /// - Returns: False if the objects need the protocol's forecast.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read.
  mutating func add(
    _ part: WrittenObjects.Part,
    _ committed: StorageTransaction,
    _ targets: inout WrittenTargets
  ) throws -> Bool {
    let table = part.entity.table
    if part.updated.isEmpty { return true }
    free = 0..<0
    let cursor = try device.storage.cursor(table.records.objects)
    for object in part.updated {
      let key = ObjectKey(entity: part.entity.uid, id: object.id)
      guard let marks = try device.storedMarks(at: key, by: marksCursor),
        let old = try table.record(object.id, in: committed),
        let new = try cursor.record(id: object.id),
        try add(
          part,
          object.properties,
          marks,
          from: old,
          to: table.records.reader(new, id: object.id),
          &targets
        )
      else { return false }
    }
    return true
  }

  private mutating func add(
    _ part: WrittenObjects.Part,
    _ properties: PropertySet,
    _ marks: Row,
    from old: RecordReader,
    to new: RecordReader,
    _ targets: inout WrittenTargets
  ) throws -> Bool {
    let key = ObjectKey(entity: part.entity.uid, id: old.objectID)
    compare(part.entity, properties, marks, old, new)
    if changed.isEmpty { return true }
    if try !hasBase(key) {
      let start = bases.bytes.count
      base.bytes.withUnsafeBytes { bases.append(raw: $0) }
      newBases.append(NewBase(key: key, bytes: start..<bases.bytes.count))
    }
    let reference = try reference(to: key, marks)
    if !part.rules.counters.isEmpty, !count(part, reference, old, new) { return false }
    if changed.isEmpty { return true }
    guard let after = marksAfter(part, marks, new) else { return false }
    newMarks.append(NewMarks(key: key, marks: after))
    return try update(part, reference, old, new, &targets)
  }

  /// Returns whether an object has a base.
  ///
  /// It looks for the next one: objects up to it need no further look.
  private mutating func hasBase(_ key: ObjectKey) throws -> Bool {
    if device.hasAbsentBase(key) { return true }
    if free.contains(key.id) { return false }
    let next = try SyncTable.first(.base, from: key, basesCursor)?.key.object().id ?? .max
    free = key.id..<next
    return next == key.id
  }

  private mutating func reference(to key: ObjectKey, _ marks: Row) throws -> ObjectReference {
    if lastMaker?.birth != marks.birth {
      lastMaker = (marks.birth, try device.waitingToken(birth: marks.birth))
    }
    if let token = lastMaker?.token { return ObjectReference(key, madeBy: token) }
    return ObjectReference(ObjectIdentity(key: key, birth: marks.birth))
  }

  /// Writes the object before the transaction to `base`, and the changed columns to `changed`.
  private mutating func compare(
    _ entity: SyncedEntity,
    _ properties: PropertySet,
    _ marks: Row,
    _ old: RecordReader,
    _ new: RecordReader
  ) {
    changed.removeAll(keepingCapacity: true)
    base.removeAll()
    base.append(byte: 1)
    marks.birth.write(to: &base)
    base.append(count: entity.columns.count)
    for (index, column) in entity.columns.enumerated() {
      let start = base.bytes.count
      column.column.write(from: old, to: &base)
      guard properties.contains(column.place) else { continue }
      value.removeAll()
      column.column.write(from: new, to: &value)
      if !value.bytes.elementsEqual(base.bytes[start...]) { changed.append(index) }
    }
    marks.writeEnd(to: &base)
  }

  /// Writes the differences of counters, and takes these out of `changed`.
  ///
  /// - Returns: False if a counter is null now: the protocol replaces that by 0.
  private mutating func count(
    _ part: WrittenObjects.Part,
    _ reference: ObjectReference,
    _ old: RecordReader,
    _ new: RecordReader
  ) -> Bool {
    for index in changed where part.rules.counters.contains(part.entity.columns[index].uid) {
      let column = part.entity.columns[index]
      guard let after = column.column.value(in: new).integerValue else { return false }
      let before = column.column.value(in: old).integerValue ?? 0
      increments.append(Operation.increment(reference, column.uid, by: after &- before))
      incrementCount += 1
    }
    changed.removeAll { part.rules.counters.contains(part.entity.columns[$0].uid) }
    return true
  }

  /// Returns the marks of an object after its update; nil if an earlier write beats the update.
  private mutating func marksAfter(
    _ part: WrittenObjects.Part,
    _ marks: Row,
    _ new: RecordReader
  ) -> Row? {
    let columns = part.entity.columns
    let changed = changed.map { columns[$0].uid }
    for unique in part.rules.uniques where unique.properties.contains(where: changed.contains) {
      changesUniques = true
    }
    var precedence: Int64 = 0
    if let property = part.rules.precedence,
      let column = columns.first(where: { $0.uid == property })
    {
      precedence = column.column.value(in: new).integerValue ?? 0
    }
    let stamp = Stamp(
      precedence: precedence,
      time: transaction.time,
      token: transaction.token
    )
    var after = marks
    switch part.rules.mode {
    case .arrival: after.stamp = stamp
    case .objectClock:
      guard stamp > marks.stamp else { return nil }
      after.stamp = stamp
    case .propertyClock:
      for property in changed {
        guard stamp > marks.stamps[property] ?? marks.stamp else { return nil }
        after.stamps[property] = stamp
      }
    }
    return after
  }

  /// Writes the update of the changed columns; returns false if it needs a forecast.
  private mutating func update(
    _ part: WrittenObjects.Part,
    _ reference: ObjectReference,
    _ old: RecordReader,
    _ new: RecordReader,
    _ targets: inout WrittenTargets
  ) throws -> Bool {
    let columns = part.entity.columns
    if part.rules.mode == .objectClock {
      let isChanged = Set(changed)
      changed = try columns.indices.filter { index in
        if isChanged.contains(index) { return true }
        if part.rules.counters.contains(columns[index].uid) { return false }
        // The device cannot name a target that it does not see, and the server would empty the
        // relation.
        guard let target = columns[index].target, let id = columns[index].column.target(in: new)
        else { return true }
        return try targets.sees(ObjectKey(entity: target, id: id))
      }
    }
    Operation.writeUpdate(
      reference,
      valueCount: changed.count,
      hasBase: part.rules.sendsBase,
      to: &updates
    )
    for index in changed {
      guard try targets.write(columns[index], of: new, insertedAt: nil, to: &updates) else {
        return false
      }
    }
    guard part.rules.sendsBase else { return true }
    updates.append(count: columns.count)
    for column in columns {
      try targets.writeBase(column, of: old, to: &updates)
    }
    return true
  }

  // MARK: Writing

  /// Writes the operations: the differences of counters, then the updates.
  func writeOperations(to writer: inout WireWriter) {
    for part in [increments, updates] {
      part.bytes.withUnsafeBytes { writer.append(raw: $0) }
    }
  }

  /// Stores the marks and bases.
  ///
  /// - Throws: ``ObjectBoxError`` when the file cannot be written.
  func store() throws {
    let cursor = device.table.writeCursor(in: device.storage)
    try bases.bytes.withUnsafeBytes { bytes in
      for base in newBases {
        try SyncKey(.base, base.key).bytes.withUnsafeBytes {
          try cursor.put(key: $0, value: UnsafeRawBufferPointer(rebasing: bytes[base.bytes]))
        }
      }
    }
    var writer = WireWriter(capacity: 128)
    for new in newMarks { try device.setMarks(new.marks, at: new.key, by: cursor, &writer) }
  }
}
