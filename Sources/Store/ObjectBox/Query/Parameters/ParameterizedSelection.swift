/// The selection of a query, with its current parameters.
///
/// The query owns it alone until its first subscription. Subscriptions search on other threads, so
/// a lock guards it from then on.
package struct ParameterizedSelection {
  /// The selection, unless it is shared; without its condition while `lone` holds it.
  var own: Selection
  /// The condition on a single property, after one of its parameters was set; nil while shared.
  var lone: SingleCondition?
  private var shared: Guarded<Selection>?

  init(_ selection: Selection) {
    own = selection
  }

  /// A copy of the selection.
  package var copy: Selection {
    if let shared { return shared.copy }
    var selection = own
    if let lone { selection.condition = .property(lone.condition) }
    return selection
  }

  /// Sets the operand of the first condition that a parameter selects, also for subscriptions.
  mutating func set(_ parameter: QueryParameter, to operand: PropertyCondition.Operand) {
    let isSet: Bool
    if let shared {
      isSet = shared.withLock { $0.condition?.set(parameter, to: operand) ?? false }
    } else if let isSetAlone = setLone(parameter, to: operand) {
      isSet = isSetAlone
    } else {
      isSet = own.condition?.set(parameter, to: operand) ?? false
    }
    // Unlike a precondition, it prints its message in optimised programs too.
    if !isSet { fatalError(parameter.refusal(in: copy.condition)) }
  }

  /// Shares the selection with a subscription.
  mutating func share() -> Guarded<Selection> {
    if let shared { return shared }
    let guarded = Guarded(copy)
    shared = guarded
    lone = nil
    return guarded
  }
}

/// The property or alias that selects the condition whose parameter is set.
package enum QueryParameter: CustomStringConvertible {
  case property(UInt32)
  case alias(String)

  package var description: String {
    switch self {
    case .property(let id): "property \(id)"
    case .alias(let name): "alias '\(name)'"
    }
  }

  /// Returns the message for a condition in which the parameter selects none.
  package func refusal(in condition: Condition?) -> String {
    let advice: String
    switch self {
    case .property: advice = "build the query with a condition on the property itself"
    case .alias(let name):
      let known = (condition?.aliases ?? []).map { "'\($0)'" }.joined(separator: ", ")
      advice =
        known.isEmpty
        ? "none has an alias; give one as in \"\(name)\" .= Note.stars > 3"
        : "its aliases are \(known)"
    }
    return "cannot set the parameter of \(self): the query has no such condition; \(advice)"
  }
}

extension Condition {
  /// The aliases of all conditions, including those inside links, from left to right.
  fileprivate var aliases: [String] {
    properties.compactMap(\.alias) + links.flatMap(\.condition.aliases)
  }

  /// Sets the operand of the first condition that a parameter selects; false when there is none.
  package mutating func set(
    _ parameter: QueryParameter,
    to operand: PropertyCondition.Operand
  ) -> Bool {
    // Conditions in links are on properties of other entities; only aliases reach them.
    var looksIntoLinks = false
    if case .alias = parameter { looksIntoLinks = true }
    return changeFirst(inLinks: looksIntoLinks) { $0.set(parameter, to: operand) }
  }
}

extension PropertyCondition {
  /// Sets the operand if the parameter selects this condition.
  mutating func set(_ parameter: QueryParameter, to operand: Operand) -> Bool {
    switch parameter {
    // Null tests have no parameter, so the first other condition is changed.
    case .property(let id): guard propertyID == id, hasOperand else { return false }
    case .alias(let name): guard alias == name else { return false }
    }
    if changeNearest(to: operand) || changeText(to: operand) { return true }
    guard self.operand.isAlike(operand) else {
      fatalError(
        "cannot set the parameter of \(parameter): its condition takes values of another type"
      )
    }
    self.operand = operand
    // Both bounds of parameters are included.
    if comparison == .inRange { comparison = .between }
    return true
  }
}
