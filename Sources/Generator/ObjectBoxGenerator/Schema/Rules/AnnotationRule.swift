internal import ObjectBoxCommandLine

/// Common checks of annotations, driven by the table of ``Annotation``.
enum AnnotationRule {
  /// Returns findings about a type's annotations: the parser's, and findings about unknown and
  /// misspelt annotations.
  ///
  /// The variables of an entity or a base are checked too, also for annotations that do not suit them.
  static func check(_ type: ParsedType) -> [Diagnostic] {
    var findings =
      type.annotations.diagnostics
      + type.annotations.unknown(among: Annotation.ofTypes, on: "'\(type.qualifiedName)'")
      + misspelt(
        type.annotations,
        given: Set(["entity"].filter { _ in type.isEntity } + ["base"].filter { _ in type.isBase }),
        on: "'\(type.qualifiedName)'"
      ).filter { $0.makesEntity || type.isEntity || type.isBase }.map(\.finding)
    if type.isEntity || type.isBase {
      for variable in type.variables {
        let element = "'\(type.qualifiedName).\(variable.name)'"
        findings += variable.annotations.diagnostics
        findings += misspelt(variable.annotations, on: element).map(\.finding)
        findings += variable.annotations.unknown(among: Annotation.ofVariables, on: element)
        findings += misplaced(onUnstored: variable, element)
      }
    }
    return findings
  }

  /// Returns a finding for each comment with a misspelt prefix whose annotation is missing, and
  /// whether it should make the type an entity or a base.
  private static func misspelt(
    _ annotations: Annotations,
    given: Set<String> = [],
    on element: String
  ) -> [(finding: Diagnostic, makesEntity: Bool)] {
    annotations.misspelt.compactMap { misspelt in
      let names = misspelt.names.map { $0.lowercased() }
      let given = given.union(annotations.names.map { $0.lowercased() })
      if given.isSuperset(of: names) { return nil }
      let finding = misspelt.finding(prefix: annotations.prefix, on: element)
      return (finding, names.contains("entity") || names.contains("base"))
    }
  }

  /// Returns a finding for each annotation of stored variables that stands on an unstored variable.
  private static func misplaced(
    onUnstored variable: ParsedVariable,
    _ element: String
  ) -> [Diagnostic] {
    let kind: String
    if variable.isStatic {
      kind = "static"
    } else if variable.isComputed {
      kind = "computed"
    } else if variable.annotations.has("transient") {
      kind = "transient"
    } else {
      return []
    }
    return misplaced(variable.annotations.own, on: .unstored, "\(element), a \(kind) variable")
  }

  /// Returns a finding for each annotation that an entity's ID must not have.
  static func misplaced(onIDOf type: ParsedType, among properties: [SchemaProperty]) -> [Diagnostic]
  {
    guard let id = properties.first(where: \.isID),
      let variable = type.variables.first(where: { $0.position == id.position })
    else { return [] }
    let element = "'\(type.qualifiedName).\(id.name)', the ID of its entity"
    return misplaced(variable.annotations.own, on: .id, element)
  }

  /// Returns a finding for each annotation that a variable of the given kind must not have.
  ///
  /// `element` describes the variable, such as "'Note.tags', a to-many relation".
  static func misplaced(
    _ annotations: Annotations,
    on place: Annotation.Places,
    _ element: String
  ) -> [Diagnostic] {
    annotations.items.compactMap { name, item in
      guard let known = Annotation.named(name), !known.places.isDisjoint(with: .variable),
        !known.places.contains(place)
      else { return nil }
      return Diagnostic(.misplacedAnnotation(name, element), at: item.name)
    }
  }

  /// Returns a finding for each annotation that excludes another annotation of the same property.
  static func conflicts(_ stored: StoredVariable, _ property: SchemaProperty) -> [Diagnostic] {
    stored.annotations.items.compactMap { name, item in
      let excluded = Annotation.named(name)?.excluded ?? []
      guard let other = excluded.first(where: stored.annotations.has) else { return nil }
      let reason = "it stands beside '\(other)'; a property has one of them"
      let element = stored.declaration(of: property)
      return Diagnostic(.unusableAnnotation(name, of: element, reason), at: item.name)
    }
  }

  typealias Found<Word> = (word: Word?, diagnostics: [Diagnostic])

  /// Reads an annotation whose value is one of the `known` words; nil without the annotation, and
  /// with a finding for an unknown word.
  static func word<Word>(
    _ name: String,
    of stored: StoredVariable,
    among known: [String: Word],
    absent: String = "is no word"
  ) -> Found<Word> {
    guard let item = stored.annotations[name] else { return (nil, []) }
    let text = item.value.string
    if let word = text.flatMap({ known[$0] }) { return (word, []) }
    let names = Set(known.keys)
    let message = DiagnosticMessage.unknownWord(
      text.map { "is '\($0)', which is unknown" } ?? absent,
      of: name,
      on: stored.path,
      nearest: text.flatMap { EditDistance.nearest(to: $0, in: names) }
    )
    let fixIts = text.map { FixIt.correction(of: $0, at: item.valuePlace, among: names) }
    return (nil, [Diagnostic(message, at: item.valuePlace, fixIts: fixIts ?? [])])
  }

  /// Reads the texts in an annotation's object value, by key; reports unknown keys and values that
  /// are not texts.
  static func texts(
    _ name: String,
    _ item: Annotations.Item,
    _ object: [String: AnnotationValue],
    of element: String
  ) -> (texts: [String: String], diagnostics: [Diagnostic]) {
    let keys = Annotation.named(name)?.keys ?? []
    var texts: [String: String] = [:]
    var diagnostics: [Diagnostic] = []
    for (key, value) in object.sorted(by: { $0.key < $1.key }) {
      if keys.contains(key), case .text(let text) = value {
        texts[key] = text
        continue
      }
      let place = keys.contains(key) ? item.valuePlace(of: key) : item.keyPlace(key)
      let fixIts =
        keys.contains(key)
        ? [] : FixIt.correction(of: key, at: place, among: Set(keys).subtracting(object.keys))
      let message = DiagnosticMessage.invalidText(key, of: name, on: element, keys: keys)
      diagnostics.append(Diagnostic(message, at: place, fixIts: fixIts))
    }
    return (texts, diagnostics)
  }
}

extension DiagnosticMessage {
  static func misplacedAnnotation(_ name: String, _ element: String) -> Self {
    "the annotation '\(name)' cannot be used on \(element); remove it"
  }

  static func unusableAnnotation(_ name: String, of element: String, _ reason: String) -> Self {
    "the annotation '\(name)' of \(element) cannot be used: \(reason); remove it"
  }

  static func unknownWord(
    _ found: String,
    of annotation: String,
    on element: String,
    nearest: String?
  ) -> Self {
    let advice =
      nearest.map { "did you mean '\($0)'?" } ?? "write \(Annotation.usage(annotation))"
    return "the \(annotation) of \(element) \(found); \(advice)"
  }

  static func invalidText(
    _ key: String,
    of annotation: String,
    on element: String,
    keys: [String]
  ) -> Self {
    let names = keys.map { "'\($0)'" }
    let list =
      names.count < 2
      ? "text \(names.joined())"
      : "texts \(names.dropLast().joined(separator: ", ")) and \(names.last ?? "")"
    return "the \(annotation) annotation of \(element) has '\(key)', which is unknown or no text; "
      + "it takes the \(list)"
  }
}

extension CaseIterable where Self: RawRepresentable, RawValue == String {
  /// The cases by their raw values.
  static var byWord: [String: Self] {
    Dictionary(uniqueKeysWithValues: allCases.map { ($0.rawValue, $0) })
  }
}
