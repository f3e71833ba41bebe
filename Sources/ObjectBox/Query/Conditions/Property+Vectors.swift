// Conditions on vectors, which match when at least one element fits; null never matches.

extension Property where V: IntegerVectorPropertyType, R == Void {
  /// Matches objects of which some element is the value.
  public func isEqual(to value: V.Element) -> PropertyQueryCondition<E, V> { any(.equal, value) }

  /// Matches objects of which some element is less.
  public func isLessThan(_ value: V.Element) -> PropertyQueryCondition<E, V> { any(.less, value) }

  /// Matches objects of which some element is greater.
  public func isGreaterThan(_ value: V.Element) -> PropertyQueryCondition<E, V> {
    any(.greater, value)
  }

  /// Matches objects of which some element is not less.
  public func isGreaterOrEqual(_ value: V.Element) -> PropertyQueryCondition<E, V> {
    any(.greaterOrEqual, value)
  }

  /// Matches objects of which some element is not greater.
  public func isLessOrEqual(_ value: V.Element) -> PropertyQueryCondition<E, V> {
    any(.lessOrEqual, value)
  }

  private func any(
    _ comparison: PropertyCondition.Comparison,
    _ value: V.Element
  ) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(
      .comparing(propertyId, comparison, integer: Int64(truncatingIfNeeded: value))
    )
  }
}

extension Property where V == FloatArrayPropertyType, R == Void {
  /// Matches objects of which some element is less; not-a-number does not match.
  public func isLessThan(_ value: Float) -> PropertyQueryCondition<E, V> { any(.less, value) }

  /// Matches objects of which some element is greater; not-a-number does not match.
  public func isGreaterThan(_ value: Float) -> PropertyQueryCondition<E, V> { any(.greater, value) }

  /// Matches objects of which some element is not less; not-a-number does not match.
  public func isGreaterOrEqual(_ value: Float) -> PropertyQueryCondition<E, V> {
    any(.greaterOrEqual, value)
  }

  /// Matches objects of which some element is not greater; not-a-number does not match.
  public func isLessOrEqual(_ value: Float) -> PropertyQueryCondition<E, V> {
    any(.lessOrEqual, value)
  }

  private func any(
    _ comparison: PropertyCondition.Comparison,
    _ value: Float
  ) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(.comparing(propertyId, comparison, doubles: [Double(value)]))
  }
}

extension Property where V == StringArrayPropertyType, R == Void {
  /// Matches objects of which some element is the text.
  ///
  /// Without `caseSensitive`, upper and lower case are the same, in every script.
  public func containsElement(
    element: String,
    caseSensitive: Bool
  ) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(
      propertyId,
      .containsElement,
      .texts([element]),
      isCaseSensitive: caseSensitive
    )
  }
}
