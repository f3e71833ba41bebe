/// The property that a stored variable of an entity becomes.
enum PropertyRule {
  typealias Result = (property: SchemaProperty?, diagnostics: [Diagnostic])

  /// Makes the property of a variable; nil when its type is not known or not supported.
  static func property(
    of variable: ParsedVariable,
    in type: ParsedType,
    names: DeclaredNames
  ) -> Result {
    let owner = type.qualifiedName
    // Annotations with syntax errors have their findings already, and would cause more.
    if variable.annotations.diagnostics.contains(where: \.isError) { return (nil, []) }
    var diagnostics: [Diagnostic] = []
    if variable.isPrivate {
      diagnostics.append(
        Diagnostic(.privateProperty(variable.name, entity: owner), at: variable.position)
      )
    }
    let uid = UIDRule.request(variable.annotations, on: "'\(owner).\(variable.name)'")
    let external = ExternalTypeRule.type(variable.annotations, of: variable.name, in: owner)
    diagnostics += uid.diagnostics + external.diagnostics
    guard let written = variable.type else {
      let finding = Diagnostic(.missingType(variable.name, entity: owner), at: variable.position)
      return (nil, diagnostics + [finding])
    }
    if let fault = names.fault(of: DeclaredType(written), in: owner) {
      return (nil, diagnostics + [Diagnostic(fault, at: variable.position)])
    }
    let declared = names.resolve(DeclaredType(written), in: owner)
    var property = SchemaProperty(
      name: variable.name,
      databaseName: EntityRule.name(variable.annotations) ?? variable.name,
      swiftType: declared.text,
      unwrappedType: declared.name,
      isOptional: declared.isOptional,
      isMutable: !variable.isLet,
      type: nil,
      uid: uid.request,
      externalName: variable.annotations["externalName"]?.value.string,
      position: variable.position,
      uidPlace: uid.place
    )

    if let target = RelationRule.target(of: "ToOne", in: declared) {
      diagnostics += RelationRule.applyToOne(variable, target: target, to: &property, in: owner)
      return (property, diagnostics)
    }
    var stored = declared
    switch ConversionRule.outcome(for: variable, type: declared, in: owner, names: names) {
    case .conversion(let conversion):
      property.conversion = conversion
      property.imports = ConversionRule.imports(
        for: conversion,
        of: variable,
        type: declared,
        in: owner,
        names: names
      )
      stored = DeclaredType(conversion.databaseType)
    case .faults(let faults): return (nil, diagnostics + faults)
    case nil: break
    }
    let (kept, typeFindings) = entry(for: stored, variable, owner: owner, names: names)
    diagnostics += typeFindings
    if kept == nil, !isRuntimeType(stored, names) {
      // A vector of another type that is meant to have an index: its type alone is wrong.
      let index = VectorIndexRule.apply(variable.annotations, to: &property, in: owner)
      if !index.isEmpty, stored.element != nil { return (nil, diagnostics + index) }
      guard typeFindings.isEmpty,
        let imports = ForeignTypeRule.imports(for: stored, of: variable, names: names)
      else {
        let finding = unsupported(stored, variable, owner: owner, names: names)
        return (nil, diagnostics + (typeFindings.isEmpty ? [finding] : []))
      }
      property.imports = imports
      let message = DiagnosticMessage.foreignType(variable.name, stored.text, entity: owner)
      diagnostics.append(Diagnostic(message, at: variable.position))
    }
    property.type = kept?.type
    property.externalType = external.type ?? kept?.externalType
    diagnostics += ExternalTypeRule.check(variable.annotations, of: property, in: owner)
    // Optional numbers have no unsigned flag: existing models depend on it.
    if kept?.isUnsigned == true, !stored.isOptional { property.flags.insert(.unsigned) }
    diagnostics += IndexRule.apply(variable.annotations, to: &property, in: owner)
    diagnostics += Collation.apply(variable.annotations, to: &property, in: owner)
    diagnostics += VectorIndexRule.apply(variable.annotations, to: &property, in: owner)
    diagnostics += SyncClockRule.applyCompanion(variable.annotations, to: &property, in: owner)
    diagnostics += AnnotationRule.misplaced(
      variable.annotations,
      on: .property,
      "'\(owner).\(variable.name)', which is no relation"
    )
    if let item = variable.annotations["backlink"] {
      diagnostics.append(
        Diagnostic(.backlinkOnProperty(variable.name, entity: owner), at: item.name)
      )
    }
    return (property, diagnostics)
  }

  private static func isRuntimeType(_ type: DeclaredType, _ names: DeclaredNames) -> Bool {
    TypeTable.runtimeTypes.contains(type.name) && !names.isDeclared(type.name)
  }

  private static func unsupported(
    _ type: DeclaredType,
    _ variable: ParsedVariable,
    owner: String,
    names: DeclaredNames
  ) -> Diagnostic {
    let message = DiagnosticMessage.unsupportedType(
      variable.name,
      type.text,
      entity: owner,
      advice: StorableTypeAdvice.words(for: type, of: variable.name, in: owner, names: names)
    )
    return Diagnostic(message, at: variable.position)
  }

  /// Returns the entry of the table for a type; nil for one that it lacks, with a finding where C is to blame.
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
      let finding = CTypeRule.finding(on: stored, of: variable, in: owner, names: names)
      return (nil, finding.map { [$0] } ?? [])
    }
    let special = SpecialTypeRule.type(variable.annotations, base: entry)
    if let type = special.type { entry.type = type }
    return (
      entry,
      special.faults.map {
        Diagnostic(
          .wrongSpecialType($0.name, variable.name, stored.text, entity: owner),
          at: $0.place,
          notes: $0.other.map { [Diagnostic(.otherPlace, at: $0)] } ?? [],
          fixIts: $0.fixIts
        )
      }
    )
  }
}

extension DiagnosticMessage {
  static func privateProperty(_ name: String, entity: String) -> Self {
    "property '\(name)' of entity '\(entity)' is private, so generated code cannot reach it; "
      + "make it internal, or annotate it with `// objectbox: transient`"
  }

  static func missingType(_ name: String, entity: String) -> Self {
    "the type of property '\(name)' of entity '\(entity)' cannot be told from its default value; "
      + "declare the type"
  }

  static func unsupportedType(
    _ name: String,
    _ type: String,
    entity: String,
    advice: String
  ) -> Self {
    "property '\(name)' of entity '\(entity)' has type '\(type)', which cannot be stored; "
      + "\(advice)"
  }

  static func backlinkOnProperty(_ name: String, entity: String) -> Self {
    warning(
      "the backlink annotation of '\(entity).\(name)' has no effect: it is for relations of type "
        + "ToMany; remove it"
    )
  }

  static func wrongSpecialType(
    _ annotation: String,
    _ property: String,
    _ type: String,
    entity: String
  ) -> Self {
    "annotation '\(annotation)' does not fit '\(entity).\(property)' of type '\(type)': "
      + "'date-nano' is for Date, 'flex' for Data and [UInt8], and each may be given once; "
      + "remove it"
  }
}
