package import ObjectBoxGenerator
internal import ObjectBoxSyntax
package import SwiftSyntax

extension AnnotationScanner.Surroundings {
  /// Collects the comments between the code before a declaration and its keyword.
  package init(_ declaration: Syntax, keyword: TokenSyntax) {
    let first = declaration.firstToken(viewMode: .sourceAccurate) ?? keyword
    let previous = first.previousToken(viewMode: .sourceAccurate)
    var comments = previous.map { TriviaComments.after($0) } ?? []
    var token: TokenSyntax? = first
    while let current = token {
      let attribute = current.attribute
      if attribute?.isFirst(current) != false { comments += TriviaComments.before(current) }
      if current.id == keyword.id { break }
      if attribute?.isLast(current) != false { comments += TriviaComments.after(current) }
      token = current.nextToken(viewMode: .sourceAccurate)
    }
    self.init(
      previousEnd: previous?.endPositionBeforeTrailingTrivia.utf8Offset ?? 0,
      start: first.positionAfterSkippingLeadingTrivia.utf8Offset,
      keyword: keyword.positionAfterSkippingLeadingTrivia.utf8Offset,
      comments: comments
    )
  }
}

extension TokenSyntax {
  /// The outermost attribute that contains the token.
  ///
  /// An attribute's arguments may be closures with declarations. Comments within them do not belong
  /// to the declaration.
  fileprivate var attribute: Syntax? {
    var outermost: Syntax?
    var node = parent
    while let current = node, !current.is(AttributeListSyntax.self) || outermost == nil {
      if current.is(AttributeSyntax.self) { outermost = current }
      node = current.parent
    }
    return outermost
  }
}

extension Syntax {
  fileprivate func isFirst(_ token: TokenSyntax) -> Bool {
    firstToken(viewMode: .sourceAccurate)?.id == token.id
  }

  fileprivate func isLast(_ token: TokenSyntax) -> Bool {
    lastToken(viewMode: .sourceAccurate)?.id == token.id
  }
}
