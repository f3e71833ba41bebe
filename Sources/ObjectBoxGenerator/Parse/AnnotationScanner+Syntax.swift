internal import SwiftSyntax

extension AnnotationScanner.Surroundings {
  /// Collects the comments around a declaration with the given keyword, up to that keyword.
  init(_ declaration: Syntax, keyword: TokenSyntax) {
    let first = declaration.firstToken(viewMode: .sourceAccurate) ?? keyword
    let previous = first.previousToken(viewMode: .sourceAccurate)
    var comments = previous.map { TriviaComments.after($0) } ?? []
    var token: TokenSyntax? = first
    while let current = token {
      comments += TriviaComments.before(current)
      if current.id == keyword.id { break }
      comments += TriviaComments.after(current)
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
