extension Applier {
  mutating func update(
    _ object: ObjectReference,
    _ given: PropertyList<PropertyValue>,
    base: PropertyList<PropertyValue>?,
    _ rules: EntityRules
  ) throws {
    for element in given.elements where rules.counters.contains(element.property) {
      throw Rejection(entity: object.key.entity, property: element.property, reason: .counter)
    }
    switch try find(object) {
    case .object(let key, let row):
      mean(key)
      let values = try resolveTargets(of: given, in: key)
      let conflict = try conflict(of: values, over: base, with: row, at: key, rules)
      let new =
        if let conflict {
          try resolved(conflict, of: values, over: row, rules)
        } else {
          try updated(row, at: key, values, rules)
        }
      if new != row { try overlay.put(new, at: key) }
    case .missing(let key, let reason, _): drop(key, reason)
    }
  }

  /// Returns the row after an update, by the entity's mode; drops values that lose to an earlier write.
  mutating func updated(
    _ row: Row,
    at key: ObjectKey,
    _ values: PropertyList<PropertyValue>,
    _ rules: EntityRules
  ) throws -> Row {
    let stamp = stamp(rules, values: values, row: row)
    var new = row
    switch rules.mode {
    case .arrival:
      new.values.merge(values)
      new.stamp = stamp
    case .objectClock:
      guard stamp > row.stamp || !ProtocolRule.objectStamps.holds else {
        drop(key, .older(than: row.stamp))
        return row
      }
      new.values.merge(values)
      new.stamp = stamp
    case .propertyClock:
      var winner: Stamp?
      for element in values.elements {
        let other = row.stamps[element.property] ?? row.stamp
        guard stamp > other || !ProtocolRule.propertyStamps.holds else {
          winner = max(winner ?? other, other)
          continue
        }
        new.values[element.property] = element.value
        new.stamps[element.property] = stamp
      }
      if let winner { drop(key, .older(than: winner)) }
    }
    return try settled(new, over: row, at: key, rules)
  }

  /// Decides the conflicts of a row's unique values, then returns the row with its present pairs.
  mutating func settled(
    _ new: Row,
    over row: Row,
    at key: ObjectKey,
    _ rules: EntityRules
  ) throws -> Row {
    var new = new
    _ = try settleUniques(
      of: new,
      before: row,
      at: key,
      isInsert: false,
      rules
    )
    // A removed holder may have taken pairs of this object with it.
    if let current = try overlay.row(at: key) { new.pairs = current.pairs }
    return new
  }

  mutating func increment(
    _ object: ObjectReference,
    _ property: PropertyUID,
    by difference: Int64,
    _ rules: EntityRules
  ) throws {
    guard rules.counters.contains(property) else {
      throw Rejection(entity: object.key.entity, property: property, reason: .counter)
    }
    guard let (key, old) = try findToWrite(object) else { return }
    var row = old
    let sum = (row.values[property]?.integerValue ?? 0) &+ difference
    row.values[property] = .integer(sum)
    try overlay.put(row, at: key)
  }

  mutating func delete(_ object: ObjectReference) throws {
    // A missing object is no error: the deletion has nothing left to do.
    guard case .object(let key, let row) = try find(object) else { return }
    mean(key)
    try overlay.remove(row, at: key)
  }
}
