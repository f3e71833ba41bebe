import ObjectBoxSyncProtocol

/// The entities of the trials: each conflict mode and unique rule, and one whose
/// conflicts a function resolves.
enum TrialModel {
  static let owner = PropertyUID(1)
  static let code = PropertyUID(2)
  static let first = PropertyUID(3)
  static let second = PropertyUID(4)
  static let votes = PropertyUID(5)
  static let parent = PropertyUID(6)
  static let rank = PropertyUID(7)
  static let region = PropertyUID(8)
  static let links = PropertyUID(9)
  /// A property and a counter that the first model lacks, see ``Age``.
  static let late = PropertyUID(10)
  static let lateVotes = PropertyUID(11)

  /// All entities; the first model lacks the last one.
  static let entities = (1...6).map { EntityUID(UInt64($0)) }
  static let owners = [Int64(1), 2, 3]

  /// The entity whose conflicts the server resolves by ``resolution``.
  static let resolved = entities[4]

  /// The rules of the second model.
  static let rules = SyncRules(entityRules)
  /// The rules of the first model.
  static let earlierRules = SyncRules(
    entityRules.filter { $0.key != entities[5] }.mapValues { rules in
      var rules = rules
      rules.counters = [votes]
      return rules
    }
  )
  /// The rules on the server.
  static let serverRules = SyncRules(entityRules, resolutions: [resolved: resolution])

  private static let entityRules: [EntityUID: EntityRules] = [
    entities[0]: EntityRules(
      mode: .arrival,
      uniques: [UniqueProperties([code], rule: .reject)],
      counters: [votes, lateVotes],
      relations: [parent: entities[1]]
    ),
    entities[1]: EntityRules(
      mode: .objectClock,
      uniques: [UniqueProperties([code], rule: .replace)],
      counters: [votes, lateVotes]
    ),
    entities[2]: EntityRules(
      mode: .propertyClock,
      uniques: [UniqueProperties([code], rule: .merge)],
      counters: [votes, lateVotes],
      relations: [parent: entities[4]]
    ),
    entities[3]: EntityRules(
      mode: .propertyClock,
      uniques: [UniqueProperties([code, region], rule: .replace)],
      counters: [votes, lateVotes],
      precedence: rank
    ),
    entities[4]: EntityRules(
      mode: .arrival,
      uniques: [UniqueProperties([code], rule: .reject)],
      counters: [votes, lateVotes],
      sendsBase: true,
      relations: [parent: entities[4]]
    ),
    entities[5]: EntityRules(
      mode: .objectClock,
      uniques: [UniqueProperties([code], rule: .reject)],
      counters: [votes, lateVotes]
    ),
  ]

  static let earlierServerRules = SyncRules(
    earlierRules.entities,
    resolutions: [resolved: resolution]
  )

  /// The amount by which ``resolution`` counts its calls in the region of the object.
  static let callProgress: Int64 = 10

  /// Takes a property that only one side changed from that side, the greater value of ``first`` and
  /// ``second`` that both changed, and other properties that both changed from the server.
  @Sendable private static func resolution(
    _ conflict: Conflict
  ) -> PropertyList<PropertyValue> {
    var result = conflict.theirs
    for element in conflict.mine.elements where conflict.base[element.property] != element.value {
      let theirs = conflict.theirs[element.property]
      if theirs == conflict.base[element.property] {
        result[element.property] = element.value
      } else if Checker.watched.contains(element.property),
        let own = TrialValue.number(element.value), own > TrialValue.number(theirs) ?? 0
      {
        result[element.property] = element.value
      }
    }
    result[region] = .integer((conflict.theirs[region]?.integerValue ?? 0) + callProgress)
    return result
  }

  /// Programs choose IDs below this one; the server assigns IDs from it on.
  static let firstAssignedID: UInt64 = 101
  /// Random blocks of devices without a lease begin here.
  static let firstRandomID: UInt64 = 1_000_000
  static let leaseSize: UInt64 = 4
  static let tolerance: Int64 = 1_000

  /// Returns true if a write of the entity can remove the holder of its unique values.
  static func replaces(_ entity: EntityUID) -> Bool {
    rules[entity]?.uniques.contains { $0.rule == .replace } == true
  }

  /// The properties that rules compare, and relations that they follow.
  static let compared = [owner, parent, rank]
  /// The least rank of objects of the fourth entity that all users see.
  static let visibleRank: Int64 = 2

  /// The scope of these objects.
  static let visible = Scope(
    entity: entities[3],
    [Scope.Comparison(rank, .atLeast, .integer(visibleRank))]
  )

  /// The rules of users who may see the objects of some owners.
  ///
  /// - Parameters:
  ///   - owners: The owners.
  ///   - hasLinks: True for rules that follow relations too: the first entity by one, the third by two,
  ///     the second by a backlink; and for one that compares by order.
  /// - Returns: The rules.
  static func rules(of owners: [Int64], hasLinks: Bool) -> [LinkedScope] {
    func owned(_ entity: EntityUID) -> [LinkedScope] {
      owners.sorted().map {
        LinkedScope(Scope(entity: entity, property: owner, value: .integer($0)))
      }
    }
    func linked(_ entity: EntityUID, to target: EntityUID, in targets: [LinkedScope]) -> LinkedScope
    {
      LinkedScope(Scope(entity: entity), links: [ScopeLink(parent, to: target, in: targets)])
    }
    let plain = entities.flatMap(owned)
    guard hasLinks else { return plain }
    let children = linked(entities[4], to: entities[4], in: owned(entities[4]))
    return plain + [
      linked(entities[0], to: entities[1], in: owned(entities[1])),
      linked(entities[2], to: entities[4], in: [children]),
      LinkedScope(
        Scope(entity: entities[1]),
        links: [ScopeLink(.toOneBacklink(parent), to: entities[0], in: owned(entities[0]))]
      ),
      LinkedScope(visible),
    ]
  }
}
