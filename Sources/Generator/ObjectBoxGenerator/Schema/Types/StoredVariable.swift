/// A stored variable of an entity, with the facts that the rules need.
struct StoredVariable {
  let variable: ParsedVariable
  /// Qualified name of the class or struct that declares the variable: the entity or its base.
  let owner: String
  let names: DeclaredNames
  /// The declared type with its typealiases resolved; empty when the declaration has no type.
  let type: DeclaredType

  /// - Parameters:
  ///   - variable: The variable, which the entity declares or inherits.
  ///   - entity: Qualified name of the entity.
  ///   - names: The names by which the type is resolved.
  init(_ variable: ParsedVariable, of entity: String, _ names: DeclaredNames) {
    let owner = variable.ancestor?.name ?? entity
    self.variable = variable
    self.owner = owner
    self.names = names
    type = names.resolve(DeclaredType(variable.type ?? ""), in: owner)
  }

  var name: String { variable.name }

  var annotations: Annotations { variable.annotations }

  /// The variable in findings about an annotation, such as `'Note.text'`.
  var path: String { "'\(owner).\(name)'" }

  /// The declaring type in findings, such as `entity 'Note'`.
  var ownerTitle: String { variable.ownerTitle(in: owner) }

  /// The variable in findings about its declaration, such as `property 'text' of entity 'Note'`.
  var title: String { "property '\(name)' of \(ownerTitle)" }

  /// Returns name, type and declaring type, for findings.
  func declaration(of property: SchemaProperty) -> String {
    "'\(property.declaration)' in \(ownerTitle)"
  }

  /// Returns a finding at the name of the variable.
  func finding(_ message: DiagnosticMessage) -> Diagnostic {
    Diagnostic(message, at: variable.position)
  }
}

extension ParsedVariable {
  /// Returns the declaring type in findings: the base, or else the entity with the given name.
  func ownerTitle(in entity: String) -> String {
    ancestor.map { "base '\($0.name)'" } ?? "entity '\(entity)'"
  }
}
