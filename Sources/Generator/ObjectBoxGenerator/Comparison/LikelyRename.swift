internal import ObjectBoxCommandLine

/// A new element of a model that is probably a renamed element of the old model.
struct LikelyRename: Hashable {
  /// The element that is gone.
  var old: Gone
  /// UID of the new element.
  var new: UInt64
  /// Both elements in words.
  var text: String

  /// An element that is gone, and that a new element may be under another name.
  struct Gone: Hashable {
    var uid: UInt64
    var name: String
    /// The loss of stored data if it is a rename and the UID is not kept.
    var effect: DataEffect
  }

  /// The gone elements that have the form of a new one: those without a likely rename first, then
  /// the most similar ones.
  struct Candidates {
    var new: UInt64
    var newName: String
    var old: [Gone]
  }

  /// The renames that a change of a model may contain.
  struct Search {
    var likely: [LikelyRename] = []
    var candidates: [Candidates] = []
  }

  /// Returns the likely renames of entities, and of properties and relations within entities that
  /// stay.
  ///
  /// An element with the same name is a deliberate reset, not a rename.
  static func find(from old: ModelDocument, to new: ModelDocument) -> Search {
    var found = Search()
    found.add(
      Matches(old.entities, new.entities, haveOneForm: haveLikeTypes) { _, _ in likeness },
      { DataEffect.objectsLost(of: $0) },
      { before, after in
        let part = traits(of: before) == traits(of: after) ? "" : "most of "
        return "'\(after.name)' is new with \(part)the properties of"
      }
    )
    for after in new.entities {
      guard let before = old.entities[uid: after.id.uid] else { continue }
      let properties = Matches(before.properties, after.properties) { one, other in
        let (target, newTarget) = (
          old.entities[name: one.relationTarget], new.entities[name: other.relationTarget]
        )
        return PropertyWords.type(one) == PropertyWords.type(other)
          && target?.id.uid == newTarget?.id.uid
          && one.flags.contains(.id) == other.flags.contains(.id)
      } likeness: { gone, added in
        let types = Dictionary(grouping: gone + added, by: PropertyWords.type)
        return { one, other in
          likeness(one.name, other.name, isOnly: types[PropertyWords.type(one)]?.count == 2)
        }
      }
      found.add(properties, { DataEffect.valuesLost(of: $0) }) { _, other in
        "\(other.title(of: after.name)) is new with the type of"
      }
      let relations = Matches(before.relations, after.relations) {
        $0.targetID.uid == $1.targetID.uid
      } likeness: { gone, added in
        { likeness($0.name, $1.name, isOnly: gone.count == 1 && added.count == 1) }
      }
      found.add(relations, { DataEffect.linksLost(of: $0) }) { _, other in
        "\(other.title(of: after.name)) is new with the target of"
      }
    }
    return found
  }

  // MARK: Likeness

  /// Names and types of an entity's properties and relations, without the ID property.
  private static func traits(of entity: ModelDocument.Entity) -> Set<String> {
    let properties = entity.properties.filter { !$0.flags.contains(.id) }.map {
      "\($0.name.lowercased()): \(PropertyWords.type($0))"
    }
    return Set(properties + entity.relations.map { "\($0.name.lowercased()): relation" })
  }

  /// Returns whether at least half of two entities' properties and relations have the same types,
  /// whatever their names.
  private static func haveLikeTypes(
    _ one: ModelDocument.Entity,
    _ other: ModelDocument.Entity
  ) -> Bool {
    func types(_ entity: ModelDocument.Entity) -> [String] {
      entity.properties.filter { !$0.flags.contains(.id) }.map(PropertyWords.type)
        + entity.relations.map { _ in "relation" }
    }
    var (left, right) = (types(one), types(other))
    let total = max(left.count, right.count)
    left.removeAll { type in
      guard let place = right.firstIndex(of: type) else { return true }
      right.remove(at: place)
      return false
    }
    return !left.isEmpty && left.count * 2 >= total
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
  /// It is 0 when they share less than half of their letters and neither contains the other, unless
  /// `isOnly` says that there is no other candidate.
  private static func likeness(_ one: String, _ other: String, isOnly: Bool) -> Double {
    let (left, right) = (one.lowercased(), other.lowercased())
    let total = max(left.count, right.count, 1)
    let shared = Double(total - EditDistance.between(left, right)) / Double(total)
    // Shorter names are part of others by chance.
    let isLong = min(left.count, right.count) >= 3
    if isLong && (left.contains(right) || right.contains(left)) { return max(shared, 0.75) }
    return shared >= 0.5 ? shared : isOnly ? max(shared, 0.01) : 0
  }
}

/// The gone and the added elements of one kind.
///
/// An element is gone or added when the other side has neither its UID nor its name.
private struct Matches<Element: ModelElement> {
  /// Likely renames, most similar first; each element is in at most one pair.
  private(set) var pairs: [(Element, Element)] = []
  /// The gone elements of the form of each added one.
  private(set) var candidates: [(new: Element, gone: [Element])] = []

  init(
    _ old: [Element],
    _ new: [Element],
    haveOneForm: (Element, Element) -> Bool,
    likeness: (_ gone: [Element], _ added: [Element]) -> (Element, Element) -> Double
  ) {
    func missing(_ elements: [Element], in others: [Element]) -> [Element] {
      let ids = Set(others.map(\.id.uid))
      let names = Set(others.map { $0.name.lowercased() })
      return elements.filter { !ids.contains($0.id.uid) && !names.contains($0.name.lowercased()) }
    }
    let (gone, added) = (missing(old, in: new), missing(new, in: old))
    let likeness = likeness(gone, added)
    let ranked = gone.flatMap { one in
      added.filter { haveOneForm(one, $0) }.map { other in
        (one: one, other: other, likeness: likeness(one, other))
      }
    }.sorted { left, right in
      // UIDs break ties, which makes the result deterministic.
      (right.likeness, left.one.id.uid, left.other.id.uid)
        < (left.likeness, right.one.id.uid, right.other.id.uid)
    }
    var used: Set<UInt64> = []
    for pair in ranked where pair.likeness > 0 {
      let ids: Set = [pair.one.id.uid, pair.other.id.uid]
      guard used.isDisjoint(with: ids) else { continue }
      used.formUnion(ids)
      pairs.append((pair.one, pair.other))
    }
    candidates = added.map { new in
      let gone = ranked.filter { $0.other.id.uid == new.id.uid }.map(\.one)
      let isFree = { (element: Element) in !used.contains(element.id.uid) }
      return (new, gone.filter(isFree) + gone.filter { !isFree($0) })
    }
  }
}

extension LikelyRename.Search {
  fileprivate mutating func add<Element: ModelElement>(
    _ matches: Matches<Element>,
    _ effect: (String) -> DataEffect,
    _ words: (Element, Element) -> String
  ) {
    func gone(_ element: Element) -> LikelyRename.Gone {
      LikelyRename.Gone(uid: element.id.uid, name: element.name, effect: effect(element.name))
    }
    likely += matches.pairs.map { before, after in
      LikelyRename(
        old: gone(before),
        new: after.id.uid,
        text: "\(words(before, after)) '\(before.name)', which is gone"
      )
    }
    candidates += matches.candidates.map { new, old in
      LikelyRename.Candidates(new: new.id.uid, newName: new.name, old: old.map(gone))
    }
  }
}
