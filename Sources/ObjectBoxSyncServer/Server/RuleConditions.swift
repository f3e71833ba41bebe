internal import ObjectBox
internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol

/// The conditions of an entity's rules as scopes.
struct RuleConditions: Sendable {
  /// A property that a condition compares, or a relation that it follows.
  struct Compared: Hashable {
    let entity: EntityUID
    let property: PropertyUID
    /// The name in figures: that of a property behind a link follows the relation's, as in
    /// `list.members`.
    let name: String
    /// True for a relation that is followed: ``name`` stands in those of the target's properties.
    let isFollowed: Bool
  }

  /// The most scopes of one condition: each `&&` between lists of values multiplies them.
  static let limit = ScopeMarks.limit

  private let entity: SyncedEntity
  private let hub: Hub

  /// Plans the reading of conditions.
  ///
  /// - Parameters:
  ///   - entity: The entity of the rules.
  ///   - hub: The hub, whose entities links lead to.
  init(_ entity: SyncedEntity, in hub: Hub) {
    self.entity = entity
    self.hub = hub
  }

  /// Returns the sets of which an object must be in one; none for a condition that no object
  /// fulfils.
  ///
  /// - Throws: ``SyncServerError`` for a condition that rules cannot have.
  func scopes(_ condition: Condition) throws -> [LinkedScope] {
    try alternatives(condition).map {
      LinkedScope(Scope(entity: entity.uid, $0.comparisons), links: $0.links)
    }
  }

  /// Returns the properties that a condition compares, also behind links, and the relations that it
  /// follows.
  ///
  /// - Throws: ``SyncServerError`` for a condition that rules cannot have.
  func compared(_ condition: Condition) throws -> [Compared] {
    switch condition {
    case .any(let parts), .all(let parts): return try parts.flatMap(compared)
    case .property(let condition): return [compared(try property(condition), isFollowed: false)]
    case .link(let link):
      let (relation, target) = try relation(of: link)
      let inner = try Self(target, in: hub).compared(link.condition).map {
        Compared(
          entity: $0.entity,
          property: $0.property,
          name: "\(relation.name).\($0.name)",
          isFollowed: $0.isFollowed
        )
      }
      // A link to any object has no other name.
      return [compared(relation, isFollowed: !inner.isEmpty)] + inner
    }
  }

  private func compared(_ property: PropertySchema, isFollowed: Bool) -> Compared {
    Compared(
      entity: entity.uid,
      property: PropertyUID(property.identity.uid),
      name: property.name,
      isFollowed: isFollowed
    )
  }

  /// Checks a condition of a rule of writes, which may compare properties in every way.
  ///
  /// - Throws: ``SyncServerError`` for a condition that does not fit the entity, or leads over another
  ///   relation than a to-one relation between synchronized entities.
  func check(_ condition: Condition) throws {
    _ = try compared(condition)
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
      let (_, target) = try relation(of: link)
      try Self(target, in: hub).forEachProperty(of: link.condition, body)
    }
  }

  /// Returns the relation that a link follows, and the entity of its targets.
  ///
  /// - Throws: ``SyncServerError`` for another relation than a to-one relation between synchronized
  ///   entities.
  func relation(of link: LinkCondition) throws -> (PropertySchema, SyncedEntity) {
    guard case .toOne(let id) = link.end, link.count == nil,
      let relation = entity.table.schema.properties.first(where: { $0.identity.id == id }),
      relation.type == .relation
    else {
      throw SyncServerError.unusableRule(
        message:
          "a rule of '\(entity.name)' leads to '\(link.targetName)' over a relation that is no to-one relation of "
          + "'\(entity.name)'; rules follow to-one relations only"
      )
    }
    guard let target = hub.entities.first(where: { $0.table.schema.identity.id == link.target }),
      relation.targetEntityName == target.name
    else {
      throw SyncServerError.unusableRule(
        message:
          "a rule of '\(entity.name)' leads over '\(relation.name)' to '\(link.targetName)', which the model of the "
          + "cluster does not synchronize; annotate its class with 'objectbox: sync'"
      )
    }
    return (relation, target)
  }

  /// Comparisons and links, all of which an object must pass.
  private struct Alternative {
    var comparisons: [Scope.Comparison] = []
    var links: [ScopeLink] = []

    static func + (left: Self, right: Self) -> Self {
      Self(comparisons: left.comparisons + right.comparisons, links: left.links + right.links)
    }
  }

  /// Returns alternatives, of which an object must pass one.
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
      // A link becomes a comparison.
      guard all.allSatisfy({ $0.comparisons.count + $0.links.count <= Scope.limit }) else {
        throw unusable("connects more than \(Scope.limit) comparisons by '&&'")
      }
      return all
    case .property(let condition):
      return try comparisons(condition).map { Alternative(comparisons: [$0]) }
    case .link(let link):
      let (relation, target) = try relation(of: link)
      let targets = try Self(target, in: hub).scopes(link.condition)
      // No object is a target.
      if targets.isEmpty { return [] }
      let uid = PropertyUID(relation.identity.uid)
      return [Alternative(links: [ScopeLink(uid, to: target.uid, in: targets)])]
    }
  }

  private func property(_ condition: PropertyCondition) throws -> PropertySchema {
    try ConditionTypes.property(of: condition, in: entity.table.schema)
  }

  /// Returns the comparisons of which one must pass.
  private func comparisons(_ condition: PropertyCondition) throws -> [Scope.Comparison] {
    let property = try property(condition)
    var test = Scope.Comparison.Test.equals
    let values: [PropertyValue]
    switch (condition.comparison, try ConditionTypes.operand(of: condition, for: property)) {
    case (.isNil, _): values = [.null]
    case (.equal, .integers(let numbers)), (.isIn, .integers(let numbers)):
      // A list of numbers matches where one of them is equal.
      guard property.type != .intVector, property.type != .longVector else {
        throw unusable(
          "compares the list '\(property.name)', and lists of texts can be compared only"
        )
      }
      values = numbers.map { property.type == .relation && $0 == 0 ? .null : .integer($0) }
    case (.equal, .texts(let texts)), (.isIn, .texts(let texts)):
      guard condition.isCaseSensitive else { throw unusable("ignores case") }
      values = texts.map { .bytes(Array($0.utf8)) }
    case (.containsElement, .texts(let texts)):
      guard condition.isCaseSensitive else { throw unusable("ignores case") }
      test = .contains
      values = texts.map { .bytes(Array($0.utf8)) }
    default:
      throw unusable("compares '\(property.name)' by '\(condition.comparison.rawValue)'")
    }
    let uid = PropertyUID(property.identity.uid)
    return values.map { Scope.Comparison(uid, test, $0) }
  }

  private func unusable(_ found: String) -> SyncServerError {
    .unusableRule(
      message:
        "a rule of '\(entity.name)' \(found); rules compare integers, dates and texts by '==' and 'isIn', lists of "
        + "texts by 'contains', follow to-one relations by 'link', and are connected by '||' and '&&'"
    )
  }
}
