/// Which property of an entity holds the object ID.
enum IDRule {
  /// Marks the ID property and returns the findings.
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
      let diagnostics = annotated.dropFirst().map { other in
        Diagnostic(
          .duplicateID(
            properties[other.place].name,
            earlier: properties[first.place].name,
            entity: type.qualifiedName
          ),
          at: other.item.position,
          notes: [Diagnostic(.earlierDeclaration, at: properties[first.place].position)]
        )
      }
      return diagnostics + mark(&properties[first.place], first.item, of: type)
    }
    return applyToCandidates(&properties, of: type)
  }

  private static func applyToCandidates(
    _ properties: inout [SchemaProperty],
    of type: ParsedType
  ) -> [Diagnostic] {
    let candidates = properties.indices.filter { place in
      let name = properties[place].unwrappedType
      return !properties[place].isOptional
        && (name == "Id" || DeclaredType.argument(of: "EntityId", in: name) == type.name)
    }
    if candidates.isEmpty {
      return [Diagnostic(.missingID(type.qualifiedName, type.name), at: type.position)]
    }
    if candidates.count == 1 { return mark(&properties[candidates[0]], nil, of: type) }
    for name in ["id", "objectid", "uniqueid"] {
      if let place = candidates.first(where: { properties[$0].name.lowercased() == name }) {
        return mark(&properties[place], nil, of: type)
      }
    }
    let names = candidates.map { properties[$0].name }
    return [Diagnostic(.ambiguousID(names, entity: type.qualifiedName), at: type.position)]
  }

  private static func mark(
    _ property: inout SchemaProperty,
    _ item: Annotations.Item?,
    of type: ParsedType
  ) -> [Diagnostic] {
    property.flags = .id
    property.type = .long
    property.index = nil
    switch item?.value {
    case nil, .bare, .integer(1): break
    case .dictionary(["assignable": .boolean(true)]): property.flags.insert(.idSelfAssignable)
    case .dictionary(["assignable": .boolean(false)]): break
    default:
      return [
        Diagnostic(
          .invalidID(property.name, entity: type.qualifiedName),
          at: item?.position ?? property.position
        )
      ]
    }
    let name = property.unwrappedType
    let fits =
      ["Id", "UInt64", "Int64"].contains(name)
      || DeclaredType.argument(of: "EntityId", in: name) == type.name
    guard fits, !property.isOptional else {
      return [
        Diagnostic(
          .wrongIDType(property.name, property.swiftType, entity: type.qualifiedName, type.name),
          at: property.position
        )
      ]
    }
    return []
  }
}

extension DiagnosticMessage {
  static func duplicateID(_ name: String, earlier: String, entity: String) -> Self {
    Self(
      .error,
      "entity '\(entity)' has two IDs, '\(earlier)' and '\(name)'; remove the annotation from one"
    )
  }

  static func missingID(_ entity: String, _ typeName: String) -> Self {
    Self(
      .error,
      "entity '\(entity)' has no ID; add `var id: Id = 0` or a property of type EntityId<\(typeName)>, "
        + "or annotate one with `// objectbox: id`"
    )
  }

  static func ambiguousID(_ candidates: [String], entity: String) -> Self {
    let names = candidates.map { "'\($0)'" }.joined(separator: ", ")
    return Self(
      .error,
      "entity '\(entity)' has several properties that could be its ID: \(names); annotate one of them "
        + "with `// objectbox: id`"
    )
  }

  static func invalidID(_ name: String, entity: String) -> Self {
    Self(
      .error,
      "the id annotation of '\(entity).\(name)' is neither `id` nor `id = { \"assignable\": true }`; write "
        + "one of these"
    )
  }

  static func wrongIDType(
    _ name: String,
    _ type: String,
    entity: String,
    _ typeName: String
  ) -> Self {
    Self(
      .error,
      "the ID '\(name)' of entity '\(entity)' has type '\(type)'; declare it as Id, EntityId<\(typeName)>, "
        + "UInt64 or Int64"
    )
  }
}
