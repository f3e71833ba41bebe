extension MergeRun {
  /// The element that has a UID.
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

  /// Tells UIDs that are not the same element on both sides.
  ///
  /// A new element that both sides have under the same UID is the same one when its name is, as after
  /// picking a commit from the other branch.
  mutating func checkSharedUIDs() {
    let (before, mine, other) = (meanings(in: base), meanings(in: ours), meanings(in: theirs))
    for (uid, own) in mine.sorted(by: { $0.key < $1.key }) {
      guard let their = other[uid] else { continue }
      let isSame = own.kind == their.kind && own.owner == their.owner
      guard !isSame || (before[uid] == nil && own.name != their.name) else { continue }
      report(.mergeSameUID(uid, ours: own.title, theirs: their.title), at: places.place(of: uid))
    }
  }

  /// Relations are left out: files in which a property and a relation share a UID exist.
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

  /// Tells elements that came to share a name, and entities that came to have two IDs.
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
    // The elements of ours come first, so that the pair reads ours, theirs.
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

  /// Tells relations whose target one side removed while the other side pointed there.
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
        // A target that neither side has was missing before, and is not for a merge to mend.
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
