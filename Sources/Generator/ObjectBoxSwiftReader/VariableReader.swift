internal import ObjectBoxGenerator
internal import ObjectBoxSyntax
internal import SwiftSyntax

/// Reads the variables of one declaration; `var a, b: Int` declares two.
struct VariableReader {
  let source: SourceText

  /// Returns the variables in source order.
  func variables(of node: VariableDeclSyntax, _ annotations: Annotations) -> [ParsedVariable] {
    var laterType: TypeSyntax?
    var variables: [ParsedVariable] = []
    // In `var a, b: Int`, only the last name has a type.
    for binding in node.bindings.reversed() {
      let written = binding.typeAnnotation?.type
      if written != nil || binding.initializer != nil { laterType = written }
      let type =
        laterType?.trimmedDescription
        ?? binding.initializer.flatMap { TypeInference.type(of: $0.value) }
      for name in names(in: binding.pattern).reversed() {
        variables.append(
          ParsedVariable(
            name: name.identifierText,
            // The type of a tuple is not the type of its parts.
            type: binding.pattern.is(TuplePatternSyntax.self) ? nil : type,
            isLet: node.bindingSpecifier.tokenKind == .keyword(.let),
            isStatic: node.modifiers.contains { ["static", "class"].contains($0.name.text) },
            isComputed: Self.isComputed(binding.accessorBlock),
            isPrivate: node.modifiers.arePrivate,
            access: node.modifiers.access,
            hasPrivateSetter: node.modifiers.havePrivateSetter,
            defaultValue: binding.initializer?.value.trimmedDescription,
            hasDefault: hasDefault(binding, of: node, type: laterType),
            isLazy: node.modifiers.contains { $0.name.text == "lazy" },
            isOverride: node.modifiers.contains { $0.name.text == "override" },
            mayBeWrapped: node.attributes.mayAddCode,
            annotations: annotations,
            position: source.position(at: name.positionAfterSkippingLeadingTrivia.utf8Offset)
          )
        )
      }
    }
    return variables.reversed()
  }

  /// Returns true for a written default value, and for the implicit nil of `var a: Int?`.
  private func hasDefault(
    _ binding: PatternBindingSyntax,
    of node: VariableDeclSyntax,
    type: TypeSyntax?
  ) -> Bool {
    if binding.initializer != nil { return true }
    guard node.bindingSpecifier.tokenKind == .keyword(.var), let type else { return false }
    return type.is(OptionalTypeSyntax.self) || type.is(ImplicitlyUnwrappedOptionalTypeSyntax.self)
  }

  /// Returns the names that a pattern binds: one, or several for a tuple.
  private func names(in pattern: PatternSyntax) -> [TokenSyntax] {
    if let tuple = pattern.as(TuplePatternSyntax.self) {
      return tuple.elements.flatMap { names(in: $0.pattern) }
    }
    return pattern.as(IdentifierPatternSyntax.self).map { [$0.identifier] } ?? []
  }

  /// Returns true for a body that computes the value; variables with observers are stored.
  private static func isComputed(_ block: AccessorBlockSyntax?) -> Bool {
    guard let block else { return false }
    guard case .accessors(let accessors) = block.accessors else { return true }
    return accessors.contains { !["willSet", "didSet"].contains($0.accessorSpecifier.text) }
  }
}
