/// A condition on related objects: it matches a host that is related to an object of the target entity
/// that matches the condition inside.
struct LinkCondition: Sendable, Hashable {
  /// How hosts and targets are related; all numbers are those of the model.
  enum Relation: Sendable, Hashable {
    /// By a to-one relation of the host.
    case toOne(property: UInt32)
    /// By a to-one relation of the target, from its other end.
    case toOneBacklink(property: UInt32)
    /// By a standalone relation of the host.
    case standalone(relation: UInt32)
    /// By a standalone relation of the target, from its other end.
    case standaloneBacklink(relation: UInt32)
  }

  var relation: Relation
  /// The ID of the target entity.
  var target: UInt32
  var targetName: String
  var condition: Condition

  init(_ relation: Relation, to target: EntityInfo, _ condition: Condition) {
    self.relation = relation
    self.target = target.entitySchemaId
    targetName = target.entityName
    self.condition = condition
  }

  /// Returns the table of the target entity, having checked that the relation connects it with the host.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` when the model of the store lacks one of them,
  ///   or they do not belong together.
  func targetTable(of host: EntityTable, in core: StoreCore) throws -> EntityTable {
    guard let table = core.table(entity: target) else {
      throw ObjectBoxError.illegalArgument(
        message:
          "a link leads from '\(host.name)' to '\(targetName)', which the model of the store lacks; "
          + "run the generator again"
      )
    }
    let fits: Bool
    switch relation {
    case .toOne(let id): fits = Self.leads(id, from: host, to: table)
    case .toOneBacklink(let id): fits = Self.leads(id, from: table, to: host)
    case .standalone(let id):
      let relation = core.relation(id: id)
      fits = relation?.source == host.number && relation?.target == table.number
    case .standaloneBacklink(let id):
      let relation = core.relation(id: id)
      fits = relation?.source == table.number && relation?.target == host.number
    }
    guard fits else {
      throw ObjectBoxError.illegalArgument(
        message:
          "a link names \(describe(from: host.schema, to: table.schema)), which does not connect "
          + "'\(host.name)' with '\(table.name)'; link a relation of the query's entity, and run the "
          + "generator again if it is one"
      )
    }
    return table
  }

  private static func leads(_ id: UInt32, from: EntityTable, to: EntityTable) -> Bool {
    from.schema.properties.contains {
      $0.identity.id == id && $0.type == .relation && $0.targetEntityName == to.name
    }
  }

  /// Names the relation, as far as the model has names.
  func describe(from host: EntitySchema, to target: EntitySchema?) -> String {
    func name(_ id: UInt32, _ entity: EntitySchema?) -> String {
      entity?.properties.first { $0.identity.id == id }?.name ?? "property \(id)"
    }
    switch relation {
    case .toOne(let id): return name(id, host)
    case .toOneBacklink(let id): return "backlink of \(targetName).\(name(id, target))"
    case .standalone(let id): return "relation \(id)"
    case .standaloneBacklink(let id): return "backlink of relation \(id)"
    }
  }
}

extension Condition {
  /// Checks that the condition fits the entity it is on, and those inside of links their targets.
  ///
  /// - Throws: ``ObjectBoxError``: `propertyTypeMismatch` or `illegalArgument`, as a run would.
  func check(on table: EntityTable, in core: StoreCore) throws {
    if hasLinkUnderAny {
      throw ObjectBoxError.illegalArgument(
        message:
          "a link on '\(table.name)' stands under ||, where it is not supported; run a query for each "
          + "side, or put the || inside of the link"
      )
    }
    for link in links {
      try link.condition.check(on: try link.targetTable(of: table, in: core), in: core)
    }
    let resolved = try withoutLinks?.replacingNearest(in: table.schema) { _ in [] }
    if let resolved { _ = try RecordFilter(resolved, entity: table.schema) }
  }

  /// The links, which stand at the top: all of them must hold.
  var links: [LinkCondition] {
    switch self {
    case .link(let link): [link]
    case .all(let parts): parts.flatMap(\.links)
    default: []
    }
  }

  /// True when a link stands under `||`; those inside of links are not looked at.
  private var hasLinkUnderAny: Bool {
    switch self {
    case .any(let parts): parts.contains(where: \.hasLink)
    case .all(let parts): parts.contains(where: \.hasLinkUnderAny)
    default: false
    }
  }

  private var hasLink: Bool {
    switch self {
    case .link: true
    case .any(let parts), .all(let parts): parts.contains(where: \.hasLink)
    default: false
    }
  }

  /// The IDs of the entities that links lead to.
  var linkTargets: [UInt32] { links.flatMap { [$0.target] + $0.condition.linkTargets } }

  /// The condition but for its links; nil when nothing is left.
  var withoutLinks: Condition? {
    switch self {
    case .link: return nil
    case .all(let parts):
      let rest = parts.compactMap(\.withoutLinks)
      return rest.isEmpty ? nil : rest.count == 1 ? rest[0] : .all(rest)
    default: return self
    }
  }

  /// Returns a condition that demands another one besides.
  func adding(_ other: Condition) -> Condition {
    if case .all(let parts) = self { return .all(parts + [other]) }
    return .all([self, other])
  }
}
