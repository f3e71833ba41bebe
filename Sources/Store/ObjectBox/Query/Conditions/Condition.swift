public import Foundation

/// A condition on objects: a plain value, independent of storage and Swift types.
@usableFromInline
package enum Condition: Sendable, Hashable {
  case all([Condition])
  case any([Condition])
  // Indirect, so that copying a condition counts one reference.
  indirect case property(PropertyCondition)
  indirect case link(LinkCondition)

  /// Makes a condition on a property.
  @usableFromInline
  package static func leaf(
    _ propertyID: UInt32,
    _ comparison: PropertyCondition.Comparison,
    _ operand: consuming PropertyCondition.Operand,
    isCaseSensitive: Bool = true
  ) -> Self {
    .property(
      PropertyCondition(
        propertyID: propertyID,
        comparison: comparison,
        operand: operand,
        isCaseSensitive: isCaseSensitive
      )
    )
  }

  /// Compares the IDs of objects with one or more IDs.
  ///
  /// - Throws: ``ObjectBoxError/illegalArgument(message:)`` when the entity has no ID property.
  package static func comparingID(
    _ comparison: PropertyCondition.Comparison,
    _ ids: some Sequence<UInt64>,
    of entity: EntitySchema
  ) throws -> Self {
    guard let property = entity.properties.first(where: { $0.has(.id) }) else {
      throw ObjectBoxError.illegalArgument(
        message: "'\(entity.name)' has no ID property; run the generator again"
      )
    }
    return leaf(
      property.identity.id,
      comparison,
      .integers(ids.map { Int64(bitPattern: $0) })
    )
  }

  /// The conditions on properties of the entity itself, from left to right.
  package var properties: [PropertyCondition] {
    switch self {
    case .all(let parts), .any(let parts): parts.flatMap(\.properties)
    case .property(let condition): [condition]
    case .link: []
    }
  }

  /// The links, from left to right, without links inside links.
  package var links: [LinkCondition] {
    switch self {
    case .link(let link): [link]
    case .all(let parts), .any(let parts): parts.flatMap(\.links)
    case .property: []
    }
  }

  /// True when the condition has a link at any depth.
  var hasLink: Bool { !links.isEmpty }

  /// True for a condition without links, nearest neighbours and words, which needs no resolution before
  /// planning.
  var isOfPropertiesOnly: Bool {
    switch self {
    case .property(let condition): !condition.comparison.isSearch
    case .all(let parts), .any(let parts): parts.allSatisfy(\.isOfPropertiesOnly)
    case .link: false
    }
  }

  /// The number of conditions on properties, including those inside links.
  var count: Int {
    properties.count + links.reduce(0) { $0 + $1.condition.count }
  }

  /// Changes the first condition that fits; returns false when none does.
  ///
  /// - Parameters:
  ///   - looksIntoLinks: True to include conditions on related objects.
  ///   - change: Changes a condition and returns true, or returns false if it does not fit.
  /// - Returns: False when nothing was changed.
  mutating func changeFirst(
    inLinks looksIntoLinks: Bool = false,
    _ change: (inout PropertyCondition) -> Bool
  ) -> Bool {
    switch self {
    case .property(var condition):
      guard change(&condition) else { return false }
      self = .property(condition)
      return true
    case .all(var parts), .any(var parts):
      let isAll = self.parts(ofAll: true) != nil
      // Drops the other reference, so that the parts change in place.
      self = .all([])
      defer { self = .list(parts, ofAll: isAll) }
      return parts.indices.contains { parts[$0].changeFirst(inLinks: looksIntoLinks, change) }
    case .link(var link):
      guard looksIntoLinks, link.condition.changeFirst(inLinks: true, change) else { return false }
      self = .link(link)
      return true
    }
  }
}

/// A condition on the values of one property.
@usableFromInline
package struct PropertyCondition: Sendable, Hashable {
  @usableFromInline
  package enum Comparison: String, Sendable {
    case isNil = "is nil"
    case isNotNil = "is not nil"
    case equal = "=="
    case notEqual = "!="
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case between
    /// From the lower bound up to, not including, the upper; setting parameters turns it into
    /// `between`.
    case inRange = "in range"
    case isIn = "in"
    case isNotIn = "not in"
    case hasPrefix = "starts with"
    case hasSuffix = "ends with"
    case contains
    case containsElement = "contains element"
    case isNearest = "is nearest to"
    case matches

    /// True for a comparison with a list of values.
    package var isOfList: Bool { self == .isIn || self == .isNotIn }

    /// True for a comparison with two bounds.
    package var isOfBounds: Bool { self == .between || self == .inRange }

    /// True for a comparison that is replaced by the objects found before a query runs.
    package var isSearch: Bool { self == .isNearest || self == .matches }
  }

  /// The operand of a comparison; several values are a set, or the bounds of `between` and
  /// `inRange`.
  @usableFromInline
  package enum Operand: Sendable, Hashable {
    case none
    case integers([Int64])
    case doubles([Double])
    case texts([String])
    case bytes([[UInt8]])
    case dates([Date])
    case encoded(EncodedOperand)
    /// Resolved to the IDs of the nearest objects before a query runs.
    case nearest(vector: [Float], maxCount: Int, filtering: NearestFiltering = .first)
    /// Resolved to the IDs of the objects with the words before a query runs.
    case matching(TextSearch)

    /// Returns whether a parameter can replace this operand.
    ///
    /// Integers and dates have the same stored form: a handwritten property may give a date an
    /// integer type.
    func isAlike(_ other: Self) -> Bool {
      switch (self, other) {
      case (.integers, .integers), (.doubles, .doubles), (.texts, .texts), (.bytes, .bytes),
        (.dates, .dates), (.dates, .integers), (.integers, .dates):
        true
      case (.encoded(let a), .encoded(let b)): a.type == b.type
      default: false
      }
    }
  }

  package var propertyID: UInt32
  package var comparison: Comparison
  package var operand: Operand
  /// For texts only: whether case matters.
  package var isCaseSensitive = true
  /// The name under which parameters are set.
  package var alias: String?

  package init(
    propertyID: UInt32,
    comparison: Comparison,
    operand: Operand,
    isCaseSensitive: Bool = true,
    alias: String? = nil
  ) {
    self.propertyID = propertyID
    self.comparison = comparison
    self.operand = operand
    self.isCaseSensitive = isCaseSensitive
    self.alias = alias
  }

  /// False for null tests.
  var hasOperand: Bool {
    if case .none = operand { false } else { true }
  }
}
