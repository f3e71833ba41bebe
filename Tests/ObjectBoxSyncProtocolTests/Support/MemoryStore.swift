import ObjectBoxSyncProtocol

/// A device's store in memory.
struct MemoryStore: DeviceStore {
  var state: DeviceState
  var rows: MemoryRows
  var bases: [ObjectKey: BaseRow] = [:]
  var queue: [WaitingTransaction] = []
  var told: [ToldVerdict] = []

  init(device: DeviceIdentity, rules: SyncRules) {
    state = DeviceState(device: device)
    rows = MemoryRows(rules: rules)
  }

  var waitingCount: Int { queue.count }
  var baseKeys: [ObjectKey] { Array(bases.keys) }

  mutating func setState(_ state: DeviceState) { self.state = state }
  func waiting(at index: Int) -> WaitingTransaction { queue[index] }
  mutating func appendWaiting(_ transaction: WaitingTransaction) { queue.append(transaction) }
  mutating func setWaiting(_ transaction: WaitingTransaction, at index: Int) {
    queue[index] = transaction
  }
  mutating func removeFirstWaiting() { queue.removeFirst() }
  func forecast(of token: TransactionToken) -> Verdict? {
    queue.first { $0.transaction.token == token }?.forecast
  }
  func waitingToken(birth: BirthMark) -> TransactionToken? {
    queue.first { $0.transaction.token.birth == birth }?.transaction.token
  }

  func shownRow(at key: ObjectKey) -> Row? { rows.rows[key] }
  mutating func setShownRow(_ row: Row?, at key: ObjectKey) { rows.rows[key] = row }
  func base(at key: ObjectKey) -> BaseRow? { bases[key] }
  mutating func setBase(_ base: BaseRow, at key: ObjectKey) { bases[key] = base }
  mutating func removeBases() { bases = [:] }
  func forEachShownRow(_ body: (ObjectKey, Row) throws -> Void) rethrows {
    for (key, row) in rows.rows { try body(key, row) }
  }
  mutating func tell(_ verdict: ToldVerdict) { told.append(verdict) }
  func holder(of unique: UniqueKey) -> Loaded<ObjectKey?> { rows.holder(of: unique) }
  func sources(ofPairsTo target: ObjectKey) -> Loaded<[ObjectKey]> {
    rows.sources(ofPairsTo: target)
  }
}
