/// A new element of a model that probably is an element of the old one under another name.
struct LikelyRename: Hashable {
  /// The UID of the element that is gone.
  var old: UInt64
  /// The UID of the new element.
  var new: UInt64
  /// The new element and the one that is gone, in words.
  var text: String

  /// Returns the likely renames of entities, and of properties and relations within entities that stay.
  ///
  /// An element of the same name is no rename but a reset, which somebody asked for.
  static func find(from old: ModelDocument, to new: ModelDocument) -> [LikelyRename] {
    let (gone, added) = changed(old.entities, new.entities, id: \.id.uid, name: \.name)
    var found = pairs(gone, added, id: \.id.uid, likeness: likeness).map { before, after in
      let isWhole = traits(of: before) == traits(of: after)
      return LikelyRename(
        old: before.id.uid,
        new: after.id.uid,
        text: "'\(after.name)' is new with \(isWhole ? "" : "most of ")the properties of "
          + "'\(before.name)', which is gone"
      )
    }
    for after in new.entities {
      guard let before = old.entities.first(where: { $0.id.uid == after.id.uid }) else { continue }
      found += properties(from: before, to: after, old, new) + relations(from: before, to: after)
    }
    return found
  }

  private static func properties(
    from before: ModelDocument.Entity,
    to after: ModelDocument.Entity,
    _ old: ModelDocument,
    _ new: ModelDocument
  ) -> [LikelyRename] {
    let (gone, added) = changed(
      before.properties,
      after.properties,
      id: \.id.uid,
      name: \.name
    )
    let types = Dictionary(grouping: gone + added, by: PropertyWords.type)
    let isSame = { (one: ModelDocument.Property, other: ModelDocument.Property) in
      PropertyWords.type(one) == PropertyWords.type(other)
        && one.flags.contains(.id) == other.flags.contains(.id)
        && old.entity(named: one.relationTarget)?.id.uid
          == new.entity(named: other.relationTarget)?.id.uid
    }
    return pairs(gone, added, id: \.id.uid) { one, other in
      guard isSame(one, other) else { return 0 }
      let isOnly = types[PropertyWords.type(one)]?.count == 2
      return likeness(one.name, other.name, isOnly: isOnly)
    }.map { one, other in
      LikelyRename(
        old: one.id.uid,
        new: other.id.uid,
        text: "property '\(other.name)' of entity '\(after.name)' is new with the type of "
          + "'\(one.name)', which is gone"
      )
    }
  }

  private static func relations(
    from before: ModelDocument.Entity,
    to after: ModelDocument.Entity
  ) -> [LikelyRename] {
    let (gone, added) = changed(before.relations, after.relations, id: \.id.uid, name: \.name)
    return pairs(gone, added, id: \.id.uid) { one, other in
      guard one.targetID.uid == other.targetID.uid else { return 0 }
      return likeness(one.name, other.name, isOnly: gone.count == 1 && added.count == 1)
    }.map { one, other in
      LikelyRename(
        old: one.id.uid,
        new: other.id.uid,
        text: "relation '\(other.name)' of entity '\(after.name)' is new with the target of "
          + "'\(one.name)', which is gone"
      )
    }
  }

  // MARK: Pairs

  /// Returns the elements of one side only whose names are of one side only.
  private static func changed<Element>(
    _ old: [Element],
    _ new: [Element],
    id: KeyPath<Element, UInt64>,
    name: KeyPath<Element, String>
  ) -> (gone: [Element], added: [Element]) {
    func missing(_ elements: [Element], in others: [Element]) -> [Element] {
      let ids = Set(others.map { $0[keyPath: id] })
      let names = Set(others.map { $0[keyPath: name].lowercased() })
      return elements.filter {
        !ids.contains($0[keyPath: id]) && !names.contains($0[keyPath: name].lowercased())
      }
    }
    return (missing(old, in: new), missing(new, in: old))
  }

  /// Returns the pairs with the greatest likeness, each element in one pair at most.
  private static func pairs<Element>(
    _ gone: [Element],
    _ added: [Element],
    id: KeyPath<Element, UInt64>,
    likeness: (Element, Element) -> Double
  ) -> [(Element, Element)] {
    let ranked = gone.flatMap { one in
      added.map { other in (one: one, other: other, likeness: likeness(one, other)) }
    }.filter { $0.likeness > 0 }.sorted { left, right in
      // The UIDs decide at last, so that each run finds the same.
      (right.likeness, left.one[keyPath: id], left.other[keyPath: id])
        < (left.likeness, right.one[keyPath: id], right.other[keyPath: id])
    }
    var used: Set<UInt64> = []
    return ranked.compactMap { pair in
      let ids: Set = [pair.one[keyPath: id], pair.other[keyPath: id]]
      guard used.isDisjoint(with: ids) else { return nil }
      used.formUnion(ids)
      return (pair.one, pair.other)
    }
  }

  /// The names and types of what an entity holds besides its ID.
  private static func traits(of entity: ModelDocument.Entity) -> Set<String> {
    let properties = entity.properties.filter { !$0.flags.contains(.id) }.map {
      "\($0.name.lowercased()): \(PropertyWords.type($0))"
    }
    return Set(properties + entity.relations.map { "\($0.name.lowercased()): relation" })
  }

  /// The part that two entities share of what they hold; 0 when it is less than half.
  private static func likeness(
    _ one: ModelDocument.Entity,
    _ other: ModelDocument.Entity
  ) -> Double {
    let (left, right) = (traits(of: one), traits(of: other))
    let shared = left.intersection(right).count
    let total = max(left.count, right.count)
    guard shared > 0, shared * 2 >= total else { return 0 }
    // Among entities that hold the same, the name decides.
    return Double(shared) / Double(total) + likeness(one.name, other.name, isOnly: true) / 1000
  }

  /// The likeness of two names; 0 when they share less than half of their letters, unless there is no
  /// other choice.
  private static func likeness(_ one: String, _ other: String, isOnly: Bool) -> Double {
    let (left, right) = (one.lowercased(), other.lowercased())
    let total = max(left.count, right.count, 1)
    let shared = Double(total - EditDistance.between(left, right)) / Double(total)
    let isPart = left.contains(right) || right.contains(left)
    return shared >= 0.5 || isPart ? max(shared, 0.5) : isOnly ? max(shared, 0.01) : 0
  }
}
