internal import ObjectBoxGenerator
internal import SwiftDiagnostics
internal import SwiftParserDiagnostics
internal import SwiftSyntax

/// Finds the syntax errors of a file.
enum SyntaxErrors {
  /// Maximum number of errors per file; further errors mostly follow from these.
  private static let maximumCount = 10

  /// Returns the parser's errors, or the merge conflict that causes them.
  static func find(
    in tree: SourceFileSyntax,
    _ source: SourceText,
    _ conditions: BuildConditions
  ) -> [Diagnostic] {
    // SwiftSyntax's generator of diagnostics may crash on such characters.
    if tree.hasError {
      if let offset = source.bytes.firstIndex(of: 0) {
        return [Diagnostic(.zeroCharacter, at: source.position(at: offset))]
      }
      if let (offset, token) = unexpectedText(in: tree) {
        // The compiler may skip this code; it reports the other errors of the file.
        guard isCertain(Syntax(token), conditions) else { return [] }
        if let conflict = conflictMarker(in: source) {
          return [Diagnostic(.mergeConflict, at: source.position(at: conflict))]
        }
        return [Diagnostic(.unexpectedText, at: source.position(at: offset))]
      }
    }
    let findings = ParseDiagnosticsGenerator.diagnostics(for: tree)
      .filter { $0.diagMessage.severity == .error && isCertain($0.node, conditions) }
    // In a file without errors, the marker is part of a string literal.
    if !findings.isEmpty, let conflict = conflictMarker(in: source) {
      return [Diagnostic(.mergeConflict, at: source.position(at: conflict))]
    }
    return findings.prefix(maximumCount).map { finding in
      let position = source.position(at: finding.position.utf8Offset)
      return Diagnostic(.syntaxError(finding.message), at: position)
    }
  }

  /// Returns the offset of the first characters that are no Swift, and the token next to them.
  private static func unexpectedText(in tree: SourceFileSyntax) -> (Int, TokenSyntax)? {
    for token in tree.tokens(viewMode: .sourceAccurate) {
      let (start, end) = (
        token.position.utf8Offset, token.endPositionBeforeTrailingTrivia.utf8Offset
      )
      for (trivia, offset) in [(token.leadingTrivia, start), (token.trailingTrivia, end)] {
        var offset = offset
        for piece in trivia {
          if case .unexpectedText = piece { return (offset, token) }
          offset += piece.sourceLength.utf8Length
        }
      }
    }
    return nil
  }

  /// Returns whether all `#if` branches around a node are certainly active.
  ///
  /// The compiler may skip errors in other branches.
  private static func isCertain(_ node: Syntax, _ conditions: BuildConditions) -> Bool {
    var current: Syntax? = node
    while let node = current {
      if let clause = node.as(IfConfigClauseSyntax.self) {
        guard let whole = clause.parent?.parent?.as(IfConfigDeclSyntax.self) else { return false }
        let branches = ConditionalBranches(of: whole, in: conditions)
        if branches.undecided != nil || branches.read.first?.id != clause.id { return false }
      }
      current = node.parent
    }
    return true
  }

  /// Returns the offset of the first merge conflict marker.
  private static func conflictMarker(in source: SourceText) -> Int? {
    for line in 0...source.line(at: max(0, source.bytes.count - 1)) {
      let range = source.range(ofLine: line)
      if source.hasPrefix("<<<<<<< ", at: range.lowerBound, before: range.upperBound) {
        return range.lowerBound
      }
    }
    return nil
  }
}

extension DiagnosticMessage {
  static let mergeConflict: Self =
    "the source has a merge conflict; resolve it and run the generator again"

  static let zeroCharacter: Self =
    "the source has a character of the number 0 and syntax errors; remove the character and run the generator again"

  static let unexpectedText: Self =
    "the source has characters that Swift does not know, and syntax errors; remove them and run the generator again"

  static func syntaxError(_ text: String) -> Self { "\(text)" }
}
