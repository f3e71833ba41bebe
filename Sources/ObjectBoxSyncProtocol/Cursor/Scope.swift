/// A set of objects that a user may see: the objects of an entity that pass all comparisons.
package struct Scope: Hashable, Sendable {
  /// A property, and the value that it must have.
  package struct Comparison: Hashable, Sendable {
    /// How the property is compared.
    package enum Test: UInt8, Sendable {
      /// The property has the value.
      case equals
      /// The property is a list of texts, and the value is one of them.
      case contains
    }

    /// The property.
    package let property: PropertyUID
    /// How it is compared.
    package let test: Test
    /// The value.
    package let value: PropertyValue

    /// Creates a comparison.
    package init(_ property: PropertyUID, _ test: Test = .equals, _ value: PropertyValue) {
      self.property = property
      self.test = test
      self.value = value
    }

    /// Returns true if an object with the given values passes.
    func matches(_ values: PropertyList<PropertyValue>) -> Bool {
      let found = values[property] ?? .null
      return switch test {
      case .equals: found == value
      case .contains: ListElements(found).contains { $0 == value }
      }
    }
  }

  /// The entity.
  package let entity: EntityUID
  /// The comparisons in the order of their properties, each once; none for all objects.
  package let comparisons: [Comparison]

  /// Creates a scope.
  ///
  /// - Parameters:
  ///   - entity: The entity.
  ///   - comparisons: The comparisons in any order.
  package init(entity: EntityUID, _ comparisons: [Comparison]) {
    self.entity = entity
    let sorted = comparisons.sorted()
    self.comparisons = sorted.indices.filter { $0 == 0 || sorted[$0] != sorted[$0 - 1] }
      .map { sorted[$0] }
  }

  /// Creates a scope of all objects of an entity.
  package init(entity: EntityUID) { self.init(entity: entity, []) }

  /// Creates a scope of the objects whose property has a value.
  package init(entity: EntityUID, property: PropertyUID, value: PropertyValue) {
    self.init(entity: entity, [Comparison(property, .equals, value)])
  }

  /// Returns true if an object of the entity with the given values is in the scope.
  package func matches(_ entity: EntityUID, _ values: PropertyList<PropertyValue>) -> Bool {
    entity == self.entity && comparisons.allSatisfy { $0.matches(values) }
  }
}

extension Scope.Comparison: Comparable {
  /// Orders comparisons, so that equal scopes have equal lists.
  package static func < (left: Self, right: Self) -> Bool {
    if left.property != right.property { return left.property < right.property }
    if left.test != right.test { return left.test.rawValue < right.test.rawValue }
    return left.value.precedes(right.value)
  }
}

extension PropertyValue {
  /// An order of values without meaning, for lists that must be the same everywhere.
  fileprivate func precedes(_ other: Self) -> Bool {
    switch (self, other) {
    case (.null, .null): false
    case (.integer(let left), .integer(let right)): left < right
    case (.double(let left), .double(let right)): left < right
    case (.bytes(let left), .bytes(let right)): left.lexicographicallyPrecedes(right)
    case (.target(let left), .target(let right)): left.key < right.key
    default: rank < other.rank
    }
  }

  private var rank: Int {
    switch self {
    case .null: 0
    case .integer: 1
    case .double: 2
    case .bytes: 3
    case .target: 4
    }
  }
}
