extension Applier {
  mutating func insert(
    _ given: PropertyList<PropertyValue>,
    at made: ObjectKey,
    _ origin: Operation.IDOrigin,
    _ rules: EntityRules
  ) throws {
    let values = try resolveTargets(of: given, in: made)
    let stamp = stamp(rules, values: values, row: nil)
    var key = made
    if let row = try overlay.row(at: key) {
      if origin == .chosen || !ProtocolRule.renumbering.holds {
        rename(made, to: ObjectIdentity(key: key, originID: row.originID))
        return try write(values, to: key, row, rules)
      }
      // A device shows its own object in place of the other one until the server has answered.
      if side == .server { key = try renumbered(made) }
    } else if side == .server, origin == .assigned, ProtocolRule.tombstonesKeepIDs.holds,
      try overlay.hasTombstone(at: key)
    {
      key = try renumbered(made)
    }
    let row = Row(originID: transaction.token.originID, values: values, stamp: stamp)
    if let holder = try settleUniques(of: row, before: nil, at: key, isInsert: true, rules) {
      rename(made, to: ObjectIdentity(key: holder.key, originID: holder.row.originID))
      let rest = values.filter { !holder.constraint.properties.contains($0.property) }
      return try write(rest, to: holder.key, holder.row, rules)
    }
    try overlay.put(row, at: key)
  }

  /// Updates an existing object with the values of an insert; adds the insert's counters to the object's.
  private mutating func write(
    _ values: PropertyList<PropertyValue>,
    to key: ObjectKey,
    _ row: Row,
    _ rules: EntityRules
  ) throws {
    mean(key)
    let plain = values.filter { !rules.counters.contains($0.property) }
    var row = try updated(row, at: key, plain, rules)
    for element in values.elements where rules.counters.contains(element.property) {
      let sum = row.values[element.property]?.integerValue ?? 0
      row.values[element.property] = .integer(sum &+ (element.value.integerValue ?? 0))
    }
    try overlay.put(row, at: key)
  }

  private mutating func renumbered(_ made: ObjectKey) throws -> ObjectKey {
    // Without a loaded ID the result is provisional; no object has the ID 0.
    let id = try overlay.freshID(of: made.entity) ?? 0
    let key = ObjectKey(entity: made.entity, id: id)
    rename(made, to: ObjectIdentity(key: key, originID: transaction.token.originID))
    return key
  }

  private mutating func rename(_ made: ObjectKey, to identity: ObjectIdentity?) {
    let new = NewIdentity(made: made, identity: identity)
    if let place = identityPlaces[made] {
      identities[place] = new
    } else {
      identityPlaces[made] = identities.count
      identities.append(new)
    }
  }
}
