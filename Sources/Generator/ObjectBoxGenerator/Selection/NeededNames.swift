/// The names on whose declarations the entities of parsed sources depend.
struct NeededNames {
  /// Parts of the names of annotated types and of their typealiases; extensions may use these
  /// names.
  private(set) var extended: Set<String> = []
  /// The names in `extended`, in types of properties, and in the typealiases, enums,
  /// superclasses and protocols that these use.
  private(set) var declared: Set<String> = []

  init(of parsed: [ParsedSource]) {
    let types = parsed.flatMap(\.types)
    for type in types where type.isEntity || Self.isAnnotated(type.annotations) {
      extended.formUnion(Identifiers.of(type.qualifiedName))
    }
    if extended.isEmpty { return }
    addTypealiasesOfEntities(parsed.flatMap(\.typealiases))
    declared = extended
    for type in types where !extended.isDisjoint(with: Identifiers.of(type.name)) {
      declared.formUnion(type.inherited.flatMap(Identifiers.of))
      for variable in type.variables {
        declared.formUnion(Identifiers.of(variable.type ?? ""))
        declared.formUnion(Self.names(in: variable.annotations))
      }
    }
    followDeclarations(of: parsed)
  }

  private static func isAnnotated(_ annotations: Annotations) -> Bool {
    !annotations.items.isEmpty || !annotations.diagnostics.isEmpty || !annotations.misspelt.isEmpty
  }

  /// Returns the names in an annotation's texts, which may be types, such as the type of `dbType`.
  private static func names(in annotations: Annotations) -> [String] {
    annotations.items.values.flatMap { names(in: $0.value) }
  }

  private static func names(in value: AnnotationValue) -> [String] {
    switch value {
    case .bare, .integer, .decimal, .boolean: []
    case .text(let text): Identifiers.of(text)
    case .list(let values): values.flatMap { names(in: $0) }
    case .dictionary(let members): members.values.flatMap { names(in: $0) }
    }
  }

  private mutating func addTypealiasesOfEntities(_ typealiases: [ParsedTypealias]) {
    let links = typealiases.map {
      (names: Identifiers.of($0.qualifiedName), target: Identifiers.of($0.type))
    }
    var count: Int
    repeat {
      count = extended.count
      for link in links where !extended.isDisjoint(with: link.target) {
        extended.formUnion(link.names)
      }
    } while extended.count > count
  }

  private mutating func followDeclarations(of parsed: [ParsedSource]) {
    var links: [String: Set<String>] = [:]
    func link(_ name: String, to type: String?) {
      let names = Identifiers.of(type ?? "")
      for part in Identifiers.of(name) { links[part, default: []].formUnion(names) }
    }
    for source in parsed {
      for declaration in source.enums {
        link(declaration.qualifiedName, to: declaration.inherited.first)
      }
      for declaration in source.protocols {
        for name in declaration.inherited { link(declaration.qualifiedName, to: name) }
      }
      // An entity inherits from the bases above its superclasses too.
      for declaration in source.types where declaration.kind == .class {
        for name in declaration.inherited { link(declaration.qualifiedName, to: name) }
      }
      for declaration in source.typealiases {
        link(declaration.qualifiedName, to: declaration.type)
      }
    }
    var open = Array(declared)
    while let name = open.popLast() {
      for next in links[name] ?? [] where declared.insert(next).inserted { open.append(next) }
    }
  }
}
