public import Foundation
public import ObjectBox

extension ClusterBox {
  /// Returns the object that holds a value of a unique property.
  ///
  /// One round trip. Ignores case when the index of the property does.
  ///
  /// - Parameters:
  ///   - property: A property with `unique`.
  ///   - value: The value to look for.
  /// - Returns: A new instance, or nil when no object holds the value.
  /// - Throws: `ObjectBoxError.illegalArgument` when the property is not unique; `ClusterError`.
  public func get<V: StringPropertyType>(
    where property: Property<E, V, Void>,
    equals value: String
  ) async throws -> E? {
    try await unique(property.propertyId, .texts([value]))
  }

  /// Returns the object that holds a value of a unique property.
  ///
  /// Round trips and errors: see ``get(where:equals:)-(Property<E,V,Void>,String)``.
  public func get<V: FixedWidthInteger & EntityPropertyTypeConvertible>(
    where property: Property<E, V, Void>,
    equals value: V
  ) async throws -> E? {
    try await unique(property.propertyId, .integers([Int64(truncatingIfNeeded: value)]))
  }

  /// Returns the object that holds a value of an optional unique property.
  ///
  /// Several objects may hold null, so null is not looked up.
  ///
  /// Round trips and errors: see ``get(where:equals:)-(Property<E,V,Void>,String)``.
  public func get<V: FixedWidthInteger & EntityPropertyTypeConvertible>(
    where property: Property<E, V?, Void>,
    equals value: V
  ) async throws -> E? {
    try await unique(property.propertyId, .integers([Int64(truncatingIfNeeded: value)]))
  }

  /// Returns the object that holds a value of a unique property.
  ///
  /// Round trips and errors: see ``get(where:equals:)-(Property<E,V,Void>,String)``.
  public func get<V: EncodedPropertyType>(
    where property: Property<E, V, Void>,
    equals value: V.Encoded
  ) async throws -> E? {
    try await unique(property.propertyId, .values([value]))
  }

  /// Returns the object that holds a date of a unique property.
  ///
  /// Dates are equal when their stored forms are equal.
  ///
  /// Round trips and errors: see ``get(where:equals:)-(Property<E,V,Void>,String)``.
  public func get<V: DatePropertyType>(
    where property: Property<E, V, Void>,
    equals value: Date
  ) async throws -> E? {
    try await unique(property.propertyId, .dates([value]))
  }

  /// Returns the object that holds a value of a unique property.
  ///
  /// Round trips and errors: see ``get(where:equals:)-(Property<E,V,Void>,String)``.
  public func get(where property: Property<E, Bool, Void>, equals value: Bool) async throws -> E? {
    try await unique(property.propertyId, .integers([value ? 1 : 0]))
  }

  /// Returns the object that holds a value of an optional unique property.
  ///
  /// Several objects may hold null, so null is not looked up.
  ///
  /// Round trips and errors: see ``get(where:equals:)-(Property<E,V,Void>,String)``.
  public func get(where property: Property<E, Bool?, Void>, equals value: Bool) async throws -> E? {
    try await unique(property.propertyId, .integers([value ? 1 : 0]))
  }

  /// Returns the object whose unique to-one relation leads to a target.
  ///
  /// Target ID 0 finds no object.
  ///
  /// Round trips and errors: see ``get(where:equals:)-(Property<E,V,Void>,String)``.
  public func get<T: Entity>(
    where relation: Property<E, EntityId<T>, T>,
    equals target: EntityId<T>
  ) async throws -> E? {
    let found = try await unique(relation.propertyId, .integers([Int64(bitPattern: target.value)]))
    return target.value == 0 ? nil : found
  }

  /// Returns the object whose unique to-one relation leads to a target.
  ///
  /// Target ID 0 finds no object.
  ///
  /// Round trips and errors: see ``get(where:equals:)-(Property<E,V,Void>,String)``.
  public func get<T: Entity, I: UntypedIdBase>(
    where relation: Property<E, EntityId<T>, T>,
    equals target: I
  ) async throws -> E? {
    try await get(where: relation, equals: EntityId<T>(target.value))
  }

  private func unique(
    _ propertyID: UInt32,
    _ value: PropertyCondition.Operand
  ) async throws -> E? {
    let table = try table()
    let unique = table.uniques.first {
      $0.properties.count == 1 && $0.properties[0].identity.id == propertyID
    }
    guard let property = unique?.properties.first else {
      throw ObjectBoxError.illegalArgument(
        message:
          "cannot get an object by '\(table.name).\(table.table.schema.propertyName(propertyID))', "
          + "which is not unique; annotate it with `// objectbox: unique`, or use a query"
      )
    }
    var query = query()
    query.selection = Selection(
      of: .property(
        PropertyCondition(
          propertyID: propertyID,
          comparison: .equal,
          operand: value,
          isCaseSensitive: property.collation != .nocase
        )
      )
    )
    try query.check()
    var select = try await query.run().objects(offset: 0, limit: 1)
    select.isShort = true
    return try query.decoded(try await source.run([select])[0]).first
  }
}
