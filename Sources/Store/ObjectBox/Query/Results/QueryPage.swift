/// A page of the results of a query.
public struct QueryPage<E> {
  /// The objects, in the order of the query.
  public let objects: [E]
  /// The position after the last object; nil if there are no more results.
  public let next: PageCursor?

  package init(objects: [E], next: PageCursor?) {
    self.objects = objects
    self.next = next
  }
}

/// A position in a query's results, after which the next page begins.
///
/// It holds the ID and the order's values of the last object of a page, so it remains valid when
/// that object is changed or removed, and in another process. Its encoded form may change with a
/// later version of the library. It contains values of the object.
public struct PageCursor: Hashable, Sendable, Codable {
  /// The entity.
  private let entity: UInt32
  /// The orders that decide, without an order by ID.
  private let orders: [QueryOrder]
  /// The values of the ordering properties.
  private let values: [StoredValue]
  /// The ID of the last object.
  package let id: UInt64

  /// Makes the cursor after an object.
  ///
  /// - Parameters:
  ///   - record: The record of the object.
  ///   - orders: The orders of the query.
  ///   - entity: The entity.
  package init(behind record: RecordReader, _ orders: [QueryOrder], of entity: EntitySchema) {
    self.entity = entity.identity.id
    self.orders = QueryOrder.deciding(orders, entity: entity)
    values = self.orders.map { order in
      let property = entity.property(id: order.propertyID)
      return property.map { StoredValue(record.exact($0)) } ?? .null
    }
    id = record.objectID
  }

  /// Passes a record with the ID and the ordering properties of the object to a body.
  ///
  /// - Parameters:
  ///   - orders: The orders of the query.
  ///   - entity: The entity.
  ///   - layout: The layout of the record.
  ///   - body: Gets the record, which is valid until it returns.
  /// - Returns: The result of the body.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` when the cursor belongs to a query of other orders
  ///   or of another entity; the error of the body.
  package func withRecord<T>(
    _ orders: [QueryOrder],
    of entity: EntitySchema,
    _ layout: RecordLayout,
    _ body: (RecordReader) throws -> T
  ) throws -> T {
    let properties = try checked(orders, of: entity)
    let builder = FlatBufferBuilder(layout: layout)
    // It owns the bytes.
    return try withExtendedLifetime(builder) {
      let bytes = try builder.record(of: entity, id: id, keeping: nil) { set in
        for (property, value) in zip(properties, values) {
          value.withExactValue { set(property, $0) }
        }
      }
      guard let record = RecordReader(record: bytes, id: id, layout: layout.view) else {
        throw Self.misfit(entity)
      }
      return try body(record)
    }
  }

  /// Throws ``ObjectBoxError/illegalArgument(message:)`` for orders that no cursor can have.
  package static func check(_ orders: [QueryOrder], of entity: EntitySchema) throws {
    guard orders.allSatisfy({ $0.path.isEmpty }) else {
      throw ObjectBoxError.illegalArgument(
        message:
          "a page of '\(entity.name)' cannot begin behind a cursor in an order by related objects, which may change "
          + "between two pages; order by properties of '\(entity.name)', or use an offset"
      )
    }
  }

  private func checked(
    _ orders: [QueryOrder],
    of entity: EntitySchema
  ) throws -> [PropertySchema] {
    guard self.entity == entity.identity.id else {
      throw ObjectBoxError.illegalArgument(
        message:
          "a page of '\(entity.name)' begins behind a cursor of another entity (ID \(self.entity)); pass the "
          + "`next` of a page of this query"
      )
    }
    guard self.orders == QueryOrder.deciding(orders, entity: entity) else {
      throw ObjectBoxError.illegalArgument(
        message:
          "a page of '\(entity.name)' begins behind a cursor of a query with other orders; pass the `next` of a "
          + "page of this query, or nil to begin again"
      )
    }
    let properties = entity.properties(ids: self.orders.map(\.propertyID))
    guard properties.count == values.count, zip(properties, values).allSatisfy({ $1.fits($0) })
    else { throw Self.misfit(entity) }
    return properties
  }

  private static func misfit(_ entity: EntitySchema) -> ObjectBoxError {
    .illegalArgument(
      message:
        "the cursor of a page of '\(entity.name)' has values that its properties cannot have; it was changed, or "
        + "comes from another model: begin again with nil"
    )
  }
}
