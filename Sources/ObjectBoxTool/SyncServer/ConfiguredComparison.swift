internal import ObjectBox
internal import ObjectBoxSyncServer

/// A comparison of one property with values that a configuration names, or of what a to-one relation
/// leads to.
struct ConfiguredComparison: Sendable {
  /// A value of a comparison.
  enum Value: Sendable {
    case null
    case integer(Int64, text: String)
    case text(String)
    /// The user's identity.
    case user
    /// A claim of the user's token.
    case claim(String)
    /// An object of the relation's target that fulfils all comparisons of one of the lists.
    case link(EntityInfo, [[ConfiguredComparison]])
  }

  let property: PropertySchema
  let form: ValueForm
  let values: [Value]

  private var isOfTexts: Bool { form == .text || form == .texts }

  /// Returns the conditions of a user, of which objects fulfil one.
  ///
  /// A value that the user lacks, or that the property cannot have, matches no object.
  func conditions(for user: SyncUser) -> [Condition] {
    var integers: [Int64] = []
    var texts: [String] = []
    func add(_ text: String?) {
      guard let text, !text.isEmpty else { return }
      if isOfTexts {
        texts.append(text)
      } else if let number = Self.integer(text, form), property.type != .relation || number != 0 {
        // 0 would mean that there is no target.
        integers.append(number)
      }
    }
    for value in values {
      switch value {
      case .null, .link: break
      case .integer(let number, _): integers.append(number)
      case .text(let text): texts.append(text)
      case .user: add(user.id)
      case .claim(let name):
        add(user.claims[name])
        for element in user.lists[name] ?? [] { add(element) }
      }
    }
    let links = values.compactMap { value -> Condition? in
      guard case .link(let target, let alternatives) = value else { return nil }
      let end = RelationEnd.toOne(property: property.identity.id)
      return .link(LinkCondition(end, to: target, alternatives.condition(for: user)))
    }
    if links.count == values.count { return links }
    // Also without values: the server must learn which property is compared.
    let list = PropertyCondition(
      propertyID: property.identity.id,
      comparison: form == .texts ? .containsElement : .isIn,
      operand: isOfTexts ? .texts(texts) : .integers(integers)
    )
    let hasNull = values.contains { if case .null = $0 { true } else { false } }
    let null = PropertyCondition(
      propertyID: property.identity.id,
      comparison: .isNil,
      operand: .none
    )
    return [.property(list)] + (hasNull ? [.property(null)] : []) + links
  }

  /// True for several values, of which one must match.
  fileprivate var hasAlternatives: Bool {
    if values.count > 1 { return true }
    guard case .link(_, let alternatives) = values.first else { return false }
    return alternatives.count > 1 || alternatives.first?.first?.hasAlternatives ?? false
  }

  /// Returns the comparison in words, such as `owner == user.id`.
  ///
  /// - Parameter path: The relations that lead to the object, each with a point.
  /// - Returns: The words.
  fileprivate func text(_ path: String) -> String {
    values.map { value in
      let property = path + property.name
      if case .link(_, let alternatives) = value { return alternatives.text(property + ".") }
      let name =
        switch value {
        case .null, .link: "null"
        case .integer(_, let text): text
        case .text(let text): "\"\(text)\""
        case .user: "user.id"
        case .claim(let name): "user.claims[\"\(name)\"]"
        }
      return form == .texts && name != "null"
        ? "\(name) in \(property)" : "\(property) == \(name)"
    }.joined(separator: " or ")
  }

  /// Returns the stored form of a whole number or a Boolean; nil for a text that is none, and for a
  /// number that the property cannot have.
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
