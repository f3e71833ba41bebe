internal import ObjectBox
internal import ObjectBoxStorage
internal import ObjectBoxSyncProtocol
internal import ObjectBoxSyncSchema

/// The updates of a program's transaction: their operations, and the versions and bases after them.
///
/// Everything is read before anything is written: the protocol's forecast may still be needed.
struct ObjectUpdates {
  /// Objects with equal versions before the transaction.
  ///
  /// A class, so that passing it on retains only one reference.
  final class Group {
    let versions: Row
    /// The waiting transaction that made the objects; nil for confirmed ones.
    let maker: TransactionToken?

    init(_ versions: Row, _ maker: TransactionToken?) {
      self.versions = versions
      self.maker = maker
    }
  }

  private let transaction: SyncTransaction
  private let device: StoredDevice
  private var group: Group?
  /// The last ID that is known to be in the group.
  private var lastOfGroup: UInt64 = 0
  private var bases: UpdatedBases
  private var versions = UpdatedVersions()
  /// The differences of counters.
  private let increments = ByteRoom()
  private let updates = ByteRoom()
  /// The columns of the present entity.
  private var columns: [SyncedColumn] = []
  /// The open part of `updates`, and its last ID.
  private var open: Part?
  private var lastID: UInt64 = 0
  private var incrementCount = 0
  private var updateCount = 0
  /// True if unique values changed.
  private var changesUniques = false
  /// A buffer for the changed properties of an object, as indexes of its columns.
  private var changed: [Int] = []

  /// The changed objects of a part of ``StoredOperations``.
  private struct Part {
    let group: Group
    let changed: [Int]
  }

  /// - Parameters:
  ///   - transaction: The transaction, without operations.
  ///   - device: The state in the transaction.
  /// - Throws: ``ObjectBoxError`` when the table cannot be read.
  init(_ transaction: SyncTransaction, _ device: StoredDevice) throws {
    self.transaction = transaction
    self.device = device
    bases = try UpdatedBases(device)
  }

  /// The number of operations.
  var count: Int { incrementCount + updateCount }

  /// The size of the operations in bytes.
  var size: Int { increments.count + updates.count }

  /// False if the operations need the protocol's forecast.
  ///
  /// An object with a counter is changed in two steps. Between them it still has its former unique values, which
  /// another object may already have.
  var areForecast: Bool { incrementCount == 0 || !changesUniques }

  // MARK: Reading

  /// Adds the changed objects of an entity.
  ///
  /// - Parameters:
  ///   - part: The objects.
  ///   - committed: The newest commit, which has the objects before the transaction.
  ///   - targets: The targets of relations.
  /// - Returns: False if the objects need the protocol's forecast.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read.
  mutating func add(
    _ part: WrittenObjects.Part,
    _ committed: StorageTransaction,
    _ targets: inout WrittenTargets
  ) throws -> Bool {
    if part.updated.isEmpty { return true }
    let records = part.entity.table.records
    let cursor = try device.table.cursor(in: device.storage)
    var before = try AscendingRecords(records.objects, in: committed)
    var after = try AscendingRecords(records.objects, in: device.storage)
    group = nil
    columns = part.entity.columns
    for object in part.updated {
      let id = object.id
      guard try findGroup(of: ObjectKey(entity: part.entity.uid, id: id), cursor),
        let old = try before.record(id: id), let new = try after.record(id: id),
        try add(
          part,
          object.properties,
          from: records.reader(old, id: id),
          to: records.reader(new, id: id),
          &targets
        )
      else { return false }
    }
    bases.endEntity()
    endPart()
    return true
  }

  /// Sets `group` to the group of an object; returns false without versions.
  private mutating func findGroup(of key: ObjectKey, _ cursor: StorageCursor) throws -> Bool {
    if group != nil, key.id <= lastOfGroup { return true }
    guard let found = try device.storedVersions(from: key, by: cursor) else { return false }
    lastOfGroup = found.last
    if let group, group.versions == found.versions { return true }
    group = Group(found.versions, try device.waitingToken(originID: found.versions.originID))
    return true
  }

  private mutating func add(
    _ part: WrittenObjects.Part,
    _ properties: PropertySet,
    from old: RecordReader,
    to new: RecordReader,
    _ targets: inout WrittenTargets
  ) throws -> Bool {
    guard let group else { return false }
    compare(properties, old, new)
    if changed.isEmpty { return true }
    let key = ObjectKey(entity: part.entity.uid, id: old.id)
    try bases.add(part.entity, columns, old, key, group)
    if !part.rules.counters.isEmpty, !count(part, key, group, old, new) { return false }
    if changed.isEmpty { return true }
    guard addVersions(part, key, group, new) else { return false }
    return try update(part, key, group, old, new, &targets)
  }

  /// Writes the changed columns to `changed`.
  private mutating func compare(
    _ properties: PropertySet,
    _ old: RecordReader,
    _ new: RecordReader
  ) {
    changed.removeAll(keepingCapacity: true)
    // `contains` is generic, and would run unspecialized for each property.
    for index in columns.indices where properties.rawValue & columns[index].place.rawValue != 0 {
      let column = columns[index].column
      if !column.content(in: old).isSame(as: column.content(in: new)) { changed.append(index) }
    }
  }

  private func reference(to key: ObjectKey, _ group: Group) -> ObjectReference {
    if let maker = group.maker { return ObjectReference(key, madeBy: maker) }
    return ObjectReference(ObjectIdentity(key: key, originID: group.versions.originID))
  }

  /// Writes the differences of counters, and removes the counters from `changed`.
  ///
  /// - Returns: False if a counter is null now: the protocol replaces it by 0.
  private mutating func count(
    _ part: WrittenObjects.Part,
    _ key: ObjectKey,
    _ group: Group,
    _ old: RecordReader,
    _ new: RecordReader
  ) -> Bool {
    for index in changed where part.rules.counters.contains(columns[index].uid) {
      let column = columns[index]
      guard let after = column.column.value(in: new).integerValue else { return false }
      let before = column.column.value(in: old).integerValue ?? 0
      let object = reference(to: key, group)
      increments.append(byte: StoredOperations.Kind.operation.rawValue)
      increments.append {
        $0.append(Operation.increment(object, column.uid, by: after &- before))
      }
      incrementCount += 1
    }
    changed = changed.filter { !part.rules.counters.contains(columns[$0].uid) }
    return true
  }

  /// Adds the versions of an object after its update; returns false if the update loses to an earlier write.
  private mutating func addVersions(
    _ part: WrittenObjects.Part,
    _ key: ObjectKey,
    _ group: Group,
    _ new: RecordReader
  ) -> Bool {
    var precedence: Int64 = 0
    if let property = part.rules.precedence,
      let column = columns.first(where: { $0.uid == property })
    {
      precedence = column.column.value(in: new).integerValue ?? 0
    }
    if versions.extend(to: key, group, changed, precedence) { return true }
    let properties = changed.map { columns[$0].uid }
    for unique in part.rules.uniques where unique.properties.contains(where: properties.contains) {
      changesUniques = true
    }
    let stamp = Stamp(
      precedence: precedence,
      time: transaction.time,
      token: transaction.token
    )
    let before = group.versions
    var after = before
    switch part.rules.mode {
    case .arrival: after.stamp = stamp
    case .objectClock:
      guard stamp > before.stamp else { return false }
      after.stamp = stamp
    case .propertyClock:
      for property in properties {
        guard stamp > before.stamps[property] ?? before.stamp else { return false }
        after.stamps[property] = stamp
      }
    }
    versions.add(after, at: key, group, changed, precedence)
    return true
  }

  // MARK: Operations

  /// Writes the update of the changed columns; returns false if it needs a forecast.
  private mutating func update(
    _ part: WrittenObjects.Part,
    _ key: ObjectKey,
    _ group: Group,
    _ old: RecordReader,
    _ new: RecordReader,
    _ targets: inout WrittenTargets
  ) throws -> Bool {
    if part.rules.mode == .objectClock { try addUnchanged(part, new, &targets) }
    if open?.group !== group || open?.changed != changed { begin(part, group) }
    updates.append(key.id - lastID)
    lastID = key.id
    updateCount += 1
    for index in changed {
      guard try targets.write(columns[index], of: new, insertedAt: nil, to: updates) else {
        return false
      }
    }
    guard part.rules.sendsBase else { return true }
    for column in columns { try targets.writeBase(column, of: old, at: key, to: updates) }
    return true
  }

  /// Adds to `changed` the further columns of an update of the whole object.
  private mutating func addUnchanged(
    _ part: WrittenObjects.Part,
    _ new: RecordReader,
    _ targets: inout WrittenTargets
  ) throws {
    let isChanged = Set(changed)
    changed = try columns.indices.filter { index in
      if isChanged.contains(index) { return true }
      if part.rules.counters.contains(columns[index].uid) { return false }
      // The device cannot refer to a target that it does not see, and the server would empty the relation.
      guard let target = columns[index].target, let id = columns[index].column.target(in: new)
      else { return true }
      return try targets.sees(ObjectKey(entity: target, id: id))
    }
  }

  /// Begins a part with the changed columns.
  private mutating func begin(_ part: WrittenObjects.Part, _ group: Group) {
    endPart()
    open = Part(group: group, changed: changed)
    let columns = columns
    let properties = changed.map { columns[$0].uid }
    let kind: StoredOperations.Kind = part.rules.sendsBase ? .updatesWithBases : .updates
    updates.append(byte: kind.rawValue)
    updates.append { writer in
      writer.append(part.entity.uid)
      writer.append(group.maker)
      if group.maker == nil { writer.append(group.versions.originID) }
      writer.append(properties)
      if part.rules.sendsBase { writer.append(columns.map(\.uid)) }
    }
  }

  private mutating func endPart() {
    if open != nil { updates.append(byte: 0) }
    open = nil
    lastID = 0
  }

  // MARK: Writing

  /// Writes the operations: the differences of counters, then the updates.
  func writeOperations(to room: ByteRoom) {
    room.append(raw: increments.bytes)
    room.append(raw: updates.bytes)
  }

  /// Stores the versions and bases.
  ///
  /// - Throws: ``ObjectBoxError`` when the file cannot be written.
  mutating func store() throws {
    try bases.store()
    try versions.store(in: device)
  }
}
