import ObjectBoxSyncProtocol

/// The server's database in memory.
///
/// A copy of it is a backup.
struct TrialServer {
  var rows: [ObjectKey: Row] = [:]
  var holders: [UniqueKey: ObjectKey] = [:]
  var tombstones: Set<ObjectKey> = []
  var log: [LogEntry] = []
  var nextTransaction: UInt64 = 100
  /// The number behind the last commit: a crash gives the numbers from it on again.
  var durable: UInt64 = 100
  /// Transactions in progress, in ascending order.
  var open: [UInt64] = []
  var history = ServerHistory(epoch: Epoch(system: 1, database: 1, timeline: 1))
  /// The end of the write-ahead log.
  var position: UInt64 = 0
  var nextIDs: [UInt64] = TrialModel.entities.map { _ in TrialModel.firstAssignedID }
  var records: [DeviceIdentity: DeviceRecord] = [:]
  /// Tokens by device and sequence number, until the server forgets them.
  var tokens: [DeviceIdentity: [UInt64: TransactionToken]] = [:]
  /// Decisions that devices have not confirmed.
  var unconfirmed: [DeviceIdentity: [SequencedDecision]] = [:]
  /// All decisions, also those that the server has forgotten; see ``known(_:)``.
  var decided: [TransactionToken: DecidedTransaction] = [:]
  /// The times that devices gave their transactions, in milliseconds.
  var written: [TransactionToken: Int64] = [:]
  /// Decided transactions without effects.
  var idle: Set<TransactionToken> = []
  /// Transactions whose decisions without effects the server has forgotten; it may have decided them anew.
  var forgottenIdle: Set<TransactionToken> = []
  /// The forgotten ones that it has not decided anew.
  var unknownIdle: Set<TransactionToken> = []
  /// The server has forgotten decisions about transactions from before this time.
  var retentionLimit = Int64.min
  /// The transactions that removed objects, by tombstones.
  var burials: [ObjectKey: UInt64] = [:]
  /// The owners whose objects each user may see and write.
  var grants: [[Int64]] = []
  /// True if the users' rules follow relations too.
  var hasLinks = false
  /// The connections of devices by their numbers, with what their users may see.
  var sessions: [Int: (rules: [LinkedScope], grants: Grants)] = [:]
  /// The rule of the relation between resolved objects.
  var deleteRule = DeleteRule.nullify
  /// Objects that the rule has removed or changed, and transactions that it has rejected.
  var ruledCount = 0
  /// The model of the schema; servers with an earlier one may run beside it.
  var age = Age.first

  var cursor: Cursor {
    Cursor(
      snapshot: TransactionSnapshot(xmax: nextTransaction, inProgress: open)
        .limited(below: durable),
      epoch: history.epoch,
      position: position
    )
  }

  mutating func begin() -> UInt64 {
    defer { nextTransaction += 1 }
    open.append(nextTransaction)
    return nextTransaction
  }

  mutating func end(_ transaction: UInt64, commits: Bool = true) {
    open.removeAll { $0 == transaction }
    if commits { durable = max(durable, transaction + 1) }
    position += 1
  }

  /// Ends all transactions in progress, and forgets those that no commit has brought to the disk.
  mutating func crash() {
    for transaction in open { end(transaction, commits: false) }
    nextTransaction = durable
  }

  mutating func leaseBlock(of entity: EntityUID) -> IDBlock {
    let index = Int(entity.value) - 1
    defer { nextIDs[index] += TrialModel.leaseSize }
    return IDBlock(
      entity: entity,
      ids: nextIDs[index]..<nextIDs[index] + TrialModel.leaseSize
    )
  }

  /// Writes changes and their log, as the triggers of tables do.
  ///
  /// Changes of pairs are logged with their sources' values in `statementRows`: the rows that the
  /// statement of a plain SQL transaction saw.
  mutating func store(
    _ changes: [ObjectKey: Row?],
    tombstones new: Set<ObjectKey>,
    by transaction: UInt64,
    statementRows: [ObjectKey: Row] = [:]
  ) {
    for key in changes.keys.sorted() {
      let row = (changes[key] ?? nil).map(age.completed)
      let old = rows[key]
      guard old != row else { continue }
      var before = old.map(ruleValues)
      if let old, let row, old.values == row.values, let seen = statementRows[key] {
        before = ruleValues(seen)
      }
      let after = old?.values == row?.values ? before : row.map(ruleValues)
      log.append(LogEntry(transaction: transaction, key: key, before: before, after: after))
      if let old {
        for unique in TrialModel.rules.uniqueKeys(of: old, at: key) where holders[unique] == key {
          holders[unique] = nil
        }
      }
      rows[key] = row
      if row != nil { tombstones.remove(key) }
      let index = Int(key.entity.value) - 1
      if key.id >= nextIDs[index], key.id < TrialModel.firstRandomID { nextIDs[index] = key.id + 1 }
    }
    for (key, row) in changes {
      guard let row else { continue }
      for unique in TrialModel.rules.uniqueKeys(of: row, at: key) { holders[unique] = key }
    }
    tombstones.formUnion(new)
    for key in new { burials[key] = transaction }
  }

  /// Returns the decision about a transaction, or nil if there is none or the server has forgotten it.
  func known(_ token: TransactionToken) -> DecidedTransaction? {
    written[token, default: .max] < retentionLimit || unknownIdle.contains(token)
      ? nil : decided[token]
  }

  /// Forgets decisions about transactions from before a time, and objects whose removal is swept.
  ///
  /// - Returns: The keys of the forgotten objects.
  mutating func forget(before time: Int64) -> Set<ObjectKey> {
    retentionLimit = max(retentionLimit, time)
    let forgotten = tombstones.filter { burials[$0, default: .max] < history.sweptBelow }
    tombstones.subtract(forgotten)
    return forgotten
  }

  private func ruleValues(_ row: Row) -> PropertyList<PropertyValue> {
    row.values.filter { TrialModel.compared.contains($0.property) }
  }

  /// Adds the columns of the second model.
  mutating func upgrade() {
    age = .second
    rows = rows.mapValues(age.completed)
    end(begin())
  }

  /// Forgets which transactions a device uploaded, and so which decisions it waits for; the device too after its last
  /// one.
  ///
  /// Decisions by token stay.
  mutating func forgetUploads(of device: DeviceIdentity, upTo number: UInt64) {
    tokens[device] = tokens[device]?.filter { $0.key > number }
    unconfirmed[device]?.removeAll { $0.sequence <= number }
    if records[device]?.last ?? 0 <= number { records[device] = nil }
  }

  /// Forgets decisions about transactions without effects from before a time.
  mutating func forgetIdleDecisions(before time: Int64) {
    let gone = idle.filter { written[$0, default: .max] < time }
    idle.subtract(gone)
    forgottenIdle.formUnion(gone)
    unknownIdle.formUnion(gone)
    for device in unconfirmed.keys { unconfirmed[device]?.removeAll { gone.contains($0.token) } }
  }

  /// Removes the log of transactions below a number; see ``ServerHistory/sweptBelow``.
  mutating func sweep(below number: UInt64) {
    let bound = min(number, open.first ?? nextTransaction)
    end(begin())
    history.sweptBelow = max(history.sweptBelow, bound)
    log.removeAll { $0.transaction < bound }
  }
}
