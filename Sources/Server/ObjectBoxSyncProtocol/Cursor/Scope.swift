/// A set of objects that a user may see: the objects of an entity that pass all comparisons.
package struct Scope: Hashable, Sendable {
  /// A test of one property, usually against a value.
  package struct Comparison: Hashable, Sendable {
    /// The test of a comparison.
    ///
    /// Null, NaN and values of another type than the comparison's pass only `equals` and `isPresent`.
    package enum Test: UInt8, Sendable {
      /// The property has the value.
      case equals
      /// The property is a list of texts, and the value is one of them.
      case contains
      /// The property has another value.
      case differs
      /// The property is not null; the comparison's value is null.
      case isPresent
      /// The property is less than the value: integers with a sign, floating point numbers, or bytes.
      case below
      /// The property is not greater than the value.
      case atMost
      /// The property is greater than the value.
      case above
      /// The property is not less than the value.
      case atLeast
      /// The object has the value as its ID; the property is ``Comparison/identity``.
      case isObject
    }

    /// The property of comparisons by ``Test/isObject``; no property has this UID.
    package static let identity = PropertyUID(0)

    /// The property.
    package let property: PropertyUID
    /// The test.
    package let test: Test
    /// The value.
    package let value: PropertyValue

    /// Creates a comparison.
    package init(_ property: PropertyUID, _ test: Test = .equals, _ value: PropertyValue) {
      self.property = property
      self.test = test
      self.value = value
    }

    /// Creates a comparison of an object's ID.
    package init(object id: UInt64) {
      self.init(Self.identity, .isObject, .integer(Int64(bitPattern: id)))
    }

    /// Returns true if an object with the given ID and values passes.
    func matches(_ id: UInt64, _ values: PropertyList<PropertyValue>) -> Bool {
      if test == .isObject { return value == .integer(Int64(bitPattern: id)) }
      let found = values[property] ?? .null
      return switch test {
      case .equals: found == value
      case .contains: ListElements(found).contains { $0 == value }
      case .isPresent: found != .null
      case .differs: found.compare(with: value) { $0 != 0 }
      case .below: found.compare(with: value) { $0 < 0 }
      case .atMost: found.compare(with: value) { $0 <= 0 }
      case .above: found.compare(with: value) { $0 > 0 }
      case .atLeast: found.compare(with: value) { $0 >= 0 }
      case .isObject: false
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

  /// Creates a scope of the objects whose property has the given value.
  package init(entity: EntityUID, property: PropertyUID, value: PropertyValue) {
    self.init(entity: entity, [Comparison(property, .equals, value)])
  }

  /// Returns the comparison that the fewest objects pass, for indexes of scopes.
  ///
  /// A value other than null, 0 and 1 usually has fewer objects: users share flags, not identities.
  ///
  /// - Parameter tests: The tests that an index can look up.
  /// - Returns: The comparison; nil if none has such a test.
  package func rarest(of tests: [Comparison.Test]) -> Comparison? {
    let found = comparisons.filter { tests.contains($0.test) }
    let rare = found.first { comparison in
      switch comparison.value {
      case .bytes, .double: true
      case .integer(let number): !(0...1).contains(number) || comparison.test == .isObject
      case .null, .target: false
      }
    }
    return rare ?? found.first
  }

  /// Returns true if an object with the given values is in the scope.
  package func matches(_ key: ObjectKey, _ values: PropertyList<PropertyValue>) -> Bool {
    key.entity == entity && comparisons.allSatisfy { $0.matches(key.id, values) }
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
  /// Compares this value with another one of its type, and passes the order to a test: negative if this value is less.
  ///
  /// - Parameters:
  ///   - other: The other value.
  ///   - test: The test.
  /// - Returns: The test's result; false for null, NaN and values of different types.
  fileprivate func compare(with other: Self, by test: (Int) -> Bool) -> Bool {
    func order<T: Comparable>(_ left: T, _ right: T) -> Int {
      left < right ? -1 : left == right ? 0 : 1
    }
    switch (self, other) {
    case (.integer(let left), .integer(let right)): return test(order(left, right))
    case (.double(let left), .double(let right)):
      let (left, right) = (Double(bitPattern: left), Double(bitPattern: right))
      return !left.isNaN && !right.isNaN && test(order(left, right))
    case (.bytes(let left), .bytes(let right)):
      return test(left == right ? 0 : left.lexicographicallyPrecedes(right) ? -1 : 1)
    default: return false
    }
  }

  /// An arbitrary but fixed order of values, for lists that must be equal everywhere.
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
