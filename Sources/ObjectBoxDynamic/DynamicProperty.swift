internal import ObjectBox

/// The properties of an entity in the conditions of a query, by their names.
public struct DynamicProperties: Sendable {
  let entity: DynamicEntity

  /// The property with a name; a name that the entity lacks is an error of ``DynamicQueryBuilder/build()``.
  public subscript(name: String) -> DynamicProperty { DynamicProperty(entity: entity, name: name) }

  /// Matches objects that a relation of another entity leads to, from an object that matches a condition.
  ///
  /// It is the backlink of ``DynamicProperty/link(_:)``.
  ///
  /// - Parameters:
  ///   - source: The name of the entity that has the relation.
  ///   - relation: The name of its to-one or standalone to-many relation.
  ///   - conditions: Returns the condition on the objects that have the relation; it is called at once.
  /// - Returns: The condition.
  public func link(
    from source: String,
    _ relation: String,
    _ conditions: (DynamicProperties) -> DynamicCondition
  ) -> DynamicCondition {
    DynamicCondition {
      let source = try DynamicEntity(named: source, in: entity.file)
      let (end, target) = try source.relation(relation)
      try entity.check(target, isTargetOf: relation, source)
      return .link(
        LinkCondition(
          end.reversed,
          to: EntityInfo(name: source.name, id: source.schema.identity.id),
          try conditions(DynamicProperties(entity: source)).result.get()
        )
      )
    }
  }
}

/// A property or relation in a condition of a query.
///
/// Values have the types in the table of ``DynamicObject``; faults of names, types and ranges are errors of
/// ``DynamicQueryBuilder/build()``.
public struct DynamicProperty: Sendable {
  let entity: DynamicEntity
  let name: String

  // MARK: Comparing

  /// Matches objects with the value, or in which the property is null when that is nil.
  ///
  /// Without `caseSensitive`, upper and lower case of texts are the same, in every script.
  public func isEqual(to value: Any?, caseSensitive: Bool = true) -> DynamicCondition {
    guard let value = DynamicEncoder.content(of: value) else { return isNil() }
    return condition(.equal, [value], isCaseSensitive: caseSensitive)
  }

  /// Matches objects with another value, where nulls do not match; or in which the property has a value
  /// when that is nil.
  ///
  /// Without `caseSensitive`, upper and lower case of texts are the same, in every script.
  public func isNotEqual(to value: Any?, caseSensitive: Bool = true) -> DynamicCondition {
    guard let value = DynamicEncoder.content(of: value) else { return isNotNil() }
    return condition(.notEqual, [value], isCaseSensitive: caseSensitive)
  }

  /// Matches objects in which the property is null.
  public func isNil() -> DynamicCondition { condition(.isNil, []) }

  /// Matches objects in which the property has a value.
  public func isNotNil() -> DynamicCondition { condition(.isNotNil, []) }

  /// Matches objects with a lesser value, or of whose vector some element is less.
  public func isLess(than value: Any, caseSensitive: Bool = true) -> DynamicCondition {
    condition(.less, [value], isCaseSensitive: caseSensitive)
  }

  /// Matches objects with a value that is not greater, or of whose vector some element is not greater.
  public func isLessOrEqual(to value: Any, caseSensitive: Bool = true) -> DynamicCondition {
    condition(.lessOrEqual, [value], isCaseSensitive: caseSensitive)
  }

  /// Matches objects with a greater value, or of whose vector some element is greater.
  public func isGreater(than value: Any, caseSensitive: Bool = true) -> DynamicCondition {
    condition(.greater, [value], isCaseSensitive: caseSensitive)
  }

  /// Matches objects with a value that is not less, or of whose vector some element is not less.
  public func isGreaterOrEqual(to value: Any, caseSensitive: Bool = true) -> DynamicCondition {
    condition(.greaterOrEqual, [value], isCaseSensitive: caseSensitive)
  }

  /// Matches objects with a number or date between the bounds, both included and in either order.
  public func isBetween(_ a: Any, and b: Any) -> DynamicCondition { condition(.between, [a, b]) }

  /// Matches objects with one of the values.
  ///
  /// Without `caseSensitive`, upper and lower case of texts are the same, in every script.
  public func isIn(_ values: [Any], caseSensitive: Bool = true) -> DynamicCondition {
    condition(.isIn, values, isCaseSensitive: caseSensitive)
  }

  /// Matches objects with none of the values; nulls do not match.
  ///
  /// Without `caseSensitive`, upper and lower case of texts are the same, in every script.
  public func isNotIn(_ values: [Any], caseSensitive: Bool = true) -> DynamicCondition {
    condition(.isNotIn, values, isCaseSensitive: caseSensitive)
  }

  // MARK: Texts

  /// Matches objects with a text that begins with the given one.
  ///
  /// Without `caseSensitive`, upper and lower case are the same, in every script.
  public func startsWith(_ text: String, caseSensitive: Bool = true) -> DynamicCondition {
    condition(.hasPrefix, [text], isCaseSensitive: caseSensitive)
  }

  /// Matches objects with a text that ends with the given one.
  ///
  /// Without `caseSensitive`, upper and lower case are the same, in every script.
  public func endsWith(_ text: String, caseSensitive: Bool = true) -> DynamicCondition {
    condition(.hasSuffix, [text], isCaseSensitive: caseSensitive)
  }

  /// Matches objects with a text that contains the given one, or with a vector of texts of which it is one.
  ///
  /// Without `caseSensitive`, upper and lower case are the same, in every script.
  public func contains(_ text: String, caseSensitive: Bool = true) -> DynamicCondition {
    condition(.contains, [text], isCaseSensitive: caseSensitive)
  }

  // MARK: Vectors and relations

  /// Matches the objects whose vectors are nearest to a vector; the property has a nearest-neighbour index.
  ///
  /// - Parameters:
  ///   - queryVector: As many numbers as the index has dimensions.
  ///   - maxCount: How many objects to match at most, from 1.
  /// - Returns: The condition.
  public func nearestNeighbors(queryVector: [Float], maxCount: Int) -> DynamicCondition {
    DynamicCondition {
      let condition = PropertyCondition(
        propertyID: try entity.property(name).identity.id,
        comparison: .isNearest,
        operand: .nearest(vector: queryVector, maxCount: maxCount)
      )
      _ = try NearestCondition(condition, entity: entity.schema)
      return .property(condition)
    }
  }

  /// Matches objects whose to-one or standalone to-many relation leads to an object that matches a
  /// condition.
  ///
  /// - Parameter conditions: Returns the condition on the related objects; it is called at once.
  /// - Returns: The condition.
  public func link(_ conditions: (DynamicProperties) -> DynamicCondition) -> DynamicCondition {
    DynamicCondition {
      let (end, target) = try entity.relation(name)
      let related = try DynamicEntity(target, in: entity.file)
      return .link(
        LinkCondition(
          end,
          to: EntityInfo(name: target.name, id: target.schema.identity.id),
          try conditions(DynamicProperties(entity: related)).result.get()
        )
      )
    }
  }

  private func condition(
    _ comparison: PropertyCondition.Comparison,
    _ values: [Any],
    isCaseSensitive: Bool = true
  ) -> DynamicCondition {
    DynamicCondition {
      try DynamicComparison(
        entity: entity,
        property: try entity.property(name),
        isCaseSensitive: isCaseSensitive
      ).condition(comparison, values)
    }
  }
}

// MARK: - Operators

extension DynamicProperty {
  /// Matches objects with the value, or in which the property is null when that is nil.
  public static func == (left: DynamicProperty, right: Any?) -> DynamicCondition {
    left.isEqual(to: right)
  }

  /// Matches objects with another value, or in which the property has one when that is nil.
  public static func != (left: DynamicProperty, right: Any?) -> DynamicCondition {
    left.isNotEqual(to: right)
  }

  /// Matches objects with a lesser value.
  public static func < (left: DynamicProperty, right: Any) -> DynamicCondition {
    left.isLess(than: right)
  }

  /// Matches objects with a value that is not greater.
  public static func <= (left: DynamicProperty, right: Any) -> DynamicCondition {
    left.isLessOrEqual(to: right)
  }

  /// Matches objects with a greater value.
  public static func > (left: DynamicProperty, right: Any) -> DynamicCondition {
    left.isGreater(than: right)
  }

  /// Matches objects with a value that is not less.
  public static func >= (left: DynamicProperty, right: Any) -> DynamicCondition {
    left.isGreaterOrEqual(to: right)
  }
}
