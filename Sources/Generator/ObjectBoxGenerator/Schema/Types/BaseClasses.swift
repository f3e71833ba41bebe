/// The superclasses of classes in the sources, and the variables that entities inherit from them.
struct BaseClasses {
  private let types: [String: ParsedType]
  /// The superclass of each class that has one in the sources, by qualified names.
  private let parents: [String: String]

  /// - Parameters:
  ///   - types: The types of the sources, merged with their extensions.
  ///   - names: The names by which superclasses are resolved.
  init(_ types: [ParsedType], _ names: DeclaredNames) {
    let declared = types.filter { $0.kind != .extension }.map { ($0.qualifiedName, $0) }
    let types = Dictionary(declared) { first, _ in first }
    self.types = types
    parents = types.compactMapValues { Self.superclass(of: $0, types, names)?.qualifiedName }
  }

  /// Qualified names of the classes that are bases.
  var baseNames: Set<String> { Set(types.values.filter(\.isBase).map(\.qualifiedName)) }

  /// Returns the superclasses of a class that the sources declare, nearest first.
  func superclasses(of type: ParsedType) -> [ParsedType] {
    var found: [ParsedType] = []
    var seen: Set<String> = [type.qualifiedName]
    var current = type
    while let name = parents[current.qualifiedName], let next = types[name],
      seen.insert(name).inserted
    {
      found.append(next)
      current = next
    }
    return found
  }

  /// Returns an entity with the variables and the indexes of its bases before its own; those of the
  /// outermost base come first.
  ///
  /// Other types are returned unchanged. A superclass without the annotation adds nothing, but its
  /// superclasses may.
  func flattened(_ type: ParsedType) -> ParsedType {
    guard type.isEntity else { return type }
    var result = type
    let bases = superclasses(of: type).enumerated().filter(\.element.isBase)
    result.variables =
      bases.reversed().flatMap { place, base in
        base.variables.map { variable in
          var variable = variable
          variable.ancestor = Ancestor(name: base.qualifiedName, level: place + 1)
          return variable
        }
      } + type.variables
    for (_, base) in bases {
      result.migrations += base.migrations
      var annotations = base.annotations.inherited
      annotations.merge(result.annotations)
      result.annotations = annotations
      result.mayHaveMacros = result.mayHaveMacros || base.mayHaveMacros
      result.undecidedConditions += base.undecidedConditions
      // Swift infers the global actor of a class from its superclass.
      if result.isolation == .unstated, base.isolation == .mainActor {
        result.isolation = .mainActor
      }
    }
    let variables = result.variables
    // ``BaseRule`` reports overrides.
    result.variables = variables.enumerated().filter { place, variable in
      !variable.isOverride
        || !variables[..<place].contains {
          $0.name == variable.name && $0.isStored && $0.ancestor != variable.ancestor
        }
    }.map(\.element)
    return result
  }

  /// Returns the stored variable of a base that a variable of `type` overrides; nil for none.
  func overridden(by variable: ParsedVariable, of type: ParsedType) -> (
    variable: ParsedVariable, base: String
  )? {
    guard variable.isOverride, !variable.isStatic else { return nil }
    for base in superclasses(of: type) where base.isBase {
      let found = base.variables.first { $0.name == variable.name && $0.isStored && !$0.isOverride }
      if let found { return (found, base.qualifiedName) }
    }
    return nil
  }

  private static func superclass(
    of type: ParsedType,
    _ types: [String: ParsedType],
    _ names: DeclaredNames
  ) -> ParsedType? {
    guard type.kind == .class else { return nil }
    let scope = type.qualifiedName.split(separator: ".").dropLast().joined(separator: ".")
    return type.inherited.lazy.compactMap { written -> ParsedType? in
      let name = String(written.prefix { $0 != "<" })
      let found =
        types[names.qualifiedName(of: name, in: scope)] ?? types[names.extendedType(name)]
      return found?.kind == .class ? found : nil
    }.first
  }
}
