package import SwiftSyntax

/// The comments around a token, as ranges of the source.
package enum TriviaComments {
  /// Returns the comments in the leading trivia of a token.
  package static func before(_ token: TokenSyntax) -> [Range<Int>] {
    comments(in: token.leadingTrivia, at: token.position)
  }

  /// Returns the comments in the trailing trivia of a token.
  package static func after(_ token: TokenSyntax) -> [Range<Int>] {
    comments(in: token.trailingTrivia, at: token.endPositionBeforeTrailingTrivia)
  }

  private static func comments(in trivia: Trivia, at position: AbsolutePosition) -> [Range<Int>] {
    var comments: [Range<Int>] = []
    var start = position.utf8Offset
    for piece in trivia {
      let end = start + piece.sourceLength.utf8Length
      switch piece {
      case .lineComment, .blockComment, .docLineComment, .docBlockComment:
        comments.append(start..<end)
      default: break
      }
      start = end
    }
    return comments
  }
}
