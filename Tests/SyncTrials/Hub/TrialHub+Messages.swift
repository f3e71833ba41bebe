import ObjectBoxSyncProtocol

extension TrialHub {
  /// A transaction with the hub's decision, for the checker.
  struct Decided {
    let transaction: SyncTransaction
    let device: DeviceIdentity
    let user: Int
    let now: Int64
    /// The changed rows before the transaction.
    let before: [ObjectKey: Row]
    let changes: Changes?
    let verdict: Verdict

    /// Returns a row before the transaction.
    func row(_ key: ObjectKey, _ hub: TrialHub) -> Row? {
      changes?.rows[key] == nil ? hub.rows[key] : before[key]
    }
  }

  /// Takes an upload up to a crash after `limit` transactions, and reports each decision.
  mutating func receive(
    _ upload: Upload,
    user: Int,
    now: Int64,
    isPartial: Bool,
    limit: Int = .max,
    check: (Decided, TrialHub) throws -> Void
  ) throws -> HubReply {
    let device = upload.device
    for transaction in upload.transactions.prefix(limit) {
      let admission = Admission(
        of: transaction,
        record: records[device],
        known: tokens[device]?[transaction.sequence],
        decided: known(transaction.token),
        horizon: horizon
      )
      switch admission {
      case .known: continue
      case .gap: return .acknowledged(device, last: records[device]?.last ?? 0)
      case .forked: return .forked(device)
      case .decided(let decided):
        var record = records[device] ?? DeviceRecord()
        record.advance(to: transaction, decided)
        let number = begin()
        keep(decided.verdict, of: transaction, from: device, record)
        end(number)
      case .expired:
        var record = records[device] ?? DeviceRecord()
        record.advance(to: transaction)
        let entity = transaction.operations.first?.key.entity ?? EntityUID(0)
        let rejection = Rejection(entity: entity, property: nil, reason: .expired)
        let number = begin()
        keep(.rejected(rejection), of: transaction, from: device, record)
        end(number)
      case .new:
        try decide(transaction, of: upload, user: user, now: now, isPartial: isPartial, check)
      }
    }
    return .acknowledged(device, last: records[device]?.last ?? 0)
  }

  private mutating func decide(
    _ transaction: SyncTransaction,
    of upload: Upload,
    user: Int,
    now: Int64,
    isPartial: Bool,
    _ check: (Decided, TrialHub) throws -> Void
  ) throws {
    let device = upload.device
    let number = begin()
    let (verdict, changes, record) = try decision(
      transaction,
      of: upload,
      user: user,
      now: now,
      isPartial: isPartial
    )
    var before: [ObjectKey: Row] = [:]
    if let changes {
      for key in changes.rows.keys { before[key] = rows[key] }
      store(changes.rows, tombstones: changes.tombstones, by: number)
    }
    keep(verdict, of: transaction, from: device, record)
    end(number)
    let report = Decided(
      transaction: transaction,
      device: device,
      user: user,
      now: now,
      before: before,
      changes: changes,
      verdict: verdict
    )
    try check(report, self)
  }

  private func decision(
    _ transaction: SyncTransaction,
    of upload: Upload,
    user: Int,
    now: Int64,
    isPartial: Bool
  ) throws -> (Verdict, Changes?, DeviceRecord) {
    let owners = grants[user]
    var rows = TrialRows(self, isPartial: isPartial)
    for _ in 0..<50 {
      let decision = try Decision.decide(
        transaction,
        record: records[upload.device],
        seen: upload.seen,
        rows: rows,
        rules: TrialModel.hubRules,
        now: now,
        tolerance: TrialModel.tolerance,
        mayWrite: { owners.contains($1.values[TrialModel.owner]?.integerValue ?? 0) }
      )
      switch decision {
      case .needs(let needs): rows.load(needs)
      case .store(let verdict, let changes, let record): return (verdict, changes, record)
      }
    }
    throw Wrong("the hub loads rows without end")
  }

  private mutating func keep(
    _ verdict: Verdict,
    of transaction: SyncTransaction,
    from device: DeviceIdentity,
    _ record: DeviceRecord
  ) {
    records[device] = record
    tokens[device, default: [:]][transaction.sequence] = transaction.token
    written[transaction.token] = transaction.time.milliseconds
    if decided[transaction.token] == nil {
      decided[transaction.token] = DecidedTransaction(verdict: verdict, time: record.time)
    }
    unconfirmed[device, default: []].append(
      SequencedVerdict(
        sequence: transaction.sequence,
        token: transaction.token,
        verdict: verdict
      )
    )
  }

  enum CutAnswer {
    case cut(Cut)
    case reset(Reset)
    case refine(Refine)
    case reply(HubReply)
  }

  /// Answers a request, with `chunk` objects of each first fill.
  mutating func receive(_ want: Want, user: Int, chunk: Int) -> CutAnswer {
    let verdicts = confirm(want)
    let start = CutBuilder.start(
      want,
      cursor: cursor,
      history: history,
      granted: TrialModel.scopes(of: grants[user]),
      record: records[want.state.device],
      verdicts: verdicts
    )
    switch start {
    case .forked(let reply): return .reply(reply)
    case .reset(let reset): return .reset(reset)
    case .cut(var builder):
      addChanges(to: &builder, chunk)
      return .cut(builder.finish())
    }
  }

  /// Adds what the log has, and the next objects of first fills.
  private func addChanges(to builder: inout CutBuilder, _ chunk: Int) {
    for entry in log where builder.contains(entry.transaction) {
      builder.add(entry, current: rows[entry.key])
    }
    for (scope, after) in builder.fills {
      let keys = rows.filter { key, row in
        key.entity == scope.entity && key.id > after && scope.matches(key.entity, row.values)
      }.keys.sorted()
      let next = keys.prefix(chunk).compactMap { key in
        rows[key].map { KeyedRow(key: key, row: $0) }
      }
      builder.fill(scope, with: next, isLast: keys.count <= chunk)
    }
  }

  /// Answers digests.
  mutating func receive(
    _ digests: Digests,
    user: Int,
    chunk: Int,
    limits: ResetBuilder.Limits
  ) -> CutAnswer {
    let verdicts = confirm(digests.want)
    let start = ResetBuilder.start(
      digests,
      cursor: cursor,
      history: history,
      granted: TrialModel.scopes(of: grants[user]),
      record: records[digests.want.state.device],
      verdicts: verdicts,
      limits: limits
    )
    switch start {
    case .forked(let reply): return .reply(reply)
    case .reset(let reset): return .reset(reset)
    case .compare(var builder):
      let seen = rows.filter { builder.marks.contain($0.value.values, at: $0.key) }
      if !builder.compared.isEmpty { for (key, row) in seen { builder.add(row, at: key) } }
      switch builder.step() {
      case .refine(let refine): return .refine(refine)
      case .send(let ranges):
        for key in seen.keys.sorted() where ranges.contains(where: { $0.contains(key) }) {
          guard let row = seen[key], builder.send(KeyedRow(key: key, row: row)) else { break }
        }
        switch builder.end() {
        case .refine(let refine): return .refine(refine)
        case .cut(var cut):
          addChanges(to: &cut, chunk)
          return .cut(cut.finish())
        }
      }
    }
  }

  /// Forgets the verdicts that the device has, and returns the others.
  private mutating func confirm(_ want: Want) -> [SequencedVerdict] {
    let device = want.state.device
    guard var rest = unconfirmed[device] else { return [] }
    if ProtocolRule.verdictsUntilConfirmed.holds {
      rest.removeAll { $0.sequence <= want.confirmed }
      unconfirmed[device] = rest
    } else {
      unconfirmed[device] = []
    }
    return rest
  }
}
