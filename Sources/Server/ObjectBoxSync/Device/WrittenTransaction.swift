internal import ObjectBox
internal import ObjectBoxStorage
internal import ObjectBoxSyncProtocol
internal import ObjectBoxSyncSchema

/// Queues the changes of a program's transaction for the server.
///
/// The operations are written straight from the records, without rows in memory: removals first, since they free
/// unique values, then differences of counters, updates, inserts, updates that refer to inserted objects, and pairs.
///
/// All objects become as the program has stored them, unless an earlier write beats an update, or a counter becomes
/// null, which the protocol replaces by zero. Then the protocol undoes and repeats all that waits.
struct WrittenTransaction {
  let objects: WrittenObjects
  /// The random identity of the transaction.
  let token: TransactionToken
  /// The clock in milliseconds since 1970.
  let wall: Int64
  /// The transactions that are waiting since the newest commit, in order; not needed if objects are only inserted.
  let members: [SyncTransaction]
  /// The state in the transaction.
  let device: StoredDevice

  /// Queues the changes in the transaction.
  ///
  /// - Returns: False if nothing has changed; nothing was written then.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read or written.
  func queue() throws -> Bool {
    var state = device.state
    let transaction = state.nextTransaction([], token: token, wall: wall)
    let stamp = Stamp(time: transaction.time, token: token)
    let versions = Row(originID: token.originID, values: PropertyList(), stamp: stamp)
    var targets = WrittenTargets(objects, token, device)
    var changed = objects.hasChanged ? try changedObjects(transaction, &targets) : nil
    var inserts = try WrittenInserts(objects, versions, token, &targets, device)
    let pairs = try WrittenPairs(objects, token, &targets, device)
    let count =
      (changed?.count ?? 0) + inserts.parts.count + inserts.completions.count + pairs.count
    if count == 0 { return false }
    let updates = changed?.operations()
    let rooms =
      (updates?.early ?? []) + [inserts.parts.ended(), inserts.completions.ended()]
      + (updates.map { [$0.late] } ?? []) + [pairs.room]
    let room = ByteRoom(capacity: rooms.reduce(256) { $0 + $1.count })
    room.append(byte: StoredOperations.form)
    room.append { transaction.writeHead(operationCount: count, to: &$0) }
    for part in rooms { room.append(raw: part.bytes) }
    room.append { Decision.accepted.write(to: &$0) }
    device.setState(state)
    try device.appendWaiting(encoded: room.bytes, token, isAccepted: true)
    try changed?.store()
    try addNew(versions)
    try pairs.store(in: device)
    device.fillBlocks()
    // While earlier objects are queued, relations that wait for their targets would become empty: then the next delta
    // shows the result.
    if changed?.needsForecast == true || inserts.needForecast, device.unadopted.isEmpty {
      try device.rebase()
    }
    try device.flushState()
    return true
  }

  private func changedObjects(
    _ transaction: SyncTransaction,
    _ targets: inout WrittenTargets
  ) throws -> ChangedObjects {
    var changed = try ChangedObjects(transaction, device)
    try device.transaction.readingCommitted { committed in
      for part in objects.parts where !part.changed.isEmpty {
        var former = try FormerRecords(part.entity, after: members, in: committed)
        try changed.add(part, objects.groups, &former, &targets)
      }
    }
    return changed
  }

  /// Writes versions and bases of the inserted objects.
  private func addNew(_ versions: Row) throws {
    for part in objects.parts {
      let column = part.entity.columns.first { $0.uid == part.rules.precedence }
      for ids in part.inserted {
        guard let column else {
          try device.addNew(ids, of: part.entity.uid, versions, areFree: objects.areInsertsFree)
          continue
        }
        for id in ids {
          let record = try part.entity.table.record(id, in: device.storage)
          var own = versions
          own.stamp = Stamp(
            precedence: record.flatMap { column.column.value(in: $0).integerValue } ?? 0,
            time: versions.stamp.time,
            token: token
          )
          try device.addNew(id...id, of: part.entity.uid, own, areFree: objects.areInsertsFree)
        }
      }
    }
  }
}

extension StoredDevice {
  /// Undoes and repeats all that waits, by the forecast of the protocol.
  fileprivate func rebase() throws {
    var device = Device(store: self, rules: model.rules)
    try device.rebase()
    try flush()
  }

  /// Queues a transaction whose effects the store has already.
  ///
  /// - Throws: ``ObjectBoxError`` when the server would reject it, or when the file cannot be written.
  func queue(_ operations: [Operation], _ token: TransactionToken, wall: Int64) throws {
    var device = Device(store: self, rules: model.rules)
    do {
      try device.write(operations, token: token, wall: wall)
    } catch let rejection as Rejection {
      throw ObjectBoxError.illegalState(
        message:
          "the server would reject the write: \(rejection); change the objects, and put them again"
      )
    }
    fillBlocks()
  }
}
