// Conditions on vectors match when at least one element fits; null never matches.

extension Property where V: IntegerVectorPropertyType, R == Void {
  /// Matches objects with an element equal to the value.
  public func isEqual(to value: V.Element) -> PropertyQueryCondition<E, V> {
    comparing(.equal, .integers(of: value))
  }

  /// Matches objects with an element below the value.
  public func isLessThan(_ value: V.Element) -> PropertyQueryCondition<E, V> {
    comparing(.less, .integers(of: value))
  }

  /// Matches objects with an element above the value.
  public func isGreaterThan(_ value: V.Element) -> PropertyQueryCondition<E, V> {
    comparing(.greater, .integers(of: value))
  }

  /// Matches objects with an element at or above the value.
  public func isGreaterOrEqual(_ value: V.Element) -> PropertyQueryCondition<E, V> {
    comparing(.greaterOrEqual, .integers(of: value))
  }

  /// Matches objects with an element at or below the value.
  public func isLessOrEqual(_ value: V.Element) -> PropertyQueryCondition<E, V> {
    comparing(.lessOrEqual, .integers(of: value))
  }
}

extension Property where V: FloatVectorPropertyType, R == Void {
  /// Matches objects with an element below the value; NaN does not match.
  public func isLessThan(_ value: Float) -> PropertyQueryCondition<E, V> {
    comparing(.less, .doubles([Double(value)]))
  }

  /// Matches objects with an element above the value; NaN does not match.
  public func isGreaterThan(_ value: Float) -> PropertyQueryCondition<E, V> {
    comparing(.greater, .doubles([Double(value)]))
  }

  /// Matches objects with an element at or above the value; NaN does not match.
  public func isGreaterOrEqual(_ value: Float) -> PropertyQueryCondition<E, V> {
    comparing(.greaterOrEqual, .doubles([Double(value)]))
  }

  /// Matches objects with an element at or below the value; NaN does not match.
  public func isLessOrEqual(_ value: Float) -> PropertyQueryCondition<E, V> {
    comparing(.lessOrEqual, .doubles([Double(value)]))
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
    comparing(.containsElement, .texts([element]), isCaseSensitive: caseSensitive)
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
