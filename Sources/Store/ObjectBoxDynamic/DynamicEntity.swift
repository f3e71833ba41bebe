internal import ObjectBox

/// The properties and relations of an entity by name; shared by all objects of the entity.
final class DynamicEntity: Sendable {
  let file: StoreFile
  let table: EntityTable
  let idProperty: PropertySchema
  private let properties: [String: PropertySchema]

  init(_ table: EntityTable, in file: StoreFile) throws {
    guard let idProperty = table.schema.properties.first(where: { $0.has(.id) }) else {
      throw ObjectBoxError.schema(
        message: "'\(table.name)' has no ID property in the model; add one with the flag 1"
      )
    }
    self.file = file
    self.table = table
    self.idProperty = idProperty
    properties = table.schema.properties.byKey(\.name)
  }

  /// Returns the entity with a name.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` when the model has no such entity.
  convenience init(named name: String, in file: StoreFile) throws {
    guard let table = file.tables.first(where: { $0.name == name }) else {
      let names = file.tables.map { "'\($0.name)'" }.sorted().joined(separator: ", ")
      throw ObjectBoxError.illegalArgument(
        message: "the model of the store has no entity '\(name)'; it has \(names)"
      )
    }
    try self.init(table, in: file)
  }

  var schema: EntitySchema { table.schema }
  var name: String { table.name }

  /// The names of all properties, in the order of their IDs.
  var names: [String] { schema.properties.map(\.name) }

  /// Returns the property with a name.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` when the entity has no such property.
  func property(_ name: String) throws -> PropertySchema {
    if let property = properties[name] { return property }
    let names = names.map { "'\($0)'" }.joined(separator: ", ")
    throw ObjectBoxError.illegalArgument(
      message: "'\(self.name)' has no property '\(name)'; it has \(names)"
    )
  }

  /// Returns the order by a property, or by a property at the end of to-one relations, such as `customer.name`.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` when an entity lacks the property or the relation.
  func order(by name: String, _ flags: [OrderFlags]) throws -> QueryOrder {
    guard properties[name] == nil, let point = name.firstIndex(of: ".") else {
      return QueryOrder(propertyID: try property(name).identity.id, flags)
    }
    let (end, target) = try relation(String(name[..<point]))
    guard case .toOne(let id) = end else {
      throw ObjectBoxError.illegalArgument(
        message:
          "'\(self.name)' cannot be ordered by '\(name)': the relation leads to several objects; order by a property "
          + "of a to-one relation's target"
      )
    }
    let rest = String(name[name.index(after: point)...])
    var order = try DynamicEntity(target, in: file).order(by: rest, flags)
    order.path.insert(
      QueryOrder.Step(relationID: id, target: target.schema.identity.id),
      at: 0
    )
    return order
  }

  // MARK: Relations

  /// Returns the relation with a name, and its target entity.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` when the entity has no such relation.
  func relation(_ name: String) throws -> (end: RelationEnd, target: EntityTable) {
    if let property = properties[name], property.type == .relation,
      let target = file.tables.first(where: { $0.name == property.targetEntityName })
    {
      return (.toOne(property: property.identity.id), target)
    }
    let own = schema.relations.compactMap { file.relation(id: $0.identity.id) }
    if let relation = own.first(where: { $0.schema.title == name }) {
      return (.standalone(relation: relation.schema.identity.id), file.tables[relation.target])
    }
    let toOnes = schema.properties.filter { $0.type == .relation }.map { "'\($0.name)'" }
    let toManys = own.map { "'\($0.schema.title)'" }
    let known = (toOnes + toManys).joined(separator: ", ")
    throw ObjectBoxError.illegalArgument(
      message: "'\(self.name)' has no relation '\(name)'; it has \(known.isEmpty ? "none" : known)"
    )
  }

  /// Throws ``ObjectBoxError/illegalArgument(message:)`` when a relation of another entity does not
  /// lead here.
  func check(
    _ target: EntityTable,
    isTargetOf relation: String,
    _ source: DynamicEntity
  ) throws {
    if target === table { return }
    throw ObjectBoxError.illegalArgument(
      message:
        "'\(source.name).\(relation)' leads to '\(target.name)', and not to '\(name)'; name a relation that leads "
        + "here"
    )
  }
}
