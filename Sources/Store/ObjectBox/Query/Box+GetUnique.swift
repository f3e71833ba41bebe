public import Foundation

extension Box {
  /// Returns the object that holds a value of a unique property.
  ///
  /// Reads the index of the property, and ignores case when the index does.
  ///
  ///     let ada = try authors.get(where: Author.email, equals: "ada@example.org")
  ///
  /// - Parameters:
  ///   - property: A property with `unique`.
  ///   - value: The value to look for.
  /// - Returns: A new instance, or nil when no object holds the value.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` when the property is not unique, others
  ///   when the store is closed or the record cannot be decoded.
  /// - Complexity: O(log *n*) in a box of *n* objects.
  public func get<V: StringPropertyType>(
    where property: Property<E, V, Void>,
    equals value: String
  ) throws -> E? {
    try unique(property.propertyId, .texts([value]))
  }

  /// Returns the object that holds a value of a unique property.
  ///
  /// Reads the index of the property.
  ///
  /// - Parameters:
  ///   - property: A property with `unique`.
  ///   - value: The value to look for.
  /// - Returns: A new instance, or nil when no object holds the value.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` when the property is not unique, others
  ///   when the store is closed or the record cannot be decoded.
  /// - Complexity: O(log *n*) in a box of *n* objects.
  public func get<V: FixedWidthInteger & EntityPropertyTypeConvertible>(
    where property: Property<E, V, Void>,
    equals value: V
  ) throws -> E? {
    try unique(property.propertyId, .integers([Int64(truncatingIfNeeded: value)]))
  }

  /// Returns the object that holds a value of a unique property.
  ///
  /// Reads the index of the property. Any number of objects may have null, which is not a value.
  ///
  /// - Parameters:
  ///   - property: A property with `unique`.
  ///   - value: The value to look for.
  /// - Returns: A new instance, or nil when no object holds the value.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` when the property is not unique, others
  ///   when the store is closed or the record cannot be decoded.
  /// - Complexity: O(log *n*) in a box of *n* objects.
  public func get<V: FixedWidthInteger & EntityPropertyTypeConvertible>(
    where property: Property<E, V?, Void>,
    equals value: V
  ) throws -> E? {
    try unique(property.propertyId, .integers([Int64(truncatingIfNeeded: value)]))
  }

  /// Returns the object that holds a value of a unique property.
  ///
  /// Reads the index of the property. Any number of objects may have null, which is not a value.
  ///
  /// - Parameters:
  ///   - property: A property with `unique`.
  ///   - value: The value to look for.
  /// - Returns: A new instance, or nil when no object holds the value.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` when the property is not unique, others
  ///   when the store is closed or the record cannot be decoded.
  /// - Complexity: O(log *n*) in a box of *n* objects.
  public func get<V: EncodedPropertyType>(
    where property: Property<E, V, Void>,
    equals value: V.Encoded
  ) throws -> E? {
    try unique(property.propertyId, .values([value]))
  }

  /// Returns the object that holds a value of a unique property.
  ///
  /// Reads the index of the property. Dates are equal if their stored forms are: to the
  /// millisecond, with `date-nano` to the nanosecond.
  ///
  /// - Parameters:
  ///   - property: A property with `unique`.
  ///   - value: The value to look for.
  /// - Returns: A new instance, or nil when no object holds the value.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` when the property is not unique, others
  ///   when the store is closed or the record cannot be decoded.
  /// - Complexity: O(log *n*) in a box of *n* objects.
  public func get<V: DatePropertyType>(
    where property: Property<E, V, Void>,
    equals value: Date
  ) throws -> E? {
    try unique(property.propertyId, .dates([value]))
  }

  /// Returns the object that holds a value of a unique property.
  ///
  /// Reads the index of the property.
  ///
  /// - Parameters:
  ///   - property: A property with `unique`.
  ///   - value: The value to look for.
  /// - Returns: A new instance, or nil when no object holds the value.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` when the property is not unique, others
  ///   when the store is closed or the record cannot be decoded.
  /// - Complexity: O(log *n*) in a box of *n* objects.
  public func get(where property: Property<E, Bool, Void>, equals value: Bool) throws -> E? {
    try unique(property.propertyId, .integers([value ? 1 : 0]))
  }

  /// Returns the object that holds a value of a unique property.
  ///
  /// Reads the index of the property. Any number of objects may have null, which is not a value.
  ///
  /// - Parameters:
  ///   - property: A property with `unique`.
  ///   - value: The value to look for.
  /// - Returns: A new instance, or nil when no object holds the value.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` when the property is not unique, others
  ///   when the store is closed or the record cannot be decoded.
  /// - Complexity: O(log *n*) in a box of *n* objects.
  public func get(where property: Property<E, Bool?, Void>, equals value: Bool) throws -> E? {
    try unique(property.propertyId, .integers([value ? 1 : 0]))
  }

  /// Returns the object whose unique to-one relation leads to a target.
  ///
  /// Reads the index of the relation.
  ///
  /// - Parameters:
  ///   - relation: A to-one relation with `unique`.
  ///   - target: The ID of the target.
  /// - Returns: A new instance; nil when no object has the target, and for ID 0.
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` when the relation is not unique, others
  ///   when the store is closed or the record cannot be decoded.
  /// - Complexity: O(log *n*) in a box of *n* objects.
  public func get<T: Entity>(
    where relation: Property<E, EntityId<T>, T>,
    equals target: EntityId<T>
  ) throws -> E? {
    let found = try unique(relation.propertyId, .integers([Int64(bitPattern: target.value)]))
    return target.value == 0 ? nil : found
  }

  /// Returns the object whose unique to-one relation leads to a target; see the form for
  /// `EntityId`.
  public func get<T: Entity, I: UntypedIdBase>(
    where relation: Property<E, EntityId<T>, T>,
    equals target: I
  ) throws -> E? {
    try get(where: relation, equals: EntityId<T>(target.value))
  }

  private func unique(_ propertyID: UInt32, _ value: PropertyCondition.Operand) throws -> E? {
    try store.checkOpen()
    let table = try table()
    let index = table.indexes.first { $0.propertyID == propertyID && $0.isUnique }
    guard let index else {
      throw ObjectBoxError.illegalArgument(
        message:
          "cannot get an object by '\(table.name).\(table.schema.propertyName(propertyID))', "
          + "which is not unique; annotate it with `// objectbox: unique`, or use a query"
      )
    }
    let condition = PropertyCondition(
      propertyID: propertyID,
      comparison: .equal,
      operand: value,
      isCaseSensitive: !index.ignoresCase
    )
    return try first(by: KeyLookup(unique: index), condition)
  }
}
