/// Properties of an entity whose values no two objects share, and what a conflict does.
///
/// Objects with a null among the values are not constrained.
package struct UniqueProperties: Hashable, Sendable {
  /// The effect of a write with values that another object, the holder, has.
  package enum Rule: Hashable, Sendable {
    /// The transaction is rejected.
    case reject
    /// The holder is removed if the user may write it; else the transaction is rejected.
    case replace
    /// An insert is merged into the holder if the user may write it. An update is rejected.
    case merge
  }

  /// The properties that are unique together, at least one.
  package let properties: [PropertyUID]
  /// The effect of a conflict.
  package let rule: Rule

  /// Creates a constraint over the given properties.
  package init(_ properties: [PropertyUID], rule: Rule) {
    self.properties = properties
    self.rule = rule
  }
}
