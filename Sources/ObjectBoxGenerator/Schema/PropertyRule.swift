/// What a stored variable of an entity is kept as.
enum PropertyRule {
  typealias Result = (property: SchemaProperty?, diagnostics: [Diagnostic])

  /// Makes the property of a variable; nil when its type is not known or not supported.
  static func property(
    of variable: ParsedVariable,
    in type: ParsedType,
    names: DeclaredNames
  ) -> Result {
    let owner = type.qualifiedName
    // What the parser could not read is told already, and would cause more findings.
    if variable.annotations.diagnostics.contains(where: \.isError) { return (nil, []) }
    var diagnostics: [Diagnostic] = []
    if variable.isPrivate {
      diagnostics.append(
        Diagnostic(.privateProperty(variable.name, entity: owner), at: variable.position)
      )
    }
    guard let written = variable.type else {
      let finding = Diagnostic(.missingType(variable.name, entity: owner), at: variable.position)
      return (nil, diagnostics + [finding])
    }
    let declared = names.resolve(DeclaredType(written), in: owner)
    if let relation = relationFinding(declared, variable, owner: owner) {
      return (nil, diagnostics + [relation])
    }
    var property = SchemaProperty(
      name: variable.name,
      databaseName: EntityRule.name(variable.annotations) ?? variable.name,
      swiftType: declared.text,
      unwrappedType: declared.name,
      isOptional: declared.isOptional,
      isMutable: !variable.isLet,
      type: nil,
      position: variable.position
    )
    diagnostics += applyPlainAnnotations(variable.annotations, to: &property, in: owner)

    var stored = declared
    if let item = variable.annotations["convert"] {
      let outcome = ConversionRule.conversion(
        item.value,
        of: variable.name,
        type: declared,
        in: owner,
        names: names
      )
      switch outcome {
      case .conversion(let conversion):
        property.conversion = conversion
        stored = DeclaredType(conversion.databaseType)
      case .fault(let message):
        return (nil, diagnostics + [Diagnostic(message, at: item.position)])
      }
    } else if let conversion = CTypeRule.conversion(of: declared, names: names) {
      property.conversion = conversion
      stored = DeclaredType(conversion.databaseType)
    }
    if property.conversion != nil {
      property.imports = CTypeRule.imports(for: declared, in: variable.position.path, names: names)
    }
    let (kept, typeFindings) = entry(for: stored, variable, owner: owner, names: names)
    diagnostics += typeFindings
    guard kept != nil || isRuntimeType(stored, names) else { return (nil, diagnostics) }
    property.type = kept?.type
    // Optional numbers have no unsigned flag: existing models depend on it.
    if kept?.isUnsigned == true, !stored.isOptional { property.flags.insert(.unsigned) }
    diagnostics += IndexRule.apply(variable.annotations, to: &property, in: owner)
    return (property, diagnostics)
  }

  /// Applies the annotations that do not depend on the type.
  private static func applyPlainAnnotations(
    _ annotations: Annotations,
    to property: inout SchemaProperty,
    in owner: String
  ) -> [Diagnostic] {
    let uid = UIDRule.request(annotations, on: "'\(owner).\(property.name)'")
    let external = ExternalTypeRule.type(annotations, of: property.name, in: owner)
    property.uid = uid.request
    property.externalName = annotations["externalName"]?.value.string
    property.externalType = external.type
    return uid.diagnostics + external.diagnostics
      + unsupported(annotations, of: property.name, owner: owner)
  }

  private static func isRuntimeType(_ type: DeclaredType, _ names: DeclaredNames) -> Bool {
    TypeTable.runtimeTypes.contains(type.name) && !names.isDeclared(type.name)
  }

  private static func entry(
    for stored: DeclaredType,
    _ variable: ParsedVariable,
    owner: String,
    names: DeclaredNames
  ) -> (TypeTable.Entry?, [Diagnostic]) {
    // A type of the sources hides the one of the same name in the table.
    let entry = names.isDeclared(stored.name) ? nil : TypeTable.entry(stored.name)
    guard var entry else {
      if isRuntimeType(stored, names) { return (nil, []) }
      if let finding = CTypeRule.finding(on: stored, of: variable, in: owner, names: names) {
        return (nil, [finding])
      }
      let isEnum = names.rawType(of: stored.name) != nil
      let message = DiagnosticMessage.unsupportedType(
        variable.name,
        stored.text,
        entity: owner,
        isEnum: isEnum
      )
      return (nil, [Diagnostic(message, at: variable.position)])
    }
    let special = SpecialTypeRule.type(variable.annotations, base: entry.type)
    if let type = special.type { entry.type = type }
    return (
      entry,
      special.faults.map {
        Diagnostic(
          .wrongSpecialType($0.name, variable.name, stored.text, entity: owner),
          at: $0.position
        )
      }
    )
  }

  private static func relationFinding(
    _ type: DeclaredType,
    _ variable: ParsedVariable,
    owner: String
  ) -> Diagnostic? {
    for relation in ["ToOne", "ToMany"]
    where DeclaredType.argument(of: relation, in: type.name) != nil {
      return Diagnostic(
        .relationNotSupported(variable.name, type.text, entity: owner),
        at: variable.position
      )
    }
    return nil
  }

  /// Annotations that this version knows and cannot honour: silence would lose what they ask for.
  private static func unsupported(
    _ annotations: Annotations,
    of property: String,
    owner: String
  ) -> [Diagnostic] {
    ["backlink", "hnswIndex", "syncClock", "syncPrecedence", "id-companion"].compactMap { name in
      annotations[name].map { item in
        Diagnostic(.annotationNotSupported(name, property, entity: owner), at: item.position)
      }
    }
  }
}

extension DiagnosticMessage {
  static func privateProperty(_ name: String, entity: String) -> Self {
    Self(
      .error,
      "property '\(name)' of entity '\(entity)' is private, so generated code cannot reach it; "
        + "make it internal, or annotate it with `// objectbox: transient`"
    )
  }

  static func missingType(_ name: String, entity: String) -> Self {
    Self(
      .error,
      "the type of property '\(name)' of entity '\(entity)' cannot be told from its default value; "
        + "declare the type"
    )
  }

  static func unsupportedType(
    _ name: String,
    _ type: String,
    entity: String,
    isEnum: Bool
  ) -> Self {
    let advice =
      isEnum
      ? "annotate it with `// objectbox: convert = { \"default\": \".someCase\" }`"
      : "annotate it with `// objectbox: convert = { \"dbType\": \"String\", \"converter\": "
        + "\"SomeConverter\" }`"
    return Self(
      .error,
      "property '\(name)' of entity '\(entity)' has type '\(type)', which cannot be stored; "
        + "\(advice), or with `// objectbox: transient` to leave it out"
    )
  }

  static func relationNotSupported(_ name: String, _ type: String, entity: String) -> Self {
    Self(
      .error,
      "property '\(name)' of entity '\(entity)' has type '\(type)': relations are not supported by "
        + "this version; keep the target's ID instead, or annotate it with `// objectbox: "
        + "transient`"
    )
  }

  static func annotationNotSupported(_ name: String, _ property: String, entity: String) -> Self {
    Self(
      .error,
      "annotation '\(name)' on '\(entity).\(property)' is not supported by this version; remove it"
    )
  }

  static func wrongSpecialType(
    _ annotation: String,
    _ property: String,
    _ type: String,
    entity: String
  ) -> Self {
    Self(
      .error,
      "annotation '\(annotation)' does not fit '\(entity).\(property)' of type '\(type)': "
        + "'date-nano' is for Date, 'flex' for Data and [UInt8], and each may be given once; "
        + "remove it"
    )
  }
}
