internal import ObjectBoxCommandLine

/// Applies the annotations `fulltext` of properties and `fulltextTogether` of types.
enum FullTextRule {
  private static let together = "fulltextTogether"

  /// Returns the indexes of a type: those of its properties in declaration order, then those of
  /// several properties in the order of the annotations.
  static func indexes(
    of type: ParsedType,
    over properties: [SchemaProperty],
    _ relations: [SchemaRelation]
  ) -> (indexes: [SchemaFullTextIndex], diagnostics: [Diagnostic]) {
    var indexes: [SchemaFullTextIndex] = []
    var diagnostics: [Diagnostic] = []
    for property in properties where !property.isID {
      let variable = type.variables.first { $0.position == property.position }
      guard let item = variable?.annotations["fulltext"] else { continue }
      do throws(FullTextSettingsRule.Fault) {
        indexes.append(try index(of: property, item))
      } catch {
        let message = DiagnosticMessage.invalidFullText(
          property.declaration(in: type.qualifiedName),
          error.reason
        )
        let place = FullTextSettingsRule.place(of: error, in: item)
        diagnostics.append(Diagnostic(message, at: place))
      }
    }
    var names = Set(properties.map(\.name) + relations.map(\.name))
    if let first = type.annotations[together] {
      for item in [first] + first.others {
        do throws(FullTextSettingsRule.Fault) {
          let index = try index(over: properties, item, taken: names)
          if let name = index.name { names.insert(name) }
          indexes.append(index)
        } catch {
          let message = DiagnosticMessage.invalidFullTextTogether(
            entity: type.qualifiedName,
            error.reason
          )
          let place = FullTextSettingsRule.place(of: error, in: item)
          diagnostics.append(Diagnostic(message, at: place))
        }
      }
    }
    return (indexes, diagnostics)
  }

  private static func index(
    of property: SchemaProperty,
    _ item: Annotations.Item
  ) throws(FullTextSettingsRule.Fault) -> SchemaFullTextIndex {
    guard hasWords(property) else {
      throw FullTextSettingsRule.Fault(reason: "only texts can have one")
    }
    var index = SchemaFullTextIndex(
      columns: [.init(property: property.name)],
      position: item.position
    )
    switch item.value {
    case .bare, .integer(1): break
    case .dictionary(let options):
      index.settings = try FullTextSettingsRule(annotation: "fulltext").settings(options)
    default: throw FullTextSettingsRule.Fault(reason: "its value is no object")
    }
    return index
  }

  private static func index(
    over properties: [SchemaProperty],
    _ item: Annotations.Item,
    taken: Set<String>
  ) throws(FullTextSettingsRule.Fault) -> SchemaFullTextIndex {
    guard case .dictionary(let options) = item.value else {
      throw FullTextSettingsRule.Fault(reason: "its value is no object")
    }
    guard let name = options["name"] else {
      throw FullTextSettingsRule.Fault(reason: "it says no name")
    }
    guard case .text(let name) = name, isIdentifier(name) else {
      throw FullTextSettingsRule.Fault(reason: "'name' is no name in Swift", key: "name")
    }
    if taken.contains(name) {
      throw FullTextSettingsRule.Fault(
        reason: "the name '\(name)' stands for another member",
        key: "name"
      )
    }
    guard let weights = options["properties"] else {
      throw FullTextSettingsRule.Fault(reason: "it says no properties")
    }
    let settings = try FullTextSettingsRule(annotation: together)
      .settings(options, others: ["name", "properties"])
    return SchemaFullTextIndex(
      name: name,
      columns: try columns(weights, over: properties),
      settings: settings,
      position: item.position
    )
  }

  private static func columns(
    _ value: AnnotationValue,
    over properties: [SchemaProperty]
  ) throws(FullTextSettingsRule.Fault) -> [SchemaFullTextIndex.Column] {
    func fault(_ reason: String) -> FullTextSettingsRule.Fault {
      FullTextSettingsRule.Fault(reason: reason, key: "properties")
    }
    guard case .dictionary(let weights) = value else {
      throw fault("'properties' is no object of property names and weights")
    }
    for (name, weight) in weights.sorted(by: { $0.key < $1.key }) {
      guard let property = properties.first(where: { $0.name == name }) else {
        let names = Set(properties.filter(hasWords).map(\.name))
        throw fault("'\(name)' is no property" + EditDistance.advice(for: name, in: names))
      }
      guard hasWords(property) else {
        throw fault("'\(name)' has type '\(property.swiftType)', and only texts have words")
      }
      guard case .integer(1...255) = weight else {
        throw fault("the weight of '\(name)' is no whole number from 1 to 255")
      }
    }
    guard weights.count > 1 else {
      throw fault("it names fewer than two properties; annotate a single one with `fulltext`")
    }
    return properties.compactMap { property in
      guard case .integer(let weight) = weights[property.name] else { return nil }
      return .init(property: property.name, weight: UInt8(clamping: weight))
    }
  }

  /// True for texts as users write them; other types that are stored as texts have no words.
  private static func hasWords(_ property: SchemaProperty) -> Bool {
    property.type == .string && property.encodedType == nil && !property.isID
      && property.conversion?.isCodable != true
  }

  private static func isIdentifier(_ name: String) -> Bool {
    guard let first = name.unicodeScalars.first else { return false }
    return (first == "_" || first.properties.isXIDStart)
      && name.unicodeScalars.allSatisfy(\.properties.isXIDContinue)
  }
}

extension DiagnosticMessage {
  static func invalidFullText(_ property: String, _ reason: String) -> Self {
    "the annotation 'fulltext' of \(property) cannot be used: \(reason); "
      + "write \(Annotation.usage("fulltext"))"
  }

  static func invalidFullTextTogether(entity: String, _ reason: String) -> Self {
    "the annotation 'fulltextTogether' of entity '\(entity)' cannot be used: \(reason); "
      + "write \(Annotation.usage("fulltextTogether"))"
  }
}
