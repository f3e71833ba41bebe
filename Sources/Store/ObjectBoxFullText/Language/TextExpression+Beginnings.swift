extension TextExpression {
  /// Returns the expression with the index's prefix terms in place of prefixes, if it has terms of their length.
  ///
  /// Prefix terms have no positions, so phrases, NEAR and single columns search for the words themselves.
  package func usingBeginnings(of tokenizer: Tokenizer) -> TextExpression {
    switch self {
    case .prefix(let prefix): tokenizer.prefixTerm(for: prefix).map { .term($0) } ?? self
    case .all(let parts): .all(parts.map { $0.usingBeginnings(of: tokenizer) })
    case .any(let parts): .any(parts.map { $0.usingBeginnings(of: tokenizer) })
    case .excluding(let included, let excluded):
      .excluding(
        included.usingBeginnings(of: tokenizer),
        excluded.usingBeginnings(of: tokenizer)
      )
    case .term, .phrase, .near, .column: self
    }
  }
}
