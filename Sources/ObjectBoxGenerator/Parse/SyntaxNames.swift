internal import SwiftSyntax

extension TokenSyntax {
  /// The name without the backticks of a keyword.
  var identifierText: String {
    let text = text
    return text.hasPrefix("`") && text.hasSuffix("`") && text.count > 2
      ? String(text.dropFirst().dropLast()) : text
  }
}

extension DeclModifierListSyntax {
  /// True for `private` and `fileprivate`, but not for a private setter alone.
  var arePrivate: Bool {
    contains { ["private", "fileprivate"].contains($0.name.text) && $0.detail == nil }
  }
}
