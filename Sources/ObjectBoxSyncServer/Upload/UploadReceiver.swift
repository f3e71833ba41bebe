internal import ObjectBox
package import ObjectBoxCluster
package import ObjectBoxSyncProtocol

/// Decides uploaded transactions, and stores their effects.
///
/// Each transaction of a device is one SERIALIZABLE transaction of the database, with the device's
/// record and the verdict: it has its effects once, whatever is sent twice, by whichever servers.
package struct UploadReceiver: Sendable {
  /// The default of `tolerance`: five minutes.
  package static let defaultTolerance: Int64 = 300_000
  /// How often a transaction is decided anew before the device has to send it again.
  private static let attempts = 20

  private let hub: Hub
  private let cluster: Cluster
  private let rules: SyncRules
  private let ledger: UploadLedger
  private let tolerance: Int64

  /// Plans the work.
  ///
  /// - Parameters:
  ///   - hub: The hub of the cluster.
  ///   - cluster: The cluster.
  ///   - rules: The conflict rules of its entities.
  ///   - tolerance: The milliseconds by which the clocks of devices may be ahead.
  package init(
    _ hub: Hub,
    of cluster: Cluster,
    rules: SyncRules,
    tolerance: Int64 = Self.defaultTolerance
  ) {
    self.hub = hub
    self.cluster = cluster
    self.rules = rules
    self.tolerance = tolerance
    ledger = UploadLedger(hub)
  }

  /// Decides the transactions of an upload in order.
  ///
  /// About four round trips for each transaction.
  ///
  /// - Parameters:
  ///   - upload: The upload.
  ///   - now: Returns the wall clock, in milliseconds since 1970.
  ///   - mayWrite: True if the user may write an object; called with the row before a change, and
  ///     with the row of an insert.
  /// - Returns: How far the hub has come, or that the device needs a new identity. The verdicts come
  ///   with the next cut.
  /// - Throws: ``HubError``; `ClusterError`. Transactions before the failure are stored.
  package func receive(
    _ upload: Upload,
    now: @Sendable () -> Int64,
    mayWrite: @Sendable (ObjectKey, Row) throws -> Bool
  ) async throws -> HubReply {
    var last: UInt64 = 0
    for transaction in upload.transactions {
      switch try await decide(transaction, of: upload, now: now, mayWrite: mayWrite) {
      case .stored(let record): last = record.last
      case .gap(let record): return .acknowledged(upload.device, last: record?.last ?? 0)
      case .forked: return .forked(upload.device)
      }
    }
    return .acknowledged(upload.device, last: last)
  }

  private enum Outcome {
    case stored(DeviceRecord)
    case gap(DeviceRecord?)
    case forked
  }

  private func decide(
    _ transaction: SyncTransaction,
    of upload: Upload,
    now: @Sendable () -> Int64,
    mayWrite: @Sendable (ObjectKey, Row) throws -> Bool
  ) async throws -> Outcome {
    // Set when the database refuses the effects of an accepted transaction.
    var refusal: Rejection?
    for _ in 0..<Self.attempts {
      let (admission, record) = try await ledger.admission(of: transaction, from: upload.device)
      do {
        switch admission {
        case .known: return .stored(record ?? DeviceRecord())
        case .gap: return .gap(record)
        case .forked: return .forked
        case .decided(let decided):
          var next = record ?? DeviceRecord()
          next.advance(to: transaction, decided)
          try await store(decided.verdict, of: transaction, next, upload.device, isDecided: true)
          return .stored(next)
        case .new: break
        }
        if let refusal {
          let time = Decision.clamped(
            transaction.time,
            after: record?.time ?? .distantPast,
            seen: upload.seen,
            now: now(),
            tolerance: tolerance
          )
          var next = record ?? DeviceRecord()
          let verdict = Verdict.rejected(refusal)
          next.advance(to: transaction, DecidedTransaction(verdict: verdict, time: time))
          try await store(verdict, of: transaction, next, upload.device)
          return .stored(next)
        }
        return .stored(
          try await cluster.write { writes in
            try await decideInPlace(transaction, record, upload, now(), mayWrite, writes)
          }
        )
      } catch HubError.outdated {
        // Another server was faster: look again.
      } catch ObjectBoxError.uniqueViolation {
        // Another transaction has stored the value meanwhile: the next decision sees it.
      } catch let rejection as Rejection {
        refusal = rejection
      } catch ObjectBoxError.constraintViolated {
        refusal = Rejection(restricting: transaction)
      } catch ClusterError.server(let state, _) where Self.isRefusal(state) {
        refusal = Rejection(valueOf: transaction)
      }
    }
    throw ClusterError.conflict(
      attempts: Self.attempts,
      message:
        "a transaction of a device met other writes each time; the device will send it again"
    )
  }

  /// Whether the database would refuse the same effects each time.
  ///
  /// Class 22 has values that a column cannot have, such as a text with a zero byte; class 23 has
  /// constraints that the model lacks; `RAISE EXCEPTION` of a trigger has P0001. Another error must
  /// not reject what a device has written: it sends the transaction again.
  private static func isRefusal(_ state: String) -> Bool {
    state.hasPrefix("22") || state.hasPrefix("23") || state == "P0001"
  }

  private func decideInPlace(
    _ transaction: SyncTransaction,
    _ record: DeviceRecord?,
    _ upload: Upload,
    _ now: Int64,
    _ mayWrite: @Sendable (ObjectKey, Row) throws -> Bool,
    _ writes: ClusterTransaction
  ) async throws -> DeviceRecord {
    var rows = LoadedRows()
    let loading = RowLoading(hub: hub, cluster: cluster, rules: rules)
    while true {
      let decision = try Decision.decide(
        transaction,
        record: record,
        seen: upload.seen,
        rows: rows,
        rules: rules,
        now: now,
        tolerance: tolerance,
        mayWrite: mayWrite
      )
      switch decision {
      case .needs(let needs): try await loading.load(needs, into: &rows, in: writes)
      case .store(let verdict, let changes, let next):
        try await ledger.store(verdict, of: transaction, next, from: upload.device, in: writes)
        if let changes {
          try await RowWriting(hub: hub, rules: rules).write(changes, over: rows, in: writes)
        }
        return next
      }
    }
  }

  private func store(
    _ verdict: Verdict,
    of transaction: SyncTransaction,
    _ record: DeviceRecord,
    _ device: DeviceIdentity,
    isDecided: Bool = false
  ) async throws {
    try await cluster.write { writes in
      try await ledger.store(
        verdict,
        of: transaction,
        record,
        from: device,
        isDecided: isDecided,
        in: writes
      )
    }
  }

  // MARK: Leases

  /// Returns a block of IDs that no other device and no program gets.
  ///
  /// - Parameters:
  ///   - lend: The request.
  ///   - count: The number of IDs.
  /// - Returns: The lease; nil for an entity that the hub does not synchronize.
  /// - Throws: `ObjectBoxError.illegalState` when all IDs are used up; `ClusterError`.
  package func lease(_ lend: Lend, count: Int) async throws -> Lease? {
    guard let entity = hub.entity(lend.entity) else { return nil }
    let ranges = try await cluster.reserveIDs(count, entity: entity.table.schema.identity.id)
    // The counter grants consecutive IDs, after a rest of earlier ones.
    guard let ids = ranges.max(by: { $0.count < $1.count }) else { return nil }
    return Lease(device: lend.device, block: IDBlock(entity: lend.entity, ids: ids))
  }
}

extension Rejection {
  /// The rejection of a transaction that removes an object which others restrict.
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

  /// The rejection of a transaction with a value that the database cannot store.
  fileprivate init(valueOf transaction: SyncTransaction) {
    self.init(
      entity: transaction.operations.first?.key.entity ?? EntityUID(0),
      property: nil,
      reason: .value
    )
  }
}
