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
      guard let condition = rule.condition(.anonymous) else { continue }
      let conditions = RuleConditions(entity)
      _ = try conditions.scopes(condition)
      guard rule.access == .see else { continue }
      compared[entity.uid, default: []] += try conditions.properties(condition)
    }
    self.compared = compared.mapValues { Array(Set($0)) }
  }

  /// Returns what a user may see and write.
  ///
  /// - Throws: ``SyncServerError`` when a rule has another form for this user.
  func rights(of user: SyncUser) throws -> Rights {
    var rights = Rights()
    for (rule, entity) in rules {
      let condition = rule.condition(user)
      let conditions = RuleConditions(entity)
      let scopes = try condition.map(conditions.scopes) ?? [Scope(entity: entity.uid)]
      switch rule.access {
      case .see:
        for property in try condition.map(conditions.properties) ?? []
        where compared[entity.uid]?.contains(property) != true {
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
}
