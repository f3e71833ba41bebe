extension EntityComparison {
  /// What differs in the to-many relations of the entity itself.
  var relationDifferences: [ModelDifference] {
    var found: [ModelDifference] = []
    for relation in new.relations.sorted(by: { $0.id.id < $1.id.id }) {
      if let before = old.relations.first(where: { $0.id.uid == relation.id.uid }) {
        found += differences(before, relation)
      } else {
        found.append(
          difference(
            .relationAdded,
            relation.name,
            relation.id.uid,
            nil,
            newModel.targetName(of: relation),
            "relation '\(relation.name)' of entity '\(new.name)' is new, to "
              + "'\(newModel.targetName(of: relation))'",
            DataEffect.relationAdded
          )
        )
      }
    }
    for relation in old.relations
    where !new.relations.contains(where: { $0.id.uid == relation.id.uid }) {
      found.append(
        difference(
          .relationRemoved,
          relation.name,
          relation.id.uid,
          oldModel.targetName(of: relation),
          nil,
          "relation '\(relation.name)' of entity '\(new.name)' is gone",
          DataEffect.relationRemoved
        )
      )
    }
    return found
  }

  private func differences(
    _ before: ModelDocument.Relation,
    _ after: ModelDocument.Relation
  ) -> [ModelDifference] {
    let title = "relation '\(after.name)' of entity '\(new.name)'"
    var found: [ModelDifference] = []
    func add(_ kind: ModelDifference.Kind, _ old: String?, _ new: String?, _ effect: DataEffect) {
      let words = "was \(PropertyWords.quoted(old)), and is \(PropertyWords.quoted(new))"
      let subject =
        switch kind {
        case .relationRenamed: "the name of \(title)"
        case .relationMoved: "the ID of \(title)"
        case .relationTarget: "the target of \(title)"
        case .deleteRule: "the onDelete of \(title)"
        default: "the external name or type of \(title)"
        }
      found.append(
        difference(kind, after.name, after.id.uid, old, new, "\(subject) \(words)", effect)
      )
    }
    if before.name != after.name {
      add(.relationRenamed, before.name, after.name, DataEffect.name)
    }
    if before.id.id != after.id.id {
      add(.relationMoved, "\(before.id.id)", "\(after.id.id)", DataEffect.relationMoved)
    }
    if before.targetID.uid != after.targetID.uid {
      add(
        .relationTarget,
        oldModel.targetName(of: before),
        newModel.targetName(of: after),
        DataEffect.relationTarget
      )
    }
    if before.externalName != after.externalName || before.externalType != after.externalType {
      add(
        .relationExternal,
        PropertyWords.external(before.externalName, before.externalType),
        PropertyWords.external(after.externalName, after.externalType),
        DataEffect.notStored
      )
    }
    for rule in [\ModelDocument.Relation.onDelete, \.onTargetDelete]
    where before[keyPath: rule] != after[keyPath: rule] {
      add(
        .deleteRule,
        PropertyWords.rule(before[keyPath: rule]),
        PropertyWords.rule(after[keyPath: rule]),
        DataEffect.deleteRule
      )
    }
    return found
  }
}

extension ModelDocument {
  /// The name of a relation's target, or its UID when the model has no such entity.
  func targetName(of relation: Relation) -> String {
    entities.first { $0.id.uid == relation.targetID.uid }?.name ?? "UID \(relation.targetID.uid)"
  }
}
