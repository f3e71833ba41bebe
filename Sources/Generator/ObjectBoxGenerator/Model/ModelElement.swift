/// A kind of elements that have IDs.
package enum ElementKind: String, CaseIterable, Sendable {
  case entity, index, property, relation

  private var word: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

  /// Key of the last ID, in the model or, for properties, in the entity.
  var lastKey: String { "last\(word)Id" }

  /// Key of the UIDs of removed elements.
  var retiredKey: String { "retired\(word)Uids" }

  /// Last ID in the model; nil for properties.
  package var last: WritableKeyPath<ModelDocument, ModelID>? { paths.last }

  /// UIDs of removed elements, which are never used again.
  package var retired: WritableKeyPath<ModelDocument, [UInt64]> { paths.retired }

  private typealias Paths = (
    last: WritableKeyPath<ModelDocument, ModelID>?,
    retired: WritableKeyPath<ModelDocument, [UInt64]>
  )

  private var paths: Paths {
    switch self {
    case .entity: (\.lastEntityID, \.retiredEntityUIDs)
    case .index: (\.lastIndexID, \.retiredIndexUIDs)
    case .property: (nil, \.retiredPropertyUIDs)
    case .relation: (\.lastRelationID, \.retiredRelationUIDs)
    }
  }

  /// Describes an element for findings.
  func title(_ name: String, of owner: String? = nil) -> String {
    "\(self) '\(name)'" + (owner.map { " of entity '\($0)'" } ?? "")
  }
}

/// The role of an ID in the model.
package enum ModelIDUse: Equatable {
  /// The ID of the element itself.
  case own(ElementKind)
  /// The ID of another element.
  case reference(ElementKind)
  /// Last ID that was given to an element of a kind.
  case last(ElementKind)

  package var kind: ElementKind {
    switch self {
    case .own(let kind), .reference(let kind), .last(let kind): kind
    }
  }
}

/// An element of a model: an entity, a part of an entity, or an index over several properties.
package protocol ModelElement: ModelNode {
  static var kind: ElementKind { get }

  var id: ModelID { get set }
  /// Name in the database; empty for an index.
  var name: String { get }
  /// Default quoting of its traits.
  static var quoting: Quoting { get }

  /// Describes the element for findings, with the name of its entity.
  func title(of owner: String?) -> String

  func life(in side: ModelSide) -> ElementLife

  /// Returns the sentence about a changed trait.
  static func sentence(_ subject: String, _ title: String, _ was: String, _ is: String) -> String
}

/// The places that quote the words of a trait: reports for programs, sentences, or both.
package enum Quoting {
  case never, inText, always
}

extension ModelElement {
  /// The element without its numbers, which never conflict in a merge.
  package var content: Self {
    var content = self
    content.mapIDs { use, id in
      if case .last = use { ModelID.none } else { ModelID(id: 0, uid: id.uid) }
    }
    return content
  }
}

/// An element with a name and a type for other databases.
protocol ExternallyNamed: ModelElement {
  static var externalKind: ModelDifference.Kind { get }

  var externalName: String? { get set }
  var externalType: UInt16? { get set }
}

extension ExternallyNamed {
  var external: ExternalTrait {
    get { ExternalTrait(name: externalName, type: externalType) }
    set { (externalName, externalType) = (newValue.name, newValue.type) }
  }
}

/// An external name with an external type.
struct ExternalTrait: Hashable, Sendable {
  var name: String?
  var type: UInt16?

  /// Name and type in one text; nil when both are missing.
  var words: String? {
    let type = type.map { "type " + (ExternalTypeRule.name(of: $0) ?? "\($0)") }
    let words = [name, type].compactMap { $0 }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }
}

extension Array where Element: ModelElement {
  package var sortedByID: Self { sorted { $0.id.id < $1.id.id } }

  /// Returns the element with a UID.
  package subscript(uid uid: UInt64?) -> Element? { first { $0.id.uid == uid } }

  /// Returns the element with a name; ignores case, as the database does.
  package subscript(name name: String?) -> Element? {
    let name = name?.lowercased()
    return first { $0.name.lowercased() == name }
  }
}
