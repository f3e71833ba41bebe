/// Finds the names of types that only C headers can explain.
enum CTypeDemand {
  /// Returns the types of properties that are neither storable nor declared in the sources.
  ///
  /// If the result is empty, no header needs to be read.
  static func names(in parsed: [ParsedSource]) -> Set<String> {
    let names = DeclaredNames(parsed)
    var demand: Set<String> = []
    let types = TypeMerging.merge(parsed.flatMap(\.types), names)
    let classes = BaseClasses(types, names)
    for type in types.map(classes.flattened) where type.isEntity {
      for variable in type.variables where variable.isStored {
        let scope = variable.ancestor?.name ?? type.qualifiedName
        for text in [variable.type, databaseType(variable)].compactMap(\.self) {
          let resolved = names.resolve(DeclaredType(text), in: scope)
          if let name = unknown(resolved, names) { demand.insert(name) }
        }
      }
    }
    return demand
  }

  private static func databaseType(_ variable: ParsedVariable) -> String? {
    switch variable.annotations["convert"]?.value {
    case .text(let text): text
    case .dictionary(let options): options["dbType"]?.string
    default: nil
    }
  }

  private static func unknown(_ type: DeclaredType, _ names: DeclaredNames) -> String? {
    if let element = type.element { return unknown(element, names) }
    guard TypeTable.entry(type.name) == nil, !names.isDeclared(type.name),
      !TypeTable.runtimeTypes.contains(type.name)
    else { return nil }
    let name = CTypes.withoutModule(type.name)
    let isIdentifier = name.allSatisfy { $0.isLetter || $0.isNumber || $0 == "_" || $0 == "$" }
    return isIdentifier ? name : nil
  }
}
