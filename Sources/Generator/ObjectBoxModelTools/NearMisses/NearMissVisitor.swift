internal import ObjectBoxCommandLine
internal import ObjectBoxGenerator
internal import ObjectBoxSwiftReader
internal import ObjectBoxSyntax
internal import SwiftParser
internal import SwiftSyntax

/// Finds misspelt annotations of types, and entities that are neither classes nor structs.
final class NearMissVisitor: SyntaxVisitor {
  private var notes: [Diagnostic] = []
  private let source: SourceText
  private let prefix: String

  /// Returns the notes about a file.
  static func notes(in file: SourceFile, prefix: String) -> [Diagnostic] {
    let visitor = NearMissVisitor(source: SourceText(file), prefix: prefix)
    visitor.walk(Parser.parse(source: file.text))
    return visitor.notes
  }

  private init(source: SourceText, prefix: String) {
    self.source = source
    self.prefix = prefix
    super.init(viewMode: .sourceAccurate)
  }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    check(Syntax(node), node.classKeyword)
  }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    check(Syntax(node), node.structKeyword)
  }

  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    check(node.name, "an enum", node.inheritanceClause)
  }

  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
    check(node.name, "an actor", node.inheritanceClause)
  }

  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
    check(node.name, "a protocol", node.inheritanceClause)
  }

  private func check(
    _ name: TokenSyntax,
    _ kind: String,
    _ clause: InheritanceClauseSyntax?
  ) -> SyntaxVisitorContinueKind {
    let inherited = clause?.inheritedTypes.map(\.type.trimmedDescription) ?? []
    if inherited.contains("Entity") || inherited.contains("ObjectBox.Entity") {
      let position = source.position(at: name.positionAfterSkippingLeadingTrivia.utf8Offset)
      notes.append(Diagnostic(.wrongKind(name.identifierText, kind), at: position))
    }
    return .visitChildren
  }

  private func check(_ declaration: Syntax, _ keyword: TokenSyntax) -> SyntaxVisitorContinueKind {
    for comment in AnnotationScanner.Surroundings(declaration, keyword: keyword).comments {
      for line in source.line(at: comment.lowerBound)...source.line(at: comment.upperBound - 1) {
        check(comment: source.range(ofLine: line).clamped(to: comment))
      }
    }
    return .visitChildren
  }

  /// Checks one line of a comment above a type.
  private func check(comment line: Range<Int>) {
    let isOpener = { (byte: UInt8) in
      byte == UInt8(ascii: "/") || byte == UInt8(ascii: "*") || SourceText.isBlank(byte)
    }
    var body = line
    while let first = body.first, isOpener(source.bytes[first]) { body = body.dropFirst() }
    while let last = body.last, isOpener(source.bytes[last]) { body = body.dropLast() }
    let text = source.text(body)
    // A correct annotation has an effect or a finding of its own.
    guard !text.hasPrefix(prefix + ":") else { return }
    let words = text.split(whereSeparator: \.isWhitespace).map { $0.lowercased() }
    if words == ["entity"] || words == ["@entity"] || words == [prefix.lowercased(), "entity"] {
      report(text, body, "\(prefix): entity")
    } else if let colon = body.first(where: { source.bytes[$0] == UInt8(ascii: ":") }) {
      let word = source.text(source.trimmed(body.lowerBound..<colon)).lowercased()
      let distance = EditDistance.between(word, prefix.lowercased())
      guard distance <= max(1, prefix.count / 4) else { return }
      report(source.text(body.lowerBound..<colon + 1), body.lowerBound..<colon + 1, "\(prefix):")
    }
  }

  private func report(_ text: String, _ range: Range<Int>, _ replacement: String) {
    let span = source.span(of: range)
    // The comment may be prose.
    let fix = FixIt.replace(text, at: span, by: .init(word: replacement, isCertain: false))
    notes.append(Diagnostic(.misspeltPrefix(text, prefix: prefix), at: span, fixIts: [fix]))
  }
}

extension DiagnosticMessage {
  static func wrongKind(_ name: String, _ kind: String) -> Self {
    note("'\(name)' is \(kind), and entities are classes and structs; make it one of these")
  }

  static func misspeltPrefix(_ text: String, prefix: String) -> Self {
    note("'\(text)' is no annotation; write `// \(prefix): entity`, in this spelling")
  }
}
