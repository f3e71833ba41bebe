package import ObjectBox

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
    let box = try store.box(named: entity)
    var builder = box.query()
    if let node = try ConditionParser.parse(condition) {
      let resolving = ConditionResolving(condition, store.schema)
      // The function that makes the condition takes no errors.
      var result: Result<DynamicCondition, ConditionFault>?
      builder = box.query { properties in
        do throws(ConditionFault) {
          let condition = try resolving.condition(node, of: entity, properties)
          result = .success(condition)
          return condition
        } catch {
          result = .failure(error)
          return .never
        }
      }
      _ = try result?.get()
    }
    for name in orders {
      builder =
        name.hasPrefix("-")
        ? builder.ordered(by: String(name.dropFirst()), flags: .descending)
        : builder.ordered(by: name)
    }
    query = try builder.build()
  }
}
