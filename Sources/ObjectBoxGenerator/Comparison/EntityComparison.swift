/// Compares two versions of one entity.
struct EntityComparison {
  let old: ModelDocument.Entity
  let new: ModelDocument.Entity
  let oldModel: ModelDocument
  let newModel: ModelDocument

  var differences: [ModelDifference] {
    var found = ownDifferences
    for property in new.properties.sorted(by: { $0.id.id < $1.id.id }) {
      if let before = old.properties.first(where: { $0.id.uid == property.id.uid }) {
        found +=
          PropertyComparison(
            old: before,
            new: property,
            entity: new,
            oldTarget: oldModel.entity(named: before.relationTarget),
            newTarget: newModel.entity(named: property.relationTarget)
          ).differences
      } else {
        found.append(
          difference(
            .propertyAdded,
            property.name,
            property.id.uid,
            nil,
            PropertyWords.type(property),
            "property '\(property.name)' of entity '\(new.name)' is new, of type "
              + PropertyWords.type(property),
            DataEffect.propertyAdded
          )
        )
      }
    }
    for property in old.properties
    where !new.properties.contains(where: { $0.id.uid == property.id.uid }) {
      found.append(removed(property))
    }
    found += compoundIndexDifferences + relationDifferences
    let last = ModelComparison.lowered(
      "property",
      old.lastPropertyID,
      new.lastPropertyID,
      entity: new.name
    )
    return found + [last].compactMap { $0 }
  }

  private var ownDifferences: [ModelDifference] {
    let title = "entity '\(new.name)'"
    var found: [ModelDifference] = []
    func add(
      _ kind: ModelDifference.Kind,
      _ before: String?,
      _ after: String?,
      _ text: String,
      _ effect: DataEffect
    ) {
      found.append(difference(kind, nil, new.id.uid, before, after, text, effect))
    }
    if old.name != new.name {
      add(
        .entityRenamed,
        old.name,
        new.name,
        "\(title) was named '\(old.name)'",
        DataEffect.name
      )
    }
    if old.id.id != new.id.id {
      add(
        .entityMoved,
        "\(old.id.id)",
        "\(new.id.id)",
        "\(title) had ID \(old.id.id), and has ID \(new.id.id)",
        DataEffect.moved
      )
    }
    if old.flags != new.flags {
      let (before, after) = (FlagNames.words(of: old.flags), FlagNames.words(of: new.flags))
      add(
        .entityFlags,
        before,
        after,
        "\(title) had the flags \(before), and has \(after)",
        DataEffect.notStored
      )
    }
    if old.externalName != new.externalName {
      add(
        .entityExternalName,
        old.externalName,
        new.externalName,
        "\(title) had the external name \(PropertyWords.quoted(old.externalName)), and has "
          + PropertyWords.quoted(new.externalName),
        DataEffect.notStored
      )
    }
    return found
  }

  private func removed(_ property: ModelDocument.Property) -> ModelDifference {
    let isReplaced = new.properties.contains { $0.id.id == property.id.id }
    let isReset = new.properties.contains { $0.name.lowercased() == property.name.lowercased() }
    return difference(
      .propertyRemoved,
      property.name,
      property.id.uid,
      PropertyWords.type(property),
      nil,
      "property '\(property.name)' of entity '\(new.name)' is gone",
      isReplaced
        ? DataEffect.propertyReplaced
        : isReset ? DataEffect.propertyReset : DataEffect.propertyRemoved
    )
  }

  func difference(
    _ kind: ModelDifference.Kind,
    _ element: String?,
    _ uid: UInt64,
    _ before: String?,
    _ after: String?,
    _ text: String,
    _ effect: DataEffect
  ) -> ModelDifference {
    ModelDifference(
      kind: kind,
      entity: new.name,
      element: element,
      uid: uid,
      before: before,
      after: after,
      text: text,
      consequence: effect
    )
  }
}

extension ModelDocument {
  /// Finds an entity by its name in the database, where case does not count.
  func entity(named name: String?) -> Entity? {
    guard let name = name?.lowercased() else { return nil }
    return entities.first { $0.name.lowercased() == name }
  }
}
