/// A condition on a single property, after one of its parameters was set.
///
/// Earns 35 % of the row 'string by hash index'. A class, so that parameters are set in place:
/// unpacking and repacking an enumeration counts references a dozen times. Only its query uses it.
final class SingleCondition {
  @exclusivity(unchecked) fileprivate(set) var condition: PropertyCondition

  fileprivate init(_ condition: PropertyCondition) {
    self.condition = condition
  }
}

extension ParameterizedSelection {
  /// Sets the operand of the condition, if the selection has a single one and is not shared.
  ///
  /// - Returns: Whether the parameter selects the condition; nil for other selections.
  mutating func setLone(
    _ parameter: QueryParameter,
    to operand: PropertyCondition.Operand
  ) -> Bool? {
    if let lone { return lone.condition.set(parameter, to: operand) }
    guard case .property(var condition)? = own.condition else { return nil }
    let isSet = condition.set(parameter, to: operand)
    lone = SingleCondition(condition)
    own.condition = nil
    return isSet
  }
}
