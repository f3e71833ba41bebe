extension Applier {
  /// The object that an insert is merged into.
  struct Holder {
    let key: ObjectKey
    let row: Row
    let constraint: UniqueProperties
  }

  /// A unique value of a write whose holder may still lose it in this transaction.
  struct Contest {
    let unique: UniqueKey
    let holder: ObjectKey
  }

  /// Decides the conflicts of a row's unique values: removes holders, or returns one to merge into.
  ///
  /// - Parameters:
  ///   - row: The row after the write.
  ///   - old: The row before the write; its unique values are no conflict.
  ///   - key: The row's key.
  ///   - isInsert: True if the row may be merged into a holder.
  ///   - rules: The entity's rules.
  /// - Returns: The holder to merge into, or nil.
  /// - Throws: ``Rejection`` if a value is taken, and errors of the source.
  mutating func settleUniques(
    of row: Row,
    before old: Row?,
    at key: ObjectKey,
    isInsert: Bool,
    _ rules: EntityRules
  ) throws -> Holder? {
    guard side == .server || ProtocolRule.uniqueForecast.holds else { return nil }
    for (index, constraint) in rules.uniques.enumerated() {
      guard
        let unique = UniqueKey(
          entity: key.entity,
          constraint: index,
          of: constraint,
          in: row.values
        )
      else { continue }
      if let old, constraint.properties.allSatisfy({ old.values[$0] == row.values[$0] }) {
        continue
      }
      guard let holder = try overlay.holder(of: unique), holder != key,
        let other = try overlay.row(at: holder)
      else { continue }
      // The operations of a device are in the order of object IDs, not in the order of the program's writes.
      if isWrittenLater(holder, constraint.properties) {
        contests.append(Contest(unique: unique, holder: holder))
        continue
      }
      if constraint.rule == .merge, isInsert, try mayWriteHolder(other, at: holder) {
        return Holder(key: holder, row: other, constraint: constraint)
      }
      try replace(other, at: holder, by: row, at: key, constraint, rules)
    }
    return nil
  }

  /// Decides the conflicts that remain after all operations.
  mutating func settleContests() throws {
    for contest in contests {
      let unique = contest.unique
      // The object that took the value first may have lost it to another one.
      guard let rules = rules[unique.entity], let taker = try overlay.holder(of: unique),
        taker != contest.holder, let row = try overlay.row(at: taker),
        let other = try overlay.row(at: contest.holder)
      else { continue }
      let constraint = rules.uniques[unique.constraint]
      let isHeldTwice = [row, other].allSatisfy { row in
        constraint.properties.map { row.values[$0] ?? .null } == unique.values
      }
      if isHeldTwice {
        try replace(other, at: contest.holder, by: row, at: taker, constraint, rules)
      }
    }
  }

  private mutating func mayWriteHolder(_ row: Row, at key: ObjectKey) throws -> Bool {
    try side == .device || overlay.permits(mayWrite, before: row, at: key)
  }

  /// Removes the holder of unique values if the constraint's rule is to replace it.
  private mutating func replace(
    _ other: Row,
    at holder: ObjectKey,
    by row: Row,
    at key: ObjectKey,
    _ constraint: UniqueProperties,
    _ rules: EntityRules
  ) throws {
    guard constraint.rule == .replace, try mayWriteHolder(other, at: holder) else {
      refuse(row, at: key)
      throw Rejection(entity: key.entity, property: constraint.properties.first, reason: .unique)
    }
    try overlay.remove(other, at: holder)
  }
}
