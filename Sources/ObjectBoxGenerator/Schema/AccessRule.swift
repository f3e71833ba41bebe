/// Whether generated code, which stands in a file of its own, can read and set the variables of an
/// entity.
enum AccessRule {
  static func check(_ variable: ParsedVariable, in type: ParsedType) -> [Diagnostic] {
    let owner = type.qualifiedName
    let message: DiagnosticMessage? =
      if variable.isPrivate {
        .privateProperty(variable.name, entity: owner)
      } else if type.kind == .class, variable.isLet {
        .constantOfClass(variable.name, entity: owner)
      } else if type.kind == .class, variable.hasPrivateSetter {
        .privateSetter(variable.name, entity: owner)
      } else {
        nil
      }
    return message.map { [Diagnostic($0, at: variable.position)] } ?? []
  }

  /// Checks the ID of a struct, the one property of a struct that is set after initialization.
  static func checkID(_ property: SchemaProperty, in type: ParsedType) -> [Diagnostic] {
    let variable = type.variables.first { $0.position == property.position }
    guard type.kind == .struct, let variable, variable.hasPrivateSetter, !variable.isPrivate else {
      return []
    }
    let message = DiagnosticMessage.privateSetter(variable.name, entity: type.qualifiedName)
    return [Diagnostic(message, at: variable.position)]
  }
}

extension DiagnosticMessage {
  static func privateProperty(_ name: String, entity: String) -> Self {
    Self(
      .error,
      "property '\(name)' of entity '\(entity)' is private, so generated code cannot reach it; "
        + "make it internal, or annotate it with `// objectbox: transient`"
    )
  }

  static func constantOfClass(_ name: String, entity: String) -> Self {
    Self(
      .error,
      "property '\(name)' of class '\(entity)' is constant, so generated code cannot set it; make "
        + "it a `var`, or annotate it with `// objectbox: transient`"
    )
  }

  static func privateSetter(_ name: String, entity: String) -> Self {
    Self(
      .error,
      "property '\(name)' of entity '\(entity)' has a private setter, so generated code cannot set "
        + "it; make it internal, or annotate the property with `// objectbox: transient`"
    )
  }
}
