extension Box {
  /// Starts a query for all objects.
  public func query() -> QueryBuilder<E> { QueryBuilder(box: self, condition: nil) }

  /// Starts a query for the objects that match a condition.
  ///
  /// Inside the block the properties of the entity can be named as `.name` and as `E.name`.
  public func query(_ conditions: () -> QueryCondition<E>) -> QueryBuilder<E> {
    QueryBuilder(box: self, condition: conditions().condition)
  }
}

/// Collects what a query asks for.
///
/// A class for source compatibility: its functions return the builder itself.
public final class QueryBuilder<E>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// A property that is no relation.
  public typealias QueryProperty<T> = Property<E, T, Void> where T: EntityPropertyTypeConvertible

  private let box: Box<E>
  private let condition: Condition?
  private var orders: [QueryOrder] = []

  init(box: Box<E>, condition: Condition?) {
    self.box = box
    self.condition = condition
  }

  /// Orders the results by a property; further calls decide where the earlier ones are equal.
  ///
  /// - Parameters:
  ///   - property: Any property of the entity.
  ///   - flags: By default ascending, nulls first, strings without regard to the case of ASCII letters.
  /// - Returns: The builder itself.
  public func ordered<T>(
    by property: Property<E, T, Void>,
    flags: [OrderFlags] = []
  ) -> QueryBuilder<E> {
    orders.append(
      QueryOrder(propertyID: property.propertyId, flags: flags.reduce(0) { $0 | $1.rawValue })
    )
    return self
  }

  /// Orders the results by a property; further calls decide where the earlier ones are equal.
  ///
  /// - Parameters:
  ///   - property: Any property of the entity.
  ///   - flags: One way to differ from the usual order.
  /// - Returns: The builder itself.
  public func ordered<T>(
    by property: Property<E, T, Void>,
    flags: OrderFlags
  ) -> QueryBuilder<E> {
    ordered(by: property, flags: [flags])
  }

  /// Makes the query; may be called more than once.
  ///
  /// Throws ``ObjectBoxError``: `propertyTypeMismatch` when a condition does not fit its property,
  /// `illegalArgument` for a property that the model lacks.
  public func build() throws -> Query<E> {
    let entity = try box.table().schema
    if let condition = try condition?.replacingNearest(in: entity, { _ in [] }) {
      _ = try RecordFilter(condition, entity: entity)
    }
    _ = try ResultOrder(orders, entity: entity)
    return Query(box: box, entity: entity, condition: condition, orders: orders)
  }
}
