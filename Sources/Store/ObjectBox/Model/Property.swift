/// Names a stored property in conditions and orders; the generator makes one for each property.
///
/// `V` is the type of its values, `R` the target entity of a to-one relation, else `Void`.
public struct Property<E, V, R>: Sendable
where
  E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType,
  V: EntityPropertyTypeConvertible
{
  /// The entity.
  public typealias EntityType = E
  /// The type of the values.
  public typealias ValueType = V
  /// The target of a to-one relation, else `Void`.
  public typealias ReferencedType = R

  /// The number of the property in its entity.
  public let propertyId: UInt32
  /// True for the object ID.
  public let isPrimaryKey: Bool

  /// Makes the description of a property.
  public init(propertyId: UInt32, isPrimaryKey: Bool = false) {
    self.propertyId = propertyId
    self.isPrimaryKey = isPrimaryKey
  }
}

/// A property that is not a relation.
public typealias ValueProperty<E, V> = Property<E, V, Void>
where
  E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType,
  V: EntityPropertyTypeConvertible

/// Names a to-many relation to the entity `R` in links; the generator makes one for each relation.
public struct ToManyProperty<R>: Sendable
where R: EntityInspectable & __EntityRelatable, R == R.EntityBindingType.EntityType {
  /// The stored form of the relation, and the end that is meant.
  public enum ToManyId: Sendable {
    /// The other side of the to-one relation with this property ID in `R`.
    case valuePropertyId(obx_schema_id)
    /// The standalone relation with this ID.
    case relationId(obx_schema_id)
    /// The other side of the standalone relation with this ID.
    case backlinkRelationId(obx_schema_id)
  }

  let relation: ToManyId

  /// Makes the description of a relation.
  public init(_ relation: ToManyId) {
    self.relation = relation
  }
}
