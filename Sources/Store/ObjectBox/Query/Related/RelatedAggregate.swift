public import Foundation

/// An aggregate of related objects, for conditions: their number, or the sum, mean, least or greatest
/// value of one of their properties.
///
///     let busy = try authors.query { Author.notes.count > 3 }.build()
///     let praised = try authors.query { Author.notes.sum(Note.stars) >= 100 }.build()
///
/// A condition on it reads the related objects once, and computes the aggregates of all objects.
/// Without related objects, or with null in all of them, the number and the sum are 0; mean, least
/// and greatest value do not exist, and meet no comparison, not even `!=`. NaN is no
/// least or greatest value.
public struct RelatedAggregate<R, Value>: Sendable {
  let end: RelationEnd
  let target: EntityInfo
  let condition: Condition
  let function: LinkAggregate.Function
  let propertyID: UInt32?
  let operand: @Sendable (Value) -> LinkAggregate.Operand

  func matches<E>(
    _ comparison: PropertyCondition.Comparison,
    _ value: Value
  ) -> QueryCondition<E> {
    let aggregate = LinkAggregate(function, of: propertyID, comparison, operand(value))
    return QueryCondition(
      .link(LinkCondition(end, to: target, condition, aggregate: aggregate))
    )
  }
}

/// The number of related objects, for conditions.
public typealias RelatedCount<R> = RelatedAggregate<R, Int>

extension ToManyProperty {
  private func aggregate<Value>(
    _ function: LinkAggregate.Function,
    of propertyID: UInt32? = nil,
    _ conditions: (() -> QueryCondition<R>)?,
    _ operand: @escaping @Sendable (Value) -> LinkAggregate.Operand
  ) -> RelatedAggregate<R, Value> {
    RelatedAggregate(
      end: end,
      target: R.entityInfo,
      condition: conditions?().condition ?? .all([]),
      function: function,
      propertyID: propertyID,
      operand: operand
    )
  }

  // MARK: Numbers of objects

  /// The number of related objects.
  ///
  /// A condition on it reads the related objects once, and counts them for all objects.
  public var count: RelatedCount<R> { aggregate(.count, nil) { .integer(Int128($0)) } }

  /// Returns the number of related objects that match a condition.
  ///
  ///     let praised = try authors.query {
  ///       Author.notes.count { Note.stars > 3 } > 1
  ///     }.build()
  ///
  /// - Parameter conditions: Returns the condition on the related objects; called at once.
  /// - Returns: The number, for comparisons.
  public func count(_ conditions: () -> QueryCondition<R>) -> RelatedCount<R> {
    let condition = conditions()
    return aggregate(.count, { condition }) { .integer(Int128($0)) }
  }

  /// Matches objects without a related object.
  public func isEmpty<E>() -> QueryCondition<E> { count == 0 }

  /// Matches objects with at least one related object.
  public func isNotEmpty<E>() -> QueryCondition<E> { count > 0 }

  // MARK: Sums and means

  /// Returns the sum of an integer property of the related objects; 0 without a value.
  ///
  /// The comparison is exact, also of sums that no `Int` holds.
  ///
  /// - Parameters:
  ///   - property: A property of the related objects. Nulls do not count.
  ///   - conditions: Returns a condition that limits the related objects, or nil; called at once.
  /// - Returns: The sum, for comparisons.
  public func sum<V: ScalarPropertyType>(
    _ property: Property<R, V, Void>,
    _ conditions: (() -> QueryCondition<R>)? = nil
  ) -> RelatedAggregate<R, Int> where V.Scalar: FixedWidthInteger {
    aggregate(.sum, of: property.propertyId, conditions) { .integer(Int128($0)) }
  }

  /// Returns the sum of a floating point property of the related objects; 0 without a value.
  ///
  /// Added with twice the precision and then rounded, so the order of the objects hardly ever matters.
  ///
  /// - Parameters:
  ///   - property: A property of the related objects. Nulls do not count.
  ///   - conditions: Returns a condition that limits the related objects, or nil; called at once.
  /// - Returns: The sum, for comparisons.
  public func sum<V: ScalarPropertyType>(
    _ property: Property<R, V, Void>,
    _ conditions: (() -> QueryCondition<R>)? = nil
  ) -> RelatedAggregate<R, Double> where V.Scalar: BinaryFloatingPoint {
    aggregate(.sum, of: property.propertyId, conditions) { .double($0) }
  }

  /// Returns the arithmetic mean of a property of the related objects.
  ///
  /// - Parameters:
  ///   - property: A property of the related objects. Nulls do not count.
  ///   - conditions: Returns a condition that limits the related objects, or nil; called at once.
  /// - Returns: The mean, for comparisons.
  public func average<V: ScalarPropertyType>(
    _ property: Property<R, V, Void>,
    _ conditions: (() -> QueryCondition<R>)? = nil
  ) -> RelatedAggregate<R, Double> where V.Scalar: Numeric {
    aggregate(.average, of: property.propertyId, conditions) { .double($0) }
  }

  // MARK: Least and greatest values

  /// Returns the least value of an integer property of the related objects.
  ///
  /// - Parameters:
  ///   - property: A property of the related objects. Nulls do not count.
  ///   - conditions: Returns a condition that limits the related objects, or nil; called at once.
  /// - Returns: The value, for comparisons.
  public func min<V: ScalarPropertyType>(
    _ property: Property<R, V, Void>,
    _ conditions: (() -> QueryCondition<R>)? = nil
  ) -> RelatedAggregate<R, V.Scalar> where V.Scalar: FixedWidthInteger & SendableMetatype {
    aggregate(.min, of: property.propertyId, conditions) { .integer(Int128($0)) }
  }

  /// Returns the least value of a floating point property of the related objects.
  ///
  /// - Parameters:
  ///   - property: A property of the related objects. Nulls do not count.
  ///   - conditions: Returns a condition that limits the related objects, or nil; called at once.
  /// - Returns: The value, for comparisons.
  public func min<V: ScalarPropertyType>(
    _ property: Property<R, V, Void>,
    _ conditions: (() -> QueryCondition<R>)? = nil
  ) -> RelatedAggregate<R, V.Scalar> where V.Scalar: BinaryFloatingPoint & SendableMetatype {
    aggregate(.min, of: property.propertyId, conditions) { .double(Double($0)) }
  }

  /// Returns the earliest date of the related objects.
  ///
  /// - Parameters:
  ///   - property: A property of the related objects. Nulls do not count.
  ///   - conditions: Returns a condition that limits the related objects, or nil; called at once.
  /// - Returns: The date, for comparisons.
  public func min<V: DatePropertyType>(
    _ property: Property<R, V, Void>,
    _ conditions: (() -> QueryCondition<R>)? = nil
  ) -> RelatedAggregate<R, Date> {
    aggregate(.min, of: property.propertyId, conditions) { .date($0) }
  }

  /// Returns the least text of the related objects, by its UTF-8 bytes.
  ///
  /// - Parameters:
  ///   - property: A property of the related objects. Nulls do not count.
  ///   - conditions: Returns a condition that limits the related objects, or nil; called at once.
  /// - Returns: The text, for comparisons.
  public func min<V: StringPropertyType>(
    _ property: Property<R, V, Void>,
    _ conditions: (() -> QueryCondition<R>)? = nil
  ) -> RelatedAggregate<R, String> {
    aggregate(.min, of: property.propertyId, conditions) { .text($0) }
  }

  /// Returns the greatest value of an integer property of the related objects.
  ///
  /// - Parameters:
  ///   - property: A property of the related objects. Nulls do not count.
  ///   - conditions: Returns a condition that limits the related objects, or nil; called at once.
  /// - Returns: The value, for comparisons.
  public func max<V: ScalarPropertyType>(
    _ property: Property<R, V, Void>,
    _ conditions: (() -> QueryCondition<R>)? = nil
  ) -> RelatedAggregate<R, V.Scalar> where V.Scalar: FixedWidthInteger & SendableMetatype {
    aggregate(.max, of: property.propertyId, conditions) { .integer(Int128($0)) }
  }

  /// Returns the greatest value of a floating point property of the related objects.
  ///
  /// - Parameters:
  ///   - property: A property of the related objects. Nulls do not count.
  ///   - conditions: Returns a condition that limits the related objects, or nil; called at once.
  /// - Returns: The value, for comparisons.
  public func max<V: ScalarPropertyType>(
    _ property: Property<R, V, Void>,
    _ conditions: (() -> QueryCondition<R>)? = nil
  ) -> RelatedAggregate<R, V.Scalar> where V.Scalar: BinaryFloatingPoint & SendableMetatype {
    aggregate(.max, of: property.propertyId, conditions) { .double(Double($0)) }
  }

  /// Returns the latest date of the related objects.
  ///
  /// - Parameters:
  ///   - property: A property of the related objects. Nulls do not count.
  ///   - conditions: Returns a condition that limits the related objects, or nil; called at once.
  /// - Returns: The date, for comparisons.
  public func max<V: DatePropertyType>(
    _ property: Property<R, V, Void>,
    _ conditions: (() -> QueryCondition<R>)? = nil
  ) -> RelatedAggregate<R, Date> {
    aggregate(.max, of: property.propertyId, conditions) { .date($0) }
  }

  /// Returns the greatest text of the related objects, by its UTF-8 bytes.
  ///
  /// - Parameters:
  ///   - property: A property of the related objects. Nulls do not count.
  ///   - conditions: Returns a condition that limits the related objects, or nil; called at once.
  /// - Returns: The text, for comparisons.
  public func max<V: StringPropertyType>(
    _ property: Property<R, V, Void>,
    _ conditions: (() -> QueryCondition<R>)? = nil
  ) -> RelatedAggregate<R, String> {
    aggregate(.max, of: property.propertyId, conditions) { .text($0) }
  }
}

// MARK: - Comparisons

/// Matches objects whose aggregate of related objects has this value.
public func == <E, R, V>(left: RelatedAggregate<R, V>, right: V) -> QueryCondition<E> {
  left.matches(.equal, right)
}

/// Matches objects whose aggregate of related objects has another value.
public func != <E, R, V>(left: RelatedAggregate<R, V>, right: V) -> QueryCondition<E> {
  left.matches(.notEqual, right)
}

/// Matches objects whose aggregate of related objects is less.
public func < <E, R, V>(left: RelatedAggregate<R, V>, right: V) -> QueryCondition<E> {
  left.matches(.less, right)
}

/// Matches objects whose aggregate of related objects is at most this value.
public func <= <E, R, V>(left: RelatedAggregate<R, V>, right: V) -> QueryCondition<E> {
  left.matches(.lessOrEqual, right)
}

/// Matches objects whose aggregate of related objects is greater.
public func > <E, R, V>(left: RelatedAggregate<R, V>, right: V) -> QueryCondition<E> {
  left.matches(.greater, right)
}

/// Matches objects whose aggregate of related objects is at least this value.
public func >= <E, R, V>(left: RelatedAggregate<R, V>, right: V) -> QueryCondition<E> {
  left.matches(.greaterOrEqual, right)
}
