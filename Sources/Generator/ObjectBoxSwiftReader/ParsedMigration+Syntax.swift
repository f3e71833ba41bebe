internal import ObjectBoxGenerator
internal import ObjectBoxSyntax
internal import SwiftSyntax

extension ParsedMigration {
  /// Reads the signature of a static function; nil for another function.
  init?(_ node: FunctionDeclSyntax, at position: SourcePosition) {
    let modifiers = node.modifiers.map(\.name.text)
    let name = node.name.identifierText
    guard name.hasPrefix("migrate"), modifiers.contains("static") || modifiers.contains("class")
    else { return nil }
    let effects = node.signature.effectSpecifiers
    let parameters = node.signature.parameterClause.parameters
    self.init(
      name: name,
      parameters: parameters.map(\.type.trimmedDescription),
      labels: parameters.map(\.firstName.text),
      result: node.signature.returnClause?.type.trimmedDescription,
      isPrivate: node.modifiers.arePrivate,
      isThrowing: effects?.throwsClause != nil,
      isAsync: effects?.asyncSpecifier != nil,
      isNonisolated: modifiers.contains("nonisolated"),
      position: position
    )
  }
}
