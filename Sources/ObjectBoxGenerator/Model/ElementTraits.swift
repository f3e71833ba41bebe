// The traits of elements whose words depend on more than one value, and how elements come and go.

extension ModelTrait where Node: ModelElement {
  /// An external name and type.
  static func external(_ path: Path<ExternalTrait>, _ kind: ModelDifference.Kind) -> Self {
    .value("external name or type", path, kind, .notStored, words: \.words)
  }
}

extension ModelElement {
  static func sentence(
    _ subject: String,
    of title: String,
    _ before: String?,
    _ after: String?
  ) -> String {
    "the \(subject) of \(title) was \(before ?? "none"), and is \(after ?? "none")"
  }

  /// The effect of a removal, which is worse when another element takes over the ID or the name.
  fileprivate func effectOfRemoval(
    leaving others: [Self],
    replaced: DataEffect,
    reset: DataEffect,
    removed: DataEffect
  ) -> DataEffect {
    others.contains { $0.id.id == id.id } ? replaced : others[name: name] == nil ? removed : reset
  }
}

// MARK: Entities

extension ModelDocument.Entity {
  static func sentence(
    _ subject: String,
    of title: String,
    _ before: String?,
    _ after: String?
  ) -> String {
    let (was, becomes) = (before ?? "none", after ?? "none")
    return switch subject {
    case "name": "\(title) was named '\(was)'"
    case "ID": "\(title) had ID \(was), and has ID \(becomes)"
    case "flags": "\(title) had the flags \(was), and has \(becomes)"
    default:
      "\(title) had the \(subject) \(PropertyWords.quoted(before)), and has "
        + PropertyWords.quoted(after)
    }
  }

  func added(in models: ComparedModels) -> ModelDifference {
    let count = properties.count.counted("property", "properties")
    let text = "\(title()) is new, with \(count)"
    return models.difference(of: self, .entityAdded, nil, name, text, .entityAdded)
  }

  func removed(in models: ComparedModels) -> ModelDifference {
    let effect = effectOfRemoval(
      leaving: models.new.entities,
      replaced: .entityReplaced,
      reset: .entityReset,
      removed: .entityRemoved
    )
    return models.difference(of: self, .entityRemoved, name, nil, "\(title()) is gone", effect)
  }
}

// MARK: Relations

extension ModelTrait<ModelDocument.Relation> {
  static let target = Self(difference: { pair in
    guard pair.old.targetID.uid != pair.new.targetID.uid else { return nil }
    return pair.difference(
      .relationTarget,
      pair.models.old.targetName(of: pair.old),
      pair.models.new.targetName(of: pair.new),
      "target",
      .relationTarget
    )
  }).merging("target", \.targetID.uid) { uid, names in names[uid].map { "'\($0)'" } }
}

extension ModelDocument.Relation {
  var external: ExternalTrait {
    get { ExternalTrait(name: externalName, type: externalType) }
    set { (externalName, externalType) = (newValue.name, newValue.type) }
  }

  static func sentence(
    _ subject: String,
    of title: String,
    _ before: String?,
    _ after: String?
  ) -> String {
    "the \(subject) of \(title) was \(PropertyWords.quoted(before)), and is "
      + PropertyWords.quoted(after)
  }

  func added(in models: ComparedModels) -> ModelDifference {
    let target = models.new.targetName(of: self)
    let text = "\(models.title(of: self)) is new, to '\(target)'"
    return models.difference(of: self, .relationAdded, nil, target, text, .relationAdded)
  }

  func removed(in models: ComparedModels) -> ModelDifference {
    let target = models.old.targetName(of: self)
    let text = "\(models.title(of: self)) is gone"
    return models.difference(of: self, .relationRemoved, target, nil, text, .relationRemoved)
  }
}

extension ModelDocument {
  /// The name of a relation's target, or its UID when the model has no such entity.
  func targetName(of relation: Relation) -> String {
    entities[uid: relation.targetID.uid]?.name ?? "UID \(relation.targetID.uid)"
  }
}

// MARK: Indexes over several properties

extension ModelTrait<ModelDocument.CompoundIndex> {
  /// The properties of the index and whether it is unique.
  static let compoundIndex = Self(difference: { pair in
    let (old, new) = (pair.old, pair.new)
    func changed(_ kind: ModelDifference.Kind, _ effect: DataEffect) -> ModelDifference {
      new.difference(in: pair.models, kind, from: old, to: new, effect)
    }
    if old.isUnique != new.isUnique {
      return new.isUnique
        ? changed(.uniqueAdded, .uniqueAdded) : changed(.uniqueRemoved, .uniqueRemoved)
    }
    let isSame = old.id.id == new.id.id && old.propertyUIDs == new.propertyUIDs
    return isSame ? nil : changed(.indexReplaced, .indexRebuilt)
  })
}

extension ModelDocument.CompoundIndex {
  /// An index has no name.
  var name: String { "" }

  /// The UIDs of its properties; an index over others is another one.
  var propertyUIDs: [UInt64] { propertyIDs.map(\.uid) }

  func added(in models: ComparedModels) -> ModelDifference {
    isUnique
      ? difference(in: models, .uniqueAdded, from: nil, to: self, .uniqueAdded)
      : difference(in: models, .indexAdded, from: nil, to: self, .indexAdded)
  }

  func removed(in models: ComparedModels) -> ModelDifference {
    isUnique
      ? difference(in: models, .uniqueRemoved, from: self, to: nil, .uniqueDropped)
      : difference(in: models, .indexRemoved, from: self, to: nil, .indexRemoved)
  }

  fileprivate func difference(
    in models: ComparedModels,
    _ kind: ModelDifference.Kind,
    from old: Self?,
    to new: Self?,
    _ effect: DataEffect
  ) -> ModelDifference {
    let before = old?.words(in: models.owner?.old)
    let after = new?.words(in: models.owner?.new)
    let title = "entity '\(models.owner?.new.name ?? "")'"
    let text = Self.sentence("index over several properties", of: title, before, after)
    return models.difference(of: self, kind, before, after, text, effect)
  }

  private func words(in entity: ModelDocument.Entity?) -> String {
    let names = propertyIDs.map { "'\(entity?.properties[uid: $0.uid]?.name ?? "\($0.id)")'" }
    return names.joined(separator: ", ") + (isUnique ? ", unique together" : "")
  }
}

// MARK: Properties

extension ModelDocument.Property {
  var external: ExternalTrait {
    get { ExternalTrait(name: externalName, type: externalType) }
    set { (externalName, externalType) = (newValue.name, newValue.type) }
  }

  func added(in models: ComparedModels) -> ModelDifference {
    let type = PropertyWords.type(self)
    let text = "\(models.title(of: self)) is new, of type \(type)"
    return models.difference(of: self, .propertyAdded, nil, type, text, .propertyAdded)
  }

  func removed(in models: ComparedModels) -> ModelDifference {
    let effect = effectOfRemoval(
      leaving: models.owner?.new.properties ?? [],
      replaced: .propertyReplaced,
      reset: .propertyReset,
      removed: .propertyRemoved
    )
    let text = "\(models.title(of: self)) is gone"
    let type = PropertyWords.type(self)
    return models.difference(of: self, .propertyRemoved, type, nil, text, effect)
  }
}
