/// A stored variable of an entity, with what the rules need to judge it.
struct StoredVariable {
  let variable: ParsedVariable
  /// Qualified name of the entity.
  let owner: String
  let names: DeclaredNames
  /// The declared type with its typealiases resolved; empty when the declaration has no type.
  let type: DeclaredType

  init(_ variable: ParsedVariable, of owner: String, _ names: DeclaredNames) {
    self.variable = variable
    self.owner = owner
    self.names = names
    type = names.resolve(DeclaredType(variable.type ?? ""), in: owner)
  }

  var name: String { variable.name }

  var annotations: Annotations { variable.annotations }

  /// The variable in findings about an annotation, such as `'Note.text'`.
  var path: String { "'\(owner).\(name)'" }

  /// The variable in findings about its declaration, such as `property 'text' of entity 'Note'`.
  var title: String { "property '\(name)' of entity '\(owner)'" }

  /// Returns a finding at the name of the variable.
  func finding(_ message: DiagnosticMessage) -> Diagnostic {
    Diagnostic(message, at: variable.position)
  }
}
