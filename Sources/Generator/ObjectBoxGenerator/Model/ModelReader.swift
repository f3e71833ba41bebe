internal import ObjectBoxJSON

/// Reads a model from JSON and collects findings.
package struct ModelReader {
  private static let oldestVersion = 4

  let path: String
  var checks = ModelChecks()
  private(set) var diagnostics: [Diagnostic] = []

  init(path: String) {
    self.path = path
  }

  mutating func read(_ root: JSONValue) -> ModelDocument? {
    guard root.isObject else {
      report(.modelUnreadable("it is \(root.kind), not an object"), at: root.position)
      return nil
    }
    guard checkVersions(root) else { return nil }
    let model: ModelDocument? = node(root)
    diagnostics += checks.diagnostics
    return model
  }

  /// Reads a node and its elements; returns nil after a finding.
  mutating func node<Node: ModelNode>(_ json: JSONValue) -> Node? {
    var node = Node()
    let members = Node.table.members
    for member in members where member.isRequired {
      guard let value = json[member.key] else {
        report(.missingKey(member.key), at: json.position)
        return nil
      }
      guard member.read(value, &node, &self) else { return nil }
    }
    for isList in [false, true] {
      for member in members where !member.isRequired && member.isList == isList {
        if let value = json[member.key] { _ = member.read(value, &node, &self) }
      }
      isList ? node.checkElements(json, &self) : node.check(json, &self)
    }
    return node
  }

  mutating func elements(_ value: JSONValue, of key: String) -> [JSONValue] {
    guard let elements = value.elements else {
      report(.wrongValue(key, expected: "an array", found: value.kind), at: value.position)
      return []
    }
    return elements
  }

  mutating func report(_ message: DiagnosticMessage, at position: SourcePosition) {
    diagnostics.append(Diagnostic(message, at: position))
  }

  private mutating func checkVersions(_ root: JSONValue) -> Bool {
    if let version = root["modelVersion"] {
      guard let number = version.integer(Int.self), number >= Self.oldestVersion else {
        report(.modelVersion(found: version.kind, oldest: Self.oldestVersion), at: version.position)
        return false
      }
    }
    let known = ModelDocument.version
    if let minimum = root["modelVersionParserMinimum"], let number = minimum.integer(Int.self),
      number > known
    {
      report(.modelTooNew(needs: number, known: known), at: minimum.position)
      return false
    }
    return true
  }
}

extension DiagnosticMessage {
  static func modelVersion(found: String, oldest: Int) -> Self {
    "the model file has version \(found), and the oldest that can be read is \(oldest); update it "
      + "with the generator that wrote it"
  }

  static func modelTooNew(needs: Int, known: Int) -> Self {
    "the model file asks for a generator that knows version \(needs), this one knows \(known); use "
      + "a newer generator"
  }

  static func noSuchIndexedProperty(_ id: ModelID, entity: String) -> Self {
    modelUnreadable("an index of '\(entity)' is over property \(id), which is missing")
  }

  static func missingKey(_ key: String) -> Self {
    modelUnreadable("the key \"\(key)\" is missing")
  }

  static func wrongValue(_ key: String, expected: String, found: String) -> Self {
    modelUnreadable("the \(key) is \(found), and \(expected) is expected")
  }
}
