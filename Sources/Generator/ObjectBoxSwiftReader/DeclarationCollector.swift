internal import ObjectBoxGenerator
internal import ObjectBoxSyntax
internal import SwiftSyntax

/// Collects the declarations of entities in a syntax tree as plain values.
final class DeclarationCollector: SyntaxVisitor {
  private struct Scope {
    var name: String
    /// Index in `result.types`; nil for enums and actors.
    var type: Int?
    var isPrivate: Bool
    var isGeneric: Bool
    /// Nil for an extension, and within one.
    var access: AccessLevel?
  }

  private(set) var result = ParsedSource()
  /// Offsets of the annotations that belong to a declaration.
  private(set) var attachedAnnotations: Set<Int> = []

  private let source: SourceText
  private let conditions: BuildConditions
  /// Scanner of comments; nil for a file without annotations.
  private let scanner: AnnotationScanner?
  private let regions: AnnotationRegions?
  /// Types around the current node, outermost first.
  private var scopes: [Scope] = []
  /// Findings about each undecided `#if` around the current node.
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
    open(node, .class, node.name, node.classKeyword, node.genericParameterClause)
  }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    open(node, .struct, node.name, node.structKeyword, node.genericParameterClause)
  }

  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    open(node, .extension, node.extendedType, node.extensionKeyword, nil)
  }

  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    if isTemplate(node) { return skip() }
    result.enums.append(
      ParsedEnum(
        qualifiedName: qualified(node.name.identifierText),
        inherited: node.inheritanceClause?.names ?? [],
        cases: node.memberBlock.members
          .compactMap { $0.decl.as(EnumCaseDeclSyntax.self) }
          .flatMap { $0.elements.map(\.name.identifierText) }
      )
    )
    return open(scope(of: node, node.name.identifierText, node.genericParameterClause))
  }

  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind {
    if isTemplate(node) { return skip() }
    return open(scope(of: node, node.name.identifierText, node.genericParameterClause))
  }

  override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
    guard let module = node.path.first?.name.text else { return .skipChildren }
    result.imports.append(
      ParsedImport(
        module: module,
        hasAccess: !node.modifiers.isEmpty,
        position: source.position(at: start(of: node))
      )
    )
    return .skipChildren
  }

  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
    if !isTemplate(node) { result.protocols.append(parsed(node)) }
    return .skipChildren
  }
  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    if let scope = scopes.last, let owner = scope.type, !isTemplate(node),
      let migration = ParsedMigration(node, at: source.position(at: start(of: node.name)))
    {
      result.types[owner].migrations.append(migration)
    }
    return .skipChildren
  }
  override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind {
    .skipChildren
  }
  override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  // Types within top-level statements are as local as types within functions.
  override func visit(_ node: CodeBlockSyntax) -> SyntaxVisitorContinueKind { .skipChildren }
  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { .skipChildren }

  override func visitPost(_ node: ClassDeclSyntax) { scopes.removeLast() }
  override func visitPost(_ node: StructDeclSyntax) { scopes.removeLast() }
  override func visitPost(_ node: ExtensionDeclSyntax) { scopes.removeLast() }
  override func visitPost(_ node: EnumDeclSyntax) { scopes.removeLast() }
  override func visitPost(_ node: ActorDeclSyntax) { scopes.removeLast() }

  override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
    if isTemplate(node) { return .skipChildren }
    result.typealiases.append(
      ParsedTypealias(
        qualifiedName: qualified(node.name.identifierText),
        type: node.initializer.value.trimmedDescription,
        isGeneric: node.genericParameterClause != nil
      )
    )
    return .skipChildren
  }

  /// Reads a protocol; annotations of requirements have no effect and stay detached.
  private func parsed(_ node: ProtocolDeclSyntax) -> ParsedProtocol {
    var declared = ParsedProtocol(
      qualifiedName: qualified(node.name.identifierText),
      inherited: node.inheritanceClause?.names ?? []
    )
    let keyword = node.protocolKeyword
    if read(of: node, keyword: keyword, known: [], attaches: false).has("base") {
      let base = annotations(of: node, keyword: keyword, known: [])["base"]
      declared.base = base?.name
    }
    for variable in node.memberBlock.members.compactMap({ $0.decl.as(VariableDeclSyntax.self) }) {
      let keyword = variable.bindingSpecifier
      let annotations = read(of: variable, keyword: keyword, known: [], attaches: false)
      guard !annotations.items.isEmpty,
        let name = variable.bindings.first?.pattern.as(IdentifierPatternSyntax.self)?.identifier
      else { continue }
      declared.annotated.append(
        .init(
          name: name.identifierText,
          position: source.position(at: name.positionAfterSkippingLeadingTrivia.utf8Offset)
        )
      )
    }
    return declared
  }

  private func open(
    _ node: some DeclGroupSyntax,
    _ kind: ParsedType.Kind,
    _ nameNode: some SyntaxProtocol,
    _ keyword: TokenSyntax,
    _ parameters: GenericParameterClauseSyntax?
  ) -> SyntaxVisitorContinueKind {
    if isTemplate(node) { return skip() }
    let name = nameNode.as(TokenSyntax.self)?.identifierText ?? nameNode.trimmedDescription
    var scope = scope(of: node, name, parameters)
    scope.type = result.types.count
    result.types.append(
      ParsedType(
        kind: kind,
        name: String(name.split(separator: ".").last ?? ""),
        qualifiedName: qualified(name),
        isGeneric: scope.isGeneric,
        isPrivate: scope.isPrivate,
        access: scope.access,
        isolation: isolation(of: node),
        inherited: node.inheritanceClause?.names ?? [],
        annotations: annotations(of: node, keyword: keyword, known: Annotation.ofTypes),
        mayHaveMacros: node.attributes.mayAddCode,
        undecidedConditions: undecided,
        position: source.position(at: start(of: nameNode))
      )
    )
    let brace = node.memberBlock.leftBrace.endPositionBeforeTrailingTrivia
    result.types[result.types.count - 1].bodyStart = source.position(at: brace.utf8Offset)
    return open(scope)
  }

  private func isolation(of declaration: some DeclGroupSyntax) -> Isolation {
    if declaration.modifiers.contains(where: { $0.name.text == "nonisolated" }) {
      return .nonisolated
    }
    let isOnMainActor = declaration.attributes.contains { element in
      let name = element.as(AttributeSyntax.self)?.attributeName.trimmedDescription
      return name == "MainActor" || name == "Swift.MainActor"
    }
    return isOnMainActor ? .mainActor : .unstated
  }

  /// Returns the scope of a type; a type within a private or generic type is private or generic
  /// too.
  private func scope(
    of declaration: some DeclGroupSyntax,
    _ name: String,
    _ parameters: GenericParameterClauseSyntax?
  ) -> Scope {
    let outer = scopes.last.map(\.access) ?? .public
    let isExtension = declaration.is(ExtensionDeclSyntax.self)
    return Scope(
      name: name,
      isPrivate: declaration.modifiers.arePrivate || scopes.last?.isPrivate == true,
      isGeneric: parameters != nil || scopes.last?.isGeneric == true,
      access: isExtension ? nil : outer.map { min($0, declaration.modifiers.access) }
    )
  }

  private func open(_ scope: Scope) -> SyntaxVisitorContinueKind {
    scopes.append(scope)
    return .visitChildren
  }

  /// Skips a type; adds a scope, since the visit after the type removes one.
  private func skip() -> SyntaxVisitorContinueKind {
    scopes.append(Scope(name: "", isPrivate: false, isGeneric: false))
    return .skipChildren
  }

  private func qualified(_ name: String) -> String {
    (scopes.map(\.name) + [name]).joined(separator: ".")
  }

  // MARK: Members

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    guard let owner = scopes.last?.type, !isTemplate(node) else { return .skipChildren }
    let annotations = annotations(
      of: node,
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
    guard let scope = scopes.last, let owner = scope.type, !isTemplate(node) else {
      return .skipChildren
    }
    let isInExtension = result.types[owner].kind == .extension
    var initializer = ParsedInitializer(node, isInExtension: isInExtension)
    // Members of a private extension are private by default.
    if isInExtension, scope.isPrivate { initializer.isPrivate = true }
    result.types[owner].initializers.append(initializer)
    return .skipChildren
  }

  // MARK: Conditions and regions

  override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
    // In branches that are left out too: the compiler may know more conditions, such as DEBUG.
    if let owner = scopes.last?.type,
      node.tokens(viewMode: .sourceAccurate).contains(where: { $0.tokenKind == .keyword(.`init`) })
    {
      result.types[owner].hasConditionalInitializers = true
    }
    let branches = ConditionalBranches(of: node, in: conditions)
    let finding = branches.finding(in: source)
    if let finding { undecided.append(finding) }
    for clause in branches.read {
      if let elements = clause.elements { walk(elements) }
    }
    if finding != nil { undecided.removeLast() }
    return .skipChildren
  }

  private func start(of node: some SyntaxProtocol) -> Int {
    node.positionAfterSkippingLeadingTrivia.utf8Offset
  }

  private func isTemplate(_ declaration: some SyntaxProtocol) -> Bool {
    regions?.isTemplate(at: start(of: declaration)) == true
  }

  private func annotations(
    of declaration: some SyntaxProtocol,
    keyword: TokenSyntax,
    known names: Set<String>
  ) -> Annotations {
    read(of: declaration, keyword: keyword, known: names, attaches: true)
  }

  /// Reads the annotations of a declaration; one that stays detached is reported.
  private func read(
    of declaration: some SyntaxProtocol,
    keyword: TokenSyntax,
    known names: Set<String>,
    attaches: Bool
  ) -> Annotations {
    var annotations = Annotations()
    guard let scanner, let regions else { return annotations }
    let parser = AnnotationParser(source: source)
    let surroundings = AnnotationScanner.Surroundings(Syntax(declaration), keyword: keyword)
    annotations.prefix = scanner.prefix
    annotations.misspelt = scanner.misspelt(of: surroundings)
    for range in scanner.annotations(of: surroundings) {
      if attaches { attachedAnnotations.insert(range.lowerBound) }
      if regions.directives.contains(range.lowerBound) { continue }
      parser.parse(range, into: &annotations)
    }
    regions.complete(&annotations, at: start(of: declaration), known: names)
    return annotations
  }
}
