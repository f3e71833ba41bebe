/// Advice about types that cannot be stored.
enum StorableTypeAdvice {
  /// Vectors that can be stored, by similar element types.
  private static let vectors = [
    "Int": "[Int64]", "UInt64": "[Int64]", "UInt": "[Int64]", "UInt32": "[Int32]",
    "Int16": "[Int32]", "UInt16": "[Int32]", "Double": "[Float]", "Int8": "[UInt8]",
    "Character": "[String]", "Substring": "[String]",
  ]

  /// Returns the advice for a property of a type that cannot be stored.
  static func words(for type: DeclaredType, of stored: StoredVariable) -> String {
    let names = stored.names
    let transient = "with `// objectbox: transient` to leave it out"
    func relation(_ kind: String, to target: String) -> String {
      "declare `var \(stored.name): \(kind)<\(target)> = nil`, or annotate it \(transient)"
    }
    func converter(to dbType: String) -> String {
      let convert =
        "`// objectbox: convert = { \"dbType\": \"\(dbType)\", \"converter\": "
        + "\"SomeConverter\" }`"
      guard CodableTypes(names: names, owner: stored.owner).contains(type) else {
        return "annotate it with \(convert), or \(transient)"
      }
      let hasValue = type.isOptional || stored.variable.defaultValue != nil
      let value = hasValue ? "" : ", and give it a default value"
      return "annotate it with `// objectbox: codable` to store it as JSON text\(value); or with "
        + "\(convert), or \(transient)"
    }
    if names.isEntity(type.name) { return relation("ToOne", to: type.name) }
    let set = DeclaredType.argument(of: "Set", in: type.name).map { DeclaredType($0) }
    if let element = (type.element ?? set).map({ names.resolve($0, in: stored.owner) }) {
      if names.isEntity(element.name) { return relation("ToMany", to: element.name) }
      if let vector = vectors[element.name] {
        return "declare it as \(vector), or \(converter(to: vector))"
      }
    }
    guard let rawType = names.rawType(of: type.name) else { return converter(to: "String") }
    // Nil stays nil without a default.
    let conversion =
      type.isOptional ? "\"dbType\": \"\(rawType.text)\"" : "\"default\": \".someCase\""
    return "annotate it with `// objectbox: convert = { \(conversion) }`, or \(transient)"
  }
}
