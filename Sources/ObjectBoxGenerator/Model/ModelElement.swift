/// A kind of elements with IDs of their own.
enum ElementKind: String, CaseIterable, Sendable {
  case entity, index, property, relation

  private var word: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

  /// The key of the last ID, in the model or, for properties, in the entity.
  var lastKey: String { "last\(word)Id" }

  /// The key of the UIDs of removed elements.
  var retiredKey: String { "retired\(word)Uids" }

  /// The last ID in the model; nil for properties.
  var last: WritableKeyPath<ModelDocument, ModelID>? { paths.last }

  /// The UIDs of removed elements, which never come back.
  var retired: WritableKeyPath<ModelDocument, [UInt64]> { paths.retired }

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

  /// An element in words for findings.
  func title(_ name: String, of owner: String? = nil) -> String {
    "\(self) '\(name)'" + (owner.map { " of entity '\($0)'" } ?? "")
  }
}

/// The use of an ID in the model.
enum ModelIDUse: Equatable {
  /// The ID of the element itself.
  case own(ElementKind)
  /// The ID of another element.
  case reference(ElementKind)
  /// The last ID that was given to an element of a kind.
  case last(ElementKind)

  var kind: ElementKind {
    switch self {
    case .own(let kind), .reference(let kind), .last(let kind): kind
    }
  }
}

/// An element of a model: an entity, a part of one, or an index over several properties.
protocol ModelElement: ModelNode {
  static var kind: ElementKind { get }

  var id: ModelID { get set }
  /// The name in the database; empty for an index.
  var name: String { get }
  /// The usual quoting of its traits.
  static var quoting: Quoting { get }

  /// The element in words for findings, with the name of its entity.
  func title(of owner: String?) -> String

  func life(in side: ModelSide) -> ElementLife

  /// Returns the sentence about a changed trait.
  static func sentence(_ subject: String, _ title: String, _ was: String, _ is: String) -> String
}

/// The use of quotes around the words of a trait, in reports for programs and in sentences.
enum Quoting {
  case never, inText, always
}

extension ModelElement {
  /// The element without its numbers, which cause no conflict.
  var content: Self {
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

  /// The name and type in one text; nil when there is neither.
  var words: String? {
    let type = type.map { "type " + (ExternalTypeRule.name(of: $0) ?? "\($0)") }
    let words = [name, type].compactMap { $0 }
    return words.isEmpty ? nil : words.joined(separator: ", ")
  }
}

extension Array where Element: ModelElement {
  var sortedByID: Self { sorted { $0.id.id < $1.id.id } }

  /// The element with a UID.
  subscript(uid uid: UInt64?) -> Element? { first { $0.id.uid == uid } }

  /// The element with a name, where case does not count, as in the database.
  subscript(name name: String?) -> Element? {
    let name = name?.lowercased()
    return first { $0.name.lowercased() == name }
  }
}
