public import ObjectBox
package import ObjectBoxFullText
internal import ObjectBoxSearch

/// The properties of an entity for conditions of a query, by name.
public struct DynamicProperties: Sendable {
  let entity: DynamicEntity

  /// The property with a name; for an unknown name ``DynamicQueryBuilder/build()`` throws.
  public subscript(name: String) -> DynamicProperty { DynamicProperty(entity: entity, name: name) }

  /// Matches objects that a matching object of another entity has a relation to.
  ///
  /// The backlink of ``DynamicProperty/link(_:)``.
  ///
  /// - Parameters:
  ///   - source: The name of the entity that has the relation.
  ///   - relation: The name of its to-one or standalone to-many relation.
  ///   - conditions: Returns the condition on the objects that have the relation; called at once.
  /// - Returns: The condition.
  public func link(
    from source: String,
    _ relation: String,
    _ conditions: (DynamicProperties) -> DynamicCondition
  ) -> DynamicCondition {
    link(from: source, relation, aggregate: nil, conditions)
  }

  /// Matches objects by an aggregate of the matching objects of another entity that have a relation
  /// to them.
  ///
  /// - Parameters:
  ///   - source: The name of the entity that has the relation.
  ///   - relation: The name of its relation.
  ///   - aggregate: The aggregate and its comparison; nil for at least one object.
  ///   - conditions: Returns the condition on the objects that have the relation; called at once.
  /// - Returns: The condition.
  package func link(
    from source: String,
    _ relation: String,
    aggregate: LinkAggregate?,
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
          try conditions(DynamicProperties(entity: source)).condition(),
          aggregate: aggregate
        )
      )
    }
  }
}

/// A property or relation in a condition of a query.
///
/// Values have the types in the table of ``DynamicObject``. For wrong names, types and ranges
/// ``DynamicQueryBuilder/build()`` throws.
public struct DynamicProperty: Sendable {
  let entity: DynamicEntity
  let name: String

  // MARK: Comparing

  /// Matches objects with the given value; for nil, objects in which the property is null.
  ///
  /// Without `caseSensitive`, case is ignored in texts, in every script.
  public func isEqual(to value: Any?, caseSensitive: Bool = true) -> DynamicCondition {
    guard let value = DynamicEncoder.content(of: value) else { return isNil() }
    return condition(.equal, [value], isCaseSensitive: caseSensitive)
  }

  /// Matches objects with another value, where nulls do not match; for nil, objects with any value.
  ///
  /// Without `caseSensitive`, case is ignored in texts, in every script.
  public func isNotEqual(to value: Any?, caseSensitive: Bool = true) -> DynamicCondition {
    guard let value = DynamicEncoder.content(of: value) else { return isNotNil() }
    return condition(.notEqual, [value], isCaseSensitive: caseSensitive)
  }

  /// Matches objects in which the property is null.
  public func isNil() -> DynamicCondition { condition(.isNil, []) }

  /// Matches objects in which the property has a value.
  public func isNotNil() -> DynamicCondition { condition(.isNotNil, []) }

  /// Matches objects with a lesser value, or with a vector that has a lesser element.
  public func isLess(than value: Any, caseSensitive: Bool = true) -> DynamicCondition {
    condition(.less, [value], isCaseSensitive: caseSensitive)
  }

  /// Matches objects with a lesser or equal value, or with a vector that has such an element.
  public func isLessOrEqual(to value: Any, caseSensitive: Bool = true) -> DynamicCondition {
    condition(.lessOrEqual, [value], isCaseSensitive: caseSensitive)
  }

  /// Matches objects with a greater value, or with a vector that has a greater element.
  public func isGreater(than value: Any, caseSensitive: Bool = true) -> DynamicCondition {
    condition(.greater, [value], isCaseSensitive: caseSensitive)
  }

  /// Matches objects with a greater or equal value, or with a vector that has such an element.
  public func isGreaterOrEqual(to value: Any, caseSensitive: Bool = true) -> DynamicCondition {
    condition(.greaterOrEqual, [value], isCaseSensitive: caseSensitive)
  }

  /// Matches objects with a value between the bounds, in either order; includes both.
  public func isBetween(_ a: Any, and b: Any, caseSensitive: Bool = true) -> DynamicCondition {
    condition(.between, [a, b], isCaseSensitive: caseSensitive)
  }

  /// Matches objects with any of the values.
  ///
  /// Without `caseSensitive`, case is ignored in texts, in every script.
  public func isIn(_ values: [Any], caseSensitive: Bool = true) -> DynamicCondition {
    condition(.isIn, values, isCaseSensitive: caseSensitive)
  }

  /// Matches objects with none of the values; nulls do not match.
  ///
  /// Without `caseSensitive`, case is ignored in texts, in every script.
  public func isNotIn(_ values: [Any], caseSensitive: Bool = true) -> DynamicCondition {
    condition(.isNotIn, values, isCaseSensitive: caseSensitive)
  }

  // MARK: Texts

  /// Matches objects with a text that begins with the given text.
  ///
  /// Without `caseSensitive`, case is ignored, in every script.
  public func startsWith(_ text: String, caseSensitive: Bool = true) -> DynamicCondition {
    condition(.hasPrefix, [text], isCaseSensitive: caseSensitive)
  }

  /// Matches objects with a text that ends with the given text.
  ///
  /// Without `caseSensitive`, case is ignored, in every script.
  public func endsWith(_ text: String, caseSensitive: Bool = true) -> DynamicCondition {
    condition(.hasSuffix, [text], isCaseSensitive: caseSensitive)
  }

  /// Matches objects with a text that contains the given text, or with a vector that has it as an
  /// element.
  ///
  /// Without `caseSensitive`, case is ignored, in every script.
  public func contains(_ text: String, caseSensitive: Bool = true) -> DynamicCondition {
    condition(.contains, [text], isCaseSensitive: caseSensitive)
  }

  // MARK: Words, vectors and relations

  /// Matches the objects whose text has the words of a search; requires a full-text index.
  ///
  /// - Parameter text: The search in the language of `Property.matches(_:)`. The property may also be named by
  ///   a full-text index over several properties.
  /// - Returns: The condition.
  public func matches(_ text: String) -> DynamicCondition {
    DynamicCondition {
      let condition = try search(text)
      _ = try TextCondition(condition, entity.table)
      return .property(condition)
    }
  }

  /// Returns the fault of a text for ``matches(_:)`` with its place; nil if it has none.
  package func searchFault(in text: String) -> TextQueryFault? {
    (try? search(text)).flatMap { TextCondition.fault(of: $0, in: entity.table) }
  }

  private func search(_ text: String) throws -> PropertyCondition {
    let index = entity.schema.fullTextIndexes.first { $0.name == name }
    return PropertyCondition(
      propertyID: try index == nil ? entity.property(name).identity.id : 0,
      comparison: .matches,
      operand: .matching(TextSearch(text, in: index?.identity.id))
    )
  }

  /// Matches the objects with the vectors nearest to a vector; requires a nearest-neighbour index.
  ///
  /// - Parameters:
  ///   - queryVector: As many numbers as the index has dimensions.
  ///   - maxCount: How many objects to match at most; at least 1.
  ///   - filtering: Whether conditions joined by `&&` choose objects before the search, or filter
  ///     its results.
  /// - Returns: The condition.
  public func nearestNeighbors(
    queryVector: [Float],
    maxCount: Int,
    filtering: NearestFiltering = .first
  ) -> DynamicCondition {
    DynamicCondition {
      let condition = PropertyCondition(
        propertyID: try entity.property(name).identity.id,
        comparison: .isNearest,
        operand: .nearest(vector: queryVector, maxCount: maxCount, filtering: filtering)
      )
      _ = try NearestCondition(condition, entity: entity.schema)
      return .property(condition)
    }
  }

  /// Matches objects with a related object that matches a condition, by a to-one or standalone
  /// to-many relation.
  ///
  /// - Parameter conditions: Returns the condition on the related objects; called at once.
  /// - Returns: The condition.
  public func link(_ conditions: (DynamicProperties) -> DynamicCondition) -> DynamicCondition {
    link(aggregate: nil, conditions)
  }

  /// Matches objects by an aggregate of the related objects that match a condition.
  ///
  /// - Parameters:
  ///   - aggregate: The aggregate and its comparison; nil for at least one object.
  ///   - conditions: Returns the condition on the related objects; called at once.
  /// - Returns: The condition.
  package func link(
    aggregate: LinkAggregate?,
    _ conditions: (DynamicProperties) -> DynamicCondition
  ) -> DynamicCondition {
    DynamicCondition {
      let (end, target) = try entity.relation(name)
      let related = try DynamicEntity(target, in: entity.file)
      return .link(
        LinkCondition(
          end,
          to: EntityInfo(name: target.name, id: target.schema.identity.id),
          try conditions(DynamicProperties(entity: related)).condition(),
          aggregate: aggregate
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
  /// Matches objects with the given value; for nil, objects in which the property is null.
  public static func == (left: DynamicProperty, right: Any?) -> DynamicCondition {
    left.isEqual(to: right)
  }

  /// Matches objects with another value; for nil, objects with any value.
  public static func != (left: DynamicProperty, right: Any?) -> DynamicCondition {
    left.isNotEqual(to: right)
  }

  /// Matches objects with a lesser value.
  public static func < (left: DynamicProperty, right: Any) -> DynamicCondition {
    left.isLess(than: right)
  }

  /// Matches objects with a lesser or equal value.
  public static func <= (left: DynamicProperty, right: Any) -> DynamicCondition {
    left.isLessOrEqual(to: right)
  }

  /// Matches objects with a greater value.
  public static func > (left: DynamicProperty, right: Any) -> DynamicCondition {
    left.isGreater(than: right)
  }

  /// Matches objects with a greater or equal value.
  public static func >= (left: DynamicProperty, right: Any) -> DynamicCondition {
    left.isGreaterOrEqual(to: right)
  }
}
