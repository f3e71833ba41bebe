internal import SwiftSyntax

/// Walks a syntax tree and keeps the declarations that entities are made of, as plain values.
final class DeclarationCollector: SyntaxVisitor {
  private(set) var result = ParsedSource()

  private let source: SourceText
  private let scanner: AnnotationScanner
  /// The types around the current place, from the outermost.
  private var outerNames: [String] = []
  /// For each of them, its place in `result.types`; nil for enums, protocols and actors.
  private var outerTypes: [Int?] = []

  init(source: SourceText, annotationPrefix: String) {
    self.source = source
    scanner = AnnotationScanner(source: source, prefix: annotationPrefix)
    super.init(viewMode: .sourceAccurate)
  }

  // MARK: Types

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    open(
      .class,
      name: node.name,
      keyword: node.classKeyword,
      start: Syntax(node),
      isGeneric: node.genericParameterClause != nil,
      inheritance: node.inheritanceClause
    )
  }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    open(
      .struct,
      name: node.name,
      keyword: node.structKeyword,
      start: Syntax(node),
      isGeneric: node.genericParameterClause != nil,
      inheritance: node.inheritanceClause
    )
  }

  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    let name = node.extendedType.trimmedDescription
    return open(
      .extension,
      name: name,
      at: node.extendedType.positionAfterSkippingLeadingTrivia,
      keyword: node.extensionKeyword,
      start: Syntax(node),
      isGeneric: false,
      inheritance: node.inheritanceClause
    )
  }

  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    result.enums.append(
      ParsedEnum(
        qualifiedName: qualified(node.name.identifierText),
        rawType: inherited(node.inheritanceClause).first
      )
    )
    return openOther(node.name.identifierText)
  }

  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
    openOther(node.name.identifierText)
  }

  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    .skipChildren
  }
  override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  override func visitPost(_ node: ClassDeclSyntax) { close() }
  override func visitPost(_ node: StructDeclSyntax) { close() }
  override func visitPost(_ node: ExtensionDeclSyntax) { close() }
  override func visitPost(_ node: EnumDeclSyntax) { close() }
  override func visitPost(_ node: ActorDeclSyntax) { close() }

  override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
    result.typealiases.append(
      ParsedTypealias(
        qualifiedName: qualified(node.name.identifierText),
        type: node.initializer.value.trimmedDescription
      )
    )
    return .skipChildren
  }

  private func open(
    _ kind: ParsedType.Kind,
    name: TokenSyntax,
    keyword: TokenSyntax,
    start: Syntax,
    isGeneric: Bool,
    inheritance: InheritanceClauseSyntax?
  ) -> SyntaxVisitorContinueKind {
    open(
      kind,
      name: name.identifierText,
      at: name.positionAfterSkippingLeadingTrivia,
      keyword: keyword,
      start: start,
      isGeneric: isGeneric,
      inheritance: inheritance
    )
  }

  private func open(
    _ kind: ParsedType.Kind,
    name: String,
    at position: AbsolutePosition,
    keyword: TokenSyntax,
    start: Syntax,
    isGeneric: Bool,
    inheritance: InheritanceClauseSyntax?
  ) -> SyntaxVisitorContinueKind {
    result.types.append(
      ParsedType(
        kind: kind,
        name: String(name.split(separator: ".").last ?? ""),
        qualifiedName: qualified(name),
        isGeneric: isGeneric,
        inherited: inherited(inheritance),
        annotations: annotations(start: start, keyword: keyword),
        variables: [],
        position: source.position(at: position.utf8Offset)
      )
    )
    outerNames.append(name)
    outerTypes.append(result.types.count - 1)
    return .visitChildren
  }

  private func openOther(_ name: String) -> SyntaxVisitorContinueKind {
    outerNames.append(name)
    outerTypes.append(nil)
    return .visitChildren
  }

  private func close() {
    outerNames.removeLast()
    outerTypes.removeLast()
  }

  private func qualified(_ name: String) -> String {
    (outerNames + [name]).joined(separator: ".")
  }

  private func inherited(_ clause: InheritanceClauseSyntax?) -> [String] {
    clause?.inheritedTypes.map { $0.type.trimmedDescription } ?? []
  }

  // MARK: Variables

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    guard let owner = outerTypes.last, let owner else { return .skipChildren }
    let annotations = annotations(start: Syntax(node), keyword: node.bindingSpecifier)
    let modifiers = node.modifiers
    var laterType: String?
    var variables: [ParsedVariable] = []
    // In `var a, b: Int` the type stands behind the last name only.
    for binding in node.bindings.reversed() {
      let declared = binding.typeAnnotation?.type.trimmedDescription ?? laterType
      laterType = binding.initializer == nil ? declared : nil
      guard let name = binding.pattern.as(IdentifierPatternSyntax.self)?.identifier else {
        continue
      }
      variables.append(
        ParsedVariable(
          name: name.identifierText,
          type: declared ?? binding.initializer.flatMap { TypeInference.type(of: $0.value) },
          isLet: node.bindingSpecifier.tokenKind == .keyword(.let),
          isStatic: modifiers.contains { ["static", "class"].contains($0.name.text) },
          isComputed: Self.isComputed(binding.accessorBlock),
          isPrivate: modifiers.contains {
            ["private", "fileprivate"].contains($0.name.text) && $0.detail == nil
          },
          annotations: annotations,
          position: source.position(at: name.positionAfterSkippingLeadingTrivia.utf8Offset)
        )
      )
    }
    result.types[owner].variables += variables.reversed()
    return .skipChildren
  }

  /// True for a body that computes the value; observers keep the storage.
  private static func isComputed(_ block: AccessorBlockSyntax?) -> Bool {
    guard let block else { return false }
    guard case .accessors(let accessors) = block.accessors else { return true }
    return accessors.contains { !["willSet", "didSet"].contains($0.accessorSpecifier.text) }
  }

  private func annotations(start: Syntax, keyword: TokenSyntax) -> Annotations {
    var annotations = Annotations()
    let found = scanner.annotations(
      start: start.positionAfterSkippingLeadingTrivia.utf8Offset,
      keyword: keyword.positionAfterSkippingLeadingTrivia.utf8Offset
    )
    let parser = AnnotationParser(source: source)
    for annotation in found { parser.parse(annotation.range, into: &annotations) }
    return annotations
  }
}

extension TokenSyntax {
  /// The name without the backticks of a keyword.
  fileprivate var identifierText: String {
    let text = text
    return text.hasPrefix("`") && text.hasSuffix("`") && text.count > 2
      ? String(text.dropFirst().dropLast()) : text
  }
}
