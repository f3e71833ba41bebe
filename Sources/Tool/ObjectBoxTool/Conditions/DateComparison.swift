internal import ObjectBox
internal import ObjectBoxDynamic

/// Makes exact conditions on a date property from dates in texts.
///
/// A date may have more digits than the property, or be outside its range.
struct DateComparison {
  let property: DynamicProperty

  /// Returns whether an operation compares dates.
  static func takes(_ operation: ConditionNode.Operation) -> Bool {
    switch operation {
    case .equal, .notEqual, .less, .lessOrEqual, .greater, .greaterOrEqual, .between, .isIn,
      .isNotIn:
      true
    case .isNull, .isNotNull, .startsWith, .endsWith, .contains, .isNearest, .matches: false
    }
  }

  /// Returns the condition.
  ///
  /// - Parameters:
  ///   - operation: An operation that compares dates.
  ///   - dates: Its operands: two for `between`, any number for a list, else one.
  /// - Returns: The condition.
  func condition(
    _ operation: ConditionNode.Operation,
    _ dates: [DateText.Bounds]
  ) -> DynamicCondition {
    let list = dates.compactMap(\.exact).map(StoredDate.init)
    switch operation {
    case .isIn: return property.isIn(list)
    case .isNotIn: return property.isNotIn(list)
    case .between: return between(dates)
    default: break
    }
    guard let date = dates.first else { return .never }
    switch (operation, list.first) {
    case (.equal, let exact?): return property.isEqual(to: exact)
    case (.notEqual, let exact?): return property.isNotEqual(to: exact)
    case (.notEqual, nil): return property.isNotNil()
    case (.less, let exact?): return property.isLess(than: exact)
    case (.greater, let exact?): return property.isGreater(than: exact)
    case (.less, nil), (.lessOrEqual, _):
      return date.floor.map { property.isLessOrEqual(to: StoredDate(ticks: $0)) } ?? .never
    case (.greater, nil), (.greaterOrEqual, _):
      return date.ceiling.map { property.isGreaterOrEqual(to: StoredDate(ticks: $0)) } ?? .never
    default: return .never
    }
  }

  /// Returns the condition on dates between two dates, inclusive and in either order.
  private func between(_ dates: [DateText.Bounds]) -> DynamicCondition {
    // A date before the range has no floor, and a date after the range no ceiling.
    let sorted = dates.sorted { a, b in
      switch (a.floor, b.floor) {
      case (nil, _): b.floor != nil
      case (_, nil): false
      case (let low?, let other?) where low != other: low < other
      default: (a.ceiling ?? .max) < (b.ceiling ?? .max) || (a.ceiling != nil && b.ceiling == nil)
      }
    }
    guard let low = sorted.first?.ceiling, let high = sorted.last?.floor, low <= high else {
      return .never
    }
    return property.isBetween(StoredDate(ticks: low), and: StoredDate(ticks: high))
  }
}
