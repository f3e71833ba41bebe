package import ObjectBoxJSON

/// A JSON object of a model file: the model itself or an element of it.
package protocol ModelNode: Hashable, Sendable {
  /// The declaration of the node in the sources.
  associatedtype Declaration = Never

  static var table: ModelTable<Self> { get }

  init()

  /// Checks the node when its own attributes are read, before its elements are.
  func check(_ json: JSONValue, _ reader: inout ModelReader)

  /// Checks the node when its elements are read.
  func checkElements(_ json: JSONValue, _ reader: inout ModelReader)
}

extension ModelNode {
  package func check(_ json: JSONValue, _ reader: inout ModelReader) {}

  package func checkElements(_ json: JSONValue, _ reader: inout ModelReader) {}

  /// Takes the attributes from a declaration in the sources.
  mutating func take(_ declaration: Declaration) {
    for attribute in Self.table.attributes { attribute.take(declaration, &self) }
  }

  /// Replaces every ID of the node and its elements.
  package mutating func mapIDs(_ transform: (ModelIDUse, ModelID) -> ModelID) {
    for attribute in Self.table.attributes { attribute.mapIDs(&self, transform) }
  }

  /// IDs of all elements of a kind, including this node.
  package func ids(of kind: ElementKind) -> [ModelID] {
    var copy = self
    var ids: [ModelID] = []
    copy.mapIDs { use, id in
      if use == .own(kind) { ids.append(id) }
      return id
    }
    return ids
  }
}

/// The attributes of one type of nodes.
package struct ModelTable<Node: ModelNode>: Sendable {
  /// Attributes in the order of reports.
  package let attributes: [ModelAttribute<Node>]
  /// Attributes in the order of the file.
  private(set) var members: [ModelAttribute<Node>]

  init(_ attributes: [ModelAttribute<Node>]) {
    self.attributes = attributes
    members = attributes
  }

  /// Returns the table with the given keys first in the file, in ObjectBox's order; other keys
  /// follow.
  func laidOut(_ keys: String) -> Self {
    let keys = keys.split(separator: " ").map(String.init)
    var table = self
    table.members = keys.compactMap { key in attributes.first { $0.key == key } }
    table.members += attributes.filter { !keys.contains($0.key) }
    return table
  }
}

/// An attribute of a node of the model file.
///
/// Its row in a ``ModelTable`` drives the reader, the writer, the synchronisation with the sources, the
/// comparison and the merge.
package struct ModelAttribute<Node: ModelNode>: Sendable {
  typealias Path<Value> = any WritableKeyPath<Node, Value> & Sendable
  typealias Source<Value> = @Sendable (Node.Declaration) -> Value

  let key: String
  /// True when a node without the key is an error.
  var isRequired = false
  /// True for a list of elements, which are read after all other attributes.
  var isList = false
  /// Reads the value into the node; returns false and reports a finding when it has another form.
  let read: @Sendable (JSONValue, inout Node, inout ModelReader) -> Bool
  /// Value in the file; nil when the key is left out.
  let value: @Sendable (Node) -> ModelValue?
  var mapIDs: @Sendable (inout Node, (ModelIDUse, ModelID) -> ModelID) -> Void = { _, _ in }
  /// Takes the value from a declaration.
  var take: @Sendable (Node.Declaration, inout Node) -> Void = { _, _ in }
  /// Traits of the attribute in reports and merges.
  package var traits: [ModelTrait<Node>] = []

  /// Makes an attribute that is left out of the file when it has the `usual` value.
  init<Value: Equatable & Sendable>(
    _ key: String,
    _ path: Path<Value>,
    _ codec: ModelCodec<Value>,
    usual: Value? = nil,
    isRequired: Bool = false,
    from source: Source<Value>? = nil,
    _ traits: [ModelTrait<Node>] = []
  ) {
    self.key = key
    self.isRequired = isRequired
    self.traits = traits
    read = { json, node, reader in
      guard let value = codec.read(json, key, &reader) else { return false }
      node[keyPath: path] = value
      return true
    }
    value = { $0[keyPath: path] == usual ? nil : codec.value($0[keyPath: path]) }
    mapIDs = { node, transform in
      node[keyPath: path] = codec.mapIDs(node[keyPath: path], transform)
    }
    if let source {
      take = { declaration, node in node[keyPath: path] = source(declaration) }
    }
  }

  /// Makes an attribute that is nil for the `usual` value and then left out of the file.
  init<Value: Equatable & Sendable>(
    _ key: String,
    optional path: Path<Value?>,
    _ codec: ModelCodec<Value>,
    usual: Value? = nil,
    from source: Source<Value?>? = nil,
    _ traits: [ModelTrait<Node>] = []
  ) {
    self.init(key, path, codec.optional(usual), from: source, traits)
  }

  /// Makes a list of elements.
  init<Element: ModelElement>(
    _ key: String,
    elements path: Path<[Element]>,
    isOmittedWhenEmpty: Bool = false
  ) {
    self.key = key
    isList = true
    read = { json, node, reader in
      let elements = reader.elements(json, of: key).compactMap { reader.node($0) as Element? }
      node[keyPath: path] = elements
      return true
    }
    value = { node in
      let elements = node[keyPath: path].sortedByID
      return elements.isEmpty && isOmittedWhenEmpty ? nil : .list(elements.map(ModelValue.init))
    }
    mapIDs = { node, transform in
      for index in node[keyPath: path].indices { node[keyPath: path][index].mapIDs(transform) }
      node[keyPath: path].sort { ($0.id.id, $0.id.uid) < ($1.id.id, $1.id.uid) }
    }
    traits = [ModelTrait { $0.differences(in: path) }]
  }

  /// Makes a member that is the same in all files.
  init(_ key: String, _ constant: ModelValue) {
    self.key = key
    read = { _, _, _ in true }
    value = { _ in constant }
  }

  /// Makes the attribute of a last ID.
  static func last(
    _ kind: ElementKind,
    _ path: Path<ModelID>,
    of entity: (@Sendable (Node) -> String)? = nil
  ) -> Self {
    Self(kind.lastKey, path, .id(.last(kind)), [.last(kind, path, of: entity)])
  }
}

extension ModelAttribute where Node: ModelElement {
  /// Makes the attribute of the element's ID.
  static func id(
    _ moved: ModelDifference.Kind,
    effect: @escaping @Sendable (ModelPair<Node>) -> DataEffect
  ) -> Self {
    let trait = ModelTrait<Node>.number(moved, effect: effect)
    return Self("id", \.id, .id(.own(Node.kind)), isRequired: true, [trait])
  }

  /// Makes the attribute of the element's name.
  static func name(
    _ path: Path<String>,
    from source: @escaping Source<String>,
    _ renamed: ModelDifference.Kind,
    _ quoting: Quoting = .inText
  ) -> Self {
    let trait = ModelTrait.value("name", path, renamed, .name, quoting) { $0 }
    return Self("name", path, .text, isRequired: true, from: source, [trait])
  }

  /// Makes the attribute of a delete rule at one end of a relation.
  static func deleteRule(
    _ key: String,
    _ path: Path<SchemaDeleteRule?>,
    from source: @escaping Source<SchemaDeleteRule?>
  ) -> Self {
    let trait = ModelTrait.value("onDelete", path, .deleteRule, .deleteRule) {
      ($0 ?? .nullify).rawValue
    }
    return Self(key, optional: path, .word, usual: .nullify, from: source, [trait])
  }
}
