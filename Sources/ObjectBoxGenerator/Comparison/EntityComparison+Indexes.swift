extension EntityComparison {
  /// What differs in the indexes over several properties.
  var compoundIndexDifferences: [ModelDifference] {
    var found: [ModelDifference] = []
    func add(
      _ kind: ModelDifference.Kind,
      _ index: ModelDocument.CompoundIndex,
      _ before: String?,
      _ after: String?,
      _ effect: DataEffect
    ) {
      let text =
        "the index over several properties of entity '\(new.name)' was \(before ?? "none"), and is "
        + (after ?? "none")
      found.append(difference(kind, nil, index.id.uid, before, after, text, effect))
    }
    for index in new.compoundIndexes {
      let after = words(index, of: new)
      let before = old.compoundIndexes.first { $0.id.uid == index.id.uid }
      guard let before else {
        add(
          index.isUnique ? .uniqueAdded : .indexAdded,
          index,
          nil,
          after,
          index.isUnique ? DataEffect.uniqueAdded : DataEffect.indexAdded
        )
        continue
      }
      if before.isUnique != index.isUnique {
        add(
          index.isUnique ? .uniqueAdded : .uniqueRemoved,
          index,
          words(before, of: old),
          after,
          index.isUnique ? DataEffect.uniqueAdded : DataEffect.uniqueRemoved
        )
      } else if before.id.id != index.id.id
        || before.propertyIDs.map(\.uid) != index.propertyIDs.map(\.uid)
      {
        add(.indexReplaced, index, words(before, of: old), after, DataEffect.indexRebuilt)
      }
    }
    for index in old.compoundIndexes
    where !new.compoundIndexes.contains(where: { $0.id.uid == index.id.uid }) {
      add(
        index.isUnique ? .uniqueRemoved : .indexRemoved,
        index,
        words(index, of: old),
        nil,
        index.isUnique ? DataEffect.uniqueDropped : DataEffect.indexRemoved
      )
    }
    return found
  }

  private func words(
    _ index: ModelDocument.CompoundIndex,
    of entity: ModelDocument.Entity
  ) -> String {
    let names = index.propertyIDs.map { id in
      "'\(entity.properties.first { $0.id.uid == id.uid }?.name ?? "\(id.id)")'"
    }
    return names.joined(separator: ", ") + (index.isUnique ? ", unique together" : "")
  }
}
