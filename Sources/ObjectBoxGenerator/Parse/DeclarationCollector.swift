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

  /// What classes, structs and extensions have in common.
  private struct Header {
    var kind: ParsedType.Kind
    var name: String
    var position: AbsolutePosition
    var keyword: TokenSyntax
    var attributes: AttributeListSyntax
    var modifiers: DeclModifierListSyntax
    var isGeneric = false
    var inheritance: InheritanceClauseSyntax?
  }

  private(set) var result = ParsedSource()

  private let source: SourceText
  private let conditions: BuildConditions
  /// Nil for a file without annotations, whose comments need not be looked at.
  private let scanner: AnnotationScanner?
  private let regions: AnnotationRegions?
  /// The types around the current place, from the outermost.
  private var scopes: [Scope] = []
  /// The findings about each `#if` around the current place that cannot be decided.
  private var undecided: [Diagnostic] = []

  init(
    source: SourceText,
    conditions: BuildConditions,
    scanner: AnnotationScanner? = nil,
    regions: AnnotationRegions? = nil
  ) {
    self.source = source
    self.conditions = conditions
    self.scanner = scanner
    self.regions = regions
    super.init(viewMode: .sourceAccurate)
  }

  // MARK: Types

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    open(
      Header(
        kind: .class,
        name: node.name.identifierText,
        position: node.name.positionAfterSkippingLeadingTrivia,
        keyword: node.classKeyword,
        attributes: node.attributes,
        modifiers: node.modifiers,
        isGeneric: node.genericParameterClause != nil,
        inheritance: node.inheritanceClause
      ),
      of: Syntax(node)
    )
  }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    open(
      Header(
        kind: .struct,
        name: node.name.identifierText,
        position: node.name.positionAfterSkippingLeadingTrivia,
        keyword: node.structKeyword,
        attributes: node.attributes,
        modifiers: node.modifiers,
        isGeneric: node.genericParameterClause != nil,
        inheritance: node.inheritanceClause
      ),
      of: Syntax(node)
    )
  }

  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    open(
      Header(
        kind: .extension,
        name: node.extendedType.trimmedDescription,
        position: node.extendedType.positionAfterSkippingLeadingTrivia,
        keyword: node.extensionKeyword,
        attributes: node.attributes,
        modifiers: node.modifiers,
        inheritance: node.inheritanceClause
      ),
      of: Syntax(node)
    )
  }

  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    if isTemplate(Syntax(node)) { return skip() }
    result.enums.append(
      ParsedEnum(
        qualifiedName: qualified(node.name.identifierText),
        rawType: node.inheritanceClause?.names.first,
        cases: node.memberBlock.members
          .compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }
          .flatMap { $0.elements.map(\.name.identifierText) }
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
    if isTemplate(Syntax(node)) { return skip() }
    return open(
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
  override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    .skipChildren
  }
  override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  // Types within statements of the top level are as local as those within functions.
  override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  override func visitPost(_ node: ClassDeclSyntax) { scopes.removeLast() }
  override func visitPost(_ node: StructDeclSyntax) { scopes.removeLast() }
  override func visitPost(_ node: ExtensionDeclSyntax) { scopes.removeLast() }
  override func visitPost(_ node: EnumDeclSyntax) { scopes.removeLast() }
  override func visitPost(_ node: ActorDeclSyntax) { scopes.removeLast() }

  override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
    if isTemplate(Syntax(node)) { return .skipChildren }
    result.typealiases.append(
      ParsedTypealias(
        qualifiedName: qualified(node.name.identifierText),
        type: node.initializer.value.trimmedDescription,
        isGeneric: node.genericParameterClause != nil
      )
    )
    return .skipChildren
  }

  private func open(_ header: Header, of declaration: Syntax) -> SyntaxVisitorContinueKind {
    if isTemplate(declaration) { return skip() }
    let isPrivate = header.modifiers.arePrivate || scopes.last?.isPrivate == true
    let isGeneric = header.isGeneric || scopes.last?.isGeneric == true
    result.types.append(
      ParsedType(
        kind: header.kind,
        name: String(header.name.split(separator: ".").last ?? ""),
        qualifiedName: qualified(header.name),
        isGeneric: isGeneric,
        isPrivate: isPrivate,
        isolation: isolation(of: declaration, modifiers: header.modifiers),
        inherited: header.inheritance?.names ?? [],
        annotations: annotations(
          of: declaration,
          keyword: header.keyword,
          known: Annotation.ofTypes
        ),
        variables: [],
        mayHaveMacros: header.attributes.mayAddCode,
        undecidedConditions: undecided,
        position: source.position(at: header.position.utf8Offset)
      )
    )
    return open(
      Scope(
        name: header.name,
        type: result.types.count - 1,
        isPrivate: isPrivate,
        isGeneric: isGeneric
      )
    )
  }

  private func isolation(
    of declaration: Syntax,
    modifiers: DeclModifierListSyntax
  ) -> Isolation {
    if modifiers.contains(where: { $0.name.text == "nonisolated" }) { return .nonisolated }
    let attributes = declaration.asProtocol((any WithAttributesSyntax).self)?.attributes ?? []
    let isOnMainActor = attributes.contains { element in
      let name = element.as(AttributeSyntax.self)?.attributeName.trimmedDescription
      return name == "MainActor" || name == "Swift.MainActor"
    }
    return isOnMainActor ? .mainActor : .unstated
  }

  /// Goes into a type; what lies in a private or generic one is so as well.
  private func open(_ scope: Scope) -> SyntaxVisitorContinueKind {
    var scope = scope
    scope.isPrivate = scope.isPrivate || scopes.last?.isPrivate == true
    scope.isGeneric = scope.isGeneric || scopes.last?.isGeneric == true
    scopes.append(scope)
    return .visitChildren
  }

  /// Leaves a type out; its end is told all the same.
  private func skip() -> SyntaxVisitorContinueKind {
    scopes.append(Scope(name: "", isPrivate: false, isGeneric: false))
    return .skipChildren
  }

  private func qualified(_ name: String) -> String {
    (scopes.map(\.name) + [name]).joined(separator: ".")
  }

  // MARK: Members

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    guard let owner = scopes.last?.type, !isTemplate(Syntax(node)) else { return .skipChildren }
    let annotations = annotations(
      of: Syntax(node),
      keyword: node.bindingSpecifier,
      known: Annotation.ofVariables
    )
    result.types[owner].variables += VariableReader(source: source).variables(of: node, annotations)
    for finding in undecided where !result.types[owner].undecidedConditions.contains(finding) {
      result.types[owner].undecidedConditions.append(finding)
    }
    return .skipChildren
  }

  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    guard let scope = scopes.last, let owner = scope.type, !isTemplate(Syntax(node)) else {
      return .skipChildren
    }
    let isInExtension = result.types[owner].kind == .extension
    var initializer = ParsedInitializer(node, isInExtension: isInExtension)
    // In a private extension members are private without saying so.
    if isInExtension, scope.isPrivate { initializer.isPrivate = true }
    result.types[owner].initializers.append(initializer)
    return .skipChildren
  }

  // MARK: Conditions and regions

  override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
    let branches = ConditionalBranches(of: node, in: conditions)
    let finding = branches.finding(in: source)
    if let finding { undecided.append(finding) }
    for clause in branches.read {
      if let elements = clause.elements { walk(elements) }
    }
    if finding != nil { undecided.removeLast() }
    return .skipChildren
  }

  private func start(of declaration: Syntax) -> Int {
    declaration.positionAfterSkippingLeadingTrivia.utf8Offset
  }

  private func isTemplate(_ declaration: Syntax) -> Bool {
    regions?.isTemplate(at: start(of: declaration)) == true
  }

  private func annotations(
    of declaration: Syntax,
    keyword: TokenSyntax,
    known names: Set<String>
  ) -> Annotations {
    var annotations = Annotations()
    guard let scanner, let regions else { return annotations }
    let parser = AnnotationParser(source: source)
    let surroundings = AnnotationScanner.Surroundings(declaration, keyword: keyword)
    annotations.prefix = scanner.prefix
    annotations.misspelt = scanner.misspelt(of: surroundings)
    for range in scanner.annotations(of: surroundings) {
      result.attachedAnnotations.insert(range.lowerBound)
      if regions.directives.contains(range.lowerBound) { continue }
      parser.parse(range, into: &annotations)
    }
    regions.complete(&annotations, at: start(of: declaration), known: names)
    return annotations
  }
}
