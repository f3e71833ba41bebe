/// Chooses the property that holds the object ID.
enum IDRule {
  /// Marks the ID property and returns the findings.
  ///
  /// A faulty variable that became no property may be the ID. If there is one, no ID is reported as
  /// missing.
  static func apply(
    to properties: inout [SchemaProperty],
    of type: ParsedType
  ) -> [Diagnostic] {
    var annotated: [(place: Int, item: Annotations.Item)] = []
    for variable in type.variables {
      if let item = variable.annotations["id"],
        let place = properties.firstIndex(where: { $0.position == variable.position })
      {
        annotated.append((place, item))
      }
    }
    if let first = annotated.first {
      let earlier = properties[first.place]
      let note = Diagnostic(.earlierDeclaration, at: earlier.position)
      let diagnostics = annotated.dropFirst().map { other in
        let message = DiagnosticMessage.duplicateID(
          properties[other.place].name,
          earlier: earlier.name,
          entity: type.qualifiedName
        )
        return Diagnostic(message, at: other.item.name, notes: [note])
      }
      return diagnostics + mark(&properties[first.place], first.item, of: type)
    }
    return applyToCandidates(&properties, of: type)
  }

  /// Returns whether a variable that became no property could be the ID.
  private static func mayBeLostID(
    _ variable: ParsedVariable,
    _ properties: [SchemaProperty]
  ) -> Bool {
    guard variable.isStored,
      !properties.contains(where: { $0.position == variable.position })
    else { return false }
    return variable.annotations.has("id") || variable.type == nil
      || variable.annotations.diagnostics.contains(where: \.isError)
  }

  /// Returns whether a variable could be the ID of its entity, judged by its annotations and type
  /// only.
  static func mayBeID(_ variable: ParsedVariable, _ type: DeclaredType) -> Bool {
    variable.annotations.has("id") || type.name == "Id"
      || DeclaredType.argument(of: "EntityId", in: type.name) != nil
  }

  /// Returns whether a type is `Id`, or `EntityId` of the entity itself.
  private static func isIDType(_ name: String, of type: ParsedType) -> Bool {
    // With its module if the sources have a type of the same name.
    if name == "Id" || name == "ObjectBox.Id" { return true }
    let argument = DeclaredType.argument(of: "EntityId", in: name).map(SwiftName.plain)
    return argument == type.qualifiedName || argument == type.name
  }

  private static func applyToCandidates(
    _ properties: inout [SchemaProperty],
    of type: ParsedType
  ) -> [Diagnostic] {
    let candidates = properties.indices.filter { place in
      let name = properties[place].unwrappedType
      return !properties[place].isOptional
        && isIDType(name, of: type)
    }
    if candidates.isEmpty {
      if type.variables.contains(where: { mayBeLostID($0, properties) }) { return [] }
      if let meant = meantID(among: properties, of: type) {
        let message = DiagnosticMessage.unfitID(
          meant.name,
          meant.swiftType,
          entity: type.qualifiedName,
          type.name
        )
        return [Diagnostic(message, at: meant.position)]
      }
      // A UUID or a text may keep the name `id`, for `Identifiable`.
      let isTaken = properties.contains { $0.name == "id" }
      let message = DiagnosticMessage.missingID(
        type.qualifiedName,
        type.name,
        suggestion: isTaken ? "objectId" : "id"
      )
      return [Diagnostic(message, at: type.position)]
    }
    if candidates.count == 1 { return mark(&properties[candidates[0]], nil, of: type) }
    // Case is ignored, as in the model.
    for name in ["id", "objectid", "uniqueid"] {
      if let place = candidates.first(where: { properties[$0].name.lowercased() == name }) {
        return mark(&properties[place], nil, of: type)
      }
    }
    let notes = candidates.map {
      Diagnostic(.candidate(properties[$0].name), at: properties[$0].position)
    }
    let names = candidates.map { properties[$0].name }
    let message = DiagnosticMessage.ambiguousID(names, entity: type.qualifiedName)
    return [Diagnostic(message, at: type.position, notes: notes)]
  }

  /// Types that resemble an ID, without optionality.
  private static let numbers: Set<String> = [
    "Int", "UInt", "Int32", "UInt32", "Int64", "UInt64", "Int16", "UInt16",
  ]

  /// Returns the property that was probably meant to be the ID but has a wrong type.
  private static func meantID(
    among properties: [SchemaProperty],
    of type: ParsedType
  ) -> SchemaProperty? {
    let idTypes = properties.filter {
      $0.conversion == nil && isIDType($0.unwrappedType, of: type)
    }
    if let optional = idTypes.first { return optional }
    return ["id", "objectid", "uniqueid"].lazy.compactMap { name in
      properties.first { property in
        property.name.lowercased() == name && property.conversion == nil
          && (numbers.contains(property.unwrappedType)
            || DeclaredType.argument(of: "EntityId", in: property.unwrappedType) != nil)
      }
    }.first
  }

  private static func mark(
    _ property: inout SchemaProperty,
    _ item: Annotations.Item?,
    of type: ParsedType
  ) -> [Diagnostic] {
    property.flags = .id
    property.type = .long
    property.index = nil
    if property.conversion?.isCodable == true { property.conversion = nil }
    switch item?.value {
    case nil, .bare, .integer(1): break
    case .dictionary(["assignable": .boolean(true)]): property.flags.insert(.idSelfAssignable)
    case .dictionary(["assignable": .boolean(false)]): break
    default:
      let place = item?.valuePlace ?? SourceSpan(position: property.position, length: 0)
      return [Diagnostic(.invalidID(property.name, entity: type.qualifiedName), at: place)]
    }
    let name = property.unwrappedType
    let fits =
      ["UInt64", "Int64"].contains(name) || isIDType(name, of: type)
    if fits, !property.isOptional { return [] }
    return [Diagnostic(.wrongIDType(property, of: type), at: property.position)]
  }
}

extension DiagnosticMessage {
  static func duplicateID(_ name: String, earlier: String, entity: String) -> Self {
    "entity '\(entity)' has two IDs, '\(earlier)' and '\(name)'; remove the annotation from one"
  }

  static func missingID(_ entity: String, _ typeName: String, suggestion: String = "id") -> Self {
    "entity '\(entity)' has no ID; add `var \(suggestion): Id = 0` or a property of type "
      + "EntityId<\(typeName)>, or annotate one with `// objectbox: id`"
  }

  static func unfitID(
    _ name: String,
    _ type: String,
    entity: String,
    _ typeName: String
  ) -> Self {
    let advice =
      ["UInt64", "Int64"].contains(type)
      ? "annotate it with `// objectbox: id`, or declare it as Id or EntityId<\(typeName)>"
      : "declare it as Id or EntityId<\(typeName)>, or as UInt64 or Int64 with `// objectbox: id`"
    return "'\(entity).\(name)' has type '\(type)' and so is not the ID of its entity, which has "
      + "no other; \(advice)"
  }

  static func ambiguousID(_ candidates: [String], entity: String) -> Self {
    "entity '\(entity)' has several properties that could be its ID: \(candidates.quotedList); annotate "
      + "one of them with `// objectbox: id`"
  }

  static func candidate(_ name: String) -> Self { note("'\(name)' is declared here") }

  static func invalidID(_ name: String, entity: String) -> Self {
    "the id annotation of '\(entity).\(name)' is neither `id` nor `id = { \"assignable\": true "
      + "}`; write one of these"
  }

  static func wrongIDType(_ property: SchemaProperty, of type: ParsedType) -> Self {
    "the ID '\(property.name)' of entity '\(type.qualifiedName)' has type '\(property.swiftType)'; "
      + "declare it as Id, EntityId<\(type.name)>, UInt64 or Int64"
  }
}
