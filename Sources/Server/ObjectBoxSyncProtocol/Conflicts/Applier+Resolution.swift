extension Applier {
  /// Returns the conflict of an update, or nil if no function is called for it.
  ///
  /// Returns nil without a base or a function, and if the object still has the values that the program saw. Counters
  /// are ignored: their differences add up in any case.
  mutating func conflict(
    of values: PropertyList<PropertyValue>,
    over base: PropertyList<PropertyValue>?,
    with row: Row,
    at key: ObjectKey,
    _ rules: EntityRules
  ) throws -> Conflict? {
    guard let base, self.rules.resolutions[key.entity] != nil else { return nil }
    var seen = row.values
    var isSeen = true
    for element in base.elements {
      // The server's model lacks the property.
      guard let own = row.values[element.property] else { continue }
      let value = try confirmed(element.value)
      seen[element.property] = value
      if !rules.counters.contains(element.property) {
        isSeen = isSeen && rules.isSame(own, value, element.property)
      }
    }
    if isSeen, ProtocolRule.unseenRows.holds { return nil }
    // The function must not decide about rows that are not loaded.
    guard overlay.needs.isEmpty else { return nil }
    var mine = seen
    mine.merge(values)
    return Conflict(key: key, base: seen, mine: mine, theirs: row.values)
  }

  /// Returns the row with the values of the entity's function.
  ///
  /// Reports the values of the update that the function dropped.
  mutating func resolved(
    _ conflict: Conflict,
    of values: PropertyList<PropertyValue>,
    over row: Row,
    _ rules: EntityRules
  ) throws -> Row {
    guard let resolve = self.rules.resolutions[conflict.key.entity] else { return row }
    let result: PropertyList<PropertyValue>
    do {
      result = try resolve(conflict)
    } catch let rejection as Rejection {
      throw rejection
    } catch {
      throw Rejection(
        entity: conflict.key.entity,
        property: nil,
        reason: .resolution,
        message: String("\(error)".prefix(Rejection.messageLimit))
      )
    }
    let key = conflict.key
    let stamp = stamp(rules, values: result, row: row)
    var new = row
    for element in result.elements where !rules.counters.contains(element.property) {
      let property = element.property
      guard !rules.isSame(row.values[property], element.value, property) else { continue }
      new.values[property] = element.value
      guard rules.mode == .propertyClock else { continue }
      // The value replaces both writes, so a write that is older than either of them must not beat it.
      new.stamps[property] = max(stamp, row.stamps[property] ?? row.stamp)
    }
    for element in values.elements {
      let property = element.property
      if !rules.isSame(conflict.base[property], element.value, property),
        !rules.isSame(new.values[property], element.value, property)
      {
        drop(key, .resolved(property))
      }
    }
    if new.values == row.values { return row }
    if rules.mode != .propertyClock { new.stamp = max(stamp, row.stamp) }
    return try settled(new, over: row, at: key, rules)
  }

  /// Returns a value of a base, with a reference replaced by its target's present ID.
  private mutating func confirmed(_ value: PropertyValue) throws -> PropertyValue {
    guard case .target(let target) = value else { return value }
    guard let identity = try identity(of: target) else { return .null }
    return .integer(Int64(bitPattern: identity.key.id))
  }
}

extension EntityRules {
  /// Returns true if two values of a property are equal; a missing value and the target 0 count as null.
  fileprivate func isSame(
    _ first: PropertyValue?,
    _ second: PropertyValue?,
    _ property: PropertyUID
  ) -> Bool {
    func plain(_ value: PropertyValue?) -> PropertyValue {
      guard let value else { return .null }
      return value == .integer(0) && relations[property] != nil ? .null : value
    }
    return first == second || plain(first) == plain(second)
  }
}
