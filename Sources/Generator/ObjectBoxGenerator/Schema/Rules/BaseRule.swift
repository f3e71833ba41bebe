/// Checks base classes and inherited members.
enum BaseRule {
  /// Annotations of types that a base passes on or is known by.
  private static let ofBases = Annotation.repeatable.union(["base"])

  /// Returns the findings about the bases, and about the superclasses and protocols of the entities.
  ///
  /// `types` are merged with their extensions; `classes` knows their superclasses.
  static func check(
    _ types: [ParsedType],
    _ protocols: [ParsedProtocol],
    _ classes: BaseClasses
  ) -> [Diagnostic] {
    var findings = protocols.compactMap { declared in
      declared.base.map { Diagnostic(.baseProtocol(declared.qualifiedName), at: $0) }
    }
    for type in types {
      if type.isBase { findings += check(base: type) }
      guard type.isBase || type.isEntity else { continue }
      if type.kind == .struct {
        findings += check(type, conformingTo: protocols)
      } else {
        findings += check(type, classes)
      }
    }
    return findings
  }

  private static func check(base type: ParsedType) -> [Diagnostic] {
    guard let item = type.annotations["base"] else { return [] }
    let name = type.qualifiedName
    switch type.kind {
    case .struct: return [Diagnostic(.baseStruct(name), at: item.name)]
    case .extension: return [Diagnostic(.unknownBase(name), at: type.position)]
    case .class: break
    }
    if type.isEntity { return [Diagnostic(.baseEntity(name), at: item.name)] }
    var findings: [Diagnostic] = []
    if type.isGeneric { findings.append(Diagnostic(.genericBase(name), at: type.position)) }
    if type.isPrivate { findings.append(Diagnostic(.privateBase(name), at: type.position)) }
    for (annotation, item) in type.annotations.own.items
    where Annotation.ofTypes.contains(annotation) && !ofBases.contains(annotation) {
      findings.append(Diagnostic(.annotationOfBase(annotation, base: name), at: item.name))
    }
    return findings
  }

  /// Returns findings about entities above a class, and about its overriding variables.
  private static func check(_ type: ParsedType, _ classes: BaseClasses) -> [Diagnostic] {
    var findings: [Diagnostic] = []
    let title = title(of: type)
    if let entity = classes.superclasses(of: type).first(where: \.isEntity) {
      let note = Diagnostic(.candidate(entity.qualifiedName), at: entity.position)
      let message = DiagnosticMessage.inheritsEntity(title, entity.qualifiedName)
      findings.append(Diagnostic(message, at: type.position, notes: [note]))
    }
    for variable in type.variables {
      guard let (overridden, base) = classes.overridden(by: variable, of: type) else { continue }
      let note = Diagnostic(.candidate(variable.name), at: overridden.position)
      let message = DiagnosticMessage.overridesBase(variable.name, of: title, base: base)
      findings.append(Diagnostic(message, at: variable.position, notes: [note]))
    }
    return findings
  }

  /// Returns a finding for each protocol of a struct whose requirements have annotations.
  private static func check(
    _ type: ParsedType,
    conformingTo protocols: [ParsedProtocol]
  ) -> [Diagnostic] {
    var open = type.inherited
    var seen: Set<String> = []
    var findings: [Diagnostic] = []
    while let name = open.popLast() {
      guard seen.insert(name).inserted,
        let found = protocols.first(where: { $0.isNamed(name) })
      else { continue }
      open += found.inherited
      guard let requirement = found.annotated.first else { continue }
      let note = Diagnostic(.candidate(requirement.name), at: requirement.position)
      let message = DiagnosticMessage.requirementOfStruct(
        requirement.name,
        of: found.qualifiedName,
        title(of: type)
      )
      findings.append(Diagnostic(message, at: type.position, notes: [note]))
    }
    return findings
  }

  private static func title(of type: ParsedType) -> String {
    (type.isEntity ? "entity" : "base") + " '\(type.qualifiedName)'"
  }
}

extension ParsedProtocol {
  /// Returns whether a name as written in an inheritance clause may mean the protocol.
  fileprivate func isNamed(_ written: String) -> Bool {
    written == qualifiedName || written.hasSuffix("." + qualifiedName)
      || qualifiedName.hasSuffix("." + written)
  }
}

extension DiagnosticMessage {
  static func baseStruct(_ name: String) -> Self {
    "'\(name)' is a struct, which nothing inherits from; declare its properties in each entity, or "
      + "make it and the entities classes"
  }

  static func baseProtocol(_ name: String) -> Self {
    "'\(name)' is a protocol, whose requirements are not stored; annotate a class with `base`, or "
      + "declare the properties in each entity"
  }

  static func unknownBase(_ name: String) -> Self {
    "'\(name)' is made a base by an extension, but its declaration is not in the sources; add its "
      + "file to the sources"
  }

  static func baseEntity(_ name: String) -> Self {
    "'\(name)' is annotated as an entity and as a base; remove one of the annotations, and put what "
      + "both need into a base of its own"
  }

  static func genericBase(_ name: String) -> Self {
    "base '\(name)' is generic, which cannot be stored; make a class without parameters"
  }

  static func privateBase(_ name: String) -> Self {
    "base '\(name)' is private, or within a private type, so generated code cannot reach it; make "
      + "it internal"
  }

  static func annotationOfBase(_ annotation: String, base: String) -> Self {
    "the annotation '\(annotation)' cannot be used on base '\(base)', which is not stored by itself; "
      + "put it on the entities"
  }

  static func inheritsEntity(_ title: String, _ superclass: String) -> Self {
    "\(title) inherits from entity '\(superclass)', and an entity has no subclasses that are stored; "
      + "move the properties of both to a class with `// objectbox: base`, and inherit from that"
  }

  static func overridesBase(_ name: String, of title: String, base: String) -> Self {
    "'\(name)' of \(title) overrides a stored property of base '\(base)', so it is unclear which "
      + "value is stored; remove the override, or annotate the base's with `// objectbox: transient`"
  }

  static func requirementOfStruct(_ name: String, of declared: String, _ title: String) -> Self {
    "\(title) conforms to '\(declared)', whose requirement '\(name)' has annotations, and structs "
      + "inherit none; put them on the property of the struct, and remove them from the protocol"
  }
}
