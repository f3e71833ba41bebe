import ObjectBoxSyncProtocol

extension TrialServer {
  /// A transaction with the server's decision, for the checker.
  struct Decided {
    let transaction: SyncTransaction
    let device: DeviceIdentity
    let user: Int
    /// The model of the deciding server.
    let age: Age
    let now: Int64
    /// The changed rows before the transaction, as the server sees them.
    let before: [ObjectKey: Row]
    /// The changed rows before the transaction with all properties, and those that a delete rule changed.
    let full: [ObjectKey: Row]
    let changes: Changes?
    /// The objects that a delete rule has changed besides.
    let ruled: [ObjectKey]
    let decision: Decision
    /// True if the server had decided it without effects, and forgotten that.
    let wasForgotten: Bool

    /// Returns a row before the transaction.
    func row(_ key: ObjectKey, _ server: TrialServer) -> Row? {
      changes?.rows[key] == nil ? server.rows[key] : before[key]
    }
  }

  /// Takes an upload up to a crash after `limit` transactions, and reports each decision.
  mutating func receive(
    _ upload: Upload,
    user: Int,
    _ age: Age,
    now: Int64,
    isPartial: Bool,
    limit: Int = .max,
    check: (Decided, TrialServer) throws -> Void
  ) throws -> ServerReply {
    let device = upload.device
    for transaction in upload.transactions.prefix(limit) {
      let admission = Admission(
        of: transaction,
        record: records[device],
        known: tokens[device]?[transaction.sequence],
        decided: known(transaction.token),
        retentionLimit: retentionLimit
      )
      switch admission {
      case .known: continue
      case .gap: return .acknowledged(device, last: records[device]?.last ?? 0)
      case .forked: return .forked(device)
      case .decided(let decided):
        var record = records[device] ?? DeviceRecord()
        record.advance(to: transaction, decided)
        let number = begin()
        keep(decided.decision, of: transaction, from: device, record)
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
        try decide(transaction, of: upload, user: user, age, now: now, isPartial: isPartial, check)
      }
    }
    return .acknowledged(device, last: records[device]?.last ?? 0)
  }

  private mutating func decide(
    _ transaction: SyncTransaction,
    of upload: Upload,
    user: Int,
    _ age: Age,
    now: Int64,
    isPartial: Bool,
    _ check: (Decided, TrialServer) throws -> Void
  ) throws {
    let device = upload.device
    let number = begin()
    var (decision, changes, record) = try decision(
      transaction,
      of: upload,
      user: user,
      age,
      now: now,
      isPartial: isPartial
    )
    var before: [ObjectKey: Row] = [:]
    var full: [ObjectKey: Row] = [:]
    let given = changes.map { self.stored($0.rows, by: age) } ?? [:]
    var stored: [ObjectKey: Row?] = [:]
    if changes != nil {
      if let ruled = ruled(given) {
        stored = ruled
      } else {
        let removed = transaction.operations.first { $0.isRemoval }
        let entity = removed?.key.entity ?? TrialModel.resolved
        decision = .rejected(Rejection(entity: entity, property: nil, reason: .restricted))
        changes = nil
        ruledCount += 1
      }
    }
    if let changes {
      for key in stored.keys { full[key] = rows[key] }
      for key in changes.rows.keys {
        before[key] = rows[key].map { age.reduced($0, self.age) }
      }
      ruledCount += stored.count - changes.rows.count
      store(stored, tombstones: changes.tombstones, by: number)
    }
    if changes?.isEmpty ?? true { idle.insert(transaction.token) }
    let wasForgotten = unknownIdle.contains(transaction.token)
    keep(decision, of: transaction, from: device, record)
    end(number)
    let report = Decided(
      transaction: transaction,
      device: device,
      user: user,
      age: age,
      now: now,
      before: before,
      full: full,
      changes: changes,
      ruled: stored.filter { given[$0.key] != $0.value }.map(\.key),
      decision: decision,
      wasForgotten: wasForgotten
    )
    try check(report, self)
  }

  /// Returns changed rows with the columns that the server's model lacks: its statements leave them.
  private func stored(_ changes: [ObjectKey: Row?], by age: Age) -> [ObjectKey: Row?] {
    guard age < self.age else { return changes }
    return Dictionary(
      uniqueKeysWithValues: changes.map { key, row in
        guard var row, let old = rows[key] else { return (key, row) }
        for property in Age.added {
          row.values[property] = old.values[property]
          row.stamps[property] = old.stamps[property]
        }
        return (key, .some(row))
      }
    )
  }

  private func decision(
    _ transaction: SyncTransaction,
    of upload: Upload,
    user: Int,
    _ age: Age,
    now: Int64,
    isPartial: Bool
  ) throws -> (Decision, Changes?, DeviceRecord) {
    let (owners, hasLinks) = (grants[user], hasLinks)
    var rows = TrialRows(self, age, isPartial: isPartial)
    for _ in 0..<50 {
      let decision = try DecisionStep.decide(
        transaction,
        record: records[upload.device],
        seen: upload.seen,
        rows: rows,
        rules: age.serverRules,
        now: now,
        tolerance: TrialModel.tolerance,
        mayWrite: { key, row, related in
          func isOwned(_ row: Row?) -> Bool {
            owners.contains(row?.values[TrialModel.owner]?.integerValue ?? 0)
          }
          func parent(of row: Row?, _ entity: Int) throws -> Row? {
            let id = row?.values[TrialModel.parent]?.integerValue ?? 0
            return try related(
              ObjectKey(entity: TrialModel.entities[entity], id: UInt64(bitPattern: id))
            )
          }
          if isOwned(row) { return true }
          guard hasLinks else { return false }
          return switch key.entity {
          case TrialModel.entities[0]: try isOwned(parent(of: row, 1))
          case TrialModel.entities[2]: try isOwned(parent(of: parent(of: row, 4), 4))
          default: false
          }
        }
      )
      switch decision {
      case .needs(let needs): rows.load(needs)
      case .store(let decision, let changes, let record): return (decision, changes, record)
      }
    }
    throw Wrong("the server loads rows without end")
  }

  private mutating func keep(
    _ decision: Decision,
    of transaction: SyncTransaction,
    from device: DeviceIdentity,
    _ record: DeviceRecord
  ) {
    records[device] = record
    tokens[device, default: [:]][transaction.sequence] = transaction.token
    written[transaction.token] = transaction.time.milliseconds
    if unknownIdle.remove(transaction.token) != nil || decided[transaction.token] == nil {
      decided[transaction.token] = DecidedTransaction(decision: decision, time: record.time)
    }
    unconfirmed[device, default: []].append(
      SequencedDecision(
        sequence: transaction.sequence,
        token: transaction.token,
        decision: decision
      )
    )
  }

  enum DeltaAnswer {
    case delta(Delta)
    case reset(Reset)
    case refine(Refine)
    case reply(ServerReply)
  }

  /// Answers a request, with `chunk` objects of each first fill, and at most `changes` logged changes.
  mutating func receive(
    _ deltaRequest: DeltaRequest,
    user: Int,
    session: Int,
    _ shared: ModelParts,
    chunk: Int,
    changes: Int
  ) throws -> DeltaAnswer {
    let scopes = try scopes(of: user, session: session, shared, since: deltaRequest.cursor)
    let decisions = confirm(deltaRequest)
    let start = DeltaBuilder.start(
      deltaRequest,
      cursor: cursor,
      history: history,
      granted: scopes,
      record: records[deltaRequest.state.device],
      decisions: decisions
    )
    switch start {
    case .forked(let reply): return .reply(reply)
    case .reset(let reset): return .reset(reset)
    case .delta(let builder):
      return finish(builder, shared, chunk: chunk, changes: changes)
    }
  }

  /// Ends a delta, or divides its changes if they are too many.
  private func finish(
    _ begun: DeltaBuilder,
    _ shared: ModelParts,
    chunk: Int,
    changes: Int
  ) -> DeltaAnswer {
    var builder = begun
    let entries = log.filter { entry in
      builder.contains(entry.transaction)
        && [entry.before, entry.after].contains { values in
          values.map { builder.progress.match($0, at: entry.key) } ?? false
        }
    }
    guard entries.count <= changes else {
      // Few ranges, so that some have objects that did not change.
      var ranges = ChangedRanges(limit: changes)
      for entry in entries { ranges.insert(entry.key) }
      return .refine(shared.reduced(builder.divided(ranges)))
    }
    addChanges(to: &builder, chunk)
    return .delta(shared.reduced(builder.finish()))
  }

  /// Resolves the rules of a user at the present state, on a connection.
  private mutating func scopes(
    of user: Int,
    session: Int,
    _ shared: ModelParts,
    since old: Cursor?
  ) throws -> [Scope] {
    let rules = shared.known(TrialModel.rules(of: grants[user], hasLinks: hasLinks))
    var known = sessions[session] ?? ([], Grants([LinkedScope]()))
    if known.rules != rules { known = (rules, Grants(rules)) }
    let now = cursor
    let entries = log.filter { entry in
      old.map { !$0.snapshot.sees(entry.transaction) } ?? false
        && now.snapshot.sees(entry.transaction)
    }
    known.grants.begin(at: now, history, since: old, entries)
    while let search = try known.grants.next() {
      let targets = rows.filter { key, row in search.scopes.contains { $0.matches(key, row.values) }
      }
      let found: Set<UInt64>
      switch search.relation {
      case .toOneBacklink(let property):
        found = Set(
          targets.values.compactMap { row in
            row.values[property]?.integerValue.map { UInt64(bitPattern: $0) }
          }
        ).subtracting([0])
      default: found = Set(targets.keys.map(\.id))
      }
      try known.grants.take(found.filter { search.ids?.contains($0) != false })
    }
    sessions[session] = known
    return known.grants.scopes
  }

  /// Adds what the log has, and the next objects of first fills.
  private func addChanges(to builder: inout DeltaBuilder, _ chunk: Int) {
    for entry in log where builder.contains(entry.transaction) {
      builder.add(entry, current: rows[entry.key])
    }
    for (scope, after) in builder.fills {
      let keys = rows.filter { key, row in
        key.entity == scope.entity && key.id > after && scope.matches(key, row.values)
      }.keys.sorted()
      let next = keys.prefix(chunk).compactMap { key in
        rows[key].map { KeyedRow(key: key, row: $0) }
      }
      builder.fill(scope, with: RowBatch(next), isLast: keys.count <= chunk)
    }
  }

  /// Answers digests.
  mutating func receive(
    _ digests: Digests,
    user: Int,
    session: Int,
    _ shared: ModelParts,
    chunk: Int,
    changes: Int,
    limits: ResetBuilder.Limits
  ) throws -> DeltaAnswer {
    // The server does not read the log at each step, and resolves links anew.
    let scopes = try scopes(of: user, session: session, shared, since: nil)
    let decisions = confirm(digests.deltaRequest)
    let start = ResetBuilder.start(
      digests,
      cursor: cursor,
      history: history,
      granted: scopes,
      record: records[digests.deltaRequest.state.device],
      decisions: decisions,
      limits: limits
    )
    switch start {
    case .forked(let reply): return .reply(reply)
    case .reset(let reset): return .reset(reset)
    case .compare(var builder):
      let seen = rows.filter { builder.progress.contain($0.value.values, at: $0.key) }
      if !builder.compared.isEmpty {
        for (key, row) in seen { builder.add(shared.reduced(row, at: key), at: key) }
      }
      switch builder.step() {
      case .refine(let refine): return .refine(refine)
      case .send(let ranges):
        for key in seen.keys.sorted() where ranges.contains(where: { $0.contains(key) }) {
          guard let row = seen[key], builder.send(KeyedRow(key: key, row: row)) else { break }
        }
        switch builder.end() {
        case .refine(let refine): return .refine(shared.reduced(refine))
        case .delta(let delta): return finish(delta, shared, chunk: chunk, changes: changes)
        }
      }
    }
  }

  /// Forgets the decisions that the device has, and returns the others.
  private mutating func confirm(_ deltaRequest: DeltaRequest) -> [SequencedDecision] {
    let device = deltaRequest.state.device
    guard var rest = unconfirmed[device] else { return [] }
    if ProtocolRule.decisionsUntilConfirmed.holds {
      rest.removeAll { $0.sequence <= deltaRequest.confirmed }
      unconfirmed[device] = rest
    } else {
      unconfirmed[device] = []
    }
    return rest
  }
}
