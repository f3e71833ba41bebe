internal import ObjectBox
internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol

/// The conditions of an entity's rules as scopes.
struct RuleConditions: Sendable {
  /// A compared property or a followed relation of a condition.
  struct Compared: Hashable {
    let entity: EntityUID
    /// Nil for a standalone relation and for the ID, which the log always has.
    let property: PropertyUID?
    /// The name in figures; a property behind a link has the relation's name before its own, as in `list.members`.
    let name: String
    /// True if the relation's ``name`` begins the names of compared properties of the target.
    let isFollowed: Bool
  }

  /// The most scopes of one condition; each `&&` between lists of values multiplies their number.
  static let limit = ScopeProgress.limit

  let entity: SyncedEntity
  let serverLog: ServerLog

  /// Prepares the conversion of conditions.
  ///
  /// - Parameters:
  ///   - entity: The entity of the rules.
  ///   - serverLog: The server log with the entities that links lead to.
  init(_ entity: SyncedEntity, in serverLog: ServerLog) {
    self.entity = entity
    self.serverLog = serverLog
  }

  /// Returns the sets of a condition; an object must be in one of them, and there are none if no object can be.
  ///
  /// - Throws: ``SyncServerError`` for a condition that rules cannot have.
  func scopes(_ condition: Condition) throws -> [LinkedScope] {
    try alternatives(condition).map {
      LinkedScope(Scope(entity: entity.uid, $0.comparisons), links: $0.links)
    }
  }

  /// Returns the compared properties of a condition, including those behind links, and the relations that it follows.
  ///
  /// - Throws: ``SyncServerError`` for a condition that rules cannot have.
  func compared(_ condition: Condition) throws -> [Compared] {
    switch condition {
    case .any(let parts), .all(let parts): return try parts.flatMap(compared)
    case .property(let condition):
      let property = try property(condition)
      return [
        Compared(
          entity: entity.uid,
          property: property.has(.id) ? nil : PropertyUID(property.identity.uid),
          name: property.name,
          isFollowed: false
        )
      ]
    case .link(let link):
      let followed = try followed(by: link)
      let inner = try Self(followed.target, in: serverLog).compared(link.condition).map {
        Compared(
          entity: $0.entity,
          property: $0.property,
          name: "\(followed.name).\($0.name)",
          isFollowed: $0.isFollowed
        )
      }
      let relation = Compared(
        entity: followed.holder,
        property: followed.property,
        name: followed.name,
        // A link with a condition that compares nothing appears only under the relation's name.
        isFollowed: !inner.isEmpty
      )
      return [relation] + inner
    }
  }

  /// Checks the condition of a rule of writes, which may use every comparison of properties.
  ///
  /// - Throws: ``SyncServerError`` for a condition that does not fit the entity, or leads over a backlink
  ///   or to an entity that is not synchronized.
  func check(_ condition: Condition) throws {
    _ = try compared(condition)
    try checkLinks(of: condition)
    do {
      try forEachProperty(of: condition) { _ = try RecordFilter(.property($0), entity: $1) }
    } catch let error as ObjectBoxError {
      throw SyncServerError.unusableRule(
        message: "a rule of '\(entity.name)': \(error.description)"
      )
    }
  }

  private func forEachProperty(
    of condition: Condition,
    _ body: (PropertyCondition, EntitySchema) throws -> Void
  ) throws {
    switch condition {
    case .any(let parts), .all(let parts):
      for part in parts { try forEachProperty(of: part, body) }
    case .property(let condition): try body(condition, entity.table.schema)
    case .link(let link):
      let target = try followed(by: link).target
      try Self(target, in: serverLog).forEachProperty(of: link.condition, body)
    }
  }

  private func checkLinks(of condition: Condition) throws {
    for link in condition.links {
      let followed = try followed(by: link)
      if case .toOneBacklink = followed.relation { throw backlink(link) }
      if case .standaloneBacklink = followed.relation { throw backlink(link) }
      try Self(followed.target, in: serverLog).checkLinks(of: link.condition)
    }
  }

  private func backlink(_ link: LinkCondition) -> SyncServerError {
    .unusableRule(
      message:
        "a rule of writes of '\(entity.name)' leads to '\(link.targetName)' over a backlink; rules of writes follow "
        + "relations of the written object only"
    )
  }

  /// Comparisons and links; an object must pass all of them.
  private struct Alternative {
    var comparisons: [Scope.Comparison] = []
    var links: [ScopeLink] = []

    static func + (left: Self, right: Self) -> Self {
      Self(comparisons: left.comparisons + right.comparisons, links: left.links + right.links)
    }
  }

  /// Returns alternatives; an object must pass one of them.
  private func alternatives(_ condition: Condition) throws -> [Alternative] {
    switch condition {
    case .any(let parts): return try parts.flatMap(alternatives)
    case .all(let parts):
      var all = [Alternative()]
      for part in parts {
        let next = try alternatives(part)
        guard all.count * next.count <= Self.limit else {
          throw unusable(
            "connects lists of values by '&&', which makes more than \(Self.limit) combinations"
          )
        }
        all = all.flatMap { first in next.map { first + $0 } }
      }
      // A link becomes one comparison.
      guard all.allSatisfy({ $0.comparisons.count + $0.links.count <= Scope.limit }) else {
        throw unusable("connects more than \(Scope.limit) comparisons by '&&'")
      }
      return all
    case .property(let condition):
      let all = try comparisons(condition).map { Alternative(comparisons: $0) }
      guard all.allSatisfy({ $0.comparisons.count <= Scope.limit }) else {
        throw unusable("compares with a list of more than \(Scope.limit) values by 'not in'")
      }
      return all
    case .link(let link):
      let followed = try followed(by: link)
      let targets = try Self(followed.target, in: serverLog).scopes(link.condition)
      // No object is a target.
      if targets.isEmpty { return [] }
      return [
        Alternative(links: [ScopeLink(followed.relation, to: followed.target.uid, in: targets)])
      ]
    }
  }

  func property(_ condition: PropertyCondition) throws -> PropertySchema {
    try ConditionTypes.property(condition.propertyID, in: entity.table.schema)
  }

  func unusable(_ found: String) -> SyncServerError {
    .unusableRule(
      message:
        "a rule of '\(entity.name)' \(found); rules compare numbers, dates and texts for equality and order, lists of "
        + "texts by 'contains', follow relations by 'link', and are connected by '||' and '&&'"
    )
  }
}
