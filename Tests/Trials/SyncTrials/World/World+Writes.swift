import ObjectBoxSyncProtocol

extension World {
  /// Writes a random transaction on a device.
  func write(on device: TrialDevice) throws {
    let token = TransactionToken(makeBits())
    let (operations, meant) = try draft(token, on: device)
    guard !operations.isEmpty else { return }
    let seen = stamps(seenBy: operations, on: device)
    let views = views(before: operations, on: device)
    let predecessor = device.device.store.written.last
    do {
      let decision = try device.device.write(operations, token: token, wall: now + device.skew)
      record("device \(device.number) writes \(operations): \(decision)")
    } catch is Rejection {
      return
    }
    if let waiting = device.device.store.queue.last, waiting.forecast != .accepted {
      device.expectFlicker(of: waiting)
    }
    checker.meant[token] = meant
    checker.seen[token] = seen
    if device.age == .second, !device.device.store.hasLate { checker.unaware.insert(token) }
    checker.views[token] = views
    checker.predecessors[token] = predecessor
    checker.look(device)
  }

  /// Returns the transactions whose values a program sees on the objects of operations.
  private func stamps(
    seenBy operations: [Operation],
    on device: TrialDevice
  ) -> Set<TransactionToken> {
    var tokens: Set<TransactionToken> = []
    for operation in operations {
      guard let row = device.device.store.rows[operation.key] else { continue }
      tokens.insert(row.stamp.token)
      for element in row.stamps.elements { tokens.insert(element.value.token) }
    }
    return tokens
  }

  /// Returns what a program sees of objects with a function before it updates them, by the indices
  /// of operations.
  ///
  /// Objects that the transaction changes several times are left out.
  private func views(
    before operations: [Operation],
    on device: TrialDevice
  ) -> [Int: PropertyList<PropertyValue>] {
    var views: [Int: PropertyList<PropertyValue>] = [:]
    for (index, operation) in operations.enumerated() {
      guard case .update(let object, _, _) = operation, object.key.entity == TrialModel.resolved,
        operations.filter({ $0.key == object.key && $0.setsValues }).count == 1
      else { continue }
      views[index] = device.device.store.rows[object.key]?.values.filter {
        device.device.store.hasLate || !Age.added.contains($0.property)
      }
    }
    return views
  }

  private func draft(
    _ token: TransactionToken,
    on device: TrialDevice
  ) throws -> ([Operation], [Meant]) {
    var draft = Draft(token: token, store: device.device.store)
    for _ in 0..<random.pick([1, 1, 1, 2, 3]) { try extend(&draft, on: device) }
    return (draft.operations, draft.meant)
  }

  private func extend(_ draft: inout Draft, on device: TrialDevice) throws {
    let kind = random.below(100)
    if faults.deleteRule != .nullify, random.chance(percent: 40) {
      return try writeFamily(&draft, on: device)
    }
    let keys = draft.keys
    if kind < 35 || keys.isEmpty {
      return try insert(&draft, random.pick(device.age.entities), on: device)
    }
    let key = random.pick(keys)
    switch kind {
    case ..<40: exchangeCodes(&draft, with: key)
    case ..<65: update(&draft, key)
    case ..<75:
      let isLate = draft.store.age == .second && random.chance(percent: 30)
      let counter = isLate ? TrialModel.lateVotes : TrialModel.votes
      draft.add(key) { .increment($0, counter, by: Int64(1 + random.below(5))) }
    case ..<83: remove(key, in: &draft)
    default:
      let pairs = draft.store.rows[key]?.pairs ?? []
      if !pairs.isEmpty, random.chance(percent: 50) {
        let pair = random.pick(pairs)
        guard draft.reference(to: pair.target) != nil else { return }
        draft.addPair(key, pair.target) { .removePair($0, pair.relation, $1, seen: pair.dot) }
      } else {
        draft.addPair(key, random.pick(keys)) { .addPair($0, TrialModel.links, $1) }
      }
    }
  }

  /// Inserts an object with a parent of its entity, moves one, or removes a parent.
  private func writeFamily(_ draft: inout Draft, on device: TrialDevice) throws {
    let keys = draft.keys.filter { $0.entity == TrialModel.resolved }
    guard !keys.isEmpty, random.chance(percent: 70) else {
      return try insert(&draft, TrialModel.resolved, on: device)
    }
    let key = random.pick(keys)
    if random.chance(percent: 40) { return remove(key, in: &draft) }
    guard let parent = parent(of: key, draft) else { return }
    draft.add(key) { .update($0, PropertyList([(TrialModel.parent, parent)])) }
  }

  /// Removes an object with what the delete rule of the program's store changes besides.
  private func remove(_ key: ObjectKey, in draft: inout Draft) {
    let sources = draft.shown(leadingTo: key)
    switch server.deleteRule {
    case .restrict where !sources.isEmpty: return
    case .cascade:
      for source in sources where source != key { draft.add(source) { .delete($0) } }
      draft.add(key) { .delete($0) }
    case .nullify, .restrict:
      draft.add(key) { .delete($0) }
      let empty = PropertyList([(TrialModel.parent, PropertyValue.null)])
      for source in sources where source != key { draft.add(source) { .update($0, empty) } }
    }
  }

  private func insert(
    _ draft: inout Draft,
    _ entity: EntityUID,
    on device: TrialDevice
  ) throws {
    let isChosen = random.chance(percent: 10)
    let id =
      isChosen
      ? UInt64(1 + random.below(8))
      : try device.device.makeID(for: entity, randomBlock: { [self] in randomBlock(of: entity) })
    let key = ObjectKey(entity: entity, id: id)
    guard !draft.inserted.contains(key) else { return }
    var values = objectValues(device.age)
    let share = entity == TrialModel.resolved && faults.deleteRule != .nullify ? 80 : 30
    if random.chance(percent: share) { values[TrialModel.parent] = parent(of: key, draft) }
    draft.insert(key, values, isChosen ? .chosen : .assigned)
  }

  /// Returns a random target of an object's relation; nil if there is none.
  private func parent(of key: ObjectKey, _ draft: Draft) -> PropertyValue? {
    var keys = draft.keys
    if let entity = TrialModel.rules[key.entity]?.relations[TrialModel.parent] {
      keys.removeAll { $0.entity != entity }
    }
    if keys.isEmpty { return nil }
    return draft.reference(to: random.pick(keys)).map(PropertyValue.target)
  }

  private func randomBlock(of entity: EntityUID) -> IDBlock {
    let start = TrialModel.firstRandomID + TrialModel.leaseSize * UInt64(random.below(8))
    return IDBlock(entity: entity, ids: start..<start + TrialModel.leaseSize)
  }

  private func update(_ draft: inout Draft, _ key: ObjectKey) {
    var values = PropertyList<PropertyValue>()
    for property in [TrialModel.first, TrialModel.second] where random.chance(percent: 60) {
      values[property] = makeValue()
    }
    if draft.store.age == .second, random.chance(percent: 30) {
      values[TrialModel.late] = makeValue()
    }
    if random.chance(percent: 15) { values[TrialModel.code] = code() }
    if random.chance(percent: 10) { values[TrialModel.owner] = owner() }
    if random.chance(percent: 15) { values[TrialModel.parent] = parent(of: key, draft) }
    if key.entity == TrialModel.entities[3] {
      if random.chance(percent: 15) {
        values[TrialModel.region] = .integer(Int64(random.below(2)))
      }
      if random.chance(percent: 30) { values[TrialModel.rank] = .integer(Int64(random.below(3))) }
    }
    if TrialModel.rules[key.entity]?.mode == .objectClock { values = draft.whole(key, values) }
    if !values.isEmpty { draft.add(key) { .update($0, values) } }
  }

  /// Lets the unique values of two or three objects of an entity change hands, in any order.
  private func exchangeCodes(_ draft: inout Draft, with key: ObjectKey) {
    let rows = draft.store.rows
    let others = draft.keys.filter { other in
      other.entity == key.entity && other != key && rows[other] != nil
    }
    guard rows[key] != nil, !others.isEmpty else { return }
    var members = [key, random.pick(others)]
    if let third = others.first(where: { !members.contains($0) }), random.chance(percent: 30) {
      members.append(third)
    }
    let codes = members.map { rows[$0]?.values[TrialModel.code] ?? .null }
    for index in members.indices {
      let member = members[index]
      var values = PropertyList([(TrialModel.code, codes[(index + 1) % codes.count])])
      if TrialModel.rules[member.entity]?.mode == .objectClock {
        values = draft.whole(member, values)
      }
      draft.add(member) { .update($0, values) }
    }
  }

  func objectValues(_ age: Age) -> PropertyList<PropertyValue> {
    let added: [(PropertyUID, PropertyValue)] =
      age == .first
      ? []
      : [
        (TrialModel.late, random.chance(percent: 50) ? makeValue() : .null),
        (TrialModel.lateVotes, .null),
      ]
    return PropertyList(
      [
        (TrialModel.owner, owner()), (TrialModel.code, code()), (TrialModel.first, makeValue()),
        (TrialModel.second, makeValue()), (TrialModel.votes, .integer(0)),
        (TrialModel.rank, .integer(Int64(random.below(2)))),
        (TrialModel.region, .integer(Int64(random.below(2)))),
      ] + added
    )
  }

  func owner() -> PropertyValue { .integer(random.pick(TrialModel.owners)) }

  private func code() -> PropertyValue {
    random.pick([.null, .null, .integer(1), .integer(2), .integer(3)])
  }
}
