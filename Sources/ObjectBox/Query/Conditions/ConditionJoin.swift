/// A condition that `&&` and `||` join in constant time; a loop can join any number.
///
/// ``condition`` makes the plain value, once.
@usableFromInline
package enum ConditionJoin: Sendable {
  case one(Condition)
  case pair(ConditionPair)

  /// Returns the conjunction of two conditions.
  package static func both(_ left: Self, _ right: Self) -> Self {
    .pair(ConditionPair(left, right, isAll: true))
  }

  /// Returns the disjunction of two conditions.
  package static func either(_ left: Self, _ right: Self) -> Self {
    .pair(ConditionPair(left, right, isAll: false))
  }

  /// The plain value, in which nested conjunctions are one list, and nested disjunctions as well.
  @inlinable
  package var condition: Condition {
    switch self {
    case .one(let condition): condition
    case .pair(let pair): pair.condition
    }
  }

  /// The depth that the plain value has as a part of a conjunction or a disjunction.
  fileprivate func depth(inAll isAll: Bool) -> Int {
    switch self {
    case .one(.property(let condition)): 1 + Condition.property(condition).depth
    case .one(let condition): condition.depth + (condition.isList(ofAll: isAll) ? 0 : 1)
    case .pair(let pair): pair.depth + (pair.isAll == isAll ? 0 : 1)
    }
  }
}

/// Two joined conditions.
///
/// Sendable because only the initializer and the end of the object write its variables.
@usableFromInline
package final class ConditionPair: @unchecked Sendable {
  fileprivate let isAll: Bool
  fileprivate let depth: Int
  private var left: ConditionJoin
  private var right: ConditionJoin

  fileprivate init(_ left: ConditionJoin, _ right: ConditionJoin, isAll: Bool) {
    self.isAll = isAll
    let depth = max(left.depth(inAll: isAll), right.depth(inAll: isAll))
    let isTooDeep = depth > Condition.greatestDepth
    self.depth = isTooDeep ? Condition.greatestDepth + 1 : depth
    self.left = isTooDeep ? .one(.tooDeep) : left
    self.right = isTooDeep ? .one(.tooDeep) : right
  }

  deinit {
    // Releases the parts in a loop: the release of a long chain would recurse, and end the stack.
    var pending: [ConditionPair] = []
    moveParts(to: &pending)
    while var pair = pending.popLast() {
      if isKnownUniquelyReferenced(&pair) { pair.moveParts(to: &pending) }
    }
  }

  private func moveParts(to pending: inout [ConditionPair]) {
    if case .pair(let pair) = left { pending.append(pair) }
    if case .pair(let pair) = right { pending.append(pair) }
    left = .one(.tooDeep)
    right = .one(.tooDeep)
  }

  @usableFromInline
  var condition: Condition {
    if depth > Condition.greatestDepth { return .tooDeep }
    var parts: [Condition] = []
    var pending = [right, left]
    while let next = pending.popLast() {
      switch next {
      case .pair(let pair) where pair.isAll == isAll: pending += [pair.right, pair.left]
      case .one(.all(let list)) where isAll: parts += list
      case .one(.any(let list)) where !isAll: parts += list
      case .one, .pair: parts.append(next.condition)
      }
    }
    return isAll ? .all(parts) : .any(parts)
  }
}

extension Condition {
  /// The greatest depth of a condition: of `&&`, `||` and links in each other.
  ///
  /// Functions that walk a condition recurse, and threads may have stacks of 512 KiB only. Half of one
  /// holds this depth, measured without optimization.
  package static let greatestDepth = 100

  /// The depth of a link, which runs a query inside a query.
  static let linkDepth = 4

  /// Stands for a condition that is too deep, and names a property that no model has.
  static let tooDeep = property(
    PropertyCondition(propertyID: .max, comparison: .isNil, operand: .none)
  )

  /// The number of lists in each other, and of links times ``linkDepth``; beyond ``greatestDepth`` for ``tooDeep``.
  var depth: Int {
    switch self {
    case .property(let condition): condition.propertyID == .max ? Self.greatestDepth + 1 : 0
    case .all(let parts), .any(let parts): 1 + (parts.lazy.map(\.depth).max() ?? 0)
    case .link(let link): Self.linkDepth + link.condition.depth
    }
  }

  fileprivate func isList(ofAll isAll: Bool) -> Bool {
    switch self {
    case .all: isAll
    case .any: !isAll
    case .property, .link: false
    }
  }
}

extension ObjectBoxError {
  static var tooDeepCondition: ObjectBoxError {
    .illegalArgument(
      message:
        "a condition has more than \(Condition.greatestDepth) '&&' and '||' in each other, or more than "
        + "\(Condition.greatestDepth / Condition.linkDepth) links; join conditions by one operator, or "
        + "compare with a list of values"
    )
  }
}
