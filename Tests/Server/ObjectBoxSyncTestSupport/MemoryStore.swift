package import ObjectBoxSyncProtocol

/// A device's store in memory.
package struct MemoryStore: DeviceStore {
  package var state: DeviceState
  package var rows: MemoryRows
  package var bases: [ObjectKey: BaseRow] = [:]
  package var queue: [WaitingTransaction] = []
  package var told: [ToldDecision] = []
  package var models: DeviceModels?
  package private(set) var stagingArea: StagingArea?
  package private(set) var parts: [ResetPart] = []

  package init(device: DeviceIdentity, rules: SyncRules) {
    state = DeviceState(device: device)
    rows = MemoryRows(rules: rules)
  }

  package var waitingCount: Int { queue.count }
  package var baseKeys: [ObjectKey] { Array(bases.keys) }

  package mutating func setState(_ state: DeviceState) { self.state = state }
  package mutating func setModels(_ models: DeviceModels) { self.models = models }
  package func waiting(at index: Int) -> WaitingTransaction { queue[index] }
  package mutating func appendWaiting(_ transaction: WaitingTransaction) {
    queue.append(transaction)
  }
  package mutating func setWaiting(_ transaction: WaitingTransaction, at index: Int) {
    queue[index] = transaction
  }
  package mutating func removeFirstWaiting() { queue.removeFirst() }
  package func forecast(of token: TransactionToken) -> Decision? {
    queue.first { $0.transaction.token == token }?.forecast
  }
  package func waitingToken(originID: OriginID) -> TransactionToken? {
    queue.first { $0.transaction.token.originID == originID }?.transaction.token
  }

  package func shownRow(at key: ObjectKey) -> Row? { rows.rows[key] }
  package mutating func setShownRow(_ row: Row?, at key: ObjectKey) { rows.rows[key] = row }
  package func base(at key: ObjectKey) -> BaseRow? { bases[key] }
  package mutating func setBase(_ base: BaseRow, at key: ObjectKey) { bases[key] = base }
  package mutating func removeBases() { bases = [:] }
  package func forEachShownRow(
    in ranges: [KeyRange],
    _ body: (ObjectKey, Row) throws -> Bool
  ) rethrows {
    var rest = ranges[...]
    for key in rows.rows.keys.sorted() {
      rest = rest.drop { $0.ends(before: key) }
      guard let row = rows.rows[key], rest.first?.contains(key) == true else { continue }
      guard try body(key, row) else { return }
    }
  }
  package mutating func append(_ part: ResetPart, to stagingArea: StagingArea) {
    parts.append(part)
    self.stagingArea = stagingArea
  }
  package func stagedPiece(at index: Int) -> ResetPart? {
    index < parts.count ? parts[index] : nil
  }
  package mutating func removeStagingArea() { (stagingArea, parts) = (nil, []) }
  package mutating func tell(_ decision: ToldDecision) { told.append(decision) }
  package func holder(of unique: UniqueKey) -> Loaded<ObjectKey?> { rows.holder(of: unique) }
  package func sources(ofPairsTo target: ObjectKey) -> Loaded<[ObjectKey]> {
    rows.sources(ofPairsTo: target)
  }
}
