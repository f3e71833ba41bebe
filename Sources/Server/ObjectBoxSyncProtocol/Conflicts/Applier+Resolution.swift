extension Applier {
  /// Returns the conflict of an update, or nil if no function is called for it.
  ///
  /// There is none without a base or a function, and none if the object has the values that the
  /// program saw. Counters do not count: their differences are added whatever others have added.
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
    // A guess of the function about rows that are not loaded would be of no use.
    guard overlay.needs.isEmpty else { return nil }
    var mine = seen
    mine.merge(values)
    return Conflict(key: key, base: seen, mine: mine, theirs: row.values)
  }

  /// Returns the row as the entity's function leaves it, and tells which values of the update the
  /// function has dropped.
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
      // The value decides over both writes, so that no write before either of them may beat it.
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

  /// Returns a value of a base with the ID that its target has now.
  private mutating func confirmed(_ value: PropertyValue) throws -> PropertyValue {
    guard case .target(let target) = value else { return value }
    guard let identity = try identity(of: target) else { return .null }
    return .integer(Int64(bitPattern: identity.key.id))
  }
}

extension EntityRules {
  /// Returns true if two values of a property are equal; nil is null, and so is the target 0.
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
