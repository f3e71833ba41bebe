import ObjectBoxSyncProtocol

/// A device's store in memory.
///
/// A copy of it is a backup.
struct TrialStore: DeviceStore {
  var state: DeviceState
  var rows: [ObjectKey: Row] = [:]
  var bases: [ObjectKey: BaseRow] = [:]
  var holders: [UniqueKey: ObjectKey] = [:]
  var queue: [WaitingTransaction] = []
  var told: [ToldVerdict] = []
  private(set) var stage: Stage?
  private(set) var parts: [ResetPart] = []
  /// The tokens of all transactions that were queued.
  var written: [TransactionToken] = []

  init(device: DeviceIdentity) {
    state = DeviceState(device: device)
  }

  var waitingCount: Int { queue.count }
  var baseKeys: [ObjectKey] { Array(bases.keys) }

  mutating func setState(_ state: DeviceState) { self.state = state }
  func waiting(at index: Int) -> WaitingTransaction { queue[index] }

  mutating func appendWaiting(_ transaction: WaitingTransaction) {
    queue.append(transaction)
    written.append(transaction.transaction.token)
  }

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

  func shownRow(at key: ObjectKey) -> Row? { rows[key] }

  mutating func setShownRow(_ row: Row?, at key: ObjectKey) {
    if let old = rows[key] {
      for unique in TrialModel.rules.uniqueKeys(of: old, at: key) where holders[unique] == key {
        holders[unique] = nil
      }
    }
    rows[key] = row
    guard let row else { return }
    for unique in TrialModel.rules.uniqueKeys(of: row, at: key) { holders[unique] = key }
  }

  func base(at key: ObjectKey) -> BaseRow? { bases[key] }
  mutating func setBase(_ base: BaseRow, at key: ObjectKey) { bases[key] = base }
  mutating func removeBases() { bases.removeAll(keepingCapacity: true) }

  func forEachShownRow(
    in ranges: [KeyRange],
    _ body: (ObjectKey, Row) throws -> Bool
  ) rethrows {
    for key in rows.keys.sorted() where ranges.contains(where: { $0.contains(key) }) {
      if let row = rows[key], try !body(key, row) { return }
    }
  }

  mutating func append(_ part: ResetPart, to stage: Stage) {
    parts.append(part)
    self.stage = stage
  }

  func stagedPiece(at index: Int) -> ResetPart? { index < parts.count ? parts[index] : nil }
  mutating func removeStage() { (stage, parts) = (nil, []) }

  mutating func tell(_ verdict: ToldVerdict) { told.append(verdict) }

  func holder(of unique: UniqueKey) -> Loaded<ObjectKey?> { .value(holders[unique]) }

  func sources(ofPairsTo target: ObjectKey) -> Loaded<[ObjectKey]> {
    .value(rows.filter { $0.value.pairs.contains { $0.target == target } }.map(\.key))
  }

  /// The hub's rows on this device.
  var shadow: [ObjectKey: Row] {
    var shadow = rows
    for (key, base) in bases { shadow[key] = base.row }
    return shadow
  }
}
