internal import ObjectBoxGenerator
internal import ObjectBoxSyntax
internal import SwiftParser
internal import SwiftSyntax

/// The targets of a `Package.swift`, read from its text without running it.
struct PackageManifest {
  /// A target whose name is a literal.
  struct Target {
    var name: String
    /// The folder in the manifest, relative to the package; nil for the default.
    var path: String?
    /// Paths that the manifest excludes, relative to the target's folder.
    var excluded: [String] = []
    /// Plugins with the positions of their names.
    var plugins: [(name: String, position: SourcePosition)] = []
  }

  let targets: [Target]

  init(_ file: SourceFile) {
    let visitor = Visitor(SourceText(file))
    visitor.walk(Parser.parse(source: file.text))
    targets = visitor.targets
  }

  private final class Visitor: SyntaxVisitor {
    private static let calls = ["target", "executableTarget", "testTarget", "macro"]
    private(set) var targets: [Target] = []
    private let source: SourceText

    init(_ source: SourceText) {
      self.source = source
      super.init(viewMode: .sourceAccurate)
    }

    override func visit(_ node: FunctionCallExprSyntax) -> SyntaxVisitorContinueKind {
      // `.target(name: "App")` may also be a dependency, which has no plugins.
      guard let name = Self.name(of: node), Self.calls.contains(name),
        let title = text(node.argument("name"))
      else { return .visitChildren }
      var target = Target(name: title.text, path: text(node.argument("path"))?.text)
      target.excluded = elements(node.argument("exclude")).compactMap { text($0)?.text }
      target.plugins = elements(node.argument("plugins")).compactMap { plugin in
        let call = plugin.as(FunctionCallExprSyntax.self)
        return text(call.map { $0.argument("name") } ?? plugin).map { ($0.text, $0.position) }
      }
      targets.append(target)
      return .visitChildren
    }

    private static func name(of call: FunctionCallExprSyntax) -> String? {
      call.calledExpression.as(MemberAccessExprSyntax.self)?.declName.baseName.text
    }

    private func elements(_ list: ExprSyntax?) -> [ExprSyntax] {
      list?.as(ArrayExprSyntax.self)?.elements.map(\.expression) ?? []
    }

    /// Returns the value of a literal without interpolation, and its position.
    private func text(_ node: ExprSyntax?) -> (text: String, position: SourcePosition)? {
      guard let literal = node?.as(StringLiteralExprSyntax.self),
        let value = literal.representedLiteralValue
      else { return nil }
      let offset = literal.positionAfterSkippingLeadingTrivia.utf8Offset
      return (value, source.position(at: offset))
    }
  }
}

extension FunctionCallExprSyntax {
  fileprivate func argument(_ label: String) -> ExprSyntax? {
    arguments.first { $0.label?.text == label }?.expression
  }
}
