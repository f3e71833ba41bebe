/// The types, enums and typealiases of the sources, for resolving declared types.
///
/// Its names have no backticks. Resolved types have them where Swift needs them.
package struct DeclaredNames {
  private var rawTypes: [String: String] = [:]
  private var aliases: [String: ParsedTypealias] = [:]
  private var types: Set<String> = []
  private var entities: Set<String> = []
  /// The types with a stated conformance to `Codable`.
  private var codable: Set<String> = []
  private var cases: [String: [String]] = [:]
  private let imports: [ParsedImport]
  /// C types of properties; a type of the sources with the same name hides them.
  let cTypes: CTypes

  package init(_ parsed: [ParsedSource], cTypes: CTypes = CTypes()) {
    self.cTypes = cTypes
    imports = parsed.flatMap(\.imports)
    for declared in parsed.flatMap(\.types) where declared.kind != .extension {
      types.insert(declared.qualifiedName)
    }
    for declared in parsed.flatMap(\.enums) {
      types.insert(declared.qualifiedName)
      rawTypes[declared.qualifiedName] = declared.inherited.first
      cases[declared.qualifiedName] = declared.cases
    }
    for declared in parsed.flatMap(\.typealiases) {
      aliases[declared.qualifiedName] = declared
    }
    let inherited =
      parsed.flatMap(\.types).map { ($0.kind, $0.qualifiedName, $0.inherited) }
      + parsed.flatMap(\.enums).map { (.struct, $0.qualifiedName, $0.inherited) }
    for (kind, name, inherited) in inherited {
      let isCodable =
        inherited.contains("Codable")
        || Set(inherited).isSuperset(of: ["Encodable", "Decodable"])
      guard isCodable else { continue }
      codable.insert(kind == .extension ? extendedType(name) : name)
    }
    for declared in parsed.flatMap(\.types) where declared.isEntity {
      let name = declared.qualifiedName
      entities.insert(declared.kind == .extension ? extendedType(name) : name)
    }
  }

  /// Returns whether the type with this qualified name is an entity of the sources.
  func isEntity(_ name: String) -> Bool { entities.contains(SwiftName.plain(name)) }

  /// Returns whether the sources declare a type with this qualified name.
  func isDeclared(_ name: String) -> Bool { types.contains(SwiftName.plain(name)) }

  /// Returns whether the type with this qualified name states its conformance to `Codable`.
  func statesCodable(_ name: String) -> Bool { codable.contains(SwiftName.plain(name)) }

  /// Returns the imports of a file, in order.
  func imports(in path: String) -> [ParsedImport] { imports.filter { $0.position.path == path } }

  /// Returns the imports of a file, without modules of Swift and ObjectBox.
  func foreignImports(in path: String) -> [ParsedImport] {
    imports(in: path).filter { !CTypeRule.swiftModules.contains($0.module) }
  }

  /// Returns the first import of a module in any file.
  func firstImport(of module: String) -> ParsedImport? { imports.first { $0.module == module } }

  /// Returns the raw type of an enum of the sources or of C, given its qualified name.
  ///
  /// Nil for other types, and when the first inherited type is a protocol.
  func rawType(of name: String) -> DeclaredType? {
    let name = SwiftName.plain(name)
    guard let rawType = rawTypes[name] else {
      return isDeclared(name) ? nil : cTypes.enumeration(name).map { DeclaredType($0.rawType) }
    }
    let type = resolve(DeclaredType(rawType), in: name)
    return TypeTable.entry(type.name) == nil ? nil : type
  }

  /// Returns the case that unknown values of an enum of the sources become.
  ///
  /// A case named `unset` or `unknown` is neutral. Without such a case, it is the first one. Nil
  /// for other types and for enums without cases.
  func defaultCase(of name: String) -> (text: String, isNeutral: Bool)? {
    // As members, these names mean something else.
    let declared = cases[SwiftName.plain(name)] ?? []
    let cases = declared.filter { !["init", "self", "Type"].contains($0) }
    if let neutral = ["unset", "unknown"].first(where: cases.contains) { return (neutral, true) }
    return cases.first.map { ($0, false) }
  }

  /// Returns a declared type with its typealiases resolved and its names qualified for use outside
  /// of `owner`.
  ///
  /// Follows typealiases of the sources and C typedefs of numbers, and keeps optionality. If a
  /// typealias cannot be followed, the type is returned unchanged; ``fault(of:in:)`` says why.
  func resolve(_ type: DeclaredType, in owner: String) -> DeclaredType {
    var fault: DiagnosticMessage?
    return resolve(type, in: owner, owner: owner, behind: [], &fault)
  }

  /// Returns why a declared type's typealiases cannot be followed; nil when they can.
  func fault(of type: DeclaredType, in owner: String) -> DiagnosticMessage? {
    var fault: DiagnosticMessage?
    _ = resolve(type, in: owner, owner: owner, behind: [], &fault)
    return fault
  }

  /// Returns the qualified name of the type that an extension extends.
  ///
  /// `App.Note` means `Note` when the sources declare nothing named `App`.
  func extendedType(_ name: String) -> String {
    let name = SwiftName.plain(name)
    if types.contains(name) { return name }
    if let dot = name.firstIndex(of: "."), find(String(name[..<dot]), in: "", behind: []) == nil,
      let found = find(String(name[name.index(after: dot)...]), in: "", behind: [])
    {
      return qualifiedName(of: found, in: "")
    }
    return qualifiedName(of: name, in: "")
  }

  /// Returns the qualified name that a type has outside of a scope, without backticks.
  func qualifiedName(of name: String, in scope: String) -> String {
    SwiftName.plain(resolve(DeclaredType(name), in: scope).name)
  }

  private func resolve(
    _ type: DeclaredType,
    in scope: String,
    owner: String,
    behind seen: Set<String>,
    _ fault: inout DiagnosticMessage?
  ) -> DeclaredType {
    let resolved = { (name: String, fault: inout DiagnosticMessage?) in
      self.resolve(DeclaredType(name), in: scope, owner: owner, behind: seen, &fault).text
    }
    var result = type
    if type.name == "Self" {
      result.name = SwiftName.escaped(qualified: owner)
    } else if let element = type.element {
      result.name = "[\(resolved(element.text, &fault))]"
    } else if let generic = ["EntityId", "ToOne", "ToMany"].first(where: {
      DeclaredType.argument(of: $0, in: type.name) != nil
    }), let argument = DeclaredType.argument(of: generic, in: type.name) {
      result.name = "\(generic)<\(resolved(argument, &fault))>"
    } else {
      let base = type.name.prefix { $0 != "<" }
      guard let found = find(String(base), in: scope, behind: seen) else {
        if let scalar = cTypes.scalar(type.name) { result.name = scalar }
        return result
      }
      // Not the type of the sources that has the same name.
      if let module = type.module {
        result.name = "\(module).\(type.name)"
        return result
      }
      guard let alias = aliases[found], !types.contains(found) else {
        result.name = SwiftName.escaped(qualified: found) + type.name.dropFirst(base.count)
        return result
      }
      if alias.isGeneric || seen.contains(found) {
        fault = fault ?? (alias.isGeneric ? .genericTypealias(found) : .typealiasCycle(found))
        return type
      }
      let around = found.split(separator: ".").dropLast().joined(separator: ".")
      let target = resolve(
        DeclaredType(alias.type),
        in: around,
        owner: around,
        behind: seen.union([found]),
        &fault
      )
      result = DeclaredType(name: target.name, isOptional: type.isOptional || target.isOptional)
      result.isNestedOptional =
        type.isNestedOptional || target.isNestedOptional || (type.isOptional && target.isOptional)
    }
    return result
  }

  /// Returns the qualified name of a type or typealias of the sources; nil for other names.
  ///
  /// If `Memo` is a typealias of `Note`, `Memo.Kind` is found as `Note.Kind`.
  private func find(_ name: String, in scope: String, behind seen: Set<String>) -> String? {
    let name = SwiftName.plain(name)
    let isKnown = { (name: String) in types.contains(name) || aliases[name] != nil }
    if let found = look(up: name, in: scope, where: isKnown) { return found }
    guard let dot = name.firstIndex(of: ".") else { return nil }
    let rest = String(name[name.index(after: dot)...])
    guard let head = look(up: String(name[..<dot]), in: scope, where: isKnown),
      aliases[head] != nil, !seen.contains(head)
    else { return nil }
    var fault: DiagnosticMessage?
    let target = SwiftName.plain(
      resolve(DeclaredType(head), in: "", owner: "", behind: seen, &fault).name
    )
    return fault == nil && target != head && isKnown("\(target).\(rest)")
      ? "\(target).\(rest)" : nil
  }

  /// Looks a name up as Swift does: in the scope, then in each type around it, then at the top
  /// level.
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

extension DiagnosticMessage {
  static func typealiasCycle(_ name: String) -> Self {
    "typealias '\(name)' stands for itself; name the type that is meant"
  }

  static func genericTypealias(_ name: String) -> Self {
    "typealias '\(name)' has parameters, which the generator does not fill in; declare the "
      + "property with the type itself"
  }
}
