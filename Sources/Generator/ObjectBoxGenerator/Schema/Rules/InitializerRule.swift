/// Checks that generated code can make objects of an entity.
///
/// For a class, generated code calls `init()` and then assigns. For a struct, it calls the
/// initializer that takes all properties in declaration order. A superclass, a macro or a protocol
/// may add this initializer, so there are findings only if the source leaves no doubt: errors at the
/// declaration in place of the compiler's in generated code.
enum InitializerRule {
  /// Protocols that add no initializer that generated code could call.
  private static let plainProtocols: Set<String> = [
    "Entity", "ObjectBox.Entity", "Codable", "Encodable", "Decodable", "Hashable", "Equatable",
    "Comparable", "Identifiable", "Sendable", "CustomStringConvertible", "ObservableObject",
    "CustomDebugStringConvertible", "Error", "AnyObject",
  ]

  /// Returns findings about the constants and initializers of an entity with the given properties.
  static func check(_ type: ParsedType, storing variables: [ParsedVariable]) -> [Diagnostic] {
    let constants = checkConstants(variables, of: type) + checkLazy(variables, of: type)
    if !constants.isEmpty || variables.contains(where: \.isPrivate) { return constants }
    let findings = checkAccess(type, variables)
    if type.undecidedConditions.isEmpty, !type.hasConditionalInitializers { return findings }
    // The compiler may skip the branch.
    return findings.map { finding in
      var finding = finding
      finding.message.severity = .warning
      return finding
    }
  }

  private static func checkAccess(
    _ type: ParsedType,
    _ variables: [ParsedVariable]
  ) -> [Diagnostic] {
    let setters = variables.filter { $0.hasPrivateSetter && type.kind == .class }.map { variable in
      let owner = variable.ownerTitle(in: type.qualifiedName)
      let message = DiagnosticMessage.privateSetter(variable.name, of: owner)
      return Diagnostic(message, at: variable.position)
    }
    if type.mayHaveMacros || !type.inherited.allSatisfy(plainProtocols.contains) { return setters }
    return setters + (type.kind == .struct ? checkStruct(type, variables) : checkClass(type))
  }

  private static func checkConstants(
    _ variables: [ParsedVariable],
    of type: ParsedType
  ) -> [Diagnostic] {
    variables.filter { $0.isLet && (type.kind == .class || $0.hasDefault) }.map { variable in
      let message: DiagnosticMessage =
        type.kind == .class
        ? .constantOfClass(variable.name, of: variable.ownerTitle(in: type.qualifiedName))
        : .constantWithValue(variable.name, entity: type.qualifiedName)
      return Diagnostic(message, at: variable.position)
    }
  }

  /// Reading a lazy property changes a struct, and generated code reads structs that it cannot change.
  private static func checkLazy(_ variables: [ParsedVariable], of type: ParsedType) -> [Diagnostic]
  {
    variables.filter { $0.isLazy && type.kind == .struct }.map { variable in
      let message = DiagnosticMessage.lazyOfStruct(variable.name, entity: type.qualifiedName)
      return Diagnostic(message, at: variable.position)
    }
  }

  private static func checkClass(_ type: ParsedType) -> [Diagnostic] {
    // Without initializers, the compiler adds one or reports at the class why it cannot.
    guard !type.initializers.isEmpty else { return [] }
    let isThere = type.initializers.contains { takes([], $0) }
    // With convenience initializers only, the compiler may still add one.
    let hasOwn = type.initializers.contains { !$0.isInExtension && !$0.isConvenience }
    if isThere || !hasOwn { return [] }
    return [Diagnostic(.missingEmptyInitializer(type.qualifiedName), at: type.position)]
  }

  private static func checkStruct(
    _ type: ParsedType,
    _ variables: [ParsedVariable]
  ) -> [Diagnostic] {
    let labels = variables.map(\.name)
    if type.initializers.contains(where: { takes(labels, $0) }) { return [] }
    let call = "init(" + labels.map { $0 + ":" }.joined() + ")"
    // An initializer in the body replaces the memberwise initializer.
    if type.initializers.contains(where: { !$0.isInExtension }) {
      return [Diagnostic(.missingInitializer(call, entity: type.qualifiedName), at: type.position)]
    }
    let others = type.variables.filter { variable in
      !variable.isStatic && !variable.isComputed && !variable.mayBeWrapped
        && !(variable.isLet && variable.hasDefault) && !labels.contains(variable.name)
    }
    return others.compactMap { variable in
      let (name, entity) = (variable.name, type.qualifiedName)
      var message: DiagnosticMessage
      if variable.isPrivate {
        message = .privateMemberwise(name, call, entity: entity)
        // Later compilers may leave variables with values out of the initializer, as SE-0502 proposes.
        if variable.hasDefault { message.severity = .warning }
      } else if variable.hasDefault || variable.isLazy {
        return nil
      } else {
        message = .memberwiseNeeds(name, call, entity: entity)
      }
      return Diagnostic(message, at: variable.position)
    }
  }

  /// Returns whether an initializer can be called with exactly the given labels.
  private static func takes(_ labels: [String], _ initializer: ParsedInitializer) -> Bool {
    guard !initializer.isPrivate, initializer.isPlain else { return false }
    var rest = labels[...]
    for parameter in initializer.parameters {
      if let next = rest.first, parameter.label == next {
        rest.removeFirst()
      } else if !parameter.hasDefault {
        return false
      }
    }
    return rest.isEmpty
  }
}

extension DiagnosticMessage {
  static func constantOfClass(_ name: String, of owner: String) -> Self {
    "property '\(name)' of \(owner) is a constant, and objects of a class are read by "
      + "assigning to their properties; make it `var`, or annotate it with `// objectbox: "
      + "transient`"
  }

  static func constantWithValue(_ name: String, entity: String) -> Self {
    "property '\(name)' of entity '\(entity)' is a constant with a value, so a stored one cannot "
      + "take its place; make it `var`, remove the value, or annotate it with `// objectbox: "
      + "transient`"
  }

  static func lazyOfStruct(_ name: String, entity: String) -> Self {
    "property '\(name)' of entity '\(entity)' is lazy, and generated code cannot read a lazy property of "
      + "a struct; remove `lazy`, or annotate it with `// objectbox: transient`"
  }

  static func privateSetter(_ name: String, of owner: String) -> Self {
    "generated code cannot set property '\(name)' of \(owner), since its setter is private, and "
      + "objects of a class are read by assigning to their properties; remove `private(set)`, or "
      + "annotate it with `// objectbox: transient` to leave it out"
  }

  static func missingEmptyInitializer(_ entity: String) -> Self {
    "entity '\(entity)' has no `init()` that generated code can call to make an object; add one "
      + "that is not private"
  }

  static func missingInitializer(_ call: String, entity: String) -> Self {
    "entity '\(entity)' has no initializer `\(call)`, which generated code calls to make an "
      + "object; add it, or move the other initializers to an extension to have it for nothing"
  }

  static func memberwiseNeeds(_ name: String, _ call: String, entity: String) -> Self {
    "'\(name)' is not stored, but the initializer of entity '\(entity)' asks for it; give it a "
      + "default value, or add `\(call)`"
  }

  static func privateMemberwise(_ name: String, _ call: String, entity: String) -> Self {
    "'\(name)' is private, which makes the initializer of entity '\(entity)' private as well, so "
      + "generated code cannot call it; make '\(name)' internal, or add `\(call)`"
  }
}
