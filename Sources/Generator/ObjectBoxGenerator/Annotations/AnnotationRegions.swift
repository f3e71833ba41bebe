/// Annotations of one file that apply to more than the next declaration.
///
/// `begin: a, b` applies a and b to each declaration up to its `end`; `file: a` applies a to each
/// declaration that follows. Code between `inline: name` and its `end` was written by a template
/// and is left out. Regions nest. A declaration's own annotations override a region's, and an
/// inner region overrides an outer one.
package struct AnnotationRegions {
  private enum Kind {
    case annotated, file, template
  }

  private struct Region {
    var kind: Kind
    var range: Range<Int>
    /// Start of the annotation text that opens the region.
    var opening: SourcePosition
    var annotations = Annotations()
  }

  private enum Word: String {
    case begin, end, file, inline
  }

  /// Regions in the order of their starts: inner regions follow outer ones.
  private var regions: [Region] = []
  /// Offsets of the texts that open and close regions.
  package private(set) var directives: Set<Int> = []
  package private(set) var diagnostics: [Diagnostic] = []

  /// Reads the annotation texts of a file; `texts` must be in file order.
  package init(_ texts: [Range<Int>], in source: SourceText) {
    var open: [Int] = []
    for text in texts {
      // Template code may contain annotations; only its `end` counts.
      let isInTemplate = open.last.map { regions[$0].kind == .template } == true
      guard let (word, items) = Self.directive(text, in: source) else { continue }
      directives.insert(text.lowerBound)
      if isInTemplate, word != .end { continue }
      let position = source.position(at: text.lowerBound)
      switch word {
      case .begin, .file, .inline:
        let kind: Kind = word == .begin ? .annotated : word == .file ? .file : .template
        // The region reaches to the end of the file until its `end` is found.
        var region = Region(
          kind: kind,
          range: text.upperBound..<source.bytes.count + 1,
          opening: position
        )
        if kind != .template {
          AnnotationParser(source: source).parse(items, into: &region.annotations)
          diagnostics += region.annotations.diagnostics
          diagnostics += Self.unknownNames(in: region.annotations)
        }
        if kind != .file { open.append(regions.count) }
        regions.append(region)
      case .end:
        guard let last = open.popLast() else {
          diagnostics.append(Diagnostic(.strayEnd, at: position))
          continue
        }
        regions[last].range = regions[last].range.lowerBound..<text.lowerBound
      }
    }
    for region in open.map({ regions[$0] }) {
      let message = DiagnosticMessage.unclosedRegion(isTemplate: region.kind == .template)
      diagnostics.append(Diagnostic(message, at: region.opening))
    }
  }

  /// Returns whether a template wrote the code at an offset.
  package func isTemplate(at offset: Int) -> Bool {
    regions.contains { $0.kind == .template && $0.range.contains(offset) }
  }

  /// Adds annotations of the surrounding regions to a declaration, as far as its kind allows them.
  package func complete(_ annotations: inout Annotations, at offset: Int, known names: Set<String>)
  {
    for region in regions.reversed() where region.range.contains(offset) {
      annotations.complete(with: region.annotations, known: names)
    }
  }

  /// Returns the word that opens or closes a region, and the range of the items after it.
  private static func directive(_ text: Range<Int>, in source: SourceText) -> (Word, Range<Int>)? {
    let end = text.first { source.bytes[$0] == UInt8(ascii: ":") }
    let name = source.trimmed(text.lowerBound..<(end ?? text.upperBound))
    guard let word = Word(rawValue: source.text(name)), (end == nil) == (word == .end) else {
      return nil
    }
    let start = end.map { $0 + 1 } ?? text.upperBound
    return (word, source.trimmed(start..<text.upperBound))
  }

  /// Returns findings about names that are annotations neither of types nor of variables.
  private static func unknownNames(in annotations: Annotations) -> [Diagnostic] {
    annotations.unknown(
      among: Annotation.ofTypes.union(Annotation.ofVariables),
      on: "all declarations of a region"
    )
  }
}

extension DiagnosticMessage {
  static let strayEnd = warning(
    "this ends no region, since none is open here; remove it, or open one with `begin: name`"
  )

  static func unclosedRegion(isTemplate: Bool) -> Self {
    warning(
      (isTemplate
        ? "the code of a template begins here and has no end, so the rest of the file is left out"
        : "this region has no end, so it reaches to the end of the file")
        + "; close it with an annotation `end`"
    )
  }
}
