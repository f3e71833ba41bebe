import ObjectBoxSyncProtocol

/// A plain SQL transaction in progress.
struct Statement {
  enum Edit {
    case insert(ObjectKey, PropertyList<PropertyValue>)
    case update(ObjectKey, PropertyList<PropertyValue>)
    case delete(ObjectKey)
    case addPair(ObjectKey, ObjectKey)
  }

  let transaction: UInt64
  let token: TransactionToken
  let edits: [Edit]
  /// The rows that the statement saw.
  let rows: [ObjectKey: Row]

  /// The changed objects.
  var keys: [ObjectKey] {
    edits.map { edit in
      switch edit {
      case .insert(let key, _), .update(let key, _), .delete(let key), .addPair(let key, _): key
      }
    }
  }
}

extension World {
  /// Begins a plain SQL transaction, or ends one; they commit in another order than they began.
  func runStatement() throws {
    // Statements often meet the objects of those in progress.
    let busy = statements.flatMap(\.keys).filter { server.rows[$0] != nil }.sorted()
    if !busy.isEmpty, random.chance(percent: 30) {
      // The object moves to another owner while a pair of it waits to be committed.
      let move = Statement.Edit.update(
        random.pick(busy),
        PropertyList([(TrialModel.owner, owner())])
      )
      let statement = begin([move])
      try commit(statement)
      server.end(statement.transaction)
      guard random.chance(percent: 50) else { return }
      let device = random.pick(devices)
      let deltaRequest = Envelope(
        device: device,
        message: .deltaRequest(try device.device.deltaRequest())
      )
      network.append(deltaRequest)
      try deliver(network.removeLast())
      return try deliver(network.removeLast())
    }
    if !statements.isEmpty, random.chance(percent: 50) {
      let statement = statements.remove(at: random.below(statements.count))
      let commits = random.chance(percent: 80)
      if commits { try commit(statement) }
      server.end(statement.transaction, commits: commits)
      return
    }
    let keys = busy.isEmpty || random.chance(percent: 40) ? server.rows.keys.sorted() : busy
    var edits: [Statement.Edit] = []
    for _ in 0..<1 + random.below(2) {
      switch random.below(100) {
      case let kind where kind < 30 || keys.isEmpty:
        let entity = random.pick(server.age.entities)
        let key = ObjectKey(entity: entity, id: server.leaseBlock(of: entity).ids.lowerBound)
        var values = objectValues(server.age)
        values[TrialModel.code] = .null
        edits.append(.insert(key, values))
      case ..<55:
        var values = PropertyList([(TrialModel.first, makeValue())])
        if random.chance(percent: 50) { values[TrialModel.owner] = owner() }
        let key = random.pick(keys)
        if server.hasLinks, let target = TrialModel.rules[key.entity]?.relations[TrialModel.parent],
          random.chance(percent: 50)
        {
          let parents = server.rows.keys.filter { $0.entity == target }.sorted()
          if !parents.isEmpty {
            values[TrialModel.parent] = .integer(Int64(bitPattern: random.pick(parents).id))
          }
        }
        if server.age == .second, random.chance(percent: 50) {
          values[TrialModel.late] = makeValue()
        }
        edits.append(.update(key, values))
      case ..<62: edits.append(.delete(random.pick(keys)))
      default: edits.append(.addPair(random.pick(keys), random.pick(keys)))
      }
    }
    statements.append(begin(edits))
  }

  /// Changes, moves or removes some objects by plain SQL, and commits.
  func changeObjects() throws {
    let keys = server.rows.keys.sorted()
    if keys.isEmpty { return }
    let edits = (0..<5).map { _ in
      let key = random.pick(keys)
      return switch random.below(6) {
      case 0: Statement.Edit.delete(key)
      case 1: Statement.Edit.update(key, PropertyList([(TrialModel.owner, owner())]))
      default: Statement.Edit.update(key, PropertyList([(TrialModel.first, makeValue())]))
      }
    }
    let statement = begin(edits)
    try commit(statement)
    server.end(statement.transaction)
  }

  private func begin(_ edits: [Statement.Edit]) -> Statement {
    let statement = Statement(
      transaction: server.begin(),
      token: TransactionToken(makeBits()),
      edits: edits,
      rows: server.rows
    )
    record("SQL \(statement.transaction) begins")
    return statement
  }

  private func commit(_ statement: Statement) throws {
    record("SQL \(statement.transaction) commits \(statement.edits)")
    let time = HybridTime(milliseconds: now)
    var overlay = Overlay(TrialRows(server, server.age, isPartial: false), rules: TrialModel.rules)
    for edit in statement.edits {
      switch edit {
      case .insert(let key, let values):
        let stamp = Stamp(time: time, token: statement.token)
        if try overlay.row(at: key) == nil {
          try overlay.put(
            Row(originID: statement.token.originID, values: values, stamp: stamp),
            at: key
          )
        }
      case .update(let key, let values):
        guard var row = try overlay.row(at: key) else { continue }
        let stamp = Stamp(
          precedence: precedence(of: row, key),
          time: time,
          token: statement.token
        )
        row.values.merge(values)
        if TrialModel.rules[key.entity]?.mode == .propertyClock {
          for element in values.elements { row.stamps[element.property] = stamp }
        } else {
          row.stamp = stamp
        }
        try overlay.put(row, at: key)
      case .delete(let key):
        guard let row = try overlay.row(at: key) else { continue }
        try overlay.remove(row, at: key)
      case .addPair(let key, let target):
        guard var row = try overlay.row(at: key), try overlay.row(at: target) != nil else {
          continue
        }
        let pair = Pair(relation: TrialModel.links, target: target, dot: statement.token)
        row.setPairs([PairEnd(pair): pair])
        try overlay.put(row, at: key)
      }
    }
    let before = server.rows
    // The database refuses the statement.
    guard let changes = server.ruled(overlay.rows) else { return }
    server.store(
      changes,
      tombstones: overlay.tombstones,
      by: statement.transaction,
      statementRows: statement.rows
    )
    checker.remember(overlay.rows, before: before)
    // What a delete rule removes leaves no tombstone.
    for (key, row) in changes where row == nil && overlay.rows[key] != .some(nil) {
      checker.used.remove(key)
    }
  }

  private func precedence(of row: Row, _ key: ObjectKey) -> Int64 {
    guard let property = TrialModel.rules[key.entity]?.precedence else { return 0 }
    return row.values[property]?.integerValue ?? 0
  }
}
