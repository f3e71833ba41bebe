/// The types, enums and typealiases of the sources, as declared types refer to them.
struct DeclaredNames {
  private var rawTypes: [String: String] = [:]
  private var aliases: [String: String] = [:]
  private var types: Set<String> = []
  private let imports: [ParsedImport]
  /// The C types that properties have; those of the sources hide the ones of the same name.
  let cTypes: CTypes

  init(_ parsed: [ParsedSource], cTypes: CTypes = CTypes()) {
    self.cTypes = cTypes
    imports = parsed.flatMap(\.imports)
    for declared in parsed.flatMap(\.types) where declared.kind != .extension {
      types.insert(declared.qualifiedName)
    }
    for declared in parsed.flatMap(\.enums) {
      types.insert(declared.qualifiedName)
      rawTypes[declared.qualifiedName] = declared.rawType
    }
    for declared in parsed.flatMap(\.typealiases) {
      aliases[declared.qualifiedName] = declared.type
    }
  }

  /// Returns whether the sources declare a type of this qualified name.
  func isDeclared(_ name: String) -> Bool { types.contains(name) }

  /// Returns the modules that a file imports, in its order.
  func imports(in path: String) -> [ParsedImport] { imports.filter { $0.position.path == path } }

  /// Returns the first import of a module in all files.
  func firstImport(of module: String) -> ParsedImport? { imports.first { $0.module == module } }

  /// Returns the raw type of an enum of the sources or of C, given its qualified name.
  ///
  /// Nil for other types, and when the first inherited type is a protocol.
  func rawType(of name: String) -> DeclaredType? {
    guard let rawType = rawTypes[name] else {
      return isDeclared(name) ? nil : cTypes.enumeration(name).map { DeclaredType($0.rawType) }
    }
    let type = resolve(DeclaredType(rawType), in: name)
    return TypeTable.entry(type.name) == nil ? nil : type
  }

  /// Returns the type that a declared one stands for, as code outside of the owner must write it.
  ///
  /// Follows the typealiases of the sources and the typedefs of numbers in C, keeping optionality, and
  /// qualifies nested types.
  func resolve(_ type: DeclaredType, in owner: String) -> DeclaredType {
    var type = type
    var scope = owner
    var seen: Set<String> = []
    while seen.insert(type.name).inserted,
      let found = look(up: type.name, in: scope, where: { aliases[$0] != nil }),
      let alias = aliases[found]
    {
      let target = DeclaredType(alias)
      type = DeclaredType(name: target.name, isOptional: type.isOptional || target.isOptional)
      scope = found.split(separator: ".").dropLast().joined(separator: ".")
    }
    type.name = qualified(type, in: scope, owner: owner)
    if !isDeclared(type.name), let scalar = cTypes.scalar(type.name) { type.name = scalar }
    return type
  }

  private func qualified(_ type: DeclaredType, in scope: String, owner: String) -> String {
    if type.name == "Self" { return owner }
    if let element = type.element { return "[\(resolve(element, in: scope).text)]" }
    for generic in ["EntityId", "ToOne", "ToMany"] {
      guard let argument = DeclaredType.argument(of: generic, in: type.name) else { continue }
      return "\(generic)<\(resolve(DeclaredType(argument), in: scope).text)>"
    }
    return look(up: type.name, in: scope, where: types.contains) ?? type.name
  }

  /// Looks a name up as Swift does: in the scope, in the types around it, at the top.
  private func look(
    up name: String,
    in scope: String,
    where isKnown: (String) -> Bool
  ) -> String? {
    var scope = scope.split(separator: ".").map(String.init)
    while true {
      let candidate = (scope + [name]).joined(separator: ".")
      if isKnown(candidate) { return candidate }
      if scope.isEmpty { return nil }
      scope.removeLast()
    }
  }
}
