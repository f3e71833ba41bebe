/// Compares two versions of a model; elements are the same when their UIDs are.
package enum ModelComparison {
  /// Returns every difference, with what it does to stored data.
  ///
  /// The order is that of the new model, each entity followed by its properties and relations, then
  /// what is gone. Retired UIDs and the pool of new ones are no differences: no store holds them.
  package static func differences(
    from old: ModelDocument,
    to new: ModelDocument
  ) -> [ModelDifference] {
    var found: [ModelDifference] = []
    for entity in new.entities.sorted(by: { $0.id.id < $1.id.id }) {
      if let before = old.entities.first(where: { $0.id.uid == entity.id.uid }) {
        found +=
          EntityComparison(old: before, new: entity, oldModel: old, newModel: new)
          .differences
      } else {
        found.append(added(entity))
      }
    }
    for entity in old.entities.sorted(by: { $0.id.id < $1.id.id })
    where !new.entities.contains(where: { $0.id.uid == entity.id.uid }) {
      found.append(removed(entity, from: new))
    }
    for (kind, before, after) in [
      ("entity", old.lastEntityID, new.lastEntityID), ("index", old.lastIndexID, new.lastIndexID),
      ("relation", old.lastRelationID, new.lastRelationID),
    ] {
      if let difference = lowered(kind, before, after, entity: nil) { found.append(difference) }
    }
    return found
  }

  private static func added(_ entity: ModelDocument.Entity) -> ModelDifference {
    let count = entity.properties.count.counted("property", "properties")
    return ModelDifference(
      kind: .entityAdded,
      entity: entity.name,
      uid: entity.id.uid,
      after: entity.name,
      text: "entity '\(entity.name)' is new, with \(count)",
      consequence: DataEffect.entityAdded
    )
  }

  private static func removed(
    _ entity: ModelDocument.Entity,
    from new: ModelDocument
  ) -> ModelDifference {
    let isReplaced = new.entities.contains { $0.id.id == entity.id.id }
    let isReset = new.entities.contains { $0.name.lowercased() == entity.name.lowercased() }
    return ModelDifference(
      kind: .entityRemoved,
      entity: entity.name,
      uid: entity.id.uid,
      before: entity.name,
      text: "entity '\(entity.name)' is gone",
      consequence: isReplaced
        ? DataEffect.entityReplaced : isReset ? DataEffect.entityReset : DataEffect.entityRemoved
    )
  }

  /// The difference when a last ID went down, or stands for another element; nil otherwise.
  static func lowered(
    _ kind: String,
    _ before: ModelID,
    _ after: ModelID,
    entity: String?
  ) -> ModelDifference? {
    let isOther = before.id == after.id && before.uid != after.uid && before.id != 0
    guard after.id < before.id || isOther else { return nil }
    let owner = entity.map { " of entity '\($0)'" } ?? ""
    return ModelDifference(
      kind: .lastIDLowered,
      entity: entity,
      uid: before.uid,
      before: "\(before.id):\(before.uid)",
      after: "\(after.id):\(after.uid)",
      text:
        "the last \(kind) ID\(owner) was \(before.id) with UID \(before.uid), and is \(after.id) "
        + "with UID \(after.uid)",
      consequence: DataEffect.lastLowered
    )
  }
}
