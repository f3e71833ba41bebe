/// The types, enums and typealiases of the sources, as declared types refer to them.
struct DeclaredNames {
  private var rawTypes: [String: String] = [:]
  private var aliases: [String: String] = [:]
  private var types: Set<String> = []
  private var cases: [String: [String]] = [:]

  init(_ parsed: [ParsedSource]) {
    for declared in parsed.flatMap(\.types) where declared.kind != .extension {
      types.insert(declared.qualifiedName)
    }
    for declared in parsed.flatMap(\.enums) {
      types.insert(declared.qualifiedName)
      rawTypes[declared.qualifiedName] = declared.rawType
      cases[declared.qualifiedName] = declared.cases
    }
    for declared in parsed.flatMap(\.typealiases) {
      aliases[declared.qualifiedName] = declared.type
    }
  }

  /// Returns whether the sources declare a type of this qualified name.
  func isDeclared(_ name: String) -> Bool { types.contains(name) }

  /// Returns the raw type of an enum of the sources, given its qualified name; nil for other types,
  /// and when the first inherited type is a protocol.
  func rawType(of name: String) -> DeclaredType? {
    guard let rawType = rawTypes[name] else { return nil }
    let type = resolve(DeclaredType(rawType), in: name)
    return TypeTable.entry(type.name) == nil ? nil : type
  }

  /// Returns the case of an enum of the sources that suits a value nobody knows.
  ///
  /// One that is named so is neutral; else it is the first. Nil for other types, and for enums without
  /// cases.
  func defaultCase(of name: String) -> (text: String, isNeutral: Bool)? {
    // As members, these names would mean something else.
    let cases = (cases[name] ?? []).filter { !["init", "self", "Type"].contains($0) }
    if let neutral = ["unset", "unknown"].first(where: cases.contains) { return (neutral, true) }
    return cases.first.map { ($0, false) }
  }

  /// Returns the type that a declared one stands for, as code outside of the owner must write it.
  ///
  /// Follows the typealiases of the sources, keeping optionality, and qualifies nested types.
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
