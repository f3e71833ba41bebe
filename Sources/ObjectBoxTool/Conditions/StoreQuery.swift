package import ObjectBox
package import ObjectBoxDynamic

/// A query of the objects of an entity by texts, as people write them.
package struct StoreQuery {
  package let query: DynamicQuery

  /// Makes the query.
  ///
  /// - Parameters:
  ///   - entity: The name of the entity.
  ///   - condition: The condition; one of blanks for all objects.
  ///   - orders: The names of properties; a `-` before one makes it descend.
  ///   - store: The store.
  /// - Throws: ``ConditionFault``; `ObjectBoxError` for a name that the entity lacks.
  package init(
    _ entity: String,
    condition: String,
    orders: [String] = [],
    in store: Store
  ) throws {
    var builder = try Self.builder(entity, condition: condition, in: store)
    for name in orders {
      builder =
        name.hasPrefix("-")
        ? builder.ordered(by: String(name.dropFirst()), flags: .descending)
        : builder.ordered(by: name)
    }
    query = try builder.build()
  }

  /// Starts a query.
  ///
  /// - Parameters:
  ///   - entity: The name of the entity.
  ///   - condition: The condition; one of blanks for all objects.
  ///   - further: A condition that must hold as well; nil for none.
  ///   - store: The store.
  /// - Returns: The builder.
  /// - Throws: ``ConditionFault``; `ObjectBoxError` when there is no such entity.
  package static func builder(
    _ entity: String,
    condition: String,
    and further: ((DynamicProperties) -> DynamicCondition)? = nil,
    in store: Store
  ) throws -> DynamicQueryBuilder {
    let box = try store.box(named: entity)
    guard let node = try ConditionParser.parse(condition) else {
      return further.map { box.query($0) } ?? box.query()
    }
    let resolving = ConditionResolving(condition, store.schema)
    // The function that makes the condition takes no errors.
    var fault: ConditionFault?
    let builder = box.query { properties in
      do throws(ConditionFault) {
        let condition = try resolving.condition(node, of: entity, properties)
        return further.map { $0(properties) && condition } ?? condition
      } catch {
        fault = error
        return .never
      }
    }
    if let fault { throw fault }
    return builder
  }
}
