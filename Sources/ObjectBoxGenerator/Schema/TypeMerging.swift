/// Brings declarations and extensions of one type together.
enum TypeMerging {
  /// Returns one value for each type, with the variables, inherited types and annotations of its
  /// extensions behind its own.
  ///
  /// Extensions of types that were not parsed stand for themselves.
  static func merge(_ types: [ParsedType]) -> [ParsedType] {
    var order: [String] = []
    var merged: [String: ParsedType] = [:]
    for type in types where type.kind != .extension {
      if merged[type.qualifiedName] == nil {
        order.append(type.qualifiedName)
        merged[type.qualifiedName] = type
      } else {
        // The same name twice, under `#if` for example: the compiler sees one of them at a time.
        merged[type.qualifiedName]?.variables += type.variables
      }
    }
    for type in types where type.kind == .extension {
      if merged[type.qualifiedName] == nil {
        order.append(type.qualifiedName)
        merged[type.qualifiedName] = type
      } else {
        merged[type.qualifiedName]?.variables += type.variables
        merged[type.qualifiedName]?.inherited += type.inherited
        merged[type.qualifiedName]?.annotations.merge(type.annotations)
      }
    }
    return order.compactMap { merged[$0] }
  }
}
