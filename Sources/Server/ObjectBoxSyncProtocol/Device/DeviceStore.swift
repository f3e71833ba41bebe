/// The durable state of a device, within one write transaction.
///
/// The shown rows are what the program sees: the server's rows with the waiting transactions applied. A row that a
/// waiting transaction changed also has a base, the server's row.
package protocol DeviceStore: RowSource {
  /// The state record.
  var state: DeviceState { get throws }
  /// Replaces the state record.
  mutating func setState(_ state: DeviceState) throws
  /// The models that the rows depend on; nil before ``Device/open(_:)``.
  var models: DeviceModels? { get throws }
  /// The properties whose values the device has not received; see ``DeviceModels/unreceived``.
  var unreceived: [EntityUID: Set<PropertyUID>] { get throws }
  /// Replaces the models.
  mutating func setModels(_ models: DeviceModels) throws
  /// The number of waiting transactions.
  var waitingCount: Int { get throws }
  /// Returns a waiting transaction; 0 is the oldest.
  func waiting(at index: Int) throws -> WaitingTransaction
  /// Appends a waiting transaction.
  mutating func appendWaiting(_ transaction: WaitingTransaction) throws
  /// Replaces a waiting transaction.
  mutating func setWaiting(_ transaction: WaitingTransaction, at index: Int) throws
  /// Removes the oldest waiting transaction.
  mutating func removeFirstWaiting() throws
  /// Returns the forecast of a waiting transaction, or nil if no such transaction waits.
  func forecast(of token: TransactionToken) throws -> Decision?
  /// Returns the waiting transaction whose objects have the given origin ID.
  func waitingToken(originID: OriginID) throws -> TransactionToken?

  /// Returns an object as the program sees it.
  func shownRow(at key: ObjectKey) throws -> Row?
  /// Inserts, changes or removes an object that the program sees.
  ///
  /// While rows change one by one, two rows can have the same unique value. The index then has the row that was written
  /// last; removing a row removes only index entries that lead to it.
  mutating func setShownRow(_ row: Row?, at key: ObjectKey) throws
  /// Inserts or changes the objects of a delta, with the same result as ``setShownRow(_:at:)`` for one object after the
  /// other.
  ///
  /// In a server's deltas the keys ascend, so a store can write new objects faster.
  mutating func setShownRows(_ rows: RowBatch) throws
  /// Returns the server's row below an object that waiting transactions changed, or nil without one.
  func base(at key: ObjectKey) throws -> BaseRow?
  /// Sets the server's row below an object.
  mutating func setBase(_ base: BaseRow, at key: ObjectKey) throws
  /// The keys that have a base.
  var baseKeys: [ObjectKey] { get throws }
  /// Removes all bases.
  mutating func removeBases() throws
  /// Calls a function with each object in some ranges that the program sees, by ascending keys.
  ///
  /// - Parameters:
  ///   - ranges: Ranges in ascending order that do not overlap.
  ///   - body: Gets an object and its key, and returns false to stop; it must not change the store.
  /// - Throws: Errors of the store and of the body.
  func forEachShownRow(
    in ranges: [KeyRange],
    _ body: (ObjectKey, Row) throws -> Bool
  ) throws
  /// Stores a decision until the program has read it.
  mutating func tell(_ decision: ToldDecision) throws

  /// The head of the staged parts, or nil if nothing is staged.
  var stagingArea: StagingArea? { get throws }
  /// Appends a part to the staged ones, and replaces their head.
  mutating func append(_ part: ResetPart, to stagingArea: StagingArea) throws
  /// Returns a piece of the staged parts, in their order; nil after the last one.
  ///
  /// A store may divide parts into pieces. The first piece of a part has all its ranges.
  func stagedPiece(at index: Int) throws -> ResetPart?
  /// Removes the staged parts and their head, if there are any.
  mutating func removeStagingArea() throws
  /// Lets a store write the changed rows so far, so that a delta with many staged parts needs the memory of a few
  /// parts.
  mutating func releaseRows() throws
}

extension DeviceStore {
  /// Derived from ``models``.
  package var unreceived: [EntityUID: Set<PropertyUID>] {
    get throws { try models?.unreceived ?? [:] }
  }

  /// Inserts or changes one object after the other.
  package mutating func setShownRows(_ rows: RowBatch) throws {
    for row in rows { try setShownRow(row.row, at: row.key) }
  }

  /// Does nothing: a store in memory already has the rows.
  package mutating func releaseRows() throws {}

  /// Returns an object as the program sees it.
  package func row(at key: ObjectKey) throws -> Loaded<Row?> {
    .value(try shownRow(at: key))
  }

  /// Returns false: only the server has tombstones.
  package func hasTombstone(at key: ObjectKey) throws -> Loaded<Bool> {
    .value(false)
  }

  /// Returns the forecast outcome of a transaction that made objects.
  package func outcome(of maker: TransactionToken) throws -> Loaded<MakerOutcome?> {
    .value(try forecast(of: maker)?.outcome)
  }

  /// Returns nothing: only the server renumbers objects.
  package func freshID(of entity: EntityUID, index: Int) throws -> Loaded<UInt64> {
    .missing
  }
}

/// The server's row below an object that waiting transactions changed.
package enum BaseRow: Hashable, Sendable {
  /// The server's row.
  case row(Row)
  /// The server has no such object, or the device does not see it.
  case absent

  /// The server's row, or nil.
  package var row: Row? {
    guard case .row(let row) = self else { return nil }
    return row
  }
}

/// A transaction that waits for its decision, with the device's present forecast.
package struct WaitingTransaction: Hashable, Sendable {
  /// The transaction.
  package var transaction: SyncTransaction
  /// The forecast decision; a rejected transaction does not change the shown rows.
  package var forecast: Decision
  #if SYNC_MUTATIONS
    /// True if the server has acknowledged the transaction and the device no longer shows it.
    package var isAcknowledged = false
  #endif

  /// Creates a waiting transaction.
  package init(transaction: SyncTransaction, forecast: Decision) {
    self.transaction = transaction
    self.forecast = forecast
  }
}

/// The decision of a transaction, for the program.
package struct ToldDecision: Hashable, Sendable {
  /// The transaction, which the program may submit again after a rejection.
  package let transaction: SyncTransaction
  /// The server's decision.
  package let decision: Decision

  /// Creates the decision of a transaction.
  package init(transaction: SyncTransaction, decision: Decision) {
    self.transaction = transaction
    self.decision = decision
  }
}
