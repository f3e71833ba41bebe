// Traits of elements in reports. Those of properties are in `PropertyTraits.swift`.

/// How reports describe an element that was added or removed.
package struct ElementLife {
  typealias Change = (kind: ModelDifference.Kind, effect: DataEffect)

  /// The element in a few words.
  var words: String
  /// Words that introduce a new element; nil for an index, which is reported as a trait of its
  /// entity.
  var novelty: String?
  /// Name of an index as a trait of its entity.
  var subject = ""
  var added: Change
  var removed: Change
  /// Effect of a removal when another element has taken the ID; nil when there is no difference.
  var replaced: DataEffect?
  /// Effect of a removal when another element has taken the name; nil when there is no difference.
  var reset: DataEffect?
}

extension ModelElement {
  package static var quoting: Quoting { .never }

  package func title(of owner: String?) -> String { Self.kind.title(name, of: owner) }

  package static func sentence(_ subject: String, _ title: String, _ was: String, _ is: String)
    -> String
  {
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
  package static func sentence(_ subject: String, _ title: String, _ was: String, _ is: String)
    -> String
  {
    switch subject {
    case "name": "\(title) was named \(was)"
    case "ID": "\(title) had ID \(was), and has ID \(`is`)"
    default: "\(title) had the \(subject) \(was), and has \(`is`)"
    }
  }

  package func life(in side: ModelSide) -> ElementLife {
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
  package static let quoting = Quoting.inText

  package func life(in side: ModelSide) -> ElementLife {
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
  package func targetName(of relation: Relation) -> String {
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
  fileprivate static let subject = "index over several properties"

  /// An index has no name.
  package var name: String { "" }

  /// UIDs of the indexed properties, which identify the index.
  package var propertyUIDs: [UInt64] { propertyIDs.map(\.uid) }

  package func title(of owner: String?) -> String { ElementKind.entity.title(owner ?? "") }

  package func life(in side: ModelSide) -> ElementLife {
    ElementLife(
      words: words(in: side),
      subject: Self.subject,
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

// MARK: Full-text indexes

extension ModelTrait<ModelDocument.FullTextIndex> {
  /// The index's properties and its settings.
  static let fullTextIndex = Self(difference: { pair in
    let (old, new) = (pair.old, pair.new)
    let isSame = old.id.id == new.id.id && old.propertyUIDs == new.propertyUIDs
    if isSame, old.settings == new.settings { return nil }
    return pair.difference(
      isSame ? .indexChanged : .indexReplaced,
      old.words(in: pair.before),
      new.words(in: pair.after),
      old.subject,
      .indexRebuilt
    )
  })
}

extension ModelDocument.FullTextIndex {
  /// Everything that decides the content of the index, besides its properties.
  package struct Settings: Hashable {
    var weights: [UInt8]
    var language: String?
    var prefixLengths: [UInt8]
    var diacritics: Diacritics?
    var k1: Double?
    var b: Double?

    package var words: String {
      var words: [String] = []
      if !weights.isEmpty { words.append("weights \(list(weights))") }
      if let language { words.append("language \(language)") }
      if !prefixLengths.isEmpty { words.append("prefixes of \(list(prefixLengths))") }
      if diacritics == .keep { words.append("with diacritics") }
      if let k1 { words.append("k1 \(k1)") }
      if let b { words.append("b \(b)") }
      return words.joined(separator: ", ")
    }

    private func list(_ numbers: [UInt8]) -> String {
      numbers.map { "\($0)" }.joined(separator: " ")
    }
  }

  package var settings: Settings {
    get {
      Settings(
        weights: weights,
        language: language,
        prefixLengths: prefixLengths,
        diacritics: diacritics,
        k1: k1,
        b: b
      )
    }
    set {
      (weights, language, prefixLengths) = (
        newValue.weights, newValue.language, newValue.prefixLengths
      )
      (diacritics, k1, b) = (newValue.diacritics, newValue.k1, newValue.b)
    }
  }

  package var name: String { givenName ?? "" }

  /// UIDs of the indexed properties, which identify the index together with its name.
  package var propertyUIDs: [UInt64] { propertyIDs.map(\.uid) }

  fileprivate var subject: String {
    givenName.map { "full-text index '\($0)'" } ?? "full-text index"
  }

  package func title(of owner: String?) -> String { ElementKind.entity.title(owner ?? "") }

  package func life(in side: ModelSide) -> ElementLife {
    ElementLife(
      words: words(in: side),
      subject: subject,
      added: (.indexAdded, .indexAdded),
      removed: (.indexRemoved, .indexRemoved)
    )
  }

  fileprivate func words(in side: ModelSide) -> String {
    let properties = side.owner?.properties ?? []
    let names = propertyIDs.map { "'\(properties[uid: $0.uid]?.name ?? "\($0.id)")'" }
    let settings = settings.words
    return (names + (settings.isEmpty ? [] : [settings])).joined(separator: ", ")
  }
}
