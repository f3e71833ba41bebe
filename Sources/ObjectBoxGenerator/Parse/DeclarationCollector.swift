internal import SwiftSyntax

/// Walks a syntax tree and keeps the declarations that entities are made of, as plain values.
final class DeclarationCollector: SyntaxVisitor {
  private struct Scope {
    var name: String
    /// Its place in `result.types`; nil for enums, protocols and actors.
    var type: Int?
    var isPrivate: Bool
    var isGeneric: Bool
  }

  private(set) var result = ParsedSource()

  private let source: SourceText
  /// Nil for a file without annotations, whose comments need not be looked at.
  private let scanner: AnnotationScanner?
  /// The types around the current place, from the outermost.
  private var scopes: [Scope] = []

  init(source: SourceText, scanner: AnnotationScanner?) {
    self.source = source
    self.scanner = scanner
    super.init(viewMode: .sourceAccurate)
  }

  // MARK: Types

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    open(
      .class,
      name: node.name,
      keyword: node.classKeyword,
      declaration: Syntax(node),
      modifiers: node.modifiers,
      isGeneric: node.genericParameterClause != nil,
      inheritance: node.inheritanceClause
    )
  }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    open(
      .struct,
      name: node.name,
      keyword: node.structKeyword,
      declaration: Syntax(node),
      modifiers: node.modifiers,
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
      declaration: Syntax(node),
      modifiers: node.modifiers,
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
    return open(
      Scope(
        name: node.name.identifierText,
        isPrivate: node.modifiers.arePrivate,
        isGeneric: node.genericParameterClause != nil
      )
    )
  }

  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
    open(
      Scope(
        name: node.name.identifierText,
        isPrivate: node.modifiers.arePrivate,
        isGeneric: node.genericParameterClause != nil
      )
    )
  }

  override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
    guard let module = node.path.first?.name.text else { return .skipChildren }
    result.imports.append(
      ParsedImport(
        module: module,
        hasAccess: !node.modifiers.isEmpty,
        position: source.position(at: node.positionAfterSkippingLeadingTrivia.utf8Offset)
      )
    )
    return .skipChildren
  }

  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    .skipChildren
  }
  override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  // Types within statements of the top level are as local as those within functions.
  override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

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
    declaration: Syntax,
    modifiers: DeclModifierListSyntax,
    isGeneric: Bool,
    inheritance: InheritanceClauseSyntax?
  ) -> SyntaxVisitorContinueKind {
    open(
      kind,
      name: name.identifierText,
      at: name.positionAfterSkippingLeadingTrivia,
      keyword: keyword,
      declaration: declaration,
      modifiers: modifiers,
      isGeneric: isGeneric,
      inheritance: inheritance
    )
  }

  private func open(
    _ kind: ParsedType.Kind,
    name: String,
    at position: AbsolutePosition,
    keyword: TokenSyntax,
    declaration: Syntax,
    modifiers: DeclModifierListSyntax,
    isGeneric: Bool,
    inheritance: InheritanceClauseSyntax?
  ) -> SyntaxVisitorContinueKind {
    let isPrivate = modifiers.arePrivate || scopes.last?.isPrivate == true
    let isGeneric = isGeneric || scopes.last?.isGeneric == true
    result.types.append(
      ParsedType(
        kind: kind,
        name: String(name.split(separator: ".").last ?? ""),
        qualifiedName: qualified(name),
        isGeneric: isGeneric,
        isPrivate: isPrivate,
        inherited: inherited(inheritance),
        annotations: annotations(of: declaration, keyword: keyword),
        variables: [],
        position: source.position(at: position.utf8Offset)
      )
    )
    return open(
      Scope(
        name: name,
        type: result.types.count - 1,
        isPrivate: isPrivate,
        isGeneric: isGeneric
      )
    )
  }

  /// Goes into a type; what lies in a private or generic one is so as well.
  private func open(_ scope: Scope) -> SyntaxVisitorContinueKind {
    var scope = scope
    scope.isPrivate = scope.isPrivate || scopes.last?.isPrivate == true
    scope.isGeneric = scope.isGeneric || scopes.last?.isGeneric == true
    scopes.append(scope)
    return .visitChildren
  }

  private func close() {
    scopes.removeLast()
  }

  private func qualified(_ name: String) -> String {
    (scopes.map(\.name) + [name]).joined(separator: ".")
  }

  private func inherited(_ clause: InheritanceClauseSyntax?) -> [String] {
    clause?.inheritedTypes.flatMap { names(of: $0.type) } ?? []
  }

  /// Returns the types of a composition such as `Entity & Sendable`, without attributes.
  private func names(of type: TypeSyntax) -> [String] {
    if let attributed = type.as(AttributedTypeSyntax.self) {
      return names(of: attributed.baseType)
    }
    if let composition = type.as(CompositionTypeSyntax.self) {
      return composition.elements.flatMap { names(of: $0.type) }
    }
    return [type.trimmedDescription]
  }

  // MARK: Members

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    guard let owner = scopes.last?.type else { return .skipChildren }
    let annotations = annotations(of: Syntax(node), keyword: node.bindingSpecifier)
    result.types[owner].variables += VariableReader(source: source).variables(of: node, annotations)
    return .skipChildren
  }

  private func annotations(of declaration: Syntax, keyword: TokenSyntax) -> Annotations {
    var annotations = Annotations()
    guard let scanner else { return annotations }
    let parser = AnnotationParser(source: source)
    for range in scanner.annotations(of: .init(declaration, keyword: keyword)) {
      result.attachedAnnotations.insert(range.lowerBound)
      parser.parse(range, into: &annotations)
    }
    return annotations
  }
}
