internal import ObjectBox
package import ObjectBoxCluster
package import ObjectBoxSyncProtocol

/// Decides uploaded transactions, and stores their effects.
///
/// One SERIALIZABLE transaction of the database stores the effects of a device's transactions, the device's record and
/// the decisions. So each transaction has its effects once, however often it is sent and to whichever servers. New
/// transactions of an upload share one such transaction, since a commit costs more than a decision. If it fails, the
/// transactions are decided in smaller batches, and finally alone, so that the database refuses only those that it
/// must.
package struct UploadReceiver: Sendable {
  /// The default of `tolerance`: five minutes.
  package static let defaultTolerance: Int64 = 300_000
  /// The number of attempts to decide a transaction before the device has to send it again.
  private static let attempts = 20
  /// The most transactions of a device that share a transaction of the database.
  private static let batch = 100
  /// The most operations of such a batch: a long transaction meets more concurrent writes.
  private static let batchOperations = 2_000

  private let serverLog: ServerLog
  private let cluster: Cluster
  private let rules: SyncRules
  private let ledger: UploadLedger
  private let tolerance: Int64

  /// Creates the receiver of a server log.
  ///
  /// - Parameters:
  ///   - serverLog: The server log of the cluster.
  ///   - cluster: The cluster.
  ///   - rules: The conflict rules of its entities.
  ///   - tolerance: The milliseconds by which the clocks of devices may be ahead.
  package init(
    _ serverLog: ServerLog,
    of cluster: Cluster,
    rules: SyncRules,
    tolerance: Int64 = Self.defaultTolerance
  ) {
    self.serverLog = serverLog
    self.cluster = cluster
    self.rules = rules
    self.tolerance = tolerance
    ledger = UploadLedger(serverLog)
  }

  /// Decides the transactions of an upload in order.
  ///
  /// Takes about two round trips for each transaction, and three for each batch.
  ///
  /// - Parameters:
  ///   - upload: The upload.
  ///   - user: The identity of the user who sent the upload.
  ///   - now: Returns the wall clock, in milliseconds since 1970.
  ///   - mayWrite: True if the user may write an object; called with the row before a change and after it, and with the
  ///     row of an insert.
  /// - Returns: The number of the last decided transaction, or that the device needs a new identity. The decisions come
  ///   with the next delta.
  /// - Throws: ``ServerLogError``; `ClusterError`; `Refused` for a transaction that another user has uploaded.
  ///   Transactions before the failure are stored.
  package func receive(
    _ upload: Upload,
    of user: String = "",
    now: @escaping @Sendable () -> Int64,
    mayWrite: @escaping WriteTest
  ) async throws -> ServerReply {
    var idleCount = 0
    return try await receive(
      upload,
      of: user,
      now: now,
      mayWrite: mayWrite,
      idleCount: &idleCount
    )
  }

  /// Decides the transactions of an upload in order, and counts those without effects.
  ///
  /// - Parameters:
  ///   - upload: The upload.
  ///   - user: See ``receive(_:of:now:mayWrite:)``.
  ///   - now: See ``receive(_:of:now:mayWrite:)``.
  ///   - mayWrite: See ``receive(_:of:now:mayWrite:)``.
  ///   - idleCount: Is increased by the number of stored transactions without effects.
  /// - Returns: The same as ``receive(_:of:now:mayWrite:)``.
  /// - Throws: The same errors as ``receive(_:of:now:mayWrite:)``.
  func receive(
    _ upload: Upload,
    of user: String,
    now: @escaping @Sendable () -> Int64,
    mayWrite: @escaping WriteTest,
    idleCount: inout Int
  ) async throws -> ServerReply {
    let sending = Sending(upload: upload, user: user, now: now, mayWrite: mayWrite)
    var last: UInt64 = 0
    var rest = upload.transactions[...]
    var limit = Self.batch
    while let transaction = rest.first {
      let batch = Self.batch(of: rest, limit: limit)
      if batch.count > 1 {
        let (record, count, idle) = try await store(batch, sending)
        last = record?.last ?? last
        rest = rest.dropFirst(count)
        idleCount += idle
        // The limit grows after a success, so one refused transaction costs the others little.
        limit = count > 0 ? min(limit * 2, Self.batch) : batch.count / 2
        continue
      }
      switch try await decide(transaction, sending) {
      case .stored(let record, let isIdle):
        last = record.last
        if isIdle { idleCount += 1 }
      case .gap(let record?): return .acknowledged(upload.device, last: record.last)
      // The server has deleted the device's record, and the device may not request a delta that would show it.
      case .gap(nil): return .forked(upload.device)
      case .forked: return .forked(upload.device)
      }
      rest = rest.dropFirst()
      limit = min(limit * 2, Self.batch)
    }
    return .acknowledged(upload.device, last: last)
  }

  /// An upload with the data for decisions about its transactions.
  private struct Sending: Sendable {
    let upload: Upload
    let user: String
    let now: @Sendable () -> Int64
    let mayWrite: WriteTest
  }

  // MARK: Batches

  /// Returns the first transactions that may share a database transaction; at least one.
  private static func batch(
    of transactions: ArraySlice<SyncTransaction>,
    limit: Int
  ) -> ArraySlice<SyncTransaction> {
    var operations = 0
    let count = transactions.prefix(limit).prefix { transaction in
      operations += transaction.operations.count
      return operations <= batchOperations
    }.count
    return transactions.prefix(max(count, 1))
  }

  /// Decides the new transactions at the start of a batch in one database transaction.
  ///
  /// - Returns: The device's record after them, their number, and the number of those without effects; 0 if they must
  ///   be decided in smaller batches, and nothing was stored.
  /// - Throws: ``ServerLogError``, `ClusterError`.
  private func store(
    _ batch: ArraySlice<SyncTransaction>,
    _ sending: Sending
  ) async throws -> (DeviceRecord?, Int, Int) {
    let (record, count) = try await ledger.newOnes(of: batch, from: sending.upload.device)
    // A single one is decided by `decide`, with its repetitions.
    guard count > 1 else { return (nil, 0, 0) }
    do {
      let (last, idle) = try await cluster.write { writes in
        var record = record
        var idle = 0
        for transaction in batch.prefix(count) {
          let decided = try await decideInPlace(transaction, record, sending, writes)
          record = decided.record
          if decided.isIdle { idle += 1 }
        }
        return (record, idle)
      }
      return (last, count, idle)
    } catch let error where Self.concernsOne(error) {
      return (nil, 0, 0)
    }
  }

  /// Returns true if an error of a batch comes from one of its transactions, which must then be decided alone.
  private static func concernsOne(_ error: any Error) -> Bool {
    switch error {
    case ServerLogError.outdated, ObjectBoxError.uniqueViolation, ObjectBoxError.constraintViolated,
      ClusterError.conflict:
      true
    case ClusterError.server(let state, _): isRefusal(state)
    default: error is Rejection
    }
  }

  // MARK: Single transactions

  private enum Outcome {
    case stored(DeviceRecord, isIdle: Bool)
    case gap(DeviceRecord?)
    case forked
  }

  private func decide(
    _ transaction: SyncTransaction,
    _ sending: Sending
  ) async throws -> Outcome {
    // Set when the database refuses the effects of an accepted transaction.
    var refusal: Rejection?
    for _ in 0..<Self.attempts {
      let (admission, record) = try await ledger.admission(
        of: transaction,
        from: sending.upload.device,
        of: sending.user
      )
      do {
        switch admission {
        case .known: return .stored(record ?? DeviceRecord(), isIdle: false)
        case .gap: return .gap(record)
        case .forked: return .forked
        case .decided(let decided):
          var next = record ?? DeviceRecord()
          next.advance(to: transaction, decided)
          try await store(decided.decision, of: transaction, next, sending, isDecided: true)
          return .stored(next, isIdle: true)
        case .expired: refusal = Rejection(expired: transaction)
        case .new: break
        }
        if let refusal {
          let time = DecisionStep.clamped(
            transaction.time,
            after: record?.time ?? .distantPast,
            seen: sending.upload.seen,
            now: sending.now(),
            tolerance: tolerance
          )
          var next = record ?? DeviceRecord()
          let decision = Decision.rejected(refusal)
          next.advance(to: transaction, DecidedTransaction(decision: decision, time: time))
          try await store(decision, of: transaction, next, sending)
          return .stored(next, isIdle: true)
        }
        let (last, isIdle) = try await cluster.write { writes in
          try await decideInPlace(transaction, record, sending, writes)
        }
        return .stored(last, isIdle: isIdle)
      } catch ServerLogError.outdated {
        // Another server was faster: read the admission again.
      } catch ObjectBoxError.uniqueViolation {
        // Another transaction has stored the value in the meantime; the next decision sees it.
      } catch let rejection as Rejection {
        refusal = rejection
      } catch ObjectBoxError.constraintViolated {
        refusal = Rejection(restricting: transaction)
      } catch ClusterError.server(let state, let message) where Self.isRefusal(state) {
        refusal = Rejection(valueOf: transaction, message)
      }
    }
    throw ClusterError.conflict(
      attempts: Self.attempts,
      message:
        "a transaction of a device met other writes each time; the device will send it again"
    )
  }

  /// Returns true if the database would refuse the same effects each time.
  ///
  /// Class 22 is for values that a column cannot have, such as a text with a zero byte; class 23 is for constraints
  /// that the model lacks; P0001 is `RAISE EXCEPTION` of a trigger. Other errors must not reject a device's
  /// transaction: the device sends it again.
  private static func isRefusal(_ state: String) -> Bool {
    state.hasPrefix("22") || state.hasPrefix("23") || state == "P0001"
  }

  private func decideInPlace(
    _ transaction: SyncTransaction,
    _ record: DeviceRecord?,
    _ sending: Sending,
    _ writes: ClusterTransaction
  ) async throws -> (record: DeviceRecord, isIdle: Bool) {
    var rows = LoadedRows()
    let loading = RowLoading(
      serverLog: serverLog,
      cluster: cluster,
      rules: rules,
      user: sending.user
    )
    let now = sending.now()
    while true {
      let isLong = transaction.operations.count > LongWork.operationCount
      let decision = try await LongWork.run(if: isLong) {
        [rows, rules, tolerance] in
        try DecisionStep.decide(
          transaction,
          record: record,
          seen: sending.upload.seen,
          rows: rows,
          rules: rules,
          now: now,
          tolerance: tolerance,
          mayWrite: sending.mayWrite
        )
      }
      switch decision {
      case .needs(let needs): try await loading.load(needs, into: &rows, in: writes)
      case .store(let decision, let changes, let next):
        let isIdle = changes?.isEmpty ?? true
        try await ledger.store(
          decision,
          of: transaction,
          next,
          from: sending.upload.device,
          of: sending.user,
          isIdle: isIdle,
          in: writes
        )
        if let changes {
          try await raiseCounters(above: changes, over: rows)
          try await RowWriting(serverLog: serverLog, rules: rules).write(
            changes,
            over: rows,
            in: writes
          ) {
            try await checkRights($0, after: changes, over: rows, sending.mayWrite, loading, writes)
          }
        }
        return (next, isIdle)
      }
    }
  }

  /// Raises the ID counters above the IDs of new objects, which devices may have chosen freely.
  private func raiseCounters(above changes: Changes, over rows: LoadedRows) async throws {
    var greatest: [UInt32: UInt64] = [:]
    for (key, row) in changes.rows where row != nil && key.id < IDBlock.leasedLimit {
      guard (rows.rows[key] ?? nil) == nil, let entity = serverLog.entity(key.entity) else {
        continue
      }
      let id = entity.table.schema.identity.id
      greatest[id] = max(greatest[id] ?? 0, key.id)
    }
    try await cluster.raiseCounters(above: greatest)
  }

  /// Throws unless the user has the rights on other objects that the delete rules of a removal need.
  private func checkRights(
    _ effects: RemovalEffects,
    after changes: Changes,
    over rows: LoadedRows,
    _ mayWrite: WriteTest,
    _ loading: RowLoading,
    _ writes: ClusterTransaction
  ) async throws {
    if effects.isEmpty { return }
    func key(_ object: RemovalEffects.Object) -> ObjectKey {
      ObjectKey(entity: EntityUID(object.entity), id: object.id)
    }
    var ended: [ObjectKey: Set<PropertyUID>] = [:]
    for (object, properties) in effects.ended {
      ended[key(object)] = Set(properties.map { PropertyUID($0) })
    }
    // Rows that are read now may lack written changes, which take precedence.
    var rows = rows
    while true {
      let needs = try changes.checkDeleteRules(
        removing: effects.removed.map(key),
        ending: ended,
        over: rows,
        rules: rules,
        mayWrite: mayWrite
      )
      if needs.isEmpty { return }
      try await loading.load(needs, into: &rows, in: writes)
    }
  }

  private func store(
    _ decision: Decision,
    of transaction: SyncTransaction,
    _ record: DeviceRecord,
    _ sending: Sending,
    isDecided: Bool = false
  ) async throws {
    try await cluster.write { writes in
      try await ledger.store(
        decision,
        of: transaction,
        record,
        from: sending.upload.device,
        of: sending.user,
        isDecided: isDecided,
        // A decision under another identity keeps its own row.
        isIdle: true,
        in: writes
      )
    }
  }

  // MARK: Leases

  /// Returns a block of IDs that no other device or program gets.
  ///
  /// - Parameters:
  ///   - lend: The request.
  ///   - count: The number of IDs.
  /// - Returns: The lease; nil for an entity that the server does not synchronize.
  /// - Throws: `ObjectBoxError.illegalState` when all IDs are used up; `ClusterError`.
  package func lease(_ lend: Lend, count: Int) async throws -> Lease? {
    guard let entity = serverLog.entity(lend.entity) else { return nil }
    let ranges = try await cluster.reserveIDs(count, entity: entity.table.schema.identity.id)
    // The counter grants consecutive IDs, possibly after the rest of an earlier block.
    guard let ids = ranges.max(by: { $0.count < $1.count }) else { return nil }
    return Lease(device: lend.device, block: IDBlock(entity: lend.entity, ids: ids))
  }
}

extension Rejection {
  /// The rejection of a transaction that removes an object which other objects' delete rules protect.
  fileprivate init(restricting transaction: SyncTransaction) {
    let removal = transaction.operations.first {
      if case .delete = $0 { true } else { false }
    }
    self.init(
      entity: (removal ?? transaction.operations.first)?.key.entity ?? EntityUID(0),
      property: nil,
      reason: .restricted
    )
  }

  /// The rejection of a transaction from before the server's retention limit.
  fileprivate init(expired transaction: SyncTransaction) {
    self.init(
      entity: transaction.operations.first?.key.entity ?? EntityUID(0),
      property: nil,
      reason: .expired
    )
  }

  /// The rejection of a transaction with a value that the database cannot store.
  fileprivate init(valueOf transaction: SyncTransaction, _ message: String) {
    self.init(
      entity: transaction.operations.first?.key.entity ?? EntityUID(0),
      property: nil,
      reason: .value,
      message: String(message.prefix(Self.messageLimit))
    )
  }
}
