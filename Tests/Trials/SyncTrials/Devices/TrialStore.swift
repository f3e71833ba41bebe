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
  var told: [ToldDecision] = []
  /// The decided transactions of which the program was told that the server may have lost them.
  var doubted: Set<TransactionToken> = []
  private(set) var stagingArea: StagingArea?
  private(set) var parts: [ResetPart] = []
  /// The tokens of all transactions that were queued.
  var written: [TransactionToken] = []
  var models: DeviceModels?
  /// The model of the program.
  var age: Age
  /// True if the server's rows have all properties of the second model.
  var hasLate = false

  init(device: DeviceIdentity, _ age: Age) {
    state = DeviceState(device: device)
    self.age = age
  }

  var waitingCount: Int { queue.count }
  var baseKeys: [ObjectKey] { Array(bases.keys) }

  mutating func setState(_ state: DeviceState) { self.state = state }
  mutating func setModels(_ models: DeviceModels) { self.models = models }
  func waiting(at index: Int) -> WaitingTransaction { queue[index] }

  mutating func appendWaiting(_ transaction: WaitingTransaction) {
    queue.append(transaction)
    written.append(transaction.transaction.token)
  }

  mutating func setWaiting(_ transaction: WaitingTransaction, at index: Int) {
    queue[index] = transaction
  }

  mutating func removeFirstWaiting() { queue.removeFirst() }

  func forecast(of token: TransactionToken) -> Decision? {
    queue.first { $0.transaction.token == token }?.forecast
  }

  func waitingToken(originID: OriginID) -> TransactionToken? {
    queue.first { $0.transaction.token.originID == originID }?.transaction.token
  }

  func shownRow(at key: ObjectKey) -> Row? { rows[key] }

  mutating func setShownRow(_ row: Row?, at key: ObjectKey) {
    if let old = rows[key] {
      for unique in TrialModel.rules.uniqueKeys(of: old, at: key) where holders[unique] == key {
        holders[unique] = nil
      }
    }
    let row = row.map(age.completed)
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

  mutating func append(_ part: ResetPart, to stagingArea: StagingArea) {
    parts.append(part)
    self.stagingArea = stagingArea
  }

  func stagedPiece(at index: Int) -> ResetPart? { index < parts.count ? parts[index] : nil }
  mutating func removeStagingArea() { (stagingArea, parts) = (nil, []) }

  mutating func tell(_ decision: ToldDecision) { told.append(decision) }

  func holder(of unique: UniqueKey) -> Loaded<ObjectKey?> { .value(holders[unique]) }

  func sources(ofPairsTo target: ObjectKey) -> Loaded<[ObjectKey]> {
    .value(rows.filter { $0.value.pairs.contains { $0.target == target } }.map(\.key))
  }

  /// Gives the store to a program with the second model.
  mutating func upgrade() {
    age = .second
    hasLate = false
    rows = rows.mapValues(age.completed)
  }

  /// The server's rows on this device.
  var shadow: [ObjectKey: Row] {
    var shadow = rows
    for (key, base) in bases { shadow[key] = base.row.map(age.completed) }
    return shadow
  }
}
