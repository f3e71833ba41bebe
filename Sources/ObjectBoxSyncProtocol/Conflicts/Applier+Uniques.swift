extension Applier {
  /// The object that an insert is merged into.
  struct Holder {
    let key: ObjectKey
    let row: Row
    let constraint: UniqueConstraint
  }

  /// Decides the conflicts of a row's unique values: removes holders, or returns one to merge into.
  ///
  /// - Parameters:
  ///   - row: The row as the write leaves it.
  ///   - old: The row before the write, whose unique values are no conflict.
  ///   - key: The row's key.
  ///   - isInsert: True if the row may be merged into a holder.
  ///   - rules: The entity's rules.
  /// - Returns: The holder to merge into, or nil.
  /// - Throws: ``Rejection`` if a value is taken, and what the source throws.
  mutating func settleUniques(
    of row: Row,
    before old: Row?,
    at key: ObjectKey,
    isInsert: Bool,
    _ rules: EntityRules
  ) throws -> Holder? {
    guard side == .hub || ProtocolRule.uniqueForecast.holds else { return nil }
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
      let mayWriteHolder = try side == .device || mayWrite(before: other, at: holder)
      if constraint.rule == .merge, isInsert, mayWriteHolder {
        return Holder(key: holder, row: other, constraint: constraint)
      }
      guard constraint.rule == .replace, mayWriteHolder else {
        throw Rejection(
          entity: key.entity,
          property: constraint.properties.first,
          reason: .unique
        )
      }
      try overlay.remove(other, at: holder, stamp: stamp(rules, values: row.values, row: other))
    }
    return nil
  }
}
