internal import ObjectBox
internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol
internal import ObjectBoxSyncSchema

/// The rules of a server over the tables of its cluster.
struct ServedRules: Sendable {
  /// What a user may see and write.
  struct Rights: Sendable {
    var visible: [Scope] = []
    /// Scopes whose objects the user may write.
    var writable: [Scope] = []
    /// Tests of an entity's objects, one of which permits a write.
    var tests: [EntityUID: [@Sendable (ObjectKey, Row) throws -> Bool]] = [:]
    /// The rules that permit some objects, by their places among those of ``ServedRules/descriptions``.
    var rules: [Int] = []

    /// True if the user may write some objects of an entity.
    func mayWrite(entity: EntityUID) -> Bool {
      tests[entity] != nil || writable.contains { $0.entity == entity }
    }

    /// True if the user may write an object.
    ///
    /// - Throws: The error of a rule's test.
    func mayWrite(_ key: ObjectKey, _ row: Row) throws -> Bool {
      if writable.contains(where: { $0.matches(key.entity, row.values) }) { return true }
      return try tests[key.entity]?.contains { try $0(key, row) } ?? false
    }
  }

  /// A rule, for the server's figures.
  struct Description: Sendable {
    let entity: String
    let uid: EntityUID
    let access: SyncRule.Access
    /// The names of the compared properties.
    let properties: [String]
  }

  private let cluster: Cluster
  private let rules: [(access: SyncRule.Access, test: SyncRule.Test, entity: SyncedEntity)]
  /// The functions that resolve conflicts, by entity.
  let resolutions: [EntityUID: Conflict.Resolution]
  /// The properties that rules of visible objects compare, by entity.
  let compared: [EntityUID: [PropertyUID]]

  /// Checks rules against a cluster's model.
  ///
  /// - Parameters:
  ///   - rules: The rules.
  ///   - hub: The hub of the cluster.
  ///   - cluster: The cluster.
  /// - Throws: ``SyncServerError``.
  init(_ rules: [SyncRule], _ hub: Hub, of cluster: Cluster) throws {
    self.cluster = cluster
    var accesses: [(access: SyncRule.Access, test: SyncRule.Test, entity: SyncedEntity)] = []
    var resolutions: [EntityUID: Conflict.Resolution] = [:]
    for rule in rules {
      guard let entity = hub.entities.first(where: { $0.name == rule.entity }) else {
        throw SyncServerError.unusableRule(
          message:
            "there is a rule of '\(rule.entity)', which the model of the cluster does not synchronize; annotate its "
            + "class with 'objectbox: sync', or remove the rule"
        )
      }
      switch rule.kind {
      case .access(let access, let test): accesses.append((access, test, entity))
      case .resolution(let function):
        try Self.checkResolution(of: entity, isSecond: resolutions[entity.uid] != nil)
        resolutions[entity.uid] = { conflict in
          try function(ConflictingObjects(cluster: cluster, entity: entity, conflict: conflict))
        }
      }
    }
    self.rules = accesses
    self.resolutions = resolutions
    var compared: [EntityUID: [PropertyUID]] = [:]
    for (access, test, entity) in accesses {
      guard case .condition(let make) = test, let condition = make(.anonymous) else {
        continue
      }
      let conditions = RuleConditions(entity)
      switch access {
      case .see:
        _ = try conditions.scopes(condition)
        compared[entity.uid, default: []] += try conditions.properties(condition)
      case .write: try conditions.check(condition)
      }
    }
    self.compared = compared.mapValues { Array(Set($0)) }
  }

  /// Throws for a function that would never be called, and for a second one.
  private static func checkResolution(of entity: SyncedEntity, isSecond: Bool) throws {
    guard entity.table.schema.isResolvable else {
      throw SyncServerError.unusableRule(
        message:
          "there is a function that resolves conflicts of '\(entity.name)', but devices do not send what it needs; "
          + "annotate the class with 'objectbox: sync = { \"resolve\": true }', or remove the function"
      )
    }
    if isSecond {
      throw SyncServerError.unusableRule(
        message:
          "there are two functions that resolve conflicts of '\(entity.name)'; remove one of them"
      )
    }
  }

  /// Returns what a user may see and write.
  ///
  /// - Throws: ``SyncServerError`` when a rule has another form for this user.
  func rights(of user: SyncUser) throws -> Rights {
    var rights = Rights()
    for (index, (access, test, entity)) in rules.enumerated() {
      switch test {
      case .object(let test):
        add(&rights, index, entity) { try test(user, $0) }
      case .condition(let make):
        guard let condition = make(user) else {
          rights.add([Scope(entity: entity.uid)], access, index)
          continue
        }
        let conditions = RuleConditions(entity)
        if access == .see {
          try checkCompared(conditions.properties(condition), entity, user)
          rights.add(try conditions.scopes(condition), .see, index)
        } else if let scopes = try? conditions.scopes(condition) {
          rights.add(scopes, .write, index)
        } else {
          try conditions.check(condition)
          add(&rights, index, entity) { try $0.fulfils(condition) }
        }
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

  private func add(
    _ rights: inout Rights,
    _ rule: Int,
    _ entity: SyncedEntity,
    _ test: @escaping @Sendable (WrittenObject) throws -> Bool
  ) {
    rights.rules.append(rule)
    rights.tests[entity.uid, default: []].append { [cluster] key, row in
      try test(WrittenObject(cluster: cluster, entity: entity, key: key, values: row.values))
    }
  }

  /// The rules of visible and writable objects in their order.
  var descriptions: [Description] {
    rules.map { access, test, entity in
      var compared: [PropertyUID] = []
      if case .condition(let make) = test, let condition = make(.anonymous) {
        // A condition over relations has no such list.
        compared = (try? RuleConditions(entity).properties(condition)) ?? []
      }
      let names = entity.table.schema.properties.filter { property in
        compared.contains(PropertyUID(property.identity.uid))
      }
      return Description(
        entity: entity.name,
        uid: entity.uid,
        access: access,
        properties: names.map(\.name)
      )
    }
  }

  private func checkCompared(
    _ properties: [PropertyUID],
    _ entity: SyncedEntity,
    _ user: SyncUser
  ) throws {
    for property in properties where compared[entity.uid]?.contains(property) != true {
      throw SyncServerError.unusableRule(
        message:
          "a rule of '\(entity.name)' compares another property for the user '\(user.id)' than at the start of the "
          + "server; let it compare the same properties for all users"
      )
    }
  }
}

extension ServedRules.Rights {
  fileprivate mutating func add(_ scopes: [Scope], _ access: SyncRule.Access, _ rule: Int) {
    // Without values, the rule permits this user nothing.
    if !scopes.isEmpty { rules.append(rule) }
    switch access {
    case .see: for scope in scopes where !visible.contains(scope) { visible.append(scope) }
    case .write: writable += scopes
    }
  }
}
