internal import SwiftDiagnostics
internal import SwiftParser
internal import SwiftParserDiagnostics
internal import SwiftSyntax

/// Parses one Swift file into the declarations that matter.
package enum SourceParser {
  /// How many syntax errors of one file are told; the rest mostly follow from them.
  private static let maximumSyntaxErrors = 10

  /// Parses a file; generated ones give nothing.
  package static func parse(
    _ file: SourceFile,
    annotationPrefix: String = "objectbox"
  ) -> ParsedSource {
    if file.text.hasPrefix(GeneratedFile.marker) { return ParsedSource() }
    let source = SourceText(file)
    let tree = Parser.parse(source: file.text)
    let syntaxErrors = tree.hasError ? syntaxErrors(of: tree, in: source) : []
    guard syntaxErrors.isEmpty else {
      var result = ParsedSource()
      result.syntaxErrors = syntaxErrors
      return result
    }
    let holdsAnnotations = file.text.contains(annotationPrefix + ":")
    let scanner = AnnotationScanner(source: source, prefix: annotationPrefix)
    let collector = DeclarationCollector(
      source: source,
      scanner: holdsAnnotations ? scanner : nil
    )
    collector.walk(tree)
    var result = collector.result
    if holdsAnnotations {
      result.diagnostics = detachedAnnotations(in: tree, scanner, except: result)
    }
    return result
  }

  /// Returns the parser's findings, or the merge conflict that causes them.
  private static func syntaxErrors(
    of tree: SourceFileSyntax,
    in source: SourceText
  ) -> [Diagnostic] {
    let findings = ParseDiagnosticsGenerator.diagnostics(for: tree)
      .filter { $0.diagMessage.severity == .error && !isConditional($0.node) }
    // Without an error such a line stands in a string literal, where it is no fault.
    if !findings.isEmpty, let conflict = conflictMarker(in: source) {
      return [Diagnostic(.mergeConflict, at: source.position(at: conflict))]
    }
    return findings.prefix(maximumSyntaxErrors).map { finding in
      Diagnostic(
        .syntaxError(finding.message),
        at: source.position(at: finding.position.utf8Offset)
      )
    }
  }

  /// Returns whether a node lies within `#if`, where the compiler may skip what it cannot read.
  private static func isConditional(_ node: Syntax) -> Bool {
    var current: Syntax? = node
    while let node = current {
      if node.is(IfConfigClauseSyntax.self) { return true }
      current = node.parent
    }
    return false
  }

  /// Returns a warning for each annotation that stands on no declaration, and so has no effect.
  private static func detachedAnnotations(
    in tree: SourceFileSyntax,
    _ scanner: AnnotationScanner,
    except parsed: ParsedSource
  ) -> [Diagnostic] {
    tree.tokens(viewMode: .sourceAccurate)
      .flatMap { TriviaComments.before($0) + TriviaComments.after($0) }
      .flatMap(scanner.annotations)
      .filter { !parsed.attachedAnnotations.contains($0.lowerBound) }
      .map {
        Diagnostic(
          .detachedAnnotation(scanner.source.text($0)),
          at: scanner.source.span(of: $0)
        )
      }
  }

  /// Returns the offset of a line that version control writes into a file with a conflict.
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
  static let mergeConflict = Self(
    .error,
    "the source has a merge conflict; resolve it and run the generator again"
  )

  static func syntaxError(_ text: String) -> Self { Self(.error, text) }

  static func detachedAnnotation(_ text: String) -> Self {
    Self(
      .warning,
      "the annotation '\(text)' has no effect here; put it on the line above the class, struct or "
        + "property that it is meant for, without a blank line between"
    )
  }
}
