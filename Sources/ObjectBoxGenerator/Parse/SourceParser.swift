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
    // Inside a string literal such a line is no fault, and the tree then has no error.
    if tree.hasError, let conflict = conflictMarker(in: source) {
      var result = ParsedSource()
      result.syntaxErrors = [Diagnostic(.mergeConflict, at: source.position(at: conflict))]
      return result
    }
    let scanner = AnnotationScanner(source: source, prefix: annotationPrefix)
    let collector = DeclarationCollector(source: source, scanner: scanner)
    collector.walk(tree)
    var result = collector.result
    if tree.hasError {
      result.syntaxErrors = syntaxErrors(of: tree, in: source)
    } else {
      result.diagnostics = detachedAnnotations(in: tree, scanner, except: result)
    }
    return result
  }

  private static func syntaxErrors(of tree: SourceFileSyntax, in source: SourceText) -> [Diagnostic]
  {
    ParseDiagnosticsGenerator.diagnostics(for: tree)
      .filter { $0.diagMessage.severity == .error }
      .prefix(maximumSyntaxErrors).map { finding in
        Diagnostic(
          .syntaxError(finding.message),
          at: source.position(at: finding.position.utf8Offset)
        )
      }
  }

  /// Returns a warning for each annotation that stands on no declaration, and so has no effect.
  private static func detachedAnnotations(
    in tree: SourceFileSyntax,
    _ scanner: AnnotationScanner,
    except parsed: ParsedSource
  ) -> [Diagnostic] {
    guard scanner.source.contains(scanner.prefix + ":") else { return [] }
    return tree.tokens(viewMode: .sourceAccurate)
      .flatMap { TriviaComments.before($0) + TriviaComments.after($0) }
      .flatMap(scanner.annotations)
      .filter { !parsed.attachedAnnotations.contains($0.lowerBound) }
      .map {
        let position = scanner.source.position(at: $0.lowerBound)
        return Diagnostic(.detachedAnnotation(scanner.source.text($0)), at: position)
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
