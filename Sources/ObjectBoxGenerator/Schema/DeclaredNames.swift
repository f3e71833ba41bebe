/// The enums and typealiases of the sources, as declared types refer to them.
struct DeclaredNames {
  private var rawTypes: [String: String] = [:]
  private var aliases: [String: String] = [:]
  private var enums: Set<String> = []

  init(_ parsed: [ParsedSource]) {
    for declared in parsed.flatMap(\.enums) {
      enums.insert(declared.qualifiedName)
      if let rawType = declared.rawType { rawTypes[declared.qualifiedName] = rawType }
    }
    for declared in parsed.flatMap(\.typealiases) {
      aliases[declared.qualifiedName] = declared.type
    }
  }

  /// Returns the raw type of an enum of the sources; nil for other types.
  func rawType(of type: String, in owner: String) -> String? {
    Self.look(up: type, in: owner, rawTypes)
  }

  /// Follows typealiases of the sources to the type that they stand for, keeping optionality.
  func resolve(_ type: DeclaredType, in owner: String) -> DeclaredType {
    var type = type
    var seen: Set<String> = []
    while seen.insert(type.name).inserted,
      let alias = Self.look(up: type.name, in: owner, aliases)
    {
      let target = DeclaredType(alias)
      type = DeclaredType(name: target.name, isOptional: type.isOptional || target.isOptional)
    }
    return type
  }

  /// Looks a name up as Swift does: in the owner, in the types around it, at the top.
  private static func look(
    up name: String,
    in owner: String,
    _ table: [String: String]
  ) -> String? {
    var scope = owner.split(separator: ".").map(String.init)
    while true {
      if let found = table[(scope + [name]).joined(separator: ".")] { return found }
      if scope.isEmpty { return nil }
      scope.removeLast()
    }
  }
}
