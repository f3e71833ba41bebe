package import ObjectBoxGenerator
internal import ObjectBoxSyntax
internal import SwiftParser
internal import SwiftSyntax

/// Parses Swift files with SwiftSyntax.
package struct SourceParser: SourceReader {
  package init() {}

  package func parse(
    _ file: SourceFile,
    pruned: String? = nil,
    annotationPrefix: String = "objectbox",
    conditions: BuildConditions = BuildConditions()
  ) -> ParsedSource {
    if GeneratedFile.isGenerated(file.text) { return ParsedSource() }
    let source = SourceText(file)
    if let offset = SourceBytes.of(pruned ?? file.text, NestedBrackets.firstTooDeep) {
      var result = ParsedSource()
      result.syntaxErrors = [Diagnostic(.nestedTooDeep, at: source.position(at: offset))]
      return result
    }
    var tree = Parser.parse(source: pruned ?? file.text)
    if pruned != nil, tree.hasError { tree = Parser.parse(source: file.text) }
    let syntaxErrors = tree.hasError ? SyntaxErrors.find(in: tree, source, conditions) : []
    guard syntaxErrors.isEmpty else {
      var result = ParsedSource()
      result.syntaxErrors = syntaxErrors
      return result
    }
    let mayBeAnnotated = SourceBytes.of(file.text) { bytes in
      bytes.first(annotationPrefix + ":") != nil || bytes.mayMisspell(annotationPrefix)
    }
    guard mayBeAnnotated else {
      let collector = DeclarationCollector(source: source, conditions: conditions)
      collector.walk(tree)
      return collector.result
    }
    let scanner = AnnotationScanner(source: source, prefix: annotationPrefix)
    var texts = Self.annotations(in: tree, file.text, scanner)
    if file.text.contains("#if") {
      let inactive = InactiveRegions(in: tree, conditions)
      texts.removeAll { inactive.contains($0.lowerBound) }
    }
    let regions = AnnotationRegions(texts, in: source)
    let collector = DeclarationCollector(
      source: source,
      conditions: conditions,
      scanner: scanner,
      regions: regions
    )
    collector.walk(tree)
    var result = collector.result
    result.diagnostics = regions.diagnostics
    // An annotation without a declaration has no effect.
    for text in texts
    where !collector.attachedAnnotations.contains(text.lowerBound)
      && !regions.directives.contains(text.lowerBound) && !regions.isTemplate(at: text.lowerBound)
    {
      let finding = DiagnosticMessage.detachedAnnotation(source.text(text))
      result.diagnostics.append(Diagnostic(finding, at: source.span(of: text)))
    }
    return result
  }

  /// Returns the annotations of a file from top to bottom.
  private static func annotations(
    in tree: SourceFileSyntax,
    _ text: String,
    _ scanner: AnnotationScanner
  ) -> [Range<Int>] {
    var tokens: [TokenSyntax] = []
    // Finding the few tokens with an annotation is faster than making the trivia of all tokens.
    var offsets = SourceBytes.of(text) { $0.offsets(of: scanner.prefix + ":") }[...]
    for token in tree.tokens(viewMode: .sourceAccurate) {
      guard let next = offsets.first else { break }
      let end = token.endPosition.utf8Offset
      if next >= end { continue }
      tokens.append(token)
      offsets = offsets.drop { $0 < end }
    }
    return tokens.flatMap { TriviaComments.before($0) + TriviaComments.after($0) }
      .flatMap(scanner.annotations)
  }
}

extension DiagnosticMessage {
  static func detachedAnnotation(_ text: String) -> Self {
    warning(
      "the annotation '\(text)' has no effect here; put it on the line above the class, struct or "
        + "property that it is meant for, without a blank line between"
    )
  }
}
