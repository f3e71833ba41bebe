/// Makes properties from stored variables.
enum PropertyRule {
  typealias Result = (property: SchemaProperty?, diagnostics: [Diagnostic])

  /// Makes the property of a variable; nil when its type is unknown or cannot be stored.
  static func property(of stored: StoredVariable) -> Result {
    let (variable, annotations, names) = (stored.variable, stored.annotations, stored.names)
    var diagnostics: [Diagnostic] = []
    if variable.isPrivate { diagnostics.append(stored.finding(.privateProperty(stored.title))) }
    let uid = UIDRule.request(
      annotations,
      on: stored.path,
      isShared: variable.ancestor != nil
    )
    let external = ExternalTypeRule.type(of: stored)
    diagnostics += uid.diagnostics + external.diagnostics
    guard let written = variable.type else {
      return (nil, diagnostics + [stored.finding(.missingType(stored.title))])
    }
    if let fault = names.fault(of: DeclaredType(written), in: stored.owner) {
      return (nil, diagnostics + [stored.finding(fault)])
    }
    var property = SchemaProperty(
      name: variable.name,
      databaseName: EntityRule.name(annotations) ?? variable.name,
      swiftType: stored.type.text,
      unwrappedType: stored.type.name,
      isOptional: stored.type.isOptional,
      isMutable: !variable.isLet && !variable.hasPrivateSetter,
      access: variable.access,
      type: nil,
      uid: uid.request,
      externalName: annotations["externalName"]?.value.string,
      ancestor: variable.ancestor,
      position: variable.position,
      uidPlace: uid.place
    )

    if let target = RelationRule.target(of: "ToOne", in: stored.type) {
      diagnostics += RelationRule.applyToOne(stored, target: target, to: &property)
      return (property, diagnostics)
    }
    var type = stored.type
    switch ConversionRule.outcome(for: stored) {
    case .conversion(let conversion):
      property.conversion = conversion
      property.imports = ConversionRule.imports(for: conversion, of: stored)
      type = DeclaredType(conversion.databaseType)
    case .faults(let faults): return (nil, diagnostics + faults)
    case nil: break
    }
    if property.conversion == nil, type.isNestedOptional {
      return (nil, diagnostics + [stored.finding(.nestedOptional(stored.title))])
    }
    let (kept, typeFindings) = entry(for: type, of: stored)
    diagnostics += typeFindings
    if kept == nil, !isRuntimeType(type, names) {
      // Another kind of vector with `hnswIndex`: only its type is wrong.
      let index = VectorIndexRule.apply(stored, to: &property)
      if !index.isEmpty, type.element != nil { return (nil, diagnostics + index) }
      guard typeFindings.isEmpty else { return (nil, diagnostics) }
      guard let imports = ForeignTypeRule.imports(for: type, of: variable, names: names) else {
        let advice = StorableTypeAdvice.words(for: type, of: stored)
        let message = DiagnosticMessage.unsupportedType(stored.title, type.text, advice: advice)
        return (nil, diagnostics + [stored.finding(message)])
      }
      property.imports = imports
      let message = DiagnosticMessage.foreignType(stored.title, type.text)
      diagnostics.append(stored.finding(message))
    }
    property.type = kept?.type
    property.externalType = external.word ?? kept?.externalType
    diagnostics += ExternalTypeRule.check(stored, property)
    if kept?.isUnsigned == true {
      property.flags.insert(.unsigned)
      property.omitsUnsignedFlag = type.isOptional
    }
    diagnostics += IndexRule.apply(stored, to: &property)
    diagnostics += SchemaCollation.apply(stored, to: &property)
    diagnostics += VectorIndexRule.apply(stored, to: &property)
    diagnostics += SyncClockRule.applyCompanion(stored, to: &property)
    let element = "\(stored.path), which is no relation"
    diagnostics += AnnotationRule.misplaced(annotations, on: .property, element)
    if let item = annotations["backlink"] {
      diagnostics.append(Diagnostic(.backlinkOnProperty(stored.path), at: item.name))
    }
    return (property, diagnostics)
  }

  private static func isRuntimeType(_ type: DeclaredType, _ names: DeclaredNames) -> Bool {
    TypeTable.runtimeTypes.contains(type.name) && !names.isDeclared(type.name)
  }

  /// Returns the table's entry for a type; for an unknown type nil, with a finding if it may be a C
  /// type.
  private static func entry(
    for type: DeclaredType,
    of stored: StoredVariable
  ) -> (TypeTable.Entry?, [Diagnostic]) {
    // A type of the sources hides the table's type of the same name.
    let entry = stored.names.isDeclared(type.name) ? nil : TypeTable.entry(type.name)
    guard var entry else {
      if isRuntimeType(type, stored.names) { return (nil, []) }
      return (nil, CTypeRule.finding(on: type, of: stored).map { [$0] } ?? [])
    }
    let special = SpecialTypeRule.type(stored, type, base: entry)
    entry.type = special.type ?? entry.type
    return (entry, special.diagnostics)
  }
}

extension DiagnosticMessage {
  static func privateProperty(_ title: String) -> Self {
    "\(title) is private, so generated code cannot reach it; make it internal, or annotate it with "
      + "`// objectbox: transient`"
  }

  static func missingType(_ title: String) -> Self {
    "the type of \(title) cannot be told from its default value; declare the type"
  }

  static func nestedOptional(_ title: String) -> Self {
    "\(title) has an optional within an optional, and a store has only one kind of null; declare it "
      + "as one optional"
  }

  static func unsupportedType(_ title: String, _ type: String, advice: String) -> Self {
    "\(title) has type '\(type)', which cannot be stored; \(advice)"
  }

  static func backlinkOnProperty(_ path: String) -> Self {
    warning(
      "the backlink annotation of \(path) has no effect: it is for relations of type ToMany; remove it"
    )
  }
}
