import ObjectBoxSyncProtocol

/// A server in memory, as far as devices see it; every device sees everything.
final class MemoryServerLog {
  var rows: [ObjectKey: Row] = [:]
  private(set) var tombstones: Set<ObjectKey> = []
  private var log: [LogEntry] = []
  private var nextTransaction: UInt64 = 100
  private var position: UInt64 = 0
  private var history = ServerHistory(epoch: Epoch(system: 1, database: 1, timeline: 1))
  private var records: [DeviceIdentity: DeviceRecord] = [:]
  private var tokens: [DeviceIdentity: [UInt64: TransactionToken]] = [:]
  private var decided: [TransactionToken: DecidedTransaction] = [:]
  private var unconfirmed: [DeviceIdentity: [SequencedDecision]] = [:]
  private var nextID: UInt64 = 1000
  let rules: SyncRules
  /// The entities whose writes are refused.
  var readOnlyEntities: Set<EntityUID> = []
  /// The properties that the server's model lacks.
  var unknownProperties: Set<PropertyUID> = []
  /// Limits of the answers to digests.
  var limits = ResetBuilder.Limits()
  /// The number of objects of a first fill in one delta.
  var chunk = Int.max

  /// The to-one relations; a database stores null for those without a target.
  private let toOnes: Set<PropertyUID>

  init(rules: SyncRules, toOnes: Set<PropertyUID>) {
    self.rules = rules
    self.toOnes = toOnes
  }

  var cursor: Cursor {
    Cursor(
      snapshot: TransactionSnapshot(xmax: nextTransaction, inProgress: []),
      epoch: history.epoch,
      position: position
    )
  }

  /// Begins another history, as after the restore of an earlier backup.
  func beginHistory(system: UInt64 = 2) {
    history = ServerHistory(epoch: Epoch(system: system, database: 1, timeline: 1))
  }

  func receive(_ upload: Upload) throws -> ServerReply {
    let device = upload.device
    for transaction in upload.transactions {
      let admission = Admission(
        of: transaction,
        record: records[device],
        known: tokens[device]?[transaction.sequence],
        decided: decided[transaction.token],
        retentionLimit: .min
      )
      switch admission {
      case .known: continue
      case .gap, .expired: return .acknowledged(device, last: records[device]?.last ?? 0)
      case .forked: return .forked(device)
      case .decided(let decided):
        var record = records[device] ?? DeviceRecord()
        record.advance(to: transaction, decided)
        keep(decided.decision, of: transaction, from: device, record)
      case .new: try decide(transaction, of: upload)
      }
    }
    return .acknowledged(device, last: records[device]?.last ?? 0)
  }

  private func decide(_ transaction: SyncTransaction, of upload: Upload) throws {
    let decision = try DecisionStep.decide(
      transaction,
      record: records[upload.device],
      seen: upload.seen,
      rows: self,
      rules: rules,
      now: transaction.time.milliseconds,
      tolerance: 60_000,
      mayWrite: { [readOnlyEntities] key, _, _ in !readOnlyEntities.contains(key.entity) }
    )
    guard case .store(let decision, let changes, let record) = decision else { throw Unexpected() }
    if let changes { store(changes) }
    keep(decision, of: transaction, from: upload.device, record)
  }

  private func store(_ changes: Changes) {
    for (key, row) in changes.rows where rows[key] != row {
      var row = row
      if let values = row?.values {
        row?.values = values.filter { !unknownProperties.contains($0.property) }
      }
      for property in toOnes where row?.values[property] == .integer(0) {
        row?.values[property] = .null
      }
      log.append(
        LogEntry(
          transaction: nextTransaction,
          key: key,
          before: rows[key].map { _ in PropertyList() },
          after: row.map { _ in PropertyList() }
        )
      )
      rows[key] = row
      if row != nil { tombstones.remove(key) }
    }
    tombstones.formUnion(changes.tombstones)
    nextTransaction += 1
    position += 1
  }

  private func keep(
    _ decision: Decision,
    of transaction: SyncTransaction,
    from device: DeviceIdentity,
    _ record: DeviceRecord
  ) {
    records[device] = record
    tokens[device, default: [:]][transaction.sequence] = transaction.token
    if decided[transaction.token] == nil {
      decided[transaction.token] = DecidedTransaction(decision: decision, time: record.time)
    }
    unconfirmed[device, default: []].append(
      SequencedDecision(
        sequence: transaction.sequence,
        token: transaction.token,
        decision: decision
      )
    )
    nextTransaction += 1
  }

  enum Answer {
    case delta(Delta)
    case reset(Reset)
    case refine(Refine)
    case reply(ServerReply)
  }

  func receive(_ deltaRequest: DeltaRequest) -> Answer {
    let start = DeltaBuilder.start(
      deltaRequest,
      cursor: cursor,
      history: history,
      granted: scopes,
      record: records[deltaRequest.state.device],
      decisions: confirm(deltaRequest)
    )
    switch start {
    case .forked(let reply): return .reply(reply)
    case .reset(let reset): return .reset(reset)
    case .delta(var builder):
      addChanges(to: &builder)
      return .delta(builder.finish())
    }
  }

  private func addChanges(to builder: inout DeltaBuilder) {
    for entry in log where builder.contains(entry.transaction) {
      builder.add(entry, current: rows[entry.key])
    }
    for (scope, after) in builder.fills {
      let keys = rows.keys.filter { $0.entity == scope.entity && $0.id > after }.sorted()
      builder.fill(scope, with: RowBatch(keyed(keys.prefix(chunk))), isLast: keys.count <= chunk)
    }
  }

  func receive(_ digests: Digests) throws -> Answer {
    let start = ResetBuilder.start(
      digests,
      cursor: cursor,
      history: history,
      granted: scopes,
      record: records[digests.deltaRequest.state.device],
      decisions: confirm(digests.deltaRequest),
      limits: limits
    )
    switch start {
    case .forked(let reply): return .reply(reply)
    case .reset(let reset): return .reset(reset)
    case .compare(var builder):
      let keys = rows.keys.sorted()
      let seen = keyed(keys[...]).filter { builder.progress.contain($0.row.values, at: $0.key) }
      if !builder.compared.isEmpty { for row in seen { builder.add(row.row, at: row.key) } }
      switch builder.step() {
      case .refine(let refine): return .refine(refine)
      case .send(let ranges):
        for row in seen where ranges.contains(where: { $0.contains(row.key) }) {
          if !builder.send(row) { break }
        }
        switch builder.end() {
        case .refine(let refine): return .refine(refine)
        case .delta(var delta):
          addChanges(to: &delta)
          return .delta(delta.finish())
        }
      }
    }
  }

  func lease(_ lend: Lend, count: UInt64 = 1000) -> Lease {
    defer { nextID += count }
    return Lease(
      device: lend.device,
      block: IDBlock(entity: lend.entity, ids: nextID..<nextID + count)
    )
  }

  /// Hashes of all objects.
  func digests(size: Int) -> RangeDigests {
    let ranges = rules.entities.keys.sorted().map { KeyRange(allOf: $0) }
    var builder = DigestBuilder(dividing: ranges, size: size)
    for (key, row) in rows.sorted(by: { $0.key < $1.key }) { builder.add(row, at: key) }
    return builder.finish()
  }

  private var scopes: [Scope] { rules.entities.keys.sorted().map { Scope(entity: $0) } }

  private func keyed(_ keys: ArraySlice<ObjectKey>) -> [KeyedRow] {
    keys.compactMap { key in rows[key].map { KeyedRow(key: key, row: $0) } }
  }

  private func confirm(_ deltaRequest: DeltaRequest) -> [SequencedDecision] {
    var rest = unconfirmed[deltaRequest.state.device] ?? []
    rest.removeAll { $0.sequence <= deltaRequest.confirmed }
    unconfirmed[deltaRequest.state.device] = rest
    return rest
  }

  struct Unexpected: Error {}
}

extension MemoryServerLog: RowSource {
  func row(at key: ObjectKey) -> Loaded<Row?> { .value(rows[key]) }
  func hasTombstone(at key: ObjectKey) -> Loaded<Bool> {
    .value(tombstones.contains(key))
  }

  func holder(of unique: UniqueKey) -> Loaded<ObjectKey?> {
    .value(rows.first { rules.uniqueKeys(of: $1, at: $0).contains(unique) }?.key)
  }

  func sources(ofPairsTo target: ObjectKey) -> Loaded<[ObjectKey]> {
    .value(rows.filter { $0.value.pairs.contains { $0.target == target } }.map(\.key))
  }

  func outcome(of maker: TransactionToken) -> Loaded<MakerOutcome?> {
    .value(decided[maker]?.decision.outcome)
  }

  func freshID(of entity: EntityUID, index: Int) -> Loaded<UInt64> {
    let used = rows.keys.filter { $0.entity == entity && $0.id < 1 << 40 }.map(\.id).max() ?? 0
    return .value(max(used, nextID) + UInt64(index) + 1)
  }
}
