package import ObjectBox
package import ObjectBoxDynamic

/// A query of an entity's objects, made from texts that people write.
package struct StoreQuery {
  package let query: DynamicQuery

  /// Makes the query.
  ///
  /// - Parameters:
  ///   - entity: The name of the entity.
  ///   - condition: The condition; blank for all objects.
  ///   - orders: The names of properties; a leading `-` means descending.
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
  ///   - condition: The condition; blank for all objects.
  ///   - further: Another condition that must hold; nil for none.
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
    // The closure that makes the condition cannot throw.
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
