internal import ObjectBox
internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol

/// A relation that a link of a rule follows.
struct FollowedRelation {
  /// The end of the relation at the rule's objects.
  let relation: ScopeLink.Relation
  /// The entity that the link leads to.
  let target: SyncedEntity
  /// The name in figures: for a backlink, the target entity's name comes before the relation's.
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
    guard
      let target = serverLog.entities.first(where: { $0.table.schema.identity.id == link.target })
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
    let isBacklink =
      switch end {
      case .toOne, .standalone: false
      case .toOneBacklink, .standaloneBacklink: true
      }
    let (holder, other) = isBacklink ? (target, entity) : (entity, target)
    let prefix = isBacklink ? "\(target.name)." : ""
    switch end {
    case .toOne(let id), .toOneBacklink(let id):
      let property = holder.table.schema.properties.first {
        $0.identity.id == id && $0.type == .relation && $0.targetEntityName == other.name
      }
      return property.map { property in
        let uid = PropertyUID(property.identity.uid)
        return FollowedRelation(
          relation: isBacklink ? .toOneBacklink(uid) : .toOne(uid),
          target: target,
          name: prefix + property.name,
          holder: holder.uid,
          property: uid
        )
      }
    case .standalone(let id), .standaloneBacklink(let id):
      let pairs = holder.pairs.first {
        $0.schema.identity.id == id && $0.schema.target.id == other.table.schema.identity.id
      }
      return pairs.map { pairs in
        let uid = PropertyUID(pairs.schema.identity.uid)
        return FollowedRelation(
          relation: isBacklink ? .standaloneBacklink(uid) : .standalone(uid, of: holder.uid),
          target: target,
          name: prefix + pairs.schema.title,
          holder: holder.uid,
          property: nil
        )
      }
    }
  }
}
