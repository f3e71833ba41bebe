extension MergeRun {
  /// Merges the three versions of an entity; nil when it is gone.
  mutating func merge(_ triple: MergeTriple<ModelDocument.Entity>) -> ModelDocument.Entity? {
    let uid = triple.ours?.id.uid ?? triple.theirs?.id.uid ?? 0
    guard let mine = triple.ours, let other = triple.theirs else {
      let name = triple.base?.name ?? triple.ours?.name ?? triple.theirs?.name ?? ""
      return survivor(
        of: triple,
        title: "entity '\(name)'",
        owner: uid,
        retired: (ours.retiredEntityUIDs, theirs.retiredEntityUIDs)
      )
    }
    let before = triple.base
    let title = "entity '\(before?.name ?? mine.name)'"
    let position = places.place(of: uid)
    var merged = mine
    merged.name = merge(
      "name",
      of: title,
      at: position,
      before?.name,
      mine.name,
      other.name,
      words: { "'\($0)'" }
    )
    merged.flags = ThreeWay.merge(before?.flags ?? [], mine.flags, other.flags)
    merged.externalName = merge(
      "external name",
      of: title,
      at: position,
      before.map(\.externalName),
      mine.externalName,
      other.externalName,
      words: PropertyWords.quoted
    )
    merged.properties = MergeTriple.pair(
      before?.properties ?? [],
      mine.properties,
      other.properties
    ).compactMap { merge($0, of: merged) }
    merged.relations = MergeTriple.pair(before?.relations ?? [], mine.relations, other.relations)
      .compactMap { merge($0, of: merged) }
    mergeCompoundIndexes(triple, into: &merged)
    return merged
  }

  private mutating func merge(
    _ triple: MergeTriple<ModelDocument.Property>,
    of entity: ModelDocument.Entity
  ) -> ModelDocument.Property? {
    let name = (triple.base ?? triple.ours ?? triple.theirs)?.name ?? ""
    let title = "property '\(name)' of entity '\(entity.name)'"
    guard let mine = triple.ours, let other = triple.theirs else {
      return survivor(
        of: triple,
        title: title,
        owner: entity.id.uid,
        retired: (ours.retiredPropertyUIDs, theirs.retiredPropertyUIDs)
      )
    }
    let before = triple.base
    let names = entityNames
    let position = places.place(of: mine.id.uid, entity.id.uid)
    var merged = mine
    merged.name = merge(
      "name",
      of: title,
      at: position,
      before?.name,
      mine.name,
      other.name,
      words: { "'\($0)'" }
    )
    let type = merge(
      "type",
      of: title,
      at: position,
      before.map(StoredType.init),
      StoredType(mine),
      StoredType(other),
      words: { PropertyWords.type($0.type, isUnsigned: $0.isUnsigned) }
    )
    merged.type = type.type
    merged.flags = ThreeWay.merge(before?.flags ?? [], mine.flags, other.flags)
    if type.isUnsigned { merged.flags.insert(.unsigned) } else { merged.flags.remove(.unsigned) }
    mergeIndex(before, mine, other, into: &merged, title: title, at: position)
    merged.relationTarget = merge(
      "target",
      of: title,
      at: position,
      before.map(\.relationTarget),
      mine.relationTarget,
      other.relationTarget,
      words: { PropertyWords.quoted(TargetNames.name(of: $0, in: names)) }
    )
    let external = merge(
      "external name or type",
      of: title,
      at: position,
      before.map { ExternalTrait(name: $0.externalName, type: $0.externalType) },
      ExternalTrait(name: mine.externalName, type: mine.externalType),
      ExternalTrait(name: other.externalName, type: other.externalType),
      words: { PropertyWords.quoted(PropertyWords.external($0.name, $0.type)) }
    )
    merged.externalName = external.name
    merged.externalType = external.type
    merged.onDelete = merge(
      "onDelete",
      of: title,
      at: position,
      before.map(\.onDelete),
      mine.onDelete,
      other.onDelete,
      words: { "'\(PropertyWords.rule($0))'" }
    )
    return merged
  }

  private mutating func merge(
    _ triple: MergeTriple<ModelDocument.Relation>,
    of entity: ModelDocument.Entity
  ) -> ModelDocument.Relation? {
    let name = (triple.base ?? triple.ours ?? triple.theirs)?.name ?? ""
    let title = "relation '\(name)' of entity '\(entity.name)'"
    guard let mine = triple.ours, let other = triple.theirs else {
      return survivor(
        of: triple,
        title: title,
        owner: entity.id.uid,
        retired: (ours.retiredRelationUIDs, theirs.retiredRelationUIDs)
      )
    }
    let before = triple.base
    let names = entityNames
    let position = places.place(of: mine.id.uid, entity.id.uid)
    var merged = mine
    merged.name = merge(
      "name",
      of: title,
      at: position,
      before?.name,
      mine.name,
      other.name,
      words: { "'\($0)'" }
    )
    merged.targetID.uid = merge(
      "target",
      of: title,
      at: position,
      before?.targetID.uid,
      mine.targetID.uid,
      other.targetID.uid,
      words: { PropertyWords.quoted(names[$0]) }
    )
    let external = merge(
      "external name or type",
      of: title,
      at: position,
      before.map { ExternalTrait(name: $0.externalName, type: $0.externalType) },
      ExternalTrait(name: mine.externalName, type: mine.externalType),
      ExternalTrait(name: other.externalName, type: other.externalType),
      words: { PropertyWords.quoted(PropertyWords.external($0.name, $0.type)) }
    )
    merged.externalName = external.name
    merged.externalType = external.type
    for rule in [\ModelDocument.Relation.onDelete, \.onTargetDelete] {
      merged[keyPath: rule] = merge(
        "onDelete",
        of: title,
        at: position,
        before.map { $0[keyPath: rule] },
        mine[keyPath: rule],
        other[keyPath: rule],
        words: { "'\(PropertyWords.rule($0))'" }
      )
    }
    return merged
  }
}

/// What decides how values are stored.
private struct StoredType: Hashable {
  var type: UInt16?
  var isUnsigned: Bool

  init(_ property: ModelDocument.Property) {
    type = property.type
    isUnsigned = property.flags.contains(.unsigned)
  }
}

private struct ExternalTrait: Hashable {
  var name: String?
  var type: UInt16?
}
