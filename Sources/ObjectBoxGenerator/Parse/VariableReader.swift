internal import SwiftSyntax

/// Reads the variables of one declaration, of which `var a, b: Int` has two.
struct VariableReader {
  let source: SourceText

  /// Returns the variables in the order of the source.
  func variables(of node: VariableDeclSyntax, _ annotations: Annotations) -> [ParsedVariable] {
    var laterType: String?
    var variables: [ParsedVariable] = []
    // In `var a, b: Int` the type stands behind the last name only.
    for binding in node.bindings.reversed() {
      let written = binding.typeAnnotation?.type.trimmedDescription
      if written != nil || binding.initializer != nil { laterType = written }
      let type = laterType ?? binding.initializer.flatMap { TypeInference.type(of: $0.value) }
      for name in names(in: binding.pattern).reversed() {
        variables.append(
          ParsedVariable(
            name: name.identifierText,
            // The type of a tuple is not that of its parts.
            type: binding.pattern.is(TuplePatternSyntax.self) ? nil : type,
            isLet: node.bindingSpecifier.tokenKind == .keyword(.let),
            isStatic: node.modifiers.contains { ["static", "class"].contains($0.name.text) },
            isComputed: Self.isComputed(binding.accessorBlock),
            isPrivate: node.modifiers.arePrivate,
            annotations: annotations,
            position: source.position(at: name.positionAfterSkippingLeadingTrivia.utf8Offset)
          )
        )
      }
    }
    return variables.reversed()
  }

  /// Returns the names that a pattern binds: one, but for tuples.
  private func names(in pattern: PatternSyntax) -> [TokenSyntax] {
    if let tuple = pattern.as(TuplePatternSyntax.self) {
      return tuple.elements.flatMap { names(in: $0.pattern) }
    }
    return pattern.as(IdentifierPatternSyntax.self).map { [$0.identifier] } ?? []
  }

  /// True for a body that computes the value; observers keep the storage.
  private static func isComputed(_ block: AccessorBlockSyntax?) -> Bool {
    guard let block else { return false }
    guard case .accessors(let accessors) = block.accessors else { return true }
    return accessors.contains { !["willSet", "didSet"].contains($0.accessorSpecifier.text) }
  }
}
