internal import ObjectBoxGenerator

extension MergeRun {
  /// Chooses the index ID of a property that has an index after the merge.
  mutating func mergeIndexID(
    _ triple: MergeTriple<ModelDocument.Property>,
    into merged: inout ModelDocument.Property,
    of entity: ModelDocument.Entity
  ) {
    guard let mine = triple.ours, let other = triple.theirs else { return }
    let (base, own, their) = (triple.base?.indexID?.uid, mine.indexID?.uid, other.indexID?.uid)
    let isNewTwice = own != their && own != base && their != base
    if merged.indexID != nil {
      if own == nil {
        merged.indexID = other.indexID
      } else if !isNewTwice, own == base {
        // Ours is unchanged: only theirs can have another index.
        merged.indexID = other.indexID ?? mine.indexID
      }
      if let their, isNewTwice, own != nil {
        let title = (triple.base ?? mine).title(of: entity.name)
        report(
          .mergeSameIndex(title, retired: their),
          at: places.place(of: mine.id.uid, entity.id.uid)
        )
      }
    }
    for uid in [own, their].compactMap({ $0 }) where uid != merged.indexID?.uid && uid != base {
      drop(uid)
    }
  }

  /// Merges indexes over several properties: additions and removals of both sides count.
  mutating func mergeCompoundIndexes(
    _ triple: MergeTriple<ModelDocument.Entity>,
    into merged: inout ModelDocument.Entity
  ) {
    var kept: [ModelDocument.CompoundIndex] = []
    for triple in triple.pairs(of: \.compoundIndexes) {
      guard var index = triple.ours ?? triple.theirs else { continue }
      let isOnBothSides = triple.ours != nil && triple.theirs != nil
      guard isOnBothSides || triple.base == nil else { continue }
      let isLiving = index.propertyUIDs.allSatisfy { merged.properties[uid: $0] != nil }
      // Both sides may have added the same index.
      let isTaken = kept.contains { $0.propertyUIDs == index.propertyUIDs }
      guard isLiving, !isTaken else {
        drop(index.id.uid)
        continue
      }
      if let own = triple.ours?.isUnique, let theirs = triple.theirs?.isUnique {
        index.isUnique = ThreeWay.merge(triple.base?.isUnique, own, theirs) ?? own
      }
      kept.append(index)
    }
    merged.compoundIndexes = kept
  }

  /// Merges full-text indexes: additions and removals of both sides count, and so do the settings
  /// of the side that changed them.
  mutating func mergeFullTextIndexes(
    _ triple: MergeTriple<ModelDocument.Entity>,
    into merged: inout ModelDocument.Entity
  ) {
    var kept: [ModelDocument.FullTextIndex] = []
    for triple in triple.pairs(of: \.fullTextIndexes) {
      guard var index = triple.ours ?? triple.theirs else { continue }
      let isOnBothSides = triple.ours != nil && triple.theirs != nil
      guard isOnBothSides || triple.base == nil else { continue }
      let isLiving = index.propertyUIDs.allSatisfy { merged.properties[uid: $0] != nil }
      let same = kept.first {
        $0.givenName == index.givenName && $0.propertyUIDs == index.propertyUIDs
      }
      guard isLiving, same == nil else {
        if let same, same.settings != index.settings {
          reportConflict(same.settings, index.settings, of: merged)
        }
        drop(index.id.uid)
        continue
      }
      if let own = triple.ours?.settings, let theirs = triple.theirs?.settings {
        if let settings = ThreeWay.merge(triple.base?.settings, own, theirs) {
          index.settings = settings
        } else {
          reportConflict(own, theirs, of: merged)
        }
      }
      kept.append(index)
    }
    merged.fullTextIndexes = kept
  }

  private mutating func reportConflict(
    _ ours: ModelDocument.FullTextIndex.Settings,
    _ theirs: ModelDocument.FullTextIndex.Settings,
    of entity: ModelDocument.Entity
  ) {
    let conflict = TraitConflict(
      subject: "full-text index",
      ours: PropertyWords.quoted(ours.words),
      theirs: PropertyWords.quoted(theirs.words)
    )
    let message = DiagnosticMessage.mergeConflict(entity.title(of: nil), conflict)
    report(message, at: places.place(of: entity.id.uid))
  }

  private mutating func drop(_ uid: UInt64) {
    if !droppedIndexUIDs.contains(uid) { droppedIndexUIDs.append(uid) }
  }
}
