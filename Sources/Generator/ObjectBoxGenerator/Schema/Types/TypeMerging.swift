/// Merges the declarations and extensions of each type.
package enum TypeMerging {
  /// Returns one value for each type, with the members, inherited types and annotations of its
  /// extensions after its own.
  ///
  /// An extension of a type that was not parsed becomes a value of its own.
  package static func merge(_ types: [ParsedType], _ names: DeclaredNames) -> [ParsedType] {
    var order: [String] = []
    var merged: [String: ParsedType] = [:]
    // Declarations come first: an extension may precede its type.
    for type in types.filter({ $0.kind != .extension }) + types.filter({ $0.kind == .extension }) {
      let name =
        type.kind == .extension ? names.extendedType(type.qualifiedName) : type.qualifiedName
      guard merged[name] != nil else {
        order.append(name)
        merged[name] = type
        // A region must not turn an extension within it into an entity, such as an extension of
        // `String`.
        if type.kind == .extension { merged[name]?.annotations.removeThoseOfRegions() }
        continue
      }
      // A type with two declarations has them in different branches of `#if`.
      if type.kind != .extension, type.access != merged[name]?.access { merged[name]?.access = nil }
      merged[name]?.variables += type.variables
      merged[name]?.inherited += type.inherited
      merged[name]?.initializers += type.initializers
      if type.hasConditionalInitializers { merged[name]?.hasConditionalInitializers = true }
      merged[name]?.migrations += type.migrations
      merged[name]?.undecidedConditions += type.undecidedConditions
      merged[name]?.annotations.merge(type.annotations)
    }
    return order.compactMap { merged[$0] }
  }
}
