import Foundation
import ObjectBoxGenerator
import ObjectBoxSwiftReader
import ObjectBoxTestSupport
import SwiftParser
import SwiftSyntax
import Testing

/// The toolchain's sources and interfaces, read by the parser and by a plain walk.
///
/// Each run reads a part of the files, chosen by a seed; with OBJECTBOX_WHOLE_CORPUS it reads all
/// of them.
struct ToolchainCorpusTests {
  private static let files = Corpus.files(
    maximumBytes: ProcessInfo.processInfo.environment["OBJECTBOX_WHOLE_CORPUS"] == nil
      ? TestLength.choose(short: 500_000, long: 4_000_000) : .max
  )

  @Test(.enabled(if: !files.isEmpty, "the folder of the toolchain was not found"))
  func `the parser finds the declarations that a plain walk finds`() throws {
    for path in Self.files {
      let text = try String(contentsOfFile: path, encoding: .utf8)
      let found = Declarations(SourceParser().parse(SourceFile(path: path, text: text)))
      let walk = DeclarationWalk(viewMode: .sourceAccurate)
      walk.walk(Parser.parse(source: text))
      let expected = walk.declarations
      #expect(found.types == expected.types, "\(path)")
      #expect(found.enums == expected.enums, "\(path)")
      #expect(found.typealiases == expected.typealiases, "\(path)")
      #expect(found.variables == expected.variables, "\(path)")
    }
    print("compared the declarations of \(Self.files.count) files of the toolchain")
  }
}

/// The files to read.
private enum Corpus {
  /// Returns files up to a total size; the seed decides the order.
  static func files(maximumBytes: Int) -> [String] {
    guard let folder = toolchain else { return [] }
    var seen: Set<Int> = []
    var sizes: [(path: String, size: Int)] = []
    let all = FileManager.default.enumerator(atPath: folder)?.compactMap { $0 as? String } ?? []
    for path in all.sorted() where path.hasSuffix(".swift") || path.hasSuffix(".swiftinterface") {
      // Several folders contain the same modules: files of equal size count as the same.
      let size =
        (try? FileManager.default.attributesOfItem(atPath: folder + path))?[.size] as? Int ?? 0
      if size > 0, seen.insert(size).inserted { sizes.append((folder + path, size)) }
    }
    var random = SplitMix(seed: 1)
    sizes.shuffle(using: &random)
    var rest = maximumBytes
    var chosen: [String] = []
    for file in sizes where file.size <= rest {
      rest -= file.size
      chosen.append(file.path)
    }
    return chosen
  }

  /// The toolchain whose runtime the test runs on.
  private static var toolchain: String? {
    guard let maps = FileHandle(forReadingAtPath: "/proc/self/maps") else { return nil }
    let marker = "linux/libswiftCore.so"
    for line in String(decoding: maps.readDataToEndOfFile(), as: UTF8.self).split(separator: "\n") {
      if line.hasSuffix(marker), let start = line.firstIndex(of: "/") {
        return String(line[start...].dropLast(marker.count))
      }
    }
    return nil
  }
}

/// The declarations on which parser and walk must agree, as lines of text.
private struct Declarations {
  var types: [String] = []
  var enums: [String] = []
  var typealiases: [String] = []
  var variables: [String] = []

  init() {}

  init(_ parsed: ParsedSource) {
    types = parsed.types.map { "\($0.kind) \($0.qualifiedName): \($0.inherited)" }
    enums = parsed.enums.map { "\($0.qualifiedName): \($0.inherited.first ?? "")" }
    typealiases = parsed.typealiases.map { "\($0.qualifiedName) = \($0.type)" }
    for type in parsed.types {
      variables += type.variables.map { "\(type.qualifiedName).\($0.name): \($0.type ?? "?")" }
    }
    variables.sort()
  }
}

/// Finds declarations by each node's parents, without state of its own.
private final class DeclarationWalk: SyntaxVisitor {
  var declarations = Declarations()

  override func visit(_ node: ClassDeclSyntax) -> SyntaxVisitorContinueKind {
    add("class", node.name.text, node.inheritanceClause, Syntax(node))
  }

  override func visit(_ node: StructDeclSyntax) -> SyntaxVisitorContinueKind {
    add("struct", node.name.text, node.inheritanceClause, Syntax(node))
  }

  override func visit(_ node: ExtensionDeclSyntax) -> SyntaxVisitorContinueKind {
    let name = node.extendedType.trimmedDescription
    return add("extension", name, node.inheritanceClause, Syntax(node))
  }

  override func visit(_ node: EnumDeclSyntax) -> SyntaxVisitorContinueKind {
    if let context = context(of: Syntax(node)) {
      let first = inherited(node.inheritanceClause).first ?? ""
      declarations.enums.append("\(context.name)\(plain(node.name.text)): \(first)")
    }
    return .visitChildren
  }

  override func visit(_ node: TypeAliasDeclSyntax) -> SyntaxVisitorContinueKind {
    if let context = context(of: Syntax(node)) {
      let type = node.initializer.value.trimmedDescription
      declarations.typealiases.append("\(context.name)\(plain(node.name.text)) = \(type)")
    }
    return .visitChildren
  }

  override func visit(_ node: VariableDeclSyntax) -> SyntaxVisitorContinueKind {
    guard let context = context(of: Syntax(node)), context.hasVariables else {
      return .visitChildren
    }
    for binding in node.bindings {
      let name = plain(binding.pattern.trimmedDescription)
      var type = binding.typeAnnotation?.type.trimmedDescription
      // Interfaces omit only the types of numbers and texts.
      switch binding.initializer?.value.kind {
      case .integerLiteralExpr: type = type ?? "Int"
      case .floatLiteralExpr: type = type ?? "Double"
      case .stringLiteralExpr: type = type ?? "String"
      case .booleanLiteralExpr: type = type ?? "Bool"
      default: break
      }
      declarations.variables.append("\(context.name)\(name): \(type ?? "?")")
    }
    return .visitChildren
  }

  override func visitPost(_ node: SourceFileSyntax) {
    declarations.variables.sort()
  }

  private func add(
    _ kind: String,
    _ name: String,
    _ inheritance: InheritanceClauseSyntax?,
    _ node: Syntax
  ) -> SyntaxVisitorContinueKind {
    if let context = context(of: node) {
      declarations.types.append("\(kind) \(context.name)\(plain(name)): \(inherited(inheritance))")
    }
    return .visitChildren
  }

  private func plain(_ name: String) -> String { name.filter { $0 != "`" } }

  /// Returns the inherited types, without attributes and with compositions split.
  private func inherited(_ clause: InheritanceClauseSyntax?) -> [String] {
    (clause?.inheritedTypes.map(\.type.trimmedDescription) ?? []).flatMap { text in
      var words = text.split(separator: " ")
      words.removeAll { $0.hasPrefix("@") }
      let name = words.joined(separator: " ")
      return name.contains("<") ? [name] : name.components(separatedBy: " & ")
    }
  }

  /// Returns the names around a declaration, each followed by a dot; nil for local and inactive
  /// declarations, and for members of protocols.
  private func context(of node: Syntax) -> (name: String, hasVariables: Bool)? {
    var name = ""
    var nearest: SyntaxKind?
    var current = node
    while let parent = current.parent {
      switch parent.as(SyntaxEnum.self) {
      case .classDecl(let type): name = plain(type.name.text) + "." + name
      case .structDecl(let type): name = plain(type.name.text) + "." + name
      case .enumDecl(let type): name = plain(type.name.text) + "." + name
      case .actorDecl(let type): name = plain(type.name.text) + "." + name
      case .extensionDecl(let type): name = type.extendedType.trimmedDescription + "." + name
      case .protocolDecl, .functionDecl, .initializerDecl, .deinitializerDecl, .subscriptDecl,
        .accessorBlock, .closureExpr, .codeBlock:
        return nil
      case .ifConfigClause(let clause) where !isRead(clause): return nil
      default: break
      }
      if parent.isProtocol((any DeclSyntaxProtocol).self), !parent.is(IfConfigDeclSyntax.self) {
        nearest = nearest ?? parent.kind
      }
      current = parent
    }
    return (name, [.classDecl, .structDecl, .extensionDecl].contains(nearest))
  }

  /// Returns whether a branch may be active, judged by the text of its condition.
  private func isRead(_ clause: IfConfigClauseSyntax) -> Bool {
    guard let clauses = clause.parent?.as(IfConfigClauseListSyntax.self) else { return false }
    for other in clauses {
      let text = other.condition?.trimmedDescription
      if other.id == clause.id { return verdict(text) ?? !clause.hasError }
      if verdict(text) == true { return false }
    }
    return false
  }

  /// Returns the value of a condition; nil if it asks for a compiler feature, which is unknown.
  private func verdict(_ condition: String?) -> Bool? {
    guard let condition else { return true }
    if condition.contains("$Embedded && !os(Linux)") {
      #if arch(x86_64)
        return true
      #else
        return false
      #endif
    }
    if condition.contains("$") || condition.contains("hasFeature") { return nil }
    return condition.hasPrefix("compiler(>=5") || condition == "os(Linux)"
  }
}
