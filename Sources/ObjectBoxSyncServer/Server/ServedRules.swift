internal import ObjectBox
internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol

/// The rules of a server over the tables of its cluster.
struct ServedRules: Sendable {
  /// What a user may see and write.
  struct Rights: Sendable {
    var visible: [Scope] = []
    var writable: [Scope] = []

    /// True if the user may write some objects of an entity.
    func mayWrite(entity: EntityUID) -> Bool { writable.contains { $0.entity == entity } }

    /// True if the user may write an object.
    func mayWrite(_ key: ObjectKey, _ row: Row) -> Bool {
      writable.contains { $0.matches(key.entity, row.values) }
    }
  }

  private let hub: Hub
  private let rules: [(rule: SyncRule, entity: SyncedEntity)]
  /// The properties that rules of visible objects compare, by entity.
  let compared: [EntityUID: [PropertyUID]]

  /// Checks rules against a cluster's model.
  ///
  /// - Parameters:
  ///   - rules: The rules.
  ///   - hub: The hub of the cluster.
  /// - Throws: ``SyncServerError``.
  init(_ rules: [SyncRule], _ hub: Hub) throws {
    self.hub = hub
    self.rules = try rules.map { rule in
      guard let entity = hub.entities.first(where: { $0.name == rule.entity }) else {
        throw SyncServerError.unusableRule(
          message:
            "there is a rule of '\(rule.entity)', which the model of the cluster does not synchronize; annotate its "
            + "class with 'objectbox: sync', or remove the rule"
        )
      }
      return (rule, entity)
    }
    var compared: [EntityUID: [PropertyUID]] = [:]
    for (rule, entity) in self.rules {
      let comparisons = try Self.comparisons(of: rule, entity, .anonymous) ?? []
      guard rule.access == .see else { continue }
      compared[entity.uid, default: []] += comparisons.map(\.property)
    }
    self.compared = compared.mapValues { Array(Set($0)) }
  }

  /// Returns what a user may see and write.
  ///
  /// - Throws: ``SyncServerError`` when a rule has another form for this user.
  func rights(of user: SyncUser) throws -> Rights {
    var rights = Rights()
    for (rule, entity) in rules {
      let comparisons = try Self.comparisons(of: rule, entity, user)
      let scopes =
        comparisons?.flatMap { comparison in
          comparison.values.map {
            Scope(entity: entity.uid, property: comparison.property, value: $0)
          }
        } ?? [Scope(entity: entity.uid)]
      switch rule.access {
      case .see:
        for comparison in comparisons ?? []
        where compared[entity.uid]?.contains(comparison.property) != true {
          throw SyncServerError.unusableRule(
            message:
              "a rule of '\(entity.name)' compares another property for the user '\(user.id)' than at the start of "
              + "the server; let it compare the same properties for all users"
          )
        }
        for scope in scopes where !rights.visible.contains(scope) { rights.visible.append(scope) }
      case .write: rights.writable += scopes
      }
    }
    guard rights.visible.count <= ScopeMarks.limit else {
      throw SyncServerError.unusableRule(
        message:
          "the rules of the user '\(user.id)' compare \(rights.visible.count) values, and a device can have "
          + "\(ScopeMarks.limit); let them compare fewer, such as the group that objects belong to"
      )
    }
    return rights
  }

  // MARK: Conditions

  /// A property, and the values that it may have; none permit no object.
  private struct Comparison {
    let property: PropertyUID
    let values: [PropertyValue]
  }

  /// Returns the comparisons of a rule, any of which permits an object; nil for all objects.
  private static func comparisons(
    of rule: SyncRule,
    _ entity: SyncedEntity,
    _ user: SyncUser
  ) throws -> [Comparison]? {
    try rule.condition(user).map { try comparisons(of: $0, entity) }
  }

  private static func comparisons(
    of condition: Condition,
    _ entity: SyncedEntity
  ) throws -> [Comparison] {
    switch condition {
    case .any(let parts),
      .all(let parts) where parts.count == 1:
      return try parts.flatMap { try comparisons(of: $0, entity) }
    case .property(let condition): return [try comparison(of: condition, entity)]
    case .all, .link:
      throw unusable(entity, "connects conditions by '&&', or leads over a relation")
    }
  }

  private static func comparison(
    of condition: PropertyCondition,
    _ entity: SyncedEntity
  ) throws -> Comparison {
    let property = try ConditionTypes.property(of: condition, in: entity.table.schema)
    let values: [PropertyValue]
    switch (condition.comparison, try ConditionTypes.operand(of: condition, for: property)) {
    case (.isNil, _): values = [.null]
    case (.equal, .integers(let numbers)), (.isIn, .integers(let numbers)):
      values = numbers.map { property.type == .relation && $0 == 0 ? .null : .integer($0) }
    case (.equal, .texts(let texts)), (.isIn, .texts(let texts)):
      guard condition.isCaseSensitive else { throw unusable(entity, "ignores case") }
      values = texts.map { .bytes(Array($0.utf8)) }
    default:
      throw unusable(entity, "compares '\(property.name)' by '\(condition.comparison.rawValue)'")
    }
    return Comparison(property: PropertyUID(property.identity.uid), values: values)
  }

  private static func unusable(_ entity: SyncedEntity, _ found: String) -> SyncServerError {
    .unusableRule(
      message:
        "a rule of '\(entity.name)' \(found); rules compare integers, dates and texts by '==' and 'isIn', and are "
        + "connected by '||'"
    )
  }
}
