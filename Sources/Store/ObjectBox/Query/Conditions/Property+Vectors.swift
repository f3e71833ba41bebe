// Conditions on vectors match when at least one element fits; null never matches.

extension Property where V: IntegerVectorPropertyType, R == Void {
  /// Matches objects with an element equal to the value.
  public func isEqual(to value: V.Element) -> PropertyQueryCondition<E, V> { any(.equal, value) }

  /// Matches objects with an element below the value.
  public func isLessThan(_ value: V.Element) -> PropertyQueryCondition<E, V> { any(.less, value) }

  /// Matches objects with an element above the value.
  public func isGreaterThan(_ value: V.Element) -> PropertyQueryCondition<E, V> {
    any(.greater, value)
  }

  /// Matches objects with an element at or above the value.
  public func isGreaterOrEqual(_ value: V.Element) -> PropertyQueryCondition<E, V> {
    any(.greaterOrEqual, value)
  }

  /// Matches objects with an element at or below the value.
  public func isLessOrEqual(_ value: V.Element) -> PropertyQueryCondition<E, V> {
    any(.lessOrEqual, value)
  }

  private func any(
    _ comparison: PropertyCondition.Comparison,
    _ value: V.Element
  ) -> PropertyQueryCondition<E, V> {
    PropertyQueryCondition(
      .comparing(propertyId, comparison, integers: [Int64(truncatingIfNeeded: value)])
    )
  }
}

extension Property where V: FloatVectorPropertyType, R == Void {
  /// Matches objects with an element below the value; NaN does not match.
  public func isLessThan(_ value: Float) -> PropertyQueryCondition<E, V> { any(.less, value) }

  /// Matches objects with an element above the value; NaN does not match.
  public func isGreaterThan(_ value: Float) -> PropertyQueryCondition<E, V> { any(.greater, value) }

  /// Matches objects with an element at or above the value; NaN does not match.
  public func isGreaterOrEqual(_ value: Float) -> PropertyQueryCondition<E, V> {
    any(.greaterOrEqual, value)
  }

  /// Matches objects with an element at or below the value; NaN does not match.
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

extension Property where V: StringVectorPropertyType, R == Void {
  /// Matches objects with an element equal to the text.
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

  /// Matches objects with an element equal to the text.
  ///
  /// Without `caseSensitive`, upper and lower case are the same, in every script.
  public func containsElement(
    _ element: String,
    caseSensitive: Bool = true
  ) -> PropertyQueryCondition<E, V> {
    containsElement(element: element, caseSensitive: caseSensitive)
  }

  /// Matches objects with an element equal to the text, as `containsElement` does.
  public func contains(
    _ element: String,
    caseSensitive: Bool = true
  ) -> PropertyQueryCondition<E, V> {
    containsElement(element: element, caseSensitive: caseSensitive)
  }
}
