internal import ObjectBox
internal import ObjectBoxStorage
internal import ObjectBoxSyncProtocol

/// The device's part of the protocol in one transaction of a store.
///
/// Changed rows stay in memory until ``flush()`` writes the differences: a delta undoes and repeats all waiting
/// transactions, and most objects end unchanged. One thread uses it, within the transaction.
final class StoredDevice: DeviceStore {
  let model: SyncedModel
  let table: SyncTable
  let transaction: Transaction
  let storage: StorageTransaction
  /// The changed rows that the program sees; nil for removed objects.
  private(set) var changes: [ObjectKey: Row?] = [:]
  /// The changed rows that waiting transactions had changed before the delta.
  private(set) var unwound: Set<ObjectKey> = []
  /// The number of changed rows that stay in memory until ``flush()``.
  private(set) var keptCount = 0
  /// The program's changes in a commit of the program, before the transaction's operations.
  var programChanges: [ObjectKey: ProgramChange] = [:]
  /// True if the table has pairs beside versions; nil until that was looked up.
  var hasAddedPairs: Bool?
  /// The range that was looked up last.
  var knownRange: KnownRange?
  /// The last search for bases of several objects.
  var knownBases: KnownBases?
  /// The forecasts that were looked up, since reading one requires reading its operations.
  private var forecasts: [TransactionToken: Decision?] = [:]
  /// The unique values of changed rows.
  private var holders: [UniqueKey: ObjectKey] = [:]
  /// The insertions of new objects that were written before ``flush()``, by entity.
  var insertions: [EntityUID: ObjectInsertion] = [:]
  private var pairSources = PairSources()
  /// The objects that got other IDs.
  private(set) var renames: [(from: ObjectKey, to: ObjectKey)] = []
  /// False in a transaction of the program, whose unique values the core has checked.
  private let checksUnique: Bool
  private var record: StateRecord
  private var isRecordChanged = false

  /// Reads the state.
  ///
  /// - Parameters:
  ///   - model: The synchronized entities.
  ///   - table: The table with the state.
  ///   - transaction: The transaction, without savepoints.
  ///   - checksUnique: False to find no unique values.
  /// - Throws: ``ObjectBoxError`` when the state cannot be read.
  init(
    _ model: SyncedModel,
    _ table: SyncTable,
    in transaction: Transaction,
    checksUnique: Bool = true
  ) throws {
    self.model = model
    self.table = table
    self.transaction = transaction
    storage = transaction.storage
    self.checksUnique = checksUnique
    let stored = try table.state(in: storage)
    record = stored ?? StateRecord(DeviceState(device: .random()))
    isRecordChanged = stored == nil
  }

  // MARK: State

  var state: DeviceState { record.state }

  func setState(_ state: DeviceState) {
    record.state = state
    isRecordChanged = true
  }

  /// Entities whose earlier objects wait or are synchronized.
  var adopted: Set<EntityUID> {
    get { record.adopted }
    set {
      record.adopted = newValue
      isRecordChanged = true
    }
  }

  /// The IDs of waiting new objects; their bases are absent, since the server lacks these objects.
  ///
  /// They are part of the state, which each transaction writes, so these bases need no separate rows.
  var absentBases: [IDBlock] {
    get { record.absentBases }
    set {
      record.absentBases = newValue
      isRecordChanged = true
    }
  }

  /// Writes the state if it changed.
  func flushState() throws {
    guard isRecordChanged else { return }
    try table.setState(record, in: storage)
    isRecordChanged = false
  }

  // MARK: Queue

  var waitingCount: Int { record.queue.count }

  func waiting(at index: Int) throws -> WaitingTransaction {
    try waiting(place: record.queue.lowerBound + UInt64(index))
  }

  /// Returns the waiting transaction at a place of the queue.
  func waiting(place: UInt64) throws -> WaitingTransaction {
    let found = try table.read(
      SyncKey(.waiting, place),
      in: storage,
      as: WaitingTransaction.self
    )
    guard let found else { throw SyncTable.missing(.waiting) }
    return found
  }

  func appendWaiting(_ waiting: WaitingTransaction) throws {
    var writer = WireWriter()
    writer.append(waiting)
    let token = waiting.transaction.token
    let isAccepted = waiting.forecast == .accepted
    try writer.bytes.withUnsafeBytes {
      try appendWaiting(encoded: $0, token, isAccepted: isAccepted)
    }
  }

  /// Appends a waiting transaction with a token and the forecast whether it is accepted.
  func appendWaiting(
    encoded bytes: UnsafeRawBufferPointer,
    _ token: TransactionToken,
    isAccepted: Bool
  ) throws {
    let place = record.queue.upperBound
    let cursor = table.writeCursor(in: storage)
    try SyncKey(.waiting, place).bytes.withUnsafeBytes { try cursor.put(key: $0, value: bytes) }
    try set(QueuedToken(place: place, token: token, isAccepted: isAccepted))
    forecasts.removeValue(forKey: token)
    record.queue = record.queue.lowerBound..<place + 1
    isRecordChanged = true
  }

  func setWaiting(_ waiting: WaitingTransaction, at index: Int) throws {
    let place = record.queue.lowerBound + UInt64(index)
    try table.set(waiting, at: SyncKey(.waiting, place), in: storage)
    let token = waiting.transaction.token
    try set(QueuedToken(place: place, token: token, isAccepted: waiting.forecast == .accepted))
    forecasts[token] = .some(waiting.forecast)
  }

  private func set(_ queued: QueuedToken) throws {
    try table.set(queued, at: SyncKey(.originID, queued.token.originID.bits), in: storage)
  }

  func removeFirstWaiting() throws {
    guard !record.queue.isEmpty else { return }
    let first = try waiting(at: 0)
    try table.remove(SyncKey(.originID, first.transaction.token.originID.bits), in: storage)
    try table.remove(SyncKey(.waiting, record.queue.lowerBound), in: storage)
    forecasts.removeValue(forKey: first.transaction.token)
    record.queue = record.queue.lowerBound + 1..<record.queue.upperBound
    isRecordChanged = true
  }

  func forecast(of token: TransactionToken) throws -> Decision? {
    if let known = forecasts[token] { return known }
    var forecast: Decision?
    if let found = try queued(originID: token.originID), found.token == token {
      forecast = found.isAccepted ? .accepted : try waiting(place: found.place).forecast
    }
    forecasts[token] = .some(forecast)
    return forecast
  }

  /// Returns the place of a waiting transaction in the queue; nil if it does not wait.
  func place(of token: TransactionToken) throws -> UInt64? {
    guard let found = try queued(originID: token.originID), found.token == token else { return nil }
    return found.place
  }

  func waitingToken(originID: OriginID) throws -> TransactionToken? {
    try queued(originID: originID)?.token
  }

  private func queued(originID: OriginID) throws -> QueuedToken? {
    try table.read(SyncKey(.originID, originID.bits), in: storage)
  }

  /// Stores a decision that dropped something until the program has read it, and records new IDs.
  func tell(_ decision: ToldDecision) throws {
    if case .merged(_, let identities) = decision.decision {
      for new in identities {
        if let key = new.identity?.key, key != new.made { renames.append((new.made, key)) }
      }
    }
    switch decision.decision {
    case .accepted: return
    case .merged(let dropped, _): if dropped.isEmpty { return }
    case .rejected: break
    }
    try table.set(decision, at: SyncKey(.decision, record.nextDecision), in: storage)
    record.nextDecision += 1
    isRecordChanged = true
  }

  // MARK: Rows

  func shownRow(at key: ObjectKey) throws -> Row? {
    if let row = changes[key] { return row }
    return try storedRow(at: key)
  }

  func setShownRow(_ row: Row?, at key: ObjectKey) throws {
    // The server may synchronize entities that this program's model lacks.
    guard let entity = model[key.entity] else { return }
    let row = row.map(entity.withoutEmptyTargets)
    if let old = changes[key] ?? nil {
      for unique in model.rules.uniqueKeys(of: old, at: key) where holders[unique] == key {
        holders[unique] = nil
      }
    }
    change(key, to: row)
    guard let row else { return }
    for unique in model.rules.uniqueKeys(of: row, at: key) { holders[unique] = key }
  }

  private func change(_ key: ObjectKey, to row: Row?) {
    let old = changes.updateValue(row, forKey: key) ?? nil
    pairSources.replace(old, by: row, at: key)
  }

  /// Drops changed rows that were written.
  func forgetChanges(of keys: [ObjectKey]) {
    for key in keys {
      guard let row = changes.removeValue(forKey: key) ?? nil else { continue }
      pairSources.replace(row, by: nil, at: key)
      for unique in model.rules.uniqueKeys(of: row, at: key) where holders[unique] == key {
        holders[unique] = nil
      }
    }
    keptCount = changes.count
  }

  /// A change that a program's transaction has stored.
  struct ProgramChange {
    /// The versions before the transaction, which the table still has.
    let versions: Row?
    /// The values after the transaction; nil for a removed object.
    let values: PropertyList<PropertyValue>?
  }

  /// Sets an object's row before a program's transaction, and its values after it.
  func setProgramChange(
    from row: Row?,
    to values: PropertyList<PropertyValue>?,
    at key: ObjectKey
  ) {
    change(key, to: row)
    programChanges[key] = ProgramChange(versions: row?.versions, values: values)
  }

  /// Returns an object of the file; nil also for an object that is not synchronized.
  func storedRow(at key: ObjectKey) throws -> Row? {
    guard let entity = model[key.entity], var row = try storedVersions(at: key),
      let record = try entity.table.record(key.id, in: storage)
    else { return nil }
    row.values = entity.values(of: record)
    return row
  }

  // MARK: Bases

  func removeBases() throws {
    unwound = Set(changes.keys)
    keptCount = unwound.count
    try removeStoredBases()
  }

  // MARK: Look-ups

  func holder(of unique: UniqueKey) throws -> Loaded<ObjectKey?> {
    guard checksUnique else { return .value(nil) }
    if let key = holders[unique] { return .value(key) }
    guard let entity = model[unique.entity],
      let id = try entity.holder(of: unique, model.rules, in: transaction)
    else { return .value(nil) }
    let key = ObjectKey(entity: unique.entity, id: id)
    // A changed row that still had these values would be among `holders`.
    return .value(changes[key] == nil ? key : nil)
  }

  func sources(ofPairsTo target: ObjectKey) throws -> Loaded<[ObjectKey]> {
    let stored = try storedPairs(to: target).map(\.source).filter { changes[$0] == nil }
    return .value(pairSources.sources(of: target, in: changes).union(stored).sorted())
  }

  /// Returns the pairs that lead to an object, which may be missing.
  func storedPairs(
    to target: ObjectKey
  ) throws -> [(relation: PropertyUID, source: ObjectKey)] {
    var pairs: [(relation: PropertyUID, source: ObjectKey)] = []
    try table.forEach(SyncKey(.source, target), in: storage) { key, _ in
      pairs.append((PropertyUID(key.number(2)), key.object(at: 3)))
    }
    return pairs
  }
}

extension DeviceIdentity {
  /// Returns a new identity.
  static func random() -> Self { Self(.random()) }
}

extension Identifier128 {
  /// Returns random bits.
  static func random() -> Self {
    Self(high: .random(in: .min ... .max), low: .random(in: .min ... .max))
  }
}
