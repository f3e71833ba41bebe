internal import ObjectBox
internal import ObjectBoxStorage
internal import ObjectBoxSyncProtocol
internal import ObjectBoxSyncSchema

/// The objects of a program's transaction that only inserts and updates objects and adds pairs.
///
/// Most transactions are of this kind, including the largest. The device's forecast is known: all objects become what
/// the program has stored. So their operations are written from the records directly, without rows in memory. New
/// objects with consecutive IDs share one row of versions and one of bases. ``CapturedChanges`` makes the same
/// operations and versions for any transaction.
struct WrittenObjects {
  /// The objects of one entity.
  struct Part {
    let entity: SyncedEntity
    let rules: EntityRules
    /// The IDs of the new objects as ranges in ascending order.
    let inserted: [ClosedRange<UInt64>]
    /// The changed objects by ascending ID, with the properties that may have changed.
    let updated: [(id: UInt64, properties: PropertySet)]
    /// The pairs that may have changed.
    let pairs: Set<ChangedPair>
  }

  /// The result of an attempt to queue a transaction.
  enum Outcome {
    /// The transaction waits for the server.
    case queued
    /// All objects have their previous values; nothing was written.
    case unchanged
    /// The transaction needs the protocol's forecast; nothing was written.
    case needsForecast
  }

  /// The parts by ascending UIDs of their entities.
  private let parts: [Part]
  private let insertCount: Int
  /// True if objects are updated.
  let hasUpdates: Bool

  /// Creates the objects of a transaction; nil if the transaction does anything else.
  ///
  /// - Parameters:
  ///   - changed: The noted changes by the number of an entity.
  ///   - model: The synchronized entities.
  init?(_ changed: [Int: EntityChanges], _ model: SyncedModel) {
    var parts: [Part] = []
    for (number, changes) in changed where !changes.isEmpty {
      guard let entity = model[number] else { continue }
      guard let rules = model.rules[entity.uid], let part = Part(changes, of: entity, rules) else {
        return nil
      }
      parts.append(part)
    }
    if parts.count > 1 { parts.sort { $0.entity.uid < $1.entity.uid } }
    self.parts = parts
    insertCount = parts.reduce(0) { $0 + $1.inserted.reduce(0) { $0 + $1.count } }
    hasUpdates = parts.contains { !$0.updated.isEmpty }
  }

  /// Returns true if an object is among the new ones, by binary search.
  func inserts(_ key: ObjectKey) -> Bool {
    guard insertCount > 0, let part = parts.first(where: { $0.entity.uid == key.entity }) else {
      return false
    }
    var (lower, upper) = (0, part.inserted.count)
    while lower < upper {
      let middle = (lower + upper) / 2
      if part.inserted[middle].upperBound < key.id { lower = middle + 1 } else { upper = middle }
    }
    return lower < part.inserted.count && part.inserted[lower].contains(key.id)
  }

  // MARK: Queue

  /// Queues the changes in the transaction.
  ///
  /// - Parameters:
  ///   - token: The random identity of the transaction.
  ///   - wall: The clock in milliseconds since 1970.
  ///   - device: The state in the transaction.
  /// - Returns: The result; nothing is written unless it is `queued`.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read or written.
  func queue(
    _ token: TransactionToken,
    wall: Int64,
    _ device: StoredDevice
  ) throws -> Outcome {
    // Values that the device has not received must be left out.
    if hasUpdates {
      let unreceived = try device.unreceived
      for part in parts where !part.updated.isEmpty && unreceived[part.entity.uid] != nil {
        return .needsForecast
      }
    }
    // Versions or a base show that another object had the ID.
    for part in parts {
      for ids in part.inserted where try !device.isFree(ids, of: part.entity.uid) {
        return .needsForecast
      }
    }
    var state = device.state
    let transaction = state.nextTransaction([], token: token, wall: wall)
    var targets = WrittenTargets(self, token, device)
    guard let pairs = try WrittenPairs(of: parts, token, &targets, device) else {
      return .needsForecast
    }
    var updates: ObjectUpdates?
    if hasUpdates {
      var changed = try ObjectUpdates(transaction, device)
      let areKnown = try device.transaction.readingCommitted { committed in
        try parts.allSatisfy { try changed.add($0, committed, &targets) }
      }
      guard areKnown, changed.areForecast else { return .needsForecast }
      updates = changed
    }
    let count = (updates?.count ?? 0) + insertCount + pairs.count
    if count == 0 { return .unchanged }
    let room = ByteRoom(capacity: 256 + (updates?.size ?? 0) + expectedInsertSize)
    room.append(byte: StoredOperations.form)
    room.append { transaction.writeHead(operationCount: count, to: &$0) }
    updates?.writeOperations(to: room)
    for part in parts where try !write(part, device, &targets, to: room) { return .needsForecast }
    pairs.writeOperations(to: room)
    room.append { Decision.accepted.write(to: &$0) }
    device.setState(state)
    try device.appendWaiting(encoded: room.bytes, token, isAccepted: true)
    try updates?.store()
    try addNew(transaction, device)
    try pairs.store(in: device)
    device.fillBlocks()
    try device.flushState()
    return .queued
  }

  /// Writes versions and bases of the new objects.
  private func addNew(_ transaction: SyncTransaction, _ device: StoredDevice) throws {
    let token = transaction.token
    let stamp = Stamp(time: transaction.time, token: token)
    let versions = Row(originID: token.originID, values: PropertyList(), stamp: stamp)
    for part in parts {
      for ids in part.inserted { try device.addNew(ids, of: part.entity.uid, versions) }
    }
  }

  // MARK: Inserts

  /// The number of bytes of the inserts with short values.
  private var expectedInsertSize: Int {
    parts.reduce(0) { size, part in
      let count = part.inserted.reduce(0) { $0 + $1.count }
      return size + (count == 0 ? 0 : 32) + (count + 1) * (2 + part.entity.columns.count * 10)
    }
  }

  /// Writes the inserts of an entity; returns false if one needs a forecast.
  private func write(
    _ part: Part,
    _ device: StoredDevice,
    _ targets: inout WrittenTargets,
    to room: ByteRoom
  ) throws -> Bool {
    if part.inserted.isEmpty { return true }
    let (entity, records) = (part.entity, part.entity.table.records)
    let columns = entity.columns
    var objects = try AscendingRecords(records.objects, in: device.storage)
    var origin: Operation.IDOrigin?
    var last: UInt64 = 0
    for ids in part.inserted {
      for id in ids {
        guard let record = try objects.record(id: id) else { return false }
        let reader = try records.reader(record, id: id)
        let own = entity.origin(of: id)
        if own != origin {
          if origin != nil { room.append(byte: 0) }
          begin(own, entity, to: room)
          (origin, last) = (own, 0)
        }
        room.append(id - last)
        last = id
        let key = ObjectKey(entity: entity.uid, id: id)
        for column in columns
        where try !targets.write(column, of: reader, insertedAt: key, to: room) {
          return false
        }
      }
    }
    room.append(byte: 0)
    return true
  }

  private func begin(_ origin: Operation.IDOrigin, _ entity: SyncedEntity, to room: ByteRoom) {
    room.append(byte: StoredOperations.Kind(origin).rawValue)
    room.append { writer in
      writer.append(entity.uid)
      writer.append(entity.columns.map(\.uid))
    }
  }
}

extension WrittenObjects.Part {
  /// Creates the part of an entity; nil if objects are removed, or if new objects have IDs that the server's database
  /// cannot have, or different stamps.
  fileprivate init?(_ changes: EntityChanges, of entity: SyncedEntity, _ rules: EntityRules) {
    guard !changes.hasRemovedAll, !changes.isUnknown else { return nil }
    var inserted: [ClosedRange<UInt64>] = []
    var updated: [(id: UInt64, properties: PropertySet)] = []
    for (id, change) in changes.objectsByID {
      switch change {
      case .inserted:
        if let last = inserted.last, last.upperBound == id - 1 {
          inserted[inserted.count - 1] = last.lowerBound...id
        } else {
          inserted.append(id...id)
        }
      case .updated(let properties): updated.append((id, properties))
      case .removed: return nil
      }
    }
    if let last = inserted.last, last.upperBound > UInt64(Int64.max) || rules.precedence != nil {
      return nil
    }
    self.entity = entity
    self.rules = rules
    self.updated = updated
    self.inserted = inserted
    pairs = changes.changedPairs
  }
}
