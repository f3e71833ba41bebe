extension MergeRun {
  /// What a UID stands for.
  private struct Meaning: Equatable {
    var kind: String
    var owner: UInt64
    var title: String
    var name: String
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
      report(
        .mergeSameUID(uid, ours: own.title, theirs: their.title),
        at: places.place(of: uid)
      )
    }
  }

  /// Relations are left out: files in which a property and a relation share a UID exist.
  private func meanings(in model: ModelDocument) -> [UInt64: Meaning] {
    var meanings: [UInt64: Meaning] = [:]
    for entity in model.entities {
      meanings[entity.id.uid] = Meaning(
        kind: "entity",
        owner: 0,
        title: "entity '\(entity.name)'",
        name: entity.name
      )
      for property in entity.properties {
        meanings[property.id.uid] = Meaning(
          kind: "property",
          owner: entity.id.uid,
          title: "property '\(property.name)' of entity '\(entity.name)'",
          name: property.name
        )
      }
    }
    return meanings
  }

  /// Tells elements that came to share a name, and entities that came to have two IDs.
  mutating func checkNames(of model: ModelDocument) {
    checkNames(of: model.entities, title: { "entity '\($0)'" }, ours: ours.entities)
    for entity in model.entities {
      let own = ours.entities.first { $0.id.uid == entity.id.uid }
      checkNames(
        of: entity.properties,
        title: { "property '\($0)' of entity '\(entity.name)'" },
        ours: own?.properties ?? []
      )
      checkNames(
        of: entity.relations,
        title: { "relation '\($0)' of entity '\(entity.name)'" },
        ours: own?.relations ?? []
      )
      let ids = entity.properties.filter { $0.flags.contains(.id) }
      let most = [ours, theirs].map { side in
        side.entities.first { $0.id.uid == entity.id.uid }?.properties
          .filter { $0.flags.contains(.id) }.count ?? 0
      }.max()
      if ids.count > max(1, most ?? 0) {
        report(.mergeTwoIDs(entity.name, ids.map(\.name)), at: places.place(of: entity.id.uid))
      }
    }
  }

  private mutating func checkNames(
    of elements: [some ModelElement],
    title: (String) -> String,
    ours: [some ModelElement]
  ) {
    let own = Set(ours.map(\.id.uid))
    var first: [String: UInt64] = [:]
    // Those of ours come first, so that the pair reads ours, theirs.
    let ordered =
      elements.filter { own.contains($0.id.uid) }
      + elements.filter { !own.contains($0.id.uid) }
    for element in ordered {
      if let earlier = first.updateValue(element.id.uid, forKey: element.name.lowercased()) {
        report(
          .mergeSameName(title(element.name), ours: earlier, theirs: element.id.uid),
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
          ("property '\(property.name)' of entity '\(entity.name)'", property.id.uid, $0)
        }
      }
      let relations = entity.relations.map { relation in
        (
          "relation '\(relation.name)' of entity '\(entity.name)'", relation.id.uid,
          relation.targetID.uid
        )
      }
      for (title, uid, target) in properties + relations where !living.contains(target) {
        // A target that neither side has was missing before, and is not for a merge to mend.
        let known = (ours.entities + theirs.entities).first { $0.id.uid == target }
        guard let name = known?.name else { continue }
        report(
          .mergeLostTarget(title, target: name),
          at: places.place(of: uid, entity.id.uid)
        )
      }
    }
  }
}
