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
