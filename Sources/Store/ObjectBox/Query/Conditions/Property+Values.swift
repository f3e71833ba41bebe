extension Property {
  /// Makes a condition on the property.
  @inlinable
  package func comparing<T>(
    _ comparison: PropertyCondition.Comparison,
    _ operand: PropertyCondition.Operand,
    isCaseSensitive: Bool = true
  ) -> PropertyQueryCondition<E, T> {
    PropertyQueryCondition(
      .leaf(propertyId, comparison, operand, isCaseSensitive: isCaseSensitive)
    )
  }

  /// Matches objects in which the property is null.
  ///
  ///     let undated = try notes.query { Note.created.isNil() }.build().find()
  public func isNil() -> PropertyQueryCondition<E, V> {
    comparing(.isNil, .none)
  }

  /// Matches objects in which the property has a value.
  public func isNotNil() -> PropertyQueryCondition<E, V> {
    comparing(.isNotNil, .none)
  }
}

// MARK: - Object IDs

extension Property where V: IdBase {
  // Disfavoured: an ID property of an integer type also has the form for integers.
  /// Matches the object with the ID, or the objects whose to-one relation leads to it.
  @_disfavoredOverload
  public func isEqual(to id: Id) -> PropertyQueryCondition<E, Id> {
    comparing(.equal, .integers(of: id))
  }

  /// Matches the objects with another ID, or the objects whose to-one relation leads to another
  /// object; objects without a target do not match.
  @_disfavoredOverload
  public func isNotEqual(to id: Id) -> PropertyQueryCondition<E, Id> {
    comparing(.notEqual, .integers(of: id))
  }

  /// Matches the objects with any of the IDs, or the objects whose to-one relation leads to any of
  /// these objects.
  ///
  ///     let some = try authors.query { Author.name.startsWith("A") }.build().findIds()
  ///     let ofSome = try notes.query { Note.author.isIn(some) }.build().find()
  @_disfavoredOverload
  public func isIn(_ ids: [V]) -> PropertyQueryCondition<E, Id> {
    comparing(.isIn, .integers(of: ids.map(\.value)))
  }

  /// Matches the objects with none of the IDs, or the objects whose to-one relation leads to another
  /// object; objects without a target do not match.
  @_disfavoredOverload
  public func isNotIn(_ ids: [V]) -> PropertyQueryCondition<E, Id> {
    comparing(.isNotIn, .integers(of: ids.map(\.value)))
  }

  /// Matches the objects with any of the IDs, or the objects whose to-one relation leads to any of
  /// these objects.
  @_disfavoredOverload
  public static func ∈ (left: Self, right: [V]) -> PropertyQueryCondition<E, Id> {
    left.isIn(right)
  }

  /// Matches the objects with none of the IDs, or the objects whose to-one relation leads to another
  /// object; objects without a target do not match.
  @_disfavoredOverload
  public static func ∉ (left: Self, right: [V]) -> PropertyQueryCondition<E, Id> {
    left.isNotIn(right)
  }
}

/// Matches the object with the ID.
public func == <E: Entity, I: IdBase>(left: Property<E, I, I>, right: I)
  -> PropertyQueryCondition<E, Id>
{
  left.isEqual(to: right.value)
}

/// Matches the objects whose to-one relation leads to the object with the ID.
///
///     let ofAda = try notes.query { Note.author == ada.id }.build().find()
public func == <E: Entity, T: Entity>(left: Property<E, EntityId<T>, T>, right: EntityId<T>)
  -> PropertyQueryCondition<E, Id>
{
  left.isEqual(to: right.value)
}

/// Matches the objects whose to-one relation leads to the object with the ID.
public func == <E: Entity, I: UntypedIdBase, T: Entity>(left: Property<E, I, T>, right: I)
  -> PropertyQueryCondition<E, Id>
{
  left.isEqual(to: right.value)
}

/// Matches the objects with another ID.
public func != <E: Entity, I: IdBase>(left: Property<E, I, I>, right: I)
  -> PropertyQueryCondition<E, Id>
{
  left.isNotEqual(to: right.value)
}

/// Matches the objects whose to-one relation leads to another object; objects without a target do
/// not match.
public func != <E: Entity, T: Entity>(left: Property<E, EntityId<T>, T>, right: EntityId<T>)
  -> PropertyQueryCondition<E, Id>
{
  left.isNotEqual(to: right.value)
}

/// Matches the objects whose to-one relation leads to another object; objects without a target do
/// not match.
public func != <E: Entity, I: UntypedIdBase, T: Entity>(left: Property<E, I, T>, right: I)
  -> PropertyQueryCondition<E, Id>
{
  left.isNotEqual(to: right.value)
}

// MARK: - Booleans

extension Property where V: ScalarPropertyType, V.Scalar == Bool, R == Void {
  /// Matches objects with the given value.
  public func isEqual(to value: Bool) -> PropertyQueryCondition<E, V> {
    comparing(.equal, .integers([value ? 1 : 0]))
  }

  /// Matches objects with the other value; nulls do not match.
  public func isNotEqual(to value: Bool) -> PropertyQueryCondition<E, V> {
    comparing(.notEqual, .integers([value ? 1 : 0]))
  }

  /// Matches objects with the given value.
  public static func == (left: Self, right: Bool) -> PropertyQueryCondition<E, V> {
    left.isEqual(to: right)
  }

  /// Matches objects with the other value; nulls do not match.
  public static func != (left: Self, right: Bool) -> PropertyQueryCondition<E, V> {
    left.isNotEqual(to: right)
  }
}
