@testable import ObjectBoxSync
import ObjectBoxSyncProtocol

/// A device's store in which the new objects of a delta are not written at once, but kept in memory until
/// the end of the transaction, as changed ones are.
struct RowByRow: DeviceStore {
  let store: StoredDevice

  // Without `setShownRows(_:)`: the protocol's own one sets one row after the other.

  var state: DeviceState { store.state }
  func setState(_ state: DeviceState) { store.setState(state) }
  var models: DeviceModels? { get throws { try store.models } }
  var unreceived: [EntityUID: Set<PropertyUID>] { get throws { try store.unreceived } }
  func setModels(_ models: DeviceModels) throws { try store.setModels(models) }

  var waitingCount: Int { store.waitingCount }
  func waiting(at index: Int) throws -> WaitingTransaction { try store.waiting(at: index) }
  func appendWaiting(_ transaction: WaitingTransaction) throws {
    try store.appendWaiting(transaction)
  }
  func setWaiting(_ transaction: WaitingTransaction, at index: Int) throws {
    try store.setWaiting(transaction, at: index)
  }
  func removeFirstWaiting() throws { try store.removeFirstWaiting() }
  func forecast(of token: TransactionToken) throws -> Decision? { try store.forecast(of: token) }
  func waitingToken(originID: OriginID) throws -> TransactionToken? {
    try store.waitingToken(originID: originID)
  }
  func tell(_ decision: ToldDecision) throws { try store.tell(decision) }

  func shownRow(at key: ObjectKey) throws -> Row? { try store.shownRow(at: key) }
  func setShownRow(_ row: Row?, at key: ObjectKey) throws { try store.setShownRow(row, at: key) }
  func forEachShownRow(in ranges: [KeyRange], _ body: (ObjectKey, Row) throws -> Bool) throws {
    try store.forEachShownRow(in: ranges, body)
  }

  func base(at key: ObjectKey) throws -> BaseRow? { try store.base(at: key) }
  func setBase(_ base: BaseRow, at key: ObjectKey) throws { try store.setBase(base, at: key) }
  var baseKeys: [ObjectKey] { get throws { try store.baseKeys } }
  func removeBases() throws { try store.removeBases() }

  var stagingArea: StagingArea? { get throws { try store.stagingArea } }
  func append(_ part: ResetPart, to stagingArea: StagingArea) throws {
    try store.append(part, to: stagingArea)
  }
  func stagedPiece(at index: Int) throws -> ResetPart? { try store.stagedPiece(at: index) }
  func removeStagingArea() throws { try store.removeStagingArea() }

  func holder(of unique: UniqueKey) throws -> Loaded<ObjectKey?> { try store.holder(of: unique) }
  func sources(ofPairsTo target: ObjectKey) throws -> Loaded<[ObjectKey]> {
    try store.sources(ofPairsTo: target)
  }
}
