/// The new values that an update gives to all results of a query.
///
/// ``Query/update(_:)`` passes it to a block.
public struct ObjectUpdate<E>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// The new values, by the IDs of the properties.
  package private(set) var values: [UInt32: RecordUpdate.Collector] = [:]

  package init() {}

  /// Sets a property of all results.
  ///
  /// A property with a converter takes values in their stored form, as conditions do; an
  /// enumeration also takes its cases.
  ///
  ///     try notes.query { Note.stars == 0 }.build().update {
  ///       $0.set(Note.isPinned, to: false)
  ///       $0.set(Note.created, to: nil)
  ///     }
  ///
  /// - Parameters:
  ///   - property: A property other than the ID.
  ///   - value: The value; nil for null where the property is optional. A later value for the same
  ///     property replaces an earlier one.
  public mutating func set<V: RecordValue>(_ property: Property<E, V, Void>, to value: V.Projection)
  {
    values[property.propertyId] = { V.__collect(value, by: $0, at: $1) }
  }

  /// Sets a property of an enumeration, or of another type that is stored as its raw value.
  ///
  /// - Parameters:
  ///   - property: A property whose values are raw values.
  ///   - value: The value.
  public mutating func set<V: RecordValue, T: RawRepresentable>(
    _ property: Property<E, V, Void>,
    to value: T
  ) where T.RawValue == V.Projection {
    set(property, to: value.rawValue)
  }

  /// Sets an optional property of an enumeration, or of another type that is stored as its raw
  /// value.
  ///
  /// - Parameters:
  ///   - property: An optional property whose values are raw values.
  ///   - value: The value; nil for null.
  public mutating func set<V: RecordValue, T: RawRepresentable>(
    _ property: Property<E, V?, Void>,
    to value: T?
  ) where T.RawValue == V.Projection {
    set(property, to: value?.rawValue)
  }

  /// Sets a vector, or makes it null.
  ///
  /// - Parameters:
  ///   - property: A vector.
  ///   - value: The elements; nil for null, which reads as an empty vector if the property of the
  ///     object is not optional.
  public mutating func set<V: RecordValue & AnyObject>(
    _ property: Property<E, V, Void>,
    to value: V.Projection?
  ) {
    values[property.propertyId] = { builder, slot in
      if let value { V.__collect(value, by: builder, at: slot) }
    }
  }

  /// Sets the target of a to-one relation.
  ///
  /// - Parameters:
  ///   - relation: A to-one relation.
  ///   - target: The ID of the target, which need not exist; nil for none.
  public mutating func set<V: IdBase, R: Entity & EntityInspectable>(
    _ relation: Property<E, V, R>,
    to target: EntityId<R>?
  ) {
    values[relation.propertyId] = { EntityId<R>?.__collect(target, by: $0, at: $1) }
  }

  /// Sets the target of a to-one relation.
  ///
  /// - Parameters:
  ///   - relation: A to-one relation.
  ///   - target: The ID of the target, which need not exist; 0 for none.
  public mutating func set<V: IdBase, R: Entity & EntityInspectable, I: UntypedIdBase>(
    _ relation: Property<E, V, R>,
    to target: I
  ) {
    set(relation, to: EntityId<R>(target.value))
  }
}
