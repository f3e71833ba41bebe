extension MergeRun {
  /// Merges index and uniqueness, which depend on each other, as one trait.
  mutating func mergeIndex(
    _ before: ModelDocument.Property?,
    _ mine: ModelDocument.Property,
    _ other: ModelDocument.Property,
    into merged: inout ModelDocument.Property,
    title: String,
    at position: SourcePosition
  ) {
    let own = IndexTrait(mine)
    let trait = merge(
      "index",
      of: title,
      at: position,
      before.map(IndexTrait.init),
      own,
      IndexTrait(other),
      words: \.words
    )
    merged.collation = trait.collation
    merged.flags = merged.flags.subtracting(IndexTrait.flags).union(trait.flags)
    let versions = (before?.indexID?.uid, mine.indexID?.uid, other.indexID?.uid)
    let isNewTwice =
      versions.1 != versions.2 && versions.1 != versions.0 && versions.2 != versions.0
    if !trait.hasIndex {
      merged.indexID = nil
    } else if mine.indexID == nil {
      merged.indexID = other.indexID
    } else if !isNewTwice, versions.1 == versions.0 {
      // Only theirs can have put another index in its place.
      merged.indexID = other.indexID ?? mine.indexID
    }
    if let retired = versions.2, isNewTwice, versions.1 != nil, trait.hasIndex {
      report(.mergeSameIndex(title, retired: retired), at: position)
    }
    for uid in [versions.1, versions.2].compactMap({ $0 })
    where uid != merged.indexID?.uid && uid != versions.0 && !droppedIndexUIDs.contains(uid) {
      droppedIndexUIDs.append(uid)
    }
  }
}

extension MergeRun {
  /// Merges the indexes over several properties: what one side added comes, what one side removed goes.
  mutating func mergeCompoundIndexes(
    _ triple: MergeTriple<ModelDocument.Entity>,
    into merged: inout ModelDocument.Entity
  ) {
    let before = triple.base?.compoundIndexes ?? []
    let mine = triple.ours?.compoundIndexes ?? []
    let other = triple.theirs?.compoundIndexes ?? []
    func find(
      _ uid: UInt64,
      _ list: [ModelDocument.CompoundIndex]
    ) -> ModelDocument.CompoundIndex? {
      list.first { $0.id.uid == uid }
    }
    var kept: [ModelDocument.CompoundIndex] = []
    for index in mine + other.filter({ find($0.id.uid, mine) == nil }) {
      let uid = index.id.uid
      let isOnBothSides = find(uid, mine) != nil && find(uid, other) != nil
      guard isOnBothSides || find(uid, before) == nil else { continue }
      let isLiving = index.propertyIDs.allSatisfy { id in
        merged.properties.contains { $0.id.uid == id.uid }
      }
      // Both sides may have made the same index.
      let isTaken = kept.contains { $0.propertyIDs.map(\.uid) == index.propertyIDs.map(\.uid) }
      guard isLiving, !isTaken else {
        if !droppedIndexUIDs.contains(uid) { droppedIndexUIDs.append(uid) }
        continue
      }
      var index = index
      if let own = find(uid, mine), let theirs = find(uid, other) {
        index.isUnique =
          ThreeWay.merge(find(uid, before)?.isUnique, own.isUnique, theirs.isUnique)
          ?? own.isUnique
      }
      kept.append(index)
    }
    merged.compoundIndexes = kept
  }
}

/// Whether and how a property is indexed and unique; the index's UID is decided apart.
private struct IndexTrait: Hashable {
  static let flags: PropertyFlags = PropertyWords.indexKindFlags.union([
    .indexed, .unique, .uniqueOnConflictReplace,
  ])

  var hasIndex: Bool
  var flags: PropertyFlags
  var collation: Collation?

  init(_ property: ModelDocument.Property) {
    hasIndex = property.indexID != nil
    flags = property.flags.intersection(Self.flags)
    collation = property.collation
  }

  var words: String {
    var property = ModelDocument.Property(id: .none, name: "")
    property.flags = flags
    property.collation = collation
    property.indexID = hasIndex ? ModelID.none : nil
    return "'\(PropertyWords.index(property)), \(PropertyWords.unique(flags))'"
  }
}
