internal import ObjectBox
internal import ObjectBoxSyncServer

/// A configured comparison of one property with values, or of the objects that a relation leads to.
struct ConfiguredComparison: Sendable {
  /// A value of a comparison.
  enum Value: Sendable {
    case null
    case integer(Int64, text: String)
    case double(Double, text: String)
    case text(String)
    /// The user's identity.
    case user
    /// A claim of the user's token.
    case claim(String)
    /// A related object that fulfils all comparisons of one of the lists.
    case link(RelationEnd, EntityInfo, [[ConfiguredComparison]])
  }

  /// How a property is compared with each value.
  enum Test: String, CaseIterable {
    /// The property has one of the values.
    case equal = "=="
    /// The property has none of the values.
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="

    /// True for a comparison by order.
    var isOrder: Bool { self != .equal && self != .notEqual }

    fileprivate var comparison: PropertyCondition.Comparison {
      switch self {
      case .equal: .isIn
      case .notEqual: .isNotIn
      case .less: .less
      case .lessOrEqual: .lessOrEqual
      case .greater: .greater
      case .greaterOrEqual: .greaterOrEqual
      }
    }
  }

  /// The name of the property or the relation; a backlink's name begins with its entity's.
  let name: String
  /// The property; nil for a relation that has none.
  let property: PropertySchema?
  let form: ValueForm
  let test: Test
  let values: [Value]

  /// Returns the conditions of a user; objects fulfil one of them.
  ///
  /// A value that the user lacks, or that the property cannot have, matches no object.
  func conditions(for user: SyncUser) -> [Condition] {
    let links = values.compactMap { value -> Condition? in
      guard case .link(let end, let target, let alternatives) = value else { return nil }
      return .link(LinkCondition(end, to: target, alternatives.condition(for: user)))
    }
    guard links.count < values.count, let property else { return links }
    func condition(
      _ comparison: PropertyCondition.Comparison,
      _ operand: PropertyCondition.Operand = .none
    ) -> Condition {
      .property(
        PropertyCondition(
          propertyID: property.identity.id,
          comparison: comparison,
          operand: operand
        )
      )
    }
    let (operands, isComplete) = operands(for: user, property)
    let hasNull = values.contains { if case .null = $0 { true } else { false } }
    switch test {
    case .equal:
      let comparison: PropertyCondition.Comparison = form == .texts ? .containsElement : .isIn
      // Also without values: the server must learn which property is compared.
      return [condition(comparison, list(operands))] + (hasNull ? [condition(.isNil)] : []) + links
    case .notEqual where isComplete:
      return [operands.isEmpty ? condition(.isNotNil) : condition(.isNotIn, list(operands))]
    case .notEqual: return [condition(.isIn, list([]))]
    case .less, .lessOrEqual, .greater, .greaterOrEqual:
      if operands.isEmpty { return [condition(.isIn, list([]))] }
      return operands.map { condition(test.comparison, list([$0])) }
    }
  }

  /// A value that a property can have.
  private enum Operand {
    case integer(Int64)
    case double(Double)
    case text(String)
  }

  /// Returns the values other than null that a user has, and whether the user has all of them.
  private func operands(
    for user: SyncUser,
    _ property: PropertySchema
  ) -> (operands: [Operand], isComplete: Bool) {
    var operands: [Operand] = []
    var isComplete = true
    func add(_ texts: [String]) {
      let found = texts.filter { !$0.isEmpty }.compactMap { operand($0, property) }
      operands += found
      if found.isEmpty || found.count < texts.count { isComplete = false }
    }
    for value in values {
      switch value {
      case .null, .link: break
      case .integer(let number, _): operands.append(.integer(number))
      case .double(let number, _): operands.append(.double(number))
      case .text(let text): operands.append(.text(text))
      case .user: add([user.id])
      case .claim(let name): add([user.claims[name]].compactMap(\.self) + (user.lists[name] ?? []))
      }
    }
    return (operands, isComplete)
  }

  /// Returns the value that a text of the user stands for; nil if the property cannot have it.
  private func operand(_ text: String, _ property: PropertySchema) -> Operand? {
    switch form {
    case .text, .texts: return .text(text)
    case .float, .double: return Double(text).map { .double($0) }
    default:
      // 0 would mean that there is no target.
      return Self.integer(text, form).flatMap {
        property.type == .relation && $0 == 0 ? nil : .integer($0)
      }
    }
  }

  private func list(_ operands: [Operand]) -> PropertyCondition.Operand {
    switch form {
    case .text, .texts:
      .texts(operands.compactMap { if case .text(let text) = $0 { text } else { nil } })
    case .float, .double:
      .doubles(operands.compactMap { if case .double(let number) = $0 { number } else { nil } })
    default:
      .integers(operands.compactMap { if case .integer(let number) = $0 { number } else { nil } })
    }
  }

  /// True for several values, of which one must match.
  fileprivate var hasAlternatives: Bool {
    if values.count > 1 { return test != .notEqual }
    guard case .link(_, _, let alternatives) = values.first else { return false }
    return alternatives.count > 1 || alternatives.first?.first?.hasAlternatives ?? false
  }

  /// Returns the comparison in words, such as `owner == user.id`.
  ///
  /// - Parameter path: The relations that lead to the object, each with a point.
  /// - Returns: The words.
  fileprivate func text(_ path: String) -> String {
    values.map { value in
      let property = path + name
      if case .link(_, _, let alternatives) = value { return alternatives.text(property + ".") }
      let name =
        switch value {
        case .null, .link: "null"
        case .integer(_, let text), .double(_, let text): text
        case .text(let text): "\"\(text)\""
        case .user: "user.id"
        case .claim(let name): "user.claims[\"\(name)\"]"
        }
      return form == .texts && name != "null"
        ? "\(name) in \(property)" : "\(property) \(test.rawValue) \(name)"
    }.joined(separator: test == .notEqual ? " and " : " or ")
  }

  /// Returns the stored form of a whole number or a Boolean; nil for another text, and for a number that the
  /// property cannot have.
  static func integer(_ text: String, _ form: ValueForm) -> Int64? {
    switch form {
    case .boolean: ["true": 1, "1": 1, "false": 0, "0": 0][text]
    case .integer(8, true): UInt64(text).map { Int64(bitPattern: $0) }
    case .integer(8, false): Int64(text)
    case .integer(let size, let isUnsigned):
      Int64(text).flatMap { number in
        let bits = size * 8
        let range: Range<Int64> =
          isUnsigned ? 0..<(1 << bits) : -(1 << (bits - 1))..<(1 << (bits - 1))
        return range.contains(number) ? number : nil
      }
    default: nil
    }
  }
}

extension [[ConfiguredComparison]] {
  /// Returns the condition of a user: all comparisons of one of the lists.
  func condition(for user: SyncUser) -> Condition {
    .any(map { all in .all(all.map { .any($0.conditions(for: user)) }) })
  }

  /// Returns the comparisons in words.
  ///
  /// - Parameter path: The relations that lead to the object, each with a point.
  /// - Returns: The words.
  func text(_ path: String = "") -> String {
    map { all in
      all.map { one in
        all.count > 1 && one.hasAlternatives ? "(\(one.text(path)))" : one.text(path)
      }.joined(separator: " and ")
    }.joined(separator: " or ")
  }
}
