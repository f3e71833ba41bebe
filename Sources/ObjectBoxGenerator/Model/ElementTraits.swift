// Traits of elements in reports. Those of properties are in `PropertyTraits.swift`.

/// How reports describe an element that was added or removed.
struct ElementLife {
  typealias Change = (kind: ModelDifference.Kind, effect: DataEffect)

  /// The element in a few words.
  var words: String
  /// Words that introduce a new element; nil for an index, which is reported as a trait of its
  /// entity.
  var novelty: String?
  var added: Change
  var removed: Change
  /// Effect of a removal when another element has taken the ID; nil when there is no difference.
  var replaced: DataEffect?
  /// Effect of a removal when another element has taken the name; nil when there is no difference.
  var reset: DataEffect?
}

extension ModelElement {
  static var quoting: Quoting { .never }

  func title(of owner: String?) -> String { Self.kind.title(name, of: owner) }

  static func sentence(_ subject: String, _ title: String, _ was: String, _ is: String) -> String {
    "the \(subject) of \(title) was \(was), and is \(`is`)"
  }
}

extension ModelTrait where Node: ExternallyNamed {
  static var external: Self {
    .value("external name or type", \.external, Node.externalKind, .notStored, words: \.words)
  }
}

// MARK: Entities

extension ModelTrait<ModelDocument.Entity> {
  static let flags = value("flags", \.flags, .entityFlags, .notStored, words: FlagNames.words)
    .merging(flags: \.flags)

  static let external =
    value("external name", \.externalName, .entityExternalName, .notStored, .inText) { $0 }
}

extension ModelDocument.Entity {
  static func sentence(_ subject: String, _ title: String, _ was: String, _ is: String) -> String {
    switch subject {
    case "name": "\(title) was named \(was)"
    case "ID": "\(title) had ID \(was), and has ID \(`is`)"
    default: "\(title) had the \(subject) \(was), and has \(`is`)"
    }
  }

  func life(in side: ModelSide) -> ElementLife {
    ElementLife(
      words: name,
      novelty: "with \(properties.count.counted("property", "properties"))",
      added: (.entityAdded, .entityAdded),
      removed: (.entityRemoved, .entityRemoved),
      replaced: .entityReplaced,
      reset: .entityReset
    )
  }
}

// MARK: Relations

extension ModelTrait<ModelDocument.Relation> {
  static let target = Self(difference: { pair in
    guard pair.old.targetID.uid != pair.new.targetID.uid else { return nil }
    let (old, new) = (pair.before.model, pair.after.model)
    let (was, becomes) = (old.targetName(of: pair.old), new.targetName(of: pair.new))
    return pair.difference(.relationTarget, was, becomes, "target", .relationTarget)
  }).merging("target", \.targetID.uid) { uid, names in names[uid].map { "'\($0)'" } }
}

extension ModelDocument.Relation: ExternallyNamed {
  static let externalKind = ModelDifference.Kind.relationExternal
  static let quoting = Quoting.inText

  func life(in side: ModelSide) -> ElementLife {
    let target = side.model.targetName(of: self)
    return ElementLife(
      words: target,
      novelty: "to '\(target)'",
      added: (.relationAdded, .relationAdded),
      removed: (.relationRemoved, .relationRemoved)
    )
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
  /// The index's properties and its uniqueness.
  static let compoundIndex = Self(difference: { pair in
    let (old, new) = (pair.old, pair.new)
    func changed(_ kind: ModelDifference.Kind, _ effect: DataEffect) -> ModelDifference {
      let (was, becomes) = (old.words(in: pair.before), new.words(in: pair.after))
      return pair.difference(kind, was, becomes, ModelDocument.CompoundIndex.subject, effect)
    }
    if new.isUnique, !old.isUnique { return changed(.uniqueAdded, .uniqueAdded) }
    if old.isUnique, !new.isUnique { return changed(.uniqueRemoved, .uniqueRemoved) }
    let isSame = old.id.id == new.id.id && old.propertyUIDs == new.propertyUIDs
    return isSame ? nil : changed(.indexReplaced, .indexRebuilt)
  })
}

extension ModelDocument.CompoundIndex {
  static let subject = "index over several properties"

  /// An index has no name.
  var name: String { "" }

  /// UIDs of the indexed properties, which identify the index.
  var propertyUIDs: [UInt64] { propertyIDs.map(\.uid) }

  func title(of owner: String?) -> String { ElementKind.entity.title(owner ?? "") }

  func life(in side: ModelSide) -> ElementLife {
    ElementLife(
      words: words(in: side),
      added: isUnique ? (.uniqueAdded, .uniqueAdded) : (.indexAdded, .indexAdded),
      removed: isUnique ? (.uniqueRemoved, .uniqueDropped) : (.indexRemoved, .indexRemoved)
    )
  }

  fileprivate func words(in side: ModelSide) -> String {
    let properties = side.owner?.properties ?? []
    let names = propertyIDs.map { "'\(properties[uid: $0.uid]?.name ?? "\($0.id)")'" }
    return names.joined(separator: ", ") + (isUnique ? ", unique together" : "")
  }
}
