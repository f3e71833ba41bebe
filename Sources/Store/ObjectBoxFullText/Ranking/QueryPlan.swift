/// A query with a list of its leaves: the operands that have scores.
package struct QueryPlan {
  /// The leaves in the order of the query; their parts of a score are added in this order.
  package private(set) var leaves: [QueryLeaf] = []
  package private(set) var root: QueryNode = .any([])

  package init(_ expression: TextExpression) {
    root = node(expression, column: nil)
  }

  private mutating func node(_ expression: TextExpression, column: Int?) -> QueryNode {
    switch expression {
    case .term(let word): leaf(.term(word), column)
    case .prefix(let word): leaf(.prefix(word), column)
    case .phrase(let words): leaf(Self.content(ofPhrase: words), column)
    case .near(let operands, let distance):
      near(operands, distance, column)
    case .all(let operands):
      .all(
        operands.flatMap { operand -> [QueryNode] in
          let node = node(operand, column: column)
          if case .all(let inner) = node, !inner.isEmpty { return inner }
          return [node]
        }
      )
    case .any(let operands):
      .any(
        operands.flatMap { operand -> [QueryNode] in
          let node = node(operand, column: column)
          if case .any(let inner) = node { return inner }
          return [node]
        }
      )
    case .excluding(let included, let excluded):
      excluding(included, excluded, column)
    case .column(let operand, let inner): node(operand, column: column ?? inner)
    }
  }

  private mutating func leaf(_ content: QueryLeaf.Content, _ column: Int?) -> QueryNode {
    leaves.append(QueryLeaf(content: content, column: column))
    return .leaf(leaves.count - 1)
  }

  private mutating func near(
    _ operands: [TextExpression],
    _ distance: Int,
    _ column: Int?
  ) -> QueryNode {
    if operands.count == 1 { return node(operands[0], column: column) }
    let first = leaves.count
    for operand in operands {
      switch operand {
      case .term(let word): _ = leaf(.term(word), column)
      case .prefix(let word): _ = leaf(.prefix(word), column)
      case .phrase(let words): _ = leaf(Self.content(ofPhrase: words), column)
      default: preconditionFailure("an operand of NEAR is a term, a prefix or a phrase")
      }
    }
    return .near(first..<leaves.count, distance: max(0, distance))
  }

  private mutating func excluding(
    _ included: TextExpression,
    _ excluded: TextExpression,
    _ column: Int?
  ) -> QueryNode {
    let first = node(included, column: column)
    let start = leaves.count
    let second = node(excluded, column: column)
    for index in start..<leaves.count { leaves[index].isScored = false }
    return .excluding(first, second)
  }

  private static func content(ofPhrase words: [PhraseWord]) -> QueryLeaf.Content {
    guard words.count == 1 else { return .phrase(words) }
    return words[0].isPrefix ? .prefix(words[0].text) : .term(words[0].text)
  }
}

/// A term, a prefix or a phrase of a query.
package struct QueryLeaf {
  package enum Content {
    case term(String)
    case prefix(String)
    case phrase([PhraseWord])
  }

  package var content: Content
  /// The only column to search, if any.
  package var column: Int?
  /// Whether the leaf adds to scores.
  package var isScored = true

  /// The number of positions from the first word to the one after the last.
  package var width: UInt32 {
    guard case .phrase(let words) = content, let last = words.last else { return 1 }
    return last.offset + 1
  }
}

/// A condition of a query on its leaves.
package indirect enum QueryNode {
  case leaf(Int)
  case near(Range<Int>, distance: Int)
  case all([QueryNode])
  case any([QueryNode])
  case excluding(QueryNode, QueryNode)
}
