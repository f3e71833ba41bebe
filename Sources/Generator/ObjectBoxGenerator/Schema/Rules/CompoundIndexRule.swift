internal import ObjectBoxCommandLine

/// Indexes over several properties, for the annotations `uniqueTogether` and `indexTogether` of a
/// type.
enum CompoundIndexRule {
  static let names = ["indexTogether", "uniqueTogether"]

  /// Returns the indexes, each with at least two properties.
  ///
  /// Indexes of `indexTogether` come first, then in the order of the annotations.
  static func indexes(
    of type: ParsedType,
    over properties: [SchemaProperty]
  ) -> (indexes: [SchemaCompoundIndex], diagnostics: [Diagnostic]) {
    var indexes: [SchemaCompoundIndex] = []
    var diagnostics: [Diagnostic] = []
    for name in names {
      guard let first = type.annotations[name] else { continue }
      for item in [first] + first.others {
        guard let lists = lists(item.value) else {
          let message = DiagnosticMessage.invalidTogether(name, entity: type.qualifiedName)
          diagnostics.append(Diagnostic(message, at: item.valuePlace))
          continue
        }
        for list in lists {
          var faults = faults(of: list, name, over: properties, entity: type.qualifiedName)
          if indexes.contains(where: { $0.properties == list }) {
            faults.append(.repeatedTogether(list, entity: type.qualifiedName))
          }
          diagnostics += faults.map { Diagnostic($0, at: item.valuePlace) }
          guard faults.isEmpty else { continue }
          let isUnique = name == "uniqueTogether"
          indexes.append(.init(properties: list, isUnique: isUnique, position: item.position))
        }
      }
    }
    return (indexes, diagnostics)
  }

  /// Reads one list of names or a list of such lists; nil for other values.
  private static func lists(_ value: AnnotationValue) -> [[String]]? {
    guard case .list(let elements) = value, !elements.isEmpty else { return nil }
    if let list = texts(value) { return [list] }
    let lists = elements.compactMap(texts)
    return lists.count == elements.count ? lists : nil
  }

  /// Reads a list of names; nil for other values.
  private static func texts(_ value: AnnotationValue) -> [String]? {
    guard case .list(let elements) = value else { return nil }
    let texts = elements.compactMap { if case .text(let text) = $0 { text } else { nil } }
    return texts.count == elements.count ? texts : nil
  }

  private static func faults(
    of list: [String],
    _ annotation: String,
    over properties: [SchemaProperty],
    entity: String
  ) -> [DiagnosticMessage] {
    let title = "the \(annotation) of entity '\(entity)'"
    var faults: [DiagnosticMessage] = []
    if list.count < 2 { faults.append(.shortTogether(annotation, entity: entity)) }
    for (place, name) in list.enumerated() {
      if list[..<place].contains(name) {
        faults.append(.twiceTogether(title, name))
        continue
      }
      guard let property = properties.first(where: { $0.name == name }) else {
        let nearest = EditDistance.nearest(to: name, in: Set(properties.map(\.name)))
        faults.append(.unknownTogether(title, name, nearest: nearest))
        continue
      }
      if property.isID {
        faults.append(.idTogether(title, name))
      } else if !IndexRule.supportsIndex(property) {
        faults.append(.typeTogether(title, property))
      }
    }
    return faults
  }
}

extension DiagnosticMessage {
  static func invalidTogether(_ annotation: String, entity: String) -> Self {
    "the \(annotation) of entity '\(entity)' is no list of property names; write "
      + "`\(annotation) = [\"a\", \"b\"]`, or one such annotation for each list"
  }

  static func shortTogether(_ annotation: String, entity: String) -> Self {
    let single = annotation == "uniqueTogether" ? "unique" : "index"
    return "the \(annotation) of entity '\(entity)' names fewer than two properties; annotate a "
      + "single one with `\(single)`"
  }

  static func twiceTogether(_ title: String, _ name: String) -> Self {
    "\(title) names '\(name)' twice; remove one"
  }

  static func unknownTogether(_ title: String, _ name: String, nearest: String?) -> Self {
    let advice = nearest.map { "did you mean '\($0)'?" } ?? "name a stored property or a ToOne"
    return "\(title) names '\(name)', which is no property of it; \(advice)"
  }

  static func idTogether(_ title: String, _ name: String) -> Self {
    "\(title) names its ID '\(name)', which is unique by itself; remove it"
  }

  static func typeTogether(_ title: String, _ property: SchemaProperty) -> Self {
    "\(title) names '\(property.name)' of type '\(property.swiftType)', which cannot have an index; "
      + "remove it"
  }

  static func repeatedTogether(_ names: [String], entity: String) -> Self {
    "entity '\(entity)' has two indexes over \(names.quotedList) by indexTogether or uniqueTogether; "
      + "remove one"
  }
}
