internal import ObjectBox
internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol
internal import ObjectBoxSyncSchema

/// The rules of a server over the tables of its cluster.
struct ServedRules: Sendable {
  /// The rights of a user to see and write objects.
  struct Rights: Sendable {
    fileprivate(set) var visible: [LinkedScope] = []
    private var known: Set<LinkedScope> = []
    /// Scopes whose objects the user may write.
    private var writable = ScopeProgress()
    /// Tests of an entity's objects; one of them must permit a write.
    var tests: [EntityUID: [WriteTest]] = [:]
    /// The rules that permit some objects, by their indexes in ``ServedRules/descriptions``.
    var rules: [Int] = []

    /// True if the user may write some objects of an entity.
    func mayWrite(entity: EntityUID) -> Bool {
      tests[entity] != nil || writable.elements.contains { $0.scope.entity == entity }
    }

    /// True if the user may write an object.
    ///
    /// - Parameters:
    ///   - key: The key of the object.
    ///   - row: The object.
    ///   - related: Returns an object that this object refers to.
    /// - Returns: True if one of the user's rules of writes permits the write.
    /// - Throws: The error of a rule's test.
    func mayWrite(
      _ key: ObjectKey,
      _ row: Row,
      _ related: (ObjectKey) throws -> Row?
    ) throws -> Bool {
      if writable.match(row.values, at: key) { return true }
      return try tests[key.entity]?.contains { try $0(key, row, related) } ?? false
    }

    fileprivate mutating func add(_ sets: [LinkedScope], _ access: SyncRule.Access, _ rule: Int) {
      // Without values, the rule permits nothing to this user.
      if !sets.isEmpty { rules.append(rule) }
      switch access {
      case .see: for set in sets where known.insert(set).inserted { visible.append(set) }
      case .write: for set in sets { writable[set.scope] = .complete }
      }
    }
  }

  /// A rule in the server's figures.
  struct Description: Sendable {
    let entity: String
    let uid: EntityUID
    let access: SyncRule.Access
    /// The names of the compared properties; a property behind a link has the relation's name before its own.
    let properties: [String]
  }

  private let cluster: Cluster
  private let serverLog: ServerLog
  /// The greatest number of scopes of a user.
  let limit: Int
  private let rules: [(access: SyncRule.Access, test: SyncRule.Test, entity: SyncedEntity)]
  /// The functions that resolve conflicts, by entity.
  let resolutions: [EntityUID: Conflict.Resolution]
  /// The properties that rules of visible objects compare, by entity.
  let compared: [EntityUID: [PropertyUID]]

  /// Checks rules against a cluster's model.
  ///
  /// - Parameters:
  ///   - rules: The rules.
  ///   - serverLog: The server log of the cluster.
  ///   - cluster: The cluster.
  ///   - limit: The greatest number of scopes of a user.
  /// - Throws: ``SyncServerError``.
  init(
    _ rules: [SyncRule],
    _ serverLog: ServerLog,
    of cluster: Cluster,
    limit: Int
  ) throws {
    self.cluster = cluster
    self.serverLog = serverLog
    self.limit = limit
    var accesses: [(access: SyncRule.Access, test: SyncRule.Test, entity: SyncedEntity)] = []
    var resolutions: [EntityUID: Conflict.Resolution] = [:]
    for rule in rules {
      guard let entity = serverLog.entities.first(where: { $0.name == rule.entity }) else {
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
          try function(
            ConflictingObjects(
              cluster: cluster,
              serverLog: serverLog,
              entity: entity,
              conflict: conflict
            )
          )
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
      let conditions = RuleConditions(entity, in: serverLog)
      switch access {
      case .see:
        _ = try conditions.scopes(condition)
        for one in try conditions.compared(condition) {
          if let property = one.property { compared[one.entity, default: []].append(property) }
        }
      case .write: try conditions.check(condition)
      }
    }
    self.compared = compared.mapValues { Array(Set($0)) }
  }

  /// Throws if the function would never be called, and for a second function of the entity.
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

  /// Returns the sets of objects that a user sees with the filter variables of the device.
  ///
  /// - Throws: ``SyncServerError`` when a rule has another form for this user.
  func visible(to user: SyncUser, _ variables: FilterVariables) throws -> [LinkedScope] {
    var user = user
    user.variables = variables.values
    return try rights(of: user, only: .see).visible
  }

  /// Returns the rights of a user.
  ///
  /// - Parameters:
  ///   - user: The user.
  ///   - only: The access to determine; nil for both.
  /// - Returns: The rights.
  /// - Throws: ``SyncServerError`` when a rule has another form for this user.
  func rights(of user: SyncUser, only: SyncRule.Access? = nil) throws -> Rights {
    var rights = Rights()
    for (index, (access, test, entity)) in rules.enumerated() where access == only ?? access {
      switch test {
      case .object(let test):
        add(&rights, index, entity) { try test(user, $0) }
      case .condition(let make):
        guard let condition = make(user) else {
          rights.add([LinkedScope(Scope(entity: entity.uid))], access, index)
          continue
        }
        let conditions = RuleConditions(entity, in: serverLog)
        if access == .see {
          try checkCompared(conditions.compared(condition), entity, user)
          rights.add(try conditions.scopes(condition), .see, index)
        } else if let sets = try? conditions.scopes(condition), sets.allSatisfy(\.isOfEqualities) {
          rights.add(sets, .write, index)
        } else {
          try conditions.check(condition)
          add(&rights, index, entity) { try $0.fulfils(condition) }
        }
      }
    }
    guard rights.visible.count <= limit else {
      throw SyncServerError.unusableRule(
        message:
          "the rules of the user '\(user.id)' compare \(rights.visible.count) values, and 'limits.scopes' is \(limit); "
          + "let them compare fewer, such as the group that objects belong to, or raise the limit"
      )
    }
    return rights
  }

  /// The error for a user whose links lead to too many objects.
  func tooMany(_ error: Grants.TooMany, for user: SyncUser) -> SyncServerError {
    let name = serverLog.entity(error.entity)?.name ?? ""
    return .unusableRule(
      message:
        "the links in the rules of the user '\(user.id)' lead to more objects at '\(name)' than 'limits.scopes', which "
        + "is \(limit); let the rules compare fewer, such as the group that objects belong to, or raise the limit"
    )
  }

  private func add(
    _ rights: inout Rights,
    _ rule: Int,
    _ entity: SyncedEntity,
    _ test: @escaping @Sendable (WrittenObject) throws -> Bool
  ) {
    rights.rules.append(rule)
    rights.tests[entity.uid, default: []].append { [cluster, serverLog] key, row, related in
      try withoutActuallyEscaping(related) { related in
        try test(
          WrittenObject(
            cluster: cluster,
            serverLog: serverLog,
            entity: entity,
            key: key,
            values: row.values,
            pairs: row.pairs,
            related: related
          )
        )
      }
    }
  }

  /// The rules of visible and writable objects in their order.
  var descriptions: [Description] {
    rules.map { access, test, entity in
      var compared: [RuleConditions.Compared] = []
      if case .condition(let make) = test, let condition = make(.anonymous) {
        compared = (try? RuleConditions(entity, in: serverLog).compared(condition)) ?? []
      }
      // The entity's own properties in the order of the model, each followed by the properties behind it, then other
      // relations.
      let all = compared.filter { !$0.isFollowed }.map(\.name)
      let names =
        entity.table.schema.properties.flatMap { property in
          all.filter { $0.split(separator: ".")[0] == property.name }
        } + all
      var found: Set<String> = []
      return Description(
        entity: entity.name,
        uid: entity.uid,
        access: access,
        properties: names.filter { found.insert($0).inserted }
      )
    }
  }

  private func checkCompared(
    _ properties: [RuleConditions.Compared],
    _ entity: SyncedEntity,
    _ user: SyncUser
  ) throws {
    for one in properties {
      guard let property = one.property, compared[one.entity]?.contains(property) != true else {
        continue
      }
      throw SyncServerError.unusableRule(
        message:
          "a rule of '\(entity.name)' compares another property for the user '\(user.id)' than at the start of the "
          + "server; let it compare the same properties for all users"
      )
    }
  }
}

extension LinkedScope {
  /// True if only values of the object decide, and only by equality: other comparisons of writes are those of the
  /// embedded store, where a missing number is 0.
  fileprivate var isOfEqualities: Bool {
    links.isEmpty && scope.comparisons.allSatisfy { [.equals, .contains].contains($0.test) }
  }
}
