internal import ObjectBoxGenerator

extension MergeRun {
  /// The element that a UID means.
  private struct Meaning {
    let kind: ElementKind
    let owner: UInt64?
    let name: String
    let title: String

    init<Element: ModelElement>(_ element: Element, of owner: ModelDocument.Entity? = nil) {
      kind = Element.kind
      self.owner = owner?.id.uid
      name = element.name
      title = element.title(of: owner?.name)
    }
  }

  /// Reports UIDs that mean different elements on the two sides.
  ///
  /// If both sides added an element with the same UID and name, it is one element: a commit was
  /// picked from the other branch.
  mutating func checkSharedUIDs() {
    let (before, mine, other) = (meanings(in: base), meanings(in: ours), meanings(in: theirs))
    for (uid, own) in mine.sorted(by: { $0.key < $1.key }) {
      guard let their = other[uid] else { continue }
      let isSame = own.kind == their.kind && own.owner == their.owner
      guard !isSame || (before[uid] == nil && own.name != their.name) else { continue }
      report(.mergeSameUID(uid, ours: own.title, theirs: their.title), at: places.place(of: uid))
    }
  }

  /// Returns the elements by UID.
  ///
  /// Relations are left out, since there are files in which a property and a relation share a UID.
  private func meanings(in model: ModelDocument) -> [UInt64: Meaning] {
    var meanings: [UInt64: Meaning] = [:]
    for entity in model.entities {
      meanings[entity.id.uid] = Meaning(entity)
      for property in entity.properties {
        meanings[property.id.uid] = Meaning(property, of: entity)
      }
    }
    return meanings
  }

  /// Reports elements that have the same name after the merge, and entities with two ID properties.
  mutating func checkNames(of model: ModelDocument) {
    checkNames(of: model.entities, ours: ours.entities)
    for entity in model.entities {
      let versions = [ours, theirs].map { $0.entities[uid: entity.id.uid] }
      let own = versions[0]
      checkNames(of: entity.properties, in: entity.name, ours: own?.properties ?? [])
      checkNames(of: entity.relations, in: entity.name, ours: own?.relations ?? [])
      let most = versions.map { $0?.idProperties.count ?? 0 }.max() ?? 0
      let ids = entity.idProperties
      if ids.count > max(1, most) {
        report(.mergeTwoIDs(entity.name, ids.map(\.name)), at: places.place(of: entity.id.uid))
      }
    }
  }

  private mutating func checkNames<Element: ModelElement>(
    of elements: [Element],
    in owner: String? = nil,
    ours: [Element]
  ) {
    var first: [String: UInt64] = [:]
    // Elements of ours come first, so the finding names ours, then theirs.
    let own = elements.filter { ours[uid: $0.id.uid] != nil }
    for element in own + elements.filter({ ours[uid: $0.id.uid] == nil }) {
      if let earlier = first.updateValue(element.id.uid, forKey: element.name.lowercased()) {
        report(
          .mergeSameName(element.title(of: owner), ours: earlier, theirs: element.id.uid),
          at: places.place(of: earlier, element.id.uid)
        )
      }
    }
  }

  /// Reports relations whose target the other side removed.
  mutating func checkTargets(of model: ModelDocument) {
    let living = Set(model.entities.map(\.id.uid))
    for entity in model.entities {
      let properties = entity.properties.compactMap { property in
        TargetNames.uid(of: property.relationTarget).map {
          (property.title(of: entity.name), property.id.uid, $0)
        }
      }
      let relations = entity.relations.map { relation in
        (relation.title(of: entity.name), relation.id.uid, relation.targetID.uid)
      }
      for (title, uid, target) in properties + relations where !living.contains(target) {
        // A target that both sides lack was missing before the merge.
        guard let name = (ours.entities + theirs.entities)[uid: target]?.name else { continue }
        report(.mergeLostTarget(title, target: name), at: places.place(of: uid, entity.id.uid))
      }
    }
  }
}

extension ModelDocument.Entity {
  fileprivate var idProperties: [ModelDocument.Property] {
    properties.filter { $0.flags.contains(.id) }
  }
}
