internal import ObjectBoxSyncProtocol

extension SyncBytes {
  mutating func append(_ state: DeviceState) {
    append(state.device.bits)
    append(state.cursor) {
      $0.append($1.snapshot.xmax)
      $0.append($1.snapshot.inProgress) { $0.append($1) }
      $0.append($1.epoch.system)
      $0.append($1.epoch.database)
      $0.append($1.epoch.timeline)
      $0.append($1.position)
    }
    append(state.scopes.elements) {
      $0.append($1.scope.entity.value)
      $0.append($1.scope.property) { $0.append($1.value) }
      $0.append($1.scope.value)
      switch $1.mark {
      case .complete: $0.append(nil as UInt64?) { $0.append($1) }
      case .filled(let id): $0.append(id as UInt64?) { $0.append($1) }
      }
    }
    append(state.edition)
    append(state.sequence)
    append(state.confirmed)
    append(state.lastToken) { $0.append($1.bits) }
    append(state.time)
    append(state.seen)
    append(state.leases) {
      $0.append($1.entity.value)
      $0.append($1.ids.lowerBound)
      $0.append($1.ids.upperBound)
    }
    append(state.leaseEnds.sorted { $0.key < $1.key }) {
      $0.append($1.key.value)
      $0.append($1.value)
    }
  }
}

extension SyncBytesReader {
  mutating func state() throws(SyncTable.Damage) -> DeviceState {
    var state = DeviceState(device: DeviceIdentity(try identifier()))
    state.cursor = try optional { (reader) throws(SyncTable.Damage) in try reader.cursor() }
    let marks = try list { (reader) throws(SyncTable.Damage) in try reader.mark() }
    for (scope, mark) in marks { state.scopes[scope] = mark }
    state.edition = try number()
    state.sequence = try number()
    state.confirmed = try number()
    state.lastToken = try optional { (reader) throws(SyncTable.Damage) in try reader.token() }
    state.time = try time()
    state.seen = try time()
    state.leases = try list { (reader) throws(SyncTable.Damage) in try reader.block() }
    let ends = try list { (reader) throws(SyncTable.Damage) in
      (EntityUID(try reader.number()), try reader.number(UInt64.self))
    }
    for (entity, end) in ends { state.leaseEnds[entity] = end }
    return state
  }

  private mutating func cursor() throws(SyncTable.Damage) -> Cursor {
    let xmax: UInt64 = try number()
    let inProgress = try list { (reader) throws(SyncTable.Damage) in
      try reader.number(UInt64.self)
    }
    let epoch = Epoch(system: try number(), database: try number(), timeline: try number())
    return Cursor(
      snapshot: TransactionSnapshot(xmax: xmax, inProgress: inProgress),
      epoch: epoch,
      position: try number()
    )
  }

  private mutating func mark() throws(SyncTable.Damage) -> (Scope, ScopeMarks.Mark) {
    let entity = EntityUID(try number())
    let property = try optional { (reader) throws(SyncTable.Damage) in
      PropertyUID(try reader.number())
    }
    let scope = Scope(entity: entity, property: property, value: try value())
    let id = try optional { (reader) throws(SyncTable.Damage) in try reader.number(UInt64.self) }
    return (scope, id.map(ScopeMarks.Mark.filled) ?? .complete)
  }

  private mutating func block() throws(SyncTable.Damage) -> IDBlock {
    let entity = EntityUID(try number())
    let (lower, upper): (UInt64, UInt64) = (try number(), try number())
    guard lower <= upper else { throw SyncTable.Damage() }
    return IDBlock(entity: entity, ids: lower..<upper)
  }
}
