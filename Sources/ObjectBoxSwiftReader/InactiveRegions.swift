internal import ObjectBoxGenerator
internal import SwiftSyntax

/// The parts of a file that `#if` leaves out of the build.
final class InactiveRegions: SyntaxVisitor {
  /// The ranges between the lines of `#if`, in bytes, from top to bottom.
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
      // Comments above `#else` stand within the branch that it ends.
      let end = max(start.utf8Offset, next.positionAfterSkippingLeadingTrivia.utf8Offset)
      ranges.append(start.utf8Offset..<end)
    }
    return .skipChildren
  }
}
