internal import ObjectBoxCommandLine

/// A new element of a model that is probably a renamed element of the old model.
struct LikelyRename: Hashable {
  /// UID of the element that is gone.
  var old: UInt64
  /// UID of the new element.
  var new: UInt64
  /// Both elements in words.
  var text: String
  /// The loss of stored data if it is a rename and the old UID is not kept.
  var effect: DataEffect

  /// Returns the likely renames of entities, and of properties and relations within entities that
  /// stay.
  ///
  /// An element with the same name is a deliberate reset, not a rename.
  static func find(from old: ModelDocument, to new: ModelDocument) -> [LikelyRename] {
    let entities = pairs(old.entities, new.entities) { _, _ in likeness }
    var found = entities.map { before, after in
      let isWhole = traits(of: before) == traits(of: after)
      let part = isWhole ? "" : "most of "
      return LikelyRename(
        before,
        after,
        "'\(after.name)' is new with \(part)the properties of",
        .objectsLost(of: before.name)
      )
    }
    for after in new.entities {
      guard let before = old.entities[uid: after.id.uid] else { continue }
      let properties = pairs(before.properties, after.properties) { gone, added in
        let types = Dictionary(grouping: gone + added, by: PropertyWords.type)
        return { one, other in
          let type = PropertyWords.type(one)
          let (target, newTarget) = (
            old.entities[name: one.relationTarget], new.entities[name: other.relationTarget]
          )
          guard type == PropertyWords.type(other), target?.id.uid == newTarget?.id.uid,
            one.flags.contains(.id) == other.flags.contains(.id)
          else { return 0 }
          return likeness(one.name, other.name, isOnly: types[type]?.count == 2)
        }
      }
      let relations = pairs(before.relations, after.relations) { gone, added in
        { one, other in
          guard one.targetID.uid == other.targetID.uid else { return 0 }
          return likeness(one.name, other.name, isOnly: gone.count == 1 && added.count == 1)
        }
      }
      found += properties.map { one, other in
        LikelyRename(
          one,
          other,
          "\(other.title(of: after.name)) is new with the type of",
          .valuesLost(of: one.name)
        )
      }
      found += relations.map { one, other in
        LikelyRename(
          one,
          other,
          "\(other.title(of: after.name)) is new with the target of",
          .linksLost(of: one.name)
        )
      }
    }
    return found
  }

  private init<Element: ModelElement>(
    _ before: Element,
    _ after: Element,
    _ words: String,
    _ effect: DataEffect
  ) {
    self.effect = effect
    old = before.id.uid
    new = after.id.uid
    text = "\(words) '\(before.name)', which is gone"
  }

  // MARK: Pairs

  /// Returns pairs of a gone and an added element, most similar first.
  ///
  /// An element is gone or added when the other side has neither its UID nor its name. Each element
  /// is in at most one pair.
  private static func pairs<Element: ModelElement>(
    _ old: [Element],
    _ new: [Element],
    likeness: (_ gone: [Element], _ added: [Element]) -> (Element, Element) -> Double
  ) -> [(Element, Element)] {
    func missing(_ elements: [Element], in others: [Element]) -> [Element] {
      let ids = Set(others.map(\.id.uid))
      let names = Set(others.map { $0.name.lowercased() })
      return elements.filter { !ids.contains($0.id.uid) && !names.contains($0.name.lowercased()) }
    }
    let (gone, added) = (missing(old, in: new), missing(new, in: old))
    let likeness = likeness(gone, added)
    let ranked = gone.flatMap { one in
      added.map { other in (one: one, other: other, likeness: likeness(one, other)) }
    }.filter { $0.likeness > 0 }.sorted { left, right in
      // UIDs break ties, which makes the result deterministic.
      (right.likeness, left.one.id.uid, left.other.id.uid)
        < (left.likeness, right.one.id.uid, right.other.id.uid)
    }
    var used: Set<UInt64> = []
    return ranked.compactMap { pair in
      let ids: Set = [pair.one.id.uid, pair.other.id.uid]
      guard used.isDisjoint(with: ids) else { return nil }
      used.formUnion(ids)
      return (pair.one, pair.other)
    }
  }

  /// Names and types of an entity's properties and relations, without the ID property.
  private static func traits(of entity: ModelDocument.Entity) -> Set<String> {
    let properties = entity.properties.filter { !$0.flags.contains(.id) }.map {
      "\($0.name.lowercased()): \(PropertyWords.type($0))"
    }
    return Set(properties + entity.relations.map { "\($0.name.lowercased()): relation" })
  }

  /// Share of traits that two entities have in common; 0 when less than half.
  private static func likeness(
    _ one: ModelDocument.Entity,
    _ other: ModelDocument.Entity
  ) -> Double {
    let (left, right) = (traits(of: one), traits(of: other))
    let shared = left.intersection(right).count
    let total = max(left.count, right.count)
    guard shared > 0, shared * 2 >= total else { return 0 }
    // The name decides among entities with the same content.
    return Double(shared) / Double(total) + likeness(one.name, other.name, isOnly: true) / 1000
  }

  /// Similarity of two names.
  ///
  /// It is 0 when they share less than half of their letters, unless `isOnly` says that there is no
  /// other candidate.
  private static func likeness(_ one: String, _ other: String, isOnly: Bool) -> Double {
    let (left, right) = (one.lowercased(), other.lowercased())
    let total = max(left.count, right.count, 1)
    let shared = Double(total - EditDistance.between(left, right)) / Double(total)
    let isPart = left.contains(right) || right.contains(left)
    return shared >= 0.5 || isPart ? max(shared, 0.5) : isOnly ? max(shared, 0.01) : 0
  }
}
