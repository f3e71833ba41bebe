/// Brings declarations and extensions of one type together.
enum TypeMerging {
  /// Returns one value for each type, with the variables, inherited types and annotations of its
  /// extensions behind its own.
  ///
  /// Extensions of types that were not parsed stand for themselves.
  static func merge(_ types: [ParsedType]) -> [ParsedType] {
    var order: [String] = []
    var merged: [String: ParsedType] = [:]
    // Declarations first: an extension may stand before the type that it extends.
    for type in types.filter({ $0.kind != .extension }) + types.filter({ $0.kind == .extension }) {
      let name =
        merged[type.qualifiedName] == nil ? withoutModule(type, merged) : type.qualifiedName
      guard merged[name] != nil else {
        order.append(name)
        merged[name] = type
        continue
      }
      // Two declarations of one type stand under `#if`: the compiler sees one of them at a time.
      merged[name]?.variables += type.variables
      merged[name]?.inherited += type.inherited
      merged[name]?.annotations.merge(type.annotations)
    }
    return order.compactMap { merged[$0] }
  }

  /// Returns `Note` for an extension of `App.Note`, when `App` is no type of the sources.
  private static func withoutModule(_ type: ParsedType, _ merged: [String: ParsedType]) -> String {
    let parts = type.qualifiedName.split(separator: ".")
    let rest = parts.dropFirst().joined(separator: ".")
    guard type.kind == .extension, let module = parts.first, merged[String(module)] == nil,
      merged[rest] != nil
    else { return type.qualifiedName }
    return rest
  }
}
