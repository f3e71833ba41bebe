/// A group, or a part of one, that a database has computed.
package struct GroupPart {
  /// The state of an aggregate.
  package enum State {
    /// The number of values that are not null.
    case count(Int)
    case integers(sum: Int128, count: Int)
    /// Two numbers with the exact sum of the values.
    case doubles(Double, Double, count: Int)
    /// The least or greatest value; nil without one.
    case extreme(BatchValue?)
  }

  /// The number of objects.
  package var count: Int
  /// A value of each column of the plan.
  ///
  /// Columns that are in no key are null.
  package var values: [BatchValue?]
  /// Other values of the columns; they must give the same keys.
  package var others: [BatchValue?]
  /// The states of the plan's aggregates; the state of the number of objects is not used.
  package var states: [State]

  package init(
    count: Int,
    values: [BatchValue?],
    others: [BatchValue?],
    states: [State]
  ) {
    self.count = count
    self.values = values
    self.others = others
    self.states = states
  }
}

extension GroupTable {
  /// Adds a part of a group.
  ///
  /// - Parameter part: A part by the plan of this table.
  /// - Returns: False if objects of the part belong to several groups; the table is then of no use.
  /// - Throws: `ObjectBoxError` for a date that no calendar has.
  package func add(_ part: GroupPart) throws -> Bool {
    let group = try number(part.values)
    if part.others != part.values, try number(part.others) != group { return false }
    extend()
    add(part, to: group)
    return true
  }
}
