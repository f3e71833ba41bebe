/// A condition on related objects: a host matches if one of them matches the inner condition, or if an
/// aggregate of the matching ones meets a comparison.
@usableFromInline
package struct LinkCondition: Sendable, Hashable {
  /// The end of the relation at the host.
  package var end: RelationEnd
  /// The ID of the target entity.
  package var target: UInt32
  package var targetName: String
  package var condition: Condition
  /// The aggregate of the related objects that match; nil for at least one such object.
  package var aggregate: LinkAggregate?

  package init(
    _ end: RelationEnd,
    to target: EntityInfo,
    _ condition: Condition,
    aggregate: LinkAggregate? = nil
  ) {
    self.end = end
    self.aggregate = aggregate
    self.target = target.entitySchemaId
    targetName = target.entityName
    self.condition =
      condition.depth <= Condition.greatestDepth - Condition.linkDepth ? condition : .tooDeep
  }

  /// Returns the table of the target entity.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` when the store's model lacks the
  ///   relation or the target, or the relation does not connect it with the host.
  func targetTable(of host: EntityTable, in file: StoreFile) throws -> EntityTable {
    guard let table = file.table(entity: target) else {
      throw ObjectBoxError.illegalArgument(
        message:
          "a link leads from '\(host.name)' to '\(targetName)', which the model of the store lacks; "
          + "run the generator again"
      )
    }
    guard end.leads(from: host, to: table, in: file) else {
      throw ObjectBoxError.illegalArgument(
        message:
          "a link names \(describe(from: host.schema, to: table.schema)), which does not connect "
          + "'\(host.name)' with '\(table.name)'; link a relation of the query's entity, and run the "
          + "generator again if it is one"
      )
    }
    return table
  }

  /// Describes the relation, with the names of the model.
  func describe(from host: EntitySchema, to target: EntitySchema?) -> String {
    end.describe(from: host, to: target, named: targetName)
  }
}

extension Condition {
  /// The IDs of the entities that links lead to, at any depth.
  package var linkTargets: [UInt32] { links.flatMap { [$0.target] + $0.condition.linkTargets } }

  /// Returns the condition with each occurrence of some links replaced by other conditions.
  func replacing(_ others: [LinkCondition: Condition]) -> Condition {
    if others.isEmpty { return self }
    return switch self {
    case .link(let link): others[link] ?? self
    case .all(let parts): .all(parts.map { $0.replacing(others) })
    case .any(let parts): .any(parts.map { $0.replacing(others) })
    case .property: self
    }
  }

  /// True when another condition must hold too, so that a link need not be tested on all hosts.
  var narrowsLinks: Bool {
    switch self {
    case .link, .property: false
    case .all: hasLink
    case .any(let parts): parts.contains(where: \.narrowsLinks)
    }
  }

  /// Returns the conjunction with another condition.
  func adding(_ other: Condition) -> Condition {
    if case .all(let parts) = self { return .all(parts + [other]) }
    return .all([self, other])
  }
}
