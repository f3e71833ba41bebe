/// A kind of elements with IDs of their own.
enum ElementKind: String, CaseIterable, Sendable {
  case entity, index, property, relation

  /// The words that findings call an element.
  func title(_ name: String, of owner: String? = nil) -> String {
    "\(self) '\(name)'" + (owner.map { " of entity '\($0)'" } ?? "")
  }

  private var word: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }

  /// The key of the last ID, in the model or, for properties, in the entity.
  var lastKey: String { "last\(word)Id" }

  /// The key of the UIDs of removed elements.
  var retiredKey: String { "retired\(word)Uids" }

  /// The last ID in the model; nil for properties.
  var last: WritableKeyPath<ModelDocument, ModelID>? {
    switch self {
    case .entity: \.lastEntityID
    case .index: \.lastIndexID
    case .property: nil
    case .relation: \.lastRelationID
    }
  }

  /// The UIDs of removed elements, which never come back.
  var retired: WritableKeyPath<ModelDocument, [UInt64]> {
    switch self {
    case .entity: \.retiredEntityUIDs
    case .index: \.retiredIndexUIDs
    case .property: \.retiredPropertyUIDs
    case .relation: \.retiredRelationUIDs
    }
  }
}

/// The use of an ID where it stands.
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

  /// The difference of a model that has this element in addition.
  func added(in models: ComparedModels) -> ModelDifference

  /// The difference of a model that lacks this element.
  func removed(in models: ComparedModels) -> ModelDifference

  /// Tells in a sentence that a trait was one thing and is another.
  static func sentence(_ subject: String, of title: String, _ before: String?, _ after: String?)
    -> String
}

extension ModelElement {
  /// The words that findings call the element, given the name of its entity.
  func title(of owner: String? = nil) -> String { Self.kind.title(name, of: owner) }

  /// The element without its numbers, which are no reason for a conflict.
  var content: Self {
    var content = self
    content.mapIDs { use, id in
      if case .last = use { ModelID.none } else { ModelID(id: 0, uid: id.uid) }
    }
    return content
  }
}

extension Array where Element: ModelElement {
  var sortedByID: Self { sorted { $0.id.id < $1.id.id } }

  /// The element with a UID.
  subscript(uid uid: UInt64?) -> Element? { first { $0.id.uid == uid } }

  /// The element with a name, where case does not count, as in the database.
  subscript(name name: String?) -> Element? {
    name.map { $0.lowercased() }.flatMap { name in first { $0.name.lowercased() == name } }
  }
}
