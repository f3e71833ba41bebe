internal import ObjectBoxGenerator
internal import ObjectBoxSyntax
internal import SwiftSyntax

extension ParsedInitializer {
  /// Reads the signature of an initializer.
  init(_ node: InitializerDeclSyntax, isInExtension: Bool) {
    let effects = node.signature.effectSpecifiers
    self.init(
      parameters: node.signature.parameterClause.parameters.map { parameter in
        let label = parameter.firstName.identifierText
        return Parameter(
          label: label == "_" ? nil : label,
          hasDefault: parameter.defaultValue != nil || parameter.ellipsis != nil
        )
      },
      isPrivate: node.modifiers.arePrivate,
      isPlain: node.optionalMark == nil && effects?.throwsClause == nil
        && effects?.asyncSpecifier == nil,
      isInExtension: isInExtension,
      isConvenience: node.modifiers.contains { $0.name.text == "convenience" }
    )
  }
}
