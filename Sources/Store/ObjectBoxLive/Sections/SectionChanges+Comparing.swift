internal import ObjectBox

extension SectionChanges {
  /// Compares two versions of sections.
  ///
  /// - Parameters:
  ///   - old: The sections before.
  ///   - new: The sections after.
  ///   - order: The order of both.
  ///   - touched: Returns whether an object in both versions was put between them.
  ///   - isModified: Returns whether an object in both versions counts as changed.
  /// - Complexity: As for ``ChangeSet``, for the objects of each section.
  init(
    from old: SectionLayout,
    to new: SectionLayout,
    in order: SectionOrder,
    touched: (UInt64) -> Bool,
    isModified: (UInt64) -> Bool
  ) {
    var lost: [UInt64: SectionPosition] = [:]
    var gained: [(id: UInt64, position: SectionPosition)] = []
    var (before, after) = (0, 0)
    while before < old.keys.count || after < new.keys.count {
      let isEnded =
        after == new.keys.count
        || before < old.keys.count && order.areInOrder(old.keys[before], new.keys[after])
      let hasBegun =
        !isEnded
        && (before == old.keys.count || order.areInOrder(new.keys[after], old.keys[before]))
      if isEnded {
        deletedSections.append(before)
        for (index, id) in old.ids[before].enumerated() {
          lost[id] = SectionPosition(section: before, index: index)
        }
      } else if hasBegun {
        insertedSections.append(after)
        for (index, id) in new.ids[after].enumerated() {
          gained.append((id, SectionPosition(section: after, index: index)))
        }
      } else {
        let set = ChangeSet(
          from: old.ids[before],
          to: new.ids[after],
          touched: touched,
          isModified: isModified
        )
        let (oldSection, newSection) = (before, after)
        let deleted = set.deletions.map { SectionPosition(section: oldSection, index: $0) }
        let inserted = set.insertions.map { SectionPosition(section: newSection, index: $0) }
        deletions += deleted
        insertions += inserted
        modifications += set.modifications.map { SectionPosition(section: oldSection, index: $0) }
        // Objects that have moved inside of the section are not in another one.
        let moved = Set(inserted.map { new.id(at: $0) }).intersection(
          deleted.map { old.id(at: $0) }
        )
        for position in deleted where !moved.contains(old.id(at: position)) {
          lost[old.id(at: position)] = position
        }
        for position in inserted where !moved.contains(new.id(at: position)) {
          gained.append((new.id(at: position), position))
        }
      }
      if !hasBegun { before += 1 }
      if !isEnded { after += 1 }
    }
    moves = gained.compactMap { id, position in
      lost[id].map { SectionMove(from: $0, to: position) }
    }
  }
}
