/// The indexes over several properties that `uniqueTogether` and `indexTogether` of a type ask for.
enum CompoundIndexRule {
  static let names = ["indexTogether", "uniqueTogether"]

  /// Returns the indexes, each with at least two properties: those of `indexTogether` first, and else in
  /// the order of the annotations, of which there may be several.
  static func indexes(
    of type: ParsedType,
    over properties: [SchemaProperty]
  ) -> (indexes: [SchemaCompoundIndex], diagnostics: [Diagnostic]) {
    var indexes: [SchemaCompoundIndex] = []
    var diagnostics: [Diagnostic] = []
    for name in names {
      guard let first = type.annotations[name] else { continue }
      for item in [first] + first.others {
        add(item, name, of: type, over: properties, to: &indexes, &diagnostics)
      }
    }
    return (indexes, diagnostics)
  }

  /// Adds the indexes that one annotation asks for.
  private static func add(
    _ item: Annotations.Item,
    _ name: String,
    of type: ParsedType,
    over properties: [SchemaProperty],
    to indexes: inout [SchemaCompoundIndex],
    _ diagnostics: inout [Diagnostic]
  ) {
    guard let lists = lists(item.value) else {
      let message = DiagnosticMessage.invalidTogether(name, entity: type.qualifiedName)
      diagnostics.append(Diagnostic(message, at: item.valuePlace))
      return
    }
    for list in lists {
      let faults = faults(of: list, name, over: properties, entity: type.qualifiedName)
      let isRepeated = indexes.contains { $0.properties == list }
      if isRepeated {
        let message = DiagnosticMessage.repeatedTogether(list, entity: type.qualifiedName)
        diagnostics.append(Diagnostic(message, at: item.valuePlace))
      }
      diagnostics += faults.map { Diagnostic($0, at: item.valuePlace) }
      guard faults.isEmpty, !isRepeated else { continue }
      indexes.append(
        SchemaCompoundIndex(
          properties: list,
          isUnique: name == "uniqueTogether",
          position: item.position
        )
      )
    }
  }

  /// Reads one list of names, or a list of such lists; nil for anything else.
  private static func lists(_ value: AnnotationValue) -> [[String]]? {
    guard case .list(let elements) = value, !elements.isEmpty else { return nil }
    if let list = texts(elements) { return [list] }
    var lists: [[String]] = []
    for element in elements {
      guard case .list(let inner) = element, let list = texts(inner) else { return nil }
      lists.append(list)
    }
    return lists
  }

  private static func texts(_ elements: [AnnotationValue]) -> [String]? {
    var texts: [String] = []
    for element in elements {
      guard case .text(let text) = element else { return nil }
      texts.append(text)
    }
    return texts
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
