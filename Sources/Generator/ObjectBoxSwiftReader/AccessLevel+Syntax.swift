internal import ObjectBoxGenerator
internal import ObjectBoxSyntax
internal import SwiftSyntax

extension DeclModifierListSyntax {
  /// The access level of a declaration; generated code cannot reach private declarations anyway.
  var access: AccessLevel { accessWord.flatMap(AccessLevel.init) ?? .internal }
}
