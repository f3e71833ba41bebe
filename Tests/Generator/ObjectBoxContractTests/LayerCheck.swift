import Foundation
import SwiftParser
import SwiftSyntax

/// The folders of a module in layer order, and the uses that break the order.
///
/// A file may use declarations of its own layer and of earlier layers: types, and members that
/// extensions add to types of earlier layers or of other modules. The check compares names, not
/// types, so a name that an earlier layer also declares is ambiguous and passes. Initializers and
/// operators are ignored.
struct LayerCheck {
  /// The number of files read.
  let fileCount: Int
  /// Uses of later layers, files without a layer, layers without files, and exceptions that no file
  /// needs; empty if the order holds.
  let findings: [String]

  private let imports: [String: Set<String>]

  /// Reads and checks the Swift files below a folder.
  ///
  /// - Parameters:
  ///   - folder: The sources of one module.
  ///   - layers: Folders below it, earlier layers first; "." stands for the files directly in it. A file
  ///     belongs to the longest path that contains it.
  ///   - beside: Folders of other modules. A name that they declare is ambiguous.
  ///   - ambiguous: Further names that other modules declare, such as `hasPrefix`.
  ///   - admitted: The names of later layers that a file may use, by the file's path in the folder.
  /// - Throws: An error of Foundation when a file cannot be read.
  init(
    _ folder: URL,
    layers: [String],
    beside: [URL] = [],
    ambiguous: Set<String> = [],
    admitting admitted: [String: Set<String>] = [:]
  ) throws {
    let others = try beside.flatMap { try Self.sources(in: $0).values }
    self.init(
      try Self.sources(in: folder),
      layers,
      ambiguous: others.reduce(into: ambiguous) { $0.formUnion(SourceNames($1).declared) },
      admitting: admitted
    )
  }

  /// Checks the texts of files, by path.
  init(
    _ sources: [String: String],
    _ layers: [String],
    ambiguous: Set<String> = [],
    admitting admitted: [String: Set<String>] = [:]
  ) {
    var findings: [String] = []
    var files: [(path: String, layer: Int, names: SourceNames)] = []
    for (path, text) in sources.sorted(by: { $0.key < $1.key }) {
      let parents = path.split(separator: "/").dropLast()
      let holders = layers.indices.filter { layer in
        layers[layer] == "."
          ? parents.isEmpty : (parents.joined(separator: "/") + "/").hasPrefix(layers[layer] + "/")
      }
      guard let layer = holders.max(by: { layers[$0].count < layers[$1].count }) else {
        findings.append("\(path) is in no layer")
        continue
      }
      files.append((path, layer, SourceNames(text)))
    }
    for (layer, name) in layers.enumerated() where !files.contains(where: { $0.layer == layer }) {
      findings.append("layer \(name) has no files")
    }

    // The earliest layer of each name; -1 for other modules.
    var types: [String: Int] = [:]
    var declared = Dictionary(uniqueKeysWithValues: ambiguous.map { ($0, -1) })
    for file in files {
      for name in file.names.types { types[name] = min(types[name] ?? file.layer, file.layer) }
      for name in file.names.declared {
        declared[name] = min(declared[name] ?? file.layer, file.layer)
      }
    }
    // Extension members by name, with the layers of the type and of the extension.
    var members: [String: [(type: Int, declared: Int)]] = [:]
    for file in files {
      for member in file.names.extensionMembers {
        let type = member.type.isEmpty ? -1 : types[member.type] ?? -1
        members[member.name, default: []].append((type, file.layer))
      }
    }

    var unneeded = admitted
    for file in files {
      let used = file.names.used.filter { name in
        if let layer = declared[name], layer <= file.layer { return false }
        if let layer = types[name] { return layer > file.layer }
        // A member of a later type does not count: using it needs the type's name first.
        return members[name, default: []].contains {
          $0.type <= file.layer && $0.declared > file.layer
        }
      }
      for name in used.sorted() where admitted[file.path]?.contains(name) != true {
        findings.append("\(file.path) uses \(name) of a later layer")
      }
      unneeded[file.path]?.subtract(used)
    }
    for (path, names) in unneeded.sorted(by: { $0.key < $1.key }) {
      if names.isEmpty, admitted[path]?.isEmpty == false { continue }
      findings.append("\(path) needs no exception for \(names.sorted())")
    }
    fileCount = files.count
    imports = Dictionary(files.map { ($0.path, $0.names.imports) }) { $1 }
    self.findings = findings
  }

  /// Returns the sorted paths of the files that import a module.
  func importers(of module: String) -> [String] {
    imports.filter { $0.value.contains(module) }.keys.sorted()
  }

  private static func sources(in folder: URL) throws -> [String: String] {
    let paths = try FileManager.default.subpathsOfDirectory(atPath: folder.path)
    return try Dictionary(
      uniqueKeysWithValues: paths.filter { $0.hasSuffix(".swift") && !$0.contains(".docc/") }.map {
        ($0, try String(contentsOf: folder.appendingPathComponent($0), encoding: .utf8))
      }
    )
  }
}

/// The names that a source file declares and uses.
private final class SourceNames: SyntaxVisitor {
  private(set) var imports: Set<String> = []
  /// Top-level types.
  private(set) var types: Set<String> = []
  /// Nested types, members and cases.
  private(set) var declared: Set<String> = []
  /// Members of extensions, with the outermost extended type; the type is empty for global
  /// functions.
  private(set) var extensionMembers: [(type: String, name: String)] = []
  /// The names that the file uses and does not declare.
  var used: Set<String> { qualified.subtracting(own).union(unqualified.subtracting(locals)) }

  private var qualified: Set<String> = []
  private var unqualified: Set<String> = []
  /// Types and members, private ones included.
  private var own: Set<String> = []
  /// The names in `own`, and local variables.
  private var locals: Set<String> = []
  private var scopes: [Scope] = []

  private enum Scope: Equatable {
    case type
    case `extension`(of: String)
    /// The body of a function, an accessor or a closure.
    case code
  }

  init(_ text: String) {
    super.init(viewMode: .sourceAccurate)
    walk(Parser.parse(source: text))
  }

  private func declare(_ name: TokenSyntax, isType: Bool = false) {
    let declaration = name.parent?.asProtocol((any WithModifiersSyntax).self)
    declare(name, isType: isType, isHidden: declaration?.modifiers.arePrivate == true)
  }

  private func declare(_ name: TokenSyntax, isType: Bool, isHidden: Bool) {
    let name = name.text
    locals.insert(name)
    guard scopes.last != .code else { return }
    own.insert(name)
    if isHidden { return }
    guard let scope = scopes.last else {
      if isType { types.insert(name) } else { extensionMembers.append(("", name)) }
      return
    }
    declared.insert(name)
    if case .extension(let type) = scope { extensionMembers.append((type, name)) }
  }

  private func enter(_ scope: Scope) -> SyntaxVisitorContinueKind {
    scopes.append(scope)
    return .visitChildren
  }

  private func enterType(_ name: TokenSyntax) -> SyntaxVisitorContinueKind {
    declare(name, isType: true)
    return enter(.type)
  }

  override func visit(_ node: ImportDeclSyntax) -> SyntaxVisitorContinueKind {
    if let module = node.path.first { imports.insert(module.name.text) }
    return .skipChildren
  }

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind { enterType(node.name) }
  override func visitPost(_ node: ClassDeclSyntax) { scopes.removeLast() }
  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    enterType(node.name)
  }
  override func visitPost(_ node: StructDeclSyntax) { scopes.removeLast() }
  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind { enterType(node.name) }
  override func visitPost(_ node: EnumDeclSyntax) { scopes.removeLast() }
  override func visit(_ node: ActorDeclSyntax) -> SyntaxVisitorContinueKind { enterType(node.name) }
  override func visitPost(_ node: ActorDeclSyntax) { scopes.removeLast() }
  override func visit(_ node: ProtocolDeclSyntax) -> SyntaxVisitorContinueKind {
    enterType(node.name)
  }
  override func visitPost(_ node: ProtocolDeclSyntax) { scopes.removeLast() }

  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    let type = node.extendedType.trimmedDescription.prefix { $0 != "." && $0 != "<" }
    return enter(node.modifiers.arePrivate ? .code : .extension(of: String(type)))
  }
  override func visitPost(_ node: ExtensionDeclSyntax) { scopes.removeLast() }

  override func visit(_ node: FunctionDeclSyntax) -> SyntaxVisitorContinueKind {
    declare(node.name)
    return enter(.code)
  }
  override func visitPost(_ node: FunctionDeclSyntax) { scopes.removeLast() }
  override func visit(_ node: InitializerDeclSyntax) -> SyntaxVisitorContinueKind { enter(.code) }
  override func visitPost(_ node: InitializerDeclSyntax) { scopes.removeLast() }
  override func visit(_ node: SubscriptDeclSyntax) -> SyntaxVisitorContinueKind { enter(.code) }
  override func visitPost(_ node: SubscriptDeclSyntax) { scopes.removeLast() }
  override func visit(_ node: DeinitializerDeclSyntax) -> SyntaxVisitorContinueKind { enter(.code) }
  override func visitPost(_ node: DeinitializerDeclSyntax) { scopes.removeLast() }
  override func visit(_ node: AccessorBlockSyntax) -> SyntaxVisitorContinueKind { enter(.code) }
  override func visitPost(_ node: AccessorBlockSyntax) { scopes.removeLast() }
  override func visit(_ node: ClosureExprSyntax) -> SyntaxVisitorContinueKind { enter(.code) }
  override func visitPost(_ node: ClosureExprSyntax) { scopes.removeLast() }

  override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
    declare(node.name, isType: true)
    return .visitChildren
  }

  override func visit(_ node: AssociatedTypeDeclSyntax) -> SyntaxVisitorContinueKind {
    declare(node.name, isType: true)
    return .visitChildren
  }

  override func visit(_ node: EnumCaseElementSyntax) -> SyntaxVisitorContinueKind {
    declare(node.name)
    return .visitChildren
  }

  override func visit(_ node: IdentifierPatternSyntax) -> SyntaxVisitorContinueKind {
    var parent = node.parent
    while let outer = parent,
      outer.is(TuplePatternElementSyntax.self)
        || outer.is(TuplePatternElementListSyntax.self) || outer.is(TuplePatternSyntax.self)
    {
      parent = outer.parent
    }
    if let variable = parent?.parent?.parent?.as(VariableDeclSyntax.self) {
      declare(node.identifier, isType: false, isHidden: variable.modifiers.arePrivate)
    } else {
      locals.insert(node.identifier.text)
    }
    return .skipChildren
  }

  override func visit(_ node: FunctionParameterSyntax) -> SyntaxVisitorContinueKind {
    locals.insert((node.secondName ?? node.firstName).text)
    return .visitChildren
  }

  override func visit(_ node: ClosureParameterSyntax) -> SyntaxVisitorContinueKind {
    locals.insert((node.secondName ?? node.firstName).text)
    return .visitChildren
  }

  override func visit(_ node: ClosureShorthandParameterSyntax) -> SyntaxVisitorContinueKind {
    locals.insert(node.name.text)
    return .visitChildren
  }

  override func visit(_ node: ClosureCaptureSyntax) -> SyntaxVisitorContinueKind {
    locals.insert(node.name.text)
    return .visitChildren
  }

  override func visit(_ node: AccessorParametersSyntax) -> SyntaxVisitorContinueKind {
    locals.insert(node.name.text)
    return .visitChildren
  }

  override func visit(_ node: GenericParameterSyntax) -> SyntaxVisitorContinueKind {
    locals.insert(node.name.text)
    return .visitChildren
  }

  override func visit(_ node: IdentifierTypeSyntax) -> SyntaxVisitorContinueKind {
    unqualified.insert(node.name.text)
    return .visitChildren
  }

  override func visit(_ node: MemberTypeSyntax) -> SyntaxVisitorContinueKind {
    qualified.insert(node.name.text)
    return .visitChildren
  }

  override func visit(_ node: MemberAccessExprSyntax) -> SyntaxVisitorContinueKind {
    qualified.insert(node.declName.baseName.text)
    if let base = node.base { walk(base) }
    if let arguments = node.declName.argumentNames { walk(arguments) }
    return .skipChildren
  }

  override func visit(_ node: KeyPathPropertyComponentSyntax) -> SyntaxVisitorContinueKind {
    qualified.insert(node.declName.baseName.text)
    if let arguments = node.genericArgumentClause { walk(arguments) }
    return .skipChildren
  }

  override func visit(_ node: DeclReferenceExprSyntax) -> SyntaxVisitorContinueKind {
    unqualified.insert(node.baseName.text)
    return .visitChildren
  }
}

extension DeclModifierListSyntax {
  /// True for `private` and `fileprivate`; a private setter alone does not count.
  fileprivate var arePrivate: Bool {
    contains { ["private", "fileprivate"].contains($0.name.text) && $0.detail == nil }
  }
}
