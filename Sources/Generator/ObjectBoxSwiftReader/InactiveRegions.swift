internal import ObjectBoxGenerator
internal import SwiftSyntax

/// The parts of a file that `#if` excludes from the build.
final class InactiveRegions: SyntaxVisitor {
  /// Byte ranges between the lines of `#if`, from top to bottom.
  private(set) var ranges: [Range<Int>] = []
  private let conditions: BuildConditions

  init(in tree: SourceFileSyntax, _ conditions: BuildConditions) {
    self.conditions = conditions
    super.init(viewMode: .sourceAccurate)
    walk(tree)
  }

  func contains(_ offset: Int) -> Bool { ranges.contains { $0.contains(offset) } }

  override func visit(_ node: IfConfigDeclSyntax) -> SyntaxVisitorContinueKind {
    let read = Set(ConditionalBranches(of: node, in: conditions).read.map(\.id))
    let clauses = Array(node.clauses)
    for (place, clause) in clauses.enumerated() {
      if read.contains(clause.id) {
        if let elements = clause.elements { walk(elements) }
        continue
      }
      let next = place + 1 < clauses.count ? clauses[place + 1].poundKeyword : node.poundEndif
      let start =
        clause.condition?.endPositionBeforeTrailingTrivia
        ?? clause.poundKeyword.endPositionBeforeTrailingTrivia
      // Comments above `#else` are part of the branch before it.
      let end = max(start.utf8Offset, next.positionAfterSkippingLeadingTrivia.utf8Offset)
      ranges.append(start.utf8Offset..<end)
    }
    return .skipChildren
  }
}
