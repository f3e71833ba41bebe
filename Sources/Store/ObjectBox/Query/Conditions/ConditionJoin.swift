/// A plain condition of nested lists with a limited depth, because functions that walk it recurse.
@usableFromInline
package protocol JoinableCondition: Sendable {
  static var greatestDepth: Int { get }

  /// Stands for a condition that is too deep; its depth is beyond the greatest.
  static var tooDeep: Self { get }

  /// The number of lists in each other.
  var depth: Int { get }

  /// Makes a list: a conjunction of all conditions, or a disjunction.
  static func list(_ parts: [Self], ofAll isAll: Bool) -> Self

  /// Returns the parts of a conjunction, or of a disjunction; nil for another condition.
  func parts(ofAll isAll: Bool) -> [Self]?
}

/// A condition that `&&` and `||` join in constant time; a loop can join any number.
///
/// ``condition`` makes the plain value, once.
@usableFromInline
package enum ConditionJoin<Plain: JoinableCondition>: Sendable {
  case one(Plain)
  case pair(ConditionPair<Plain>)

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
  package var condition: Plain {
    switch self {
    case .one(let condition): condition
    case .pair(let pair): pair.condition
    }
  }

  /// The depth of the plain value; above the greatest depth if the value is too deep.
  package var depth: Int {
    switch self {
    case .one(let condition): condition.depth
    case .pair(let pair): pair.depth
    }
  }

  /// The depth that the plain value has as a part of a conjunction or a disjunction.
  fileprivate func depth(inAll isAll: Bool) -> Int {
    switch self {
    case .one(let condition): condition.depth + (condition.parts(ofAll: isAll) == nil ? 1 : 0)
    case .pair(let pair): pair.depth + (pair.isAll == isAll ? 0 : 1)
    }
  }
}

/// Two joined conditions.
///
/// Sendable because only the initializer and the end of the object write its variables.
@usableFromInline
package final class ConditionPair<Plain: JoinableCondition>: @unchecked Sendable {
  fileprivate let isAll: Bool
  fileprivate let depth: Int
  private var left: ConditionJoin<Plain>
  private var right: ConditionJoin<Plain>

  fileprivate init(
    _ left: ConditionJoin<Plain>,
    _ right: ConditionJoin<Plain>,
    isAll: Bool
  ) {
    self.isAll = isAll
    let depth = max(left.depth(inAll: isAll), right.depth(inAll: isAll))
    let isTooDeep = depth > Plain.greatestDepth
    self.depth = isTooDeep ? Plain.greatestDepth + 1 : depth
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
  var condition: Plain {
    if depth > Plain.greatestDepth { return .tooDeep }
    var parts: [Plain] = []
    var pending = [right, left]
    while let next = pending.popLast() {
      switch next {
      case .pair(let pair) where pair.isAll == isAll: pending += [pair.right, pair.left]
      case .pair(let pair): parts.append(pair.condition)
      case .one(let condition):
        if let list = condition.parts(ofAll: isAll) {
          parts += list
        } else {
          parts.append(condition)
        }
      }
    }
    return .list(parts, ofAll: isAll)
  }
}

extension Condition: JoinableCondition {
  /// The greatest depth of a condition: of `&&`, `||` and links in each other.
  ///
  /// Functions that walk a condition recurse, and threads may have stacks of 512 KiB only. Half of one
  /// holds this depth, measured without optimization.
  @usableFromInline
  package static let greatestDepth = 100

  /// The depth of a link, which runs a query inside a query.
  static let linkDepth = 4

  /// Stands for a condition that is too deep, and names a property that no model has.
  @usableFromInline
  package static let tooDeep = property(
    PropertyCondition(propertyID: .max, comparison: .isNil, operand: .none)
  )

  /// The number of lists in each other, and of links times ``linkDepth``; beyond ``greatestDepth`` for ``tooDeep``.
  @usableFromInline
  package var depth: Int {
    switch self {
    case .property(let condition): condition.propertyID == .max ? Self.greatestDepth + 1 : 0
    case .all(let parts), .any(let parts): 1 + (parts.lazy.map(\.depth).max() ?? 0)
    case .link(let link): Self.linkDepth + link.condition.depth
    }
  }

  @usableFromInline
  package static func list(_ parts: [Condition], ofAll isAll: Bool) -> Condition {
    isAll ? .all(parts) : .any(parts)
  }

  @usableFromInline
  package func parts(ofAll isAll: Bool) -> [Condition]? {
    switch self {
    case .all(let parts): isAll ? parts : nil
    case .any(let parts): isAll ? nil : parts
    case .property, .link: nil
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
