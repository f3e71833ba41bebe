/// Merges declarations and extensions of one type.
enum TypeMerging {
  /// Returns one value for each type, with the variables, inherited types and annotations of its
  /// extensions behind its own.
  ///
  /// Extensions of types that were not parsed become values of their own.
  static func merge(_ types: [ParsedType], _ names: DeclaredNames) -> [ParsedType] {
    var order: [String] = []
    var merged: [String: ParsedType] = [:]
    // Declarations first: an extension may stand before the type that it extends.
    for type in types.filter({ $0.kind != .extension }) + types.filter({ $0.kind == .extension }) {
      let name =
        type.kind == .extension ? names.extendedType(type.qualifiedName) : type.qualifiedName
      guard merged[name] != nil else {
        order.append(name)
        merged[name] = type
        // A region must not make an entity of an extension within it, such as one of `String`.
        if type.kind == .extension { merged[name]?.annotations.removeThoseOfRegions() }
        continue
      }
      // Two declarations of one type are in different branches of `#if`.
      merged[name]?.variables += type.variables
      merged[name]?.inherited += type.inherited
      merged[name]?.initializers += type.initializers
      merged[name]?.undecidedConditions += type.undecidedConditions
      merged[name]?.annotations.merge(type.annotations)
    }
    return order.compactMap { merged[$0] }
  }
}
