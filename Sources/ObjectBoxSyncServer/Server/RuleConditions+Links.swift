internal import ObjectBox
internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol

/// A relation that a link of a rule follows.
struct FollowedRelation {
  /// The end of the relation at the rule's objects.
  let relation: ScopeLink.Relation
  /// The entity that the link leads to.
  let target: SyncedEntity
  /// The name in figures: a backlink has that of the target's entity before it.
  let name: String
  /// The entity that has the relation.
  let holder: EntityUID
  /// The to-one relation; nil for a standalone relation.
  let property: PropertyUID?
}

extension RuleConditions {
  /// Returns the relation that a link follows.
  ///
  /// - Throws: ``SyncServerError`` for a relation that does not connect synchronized entities, and for an
  ///   aggregate.
  func followed(by link: LinkCondition) throws -> FollowedRelation {
    guard link.aggregate == nil else {
      throw unusable("compares an aggregate of '\(link.targetName)'")
    }
    guard let target = hub.entities.first(where: { $0.table.schema.identity.id == link.target })
    else {
      throw SyncServerError.unusableRule(
        message:
          "a rule of '\(entity.name)' leads to '\(link.targetName)', which the model of the cluster does not "
          + "synchronize; annotate its class with 'objectbox: sync'"
      )
    }
    guard let followed = followed(link.end, to: target) else {
      throw SyncServerError.unusableRule(
        message:
          "a rule of '\(entity.name)' leads to '\(link.targetName)' over a relation that does not connect the two in "
          + "the model of the cluster; run the generator again"
      )
    }
    return followed
  }

  private func followed(_ end: RelationEnd, to target: SyncedEntity) -> FollowedRelation? {
    func toOne(_ id: UInt32, of source: SyncedEntity, to other: SyncedEntity) -> PropertySchema? {
      source.table.schema.properties.first {
        $0.identity.id == id && $0.type == .relation && $0.targetEntityName == other.name
      }
    }
    func pairs(_ id: UInt32, of source: SyncedEntity, to other: SyncedEntity) -> RelationPairs? {
      source.pairs.first {
        $0.schema.identity.id == id && $0.schema.target.id == other.table.schema.identity.id
      }
    }
    switch end {
    case .toOne(let id):
      return toOne(id, of: entity, to: target).map { property in
        let uid = PropertyUID(property.identity.uid)
        return FollowedRelation(
          relation: .toOne(uid),
          target: target,
          name: property.name,
          holder: entity.uid,
          property: uid
        )
      }
    case .toOneBacklink(let id):
      return toOne(id, of: target, to: entity).map { property in
        let uid = PropertyUID(property.identity.uid)
        return FollowedRelation(
          relation: .toOneBacklink(uid),
          target: target,
          name: "\(target.name).\(property.name)",
          holder: target.uid,
          property: uid
        )
      }
    case .standalone(let id):
      return pairs(id, of: entity, to: target).map { pairs in
        FollowedRelation(
          relation: .standalone(PropertyUID(pairs.schema.identity.uid), of: entity.uid),
          target: target,
          name: pairs.schema.title,
          holder: entity.uid,
          property: nil
        )
      }
    case .standaloneBacklink(let id):
      return pairs(id, of: target, to: entity).map { pairs in
        FollowedRelation(
          relation: .standaloneBacklink(PropertyUID(pairs.schema.identity.uid)),
          target: target,
          name: "\(target.name).\(pairs.schema.title)",
          holder: target.uid,
          property: nil
        )
      }
    }
  }
}
