internal import ObjectBox
internal import ObjectBoxStorage
internal import ObjectBoxSyncProtocol
internal import ObjectBoxSyncSchema

/// The objects of a program's transaction that does nothing but insert objects.
///
/// Most transactions are of this kind, and the largest ones. The device's forecast of them is known:
/// all objects are inserted as they are. So their operations are written straight from the records,
/// without rows in memory, and consecutive IDs share one row of marks and one of bases.
/// ``CapturedChanges`` makes the same operations and marks of any transaction.
struct InsertedObjects {
  /// Objects of one entity with consecutive IDs.
  private struct Run {
    let entity: SyncedEntity
    let ids: ClosedRange<UInt64>

    /// The number of bytes of the operations with short values: UIDs take most of them.
    var expectedSize: Int { ids.count * (16 + entity.columns.count * 20) }
  }

  /// The objects, by entity and ID.
  private let runs: [Run]
  private let count: Int

  /// Takes the changes of a transaction; nil if it does anything else, or if its objects have
  /// different stamps.
  ///
  /// - Parameters:
  ///   - changed: The noted changes by the number of a synchronized entity.
  ///   - model: The synchronized entities.
  init?(_ changed: [Int: EntityChanges], _ model: SyncedModel) {
    var runs: [Run] = []
    var count = 0
    for (number, changes) in changed where !changes.isEmpty {
      guard let entity = model[number], model.rules[entity.uid]?.precedence == nil,
        !changes.hasRemovedAll, !changes.hasRelated, !changes.isUnknown,
        let ranges = Self.ranges(of: changes.objects)
      else { return nil }
      runs += ranges.map { Run(entity: entity, ids: $0) }
      count += changes.objects.count
    }
    self.runs = runs.sorted {
      ($0.entity.uid, $0.ids.lowerBound) < ($1.entity.uid, $1.ids.lowerBound)
    }
    self.count = count
  }

  /// Returns the IDs as ranges in ascending order; nil unless all objects are new, and have IDs that
  /// the server's database can have.
  private static func ranges(
    of objects: [UInt64: EntityChanges.Change]
  ) -> [ClosedRange<UInt64>]? {
    var (first, last) = (UInt64.max, UInt64.min)
    for (id, change) in objects {
      guard case .inserted = change else { return nil }
      first = min(first, id)
      last = max(last, id)
    }
    guard first <= last, last <= UInt64(Int64.max) else { return nil }
    // IDs that follow each other need no sorting.
    if last - first == UInt64(objects.count - 1) { return [first...last] }
    var ranges: [ClosedRange<UInt64>] = []
    for id in objects.keys.sorted() {
      if let range = ranges.last, range.upperBound + 1 == id {
        ranges[ranges.count - 1] = range.lowerBound...id
      } else {
        ranges.append(id...id)
      }
    }
    return ranges
  }

  // MARK: Queue

  /// Queues the inserts in the transaction.
  ///
  /// - Parameters:
  ///   - token: The random identity of the transaction.
  ///   - device: The state in the transaction.
  /// - Returns: False if the inserts need the protocol's forecast; nothing is written then.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read or written.
  func queue(_ token: TransactionToken, _ device: StoredDevice) throws -> Bool {
    // Marks or a base tell of another object that had the ID.
    for run in runs where try !device.isFree(run.ids, of: run.entity.uid) { return false }
    var state = device.state
    let transaction = state.nextTransaction([], token: token, wall: WallClock.now)
    var writer = WireWriter(capacity: 256 + runs.reduce(0) { $0 + $1.expectedSize })
    transaction.writeHead(operationCount: count, to: &writer)
    var targets = Targets(self, device)
    for run in runs where try !write(run, device, &targets, to: &writer) { return false }
    Verdict.accepted.write(to: &writer)
    device.setState(state)
    try device.appendWaiting(encoded: writer.bytes, token)
    let marks = Row(
      birth: token.birth,
      values: PropertyList(),
      stamp: Stamp(time: transaction.time, token: token)
    )
    for run in runs { try device.addNew(run.ids, of: run.entity.uid, marks) }
    device.fillBlocks()
    try device.flushState()
    return true
  }

  /// Writes the inserts of a run; returns false if one needs a forecast.
  private func write(
    _ run: Run,
    _ device: StoredDevice,
    _ targets: inout Targets,
    to writer: inout WireWriter
  ) throws -> Bool {
    let table = run.entity.table
    if run.ids.count == 1 {
      guard let record = try table.record(run.ids.lowerBound, in: device.storage) else {
        return false
      }
      return try write(record, of: run.entity, &targets, to: &writer)
    }
    let cursor = try device.storage.cursor(table.records.objects)
    var next = run.ids.lowerBound
    var batch = try cursor.objects(from: next, isBackwards: false)
    while true {
      for entry in batch {
        guard entry.id == next else { return false }
        let record = try table.records.reader(entry.record, id: next)
        guard try write(record, of: run.entity, &targets, to: &writer) else { return false }
        if next == run.ids.upperBound { return true }
        next += 1
      }
      if batch.isEmpty { return false }
      batch = try cursor.nextObjects(isBackwards: false)
    }
  }

  private func write(
    _ record: RecordReader,
    of entity: SyncedEntity,
    _ targets: inout Targets,
    to writer: inout WireWriter
  ) throws -> Bool {
    let key = ObjectKey(entity: entity.uid, id: record.objectID)
    Operation.writeInsert(
      key,
      entity.origin(of: key.id),
      valueCount: entity.columns.count,
      to: &writer
    )
    for column in entity.columns {
      writer.append(column.uid.value)
      if let target = column.target, let id = column.column.target(in: record) {
        let reference = try targets.reference(to: ObjectKey(entity: target, id: id))
        guard let reference else { return false }
        PropertyValue.target(reference).write(to: &writer)
      } else {
        column.column.write(from: record, to: &writer)
      }
    }
    return true
  }

  /// Returns whether an object is among the inserted ones, by binary search.
  fileprivate func contains(_ key: ObjectKey) -> Bool {
    var (lower, upper) = (0, runs.count)
    while lower < upper {
      let middle = (lower + upper) / 2
      let run = runs[middle]
      if ObjectKey(entity: run.entity.uid, id: run.ids.upperBound) < key {
        lower = middle + 1
      } else {
        upper = middle
      }
    }
    return lower < runs.count && runs[lower].entity.uid == key.entity
      && runs[lower].ids.contains(key.id)
  }
}

/// The references to targets of to-one relations from inserted objects.
private struct Targets {
  private let objects: InsertedObjects
  private let device: StoredDevice
  private var known: [ObjectKey: ObjectReference?] = [:]

  init(_ objects: InsertedObjects, _ device: StoredDevice) {
    self.objects = objects
    self.device = device
  }

  /// Returns a reference to an object that no waiting transaction makes; nil for other objects,
  /// whose order and forecasts matter.
  mutating func reference(to key: ObjectKey) throws -> ObjectReference? {
    if let reference = known[key] { return reference }
    let reference = try makeReference(to: key)
    known[key] = .some(reference)
    return reference
  }

  private func makeReference(to key: ObjectKey) throws -> ObjectReference? {
    if objects.contains(key) { return nil }
    // Without a row the server will tell that there is no such object.
    guard let row = try device.storedMarks(at: key) else {
      return ObjectReference(ObjectIdentity(key: key, birth: BirthMark(0)))
    }
    if try device.waitingToken(birth: row.birth) != nil { return nil }
    return ObjectReference(ObjectIdentity(key: key, birth: row.birth))
  }
}
