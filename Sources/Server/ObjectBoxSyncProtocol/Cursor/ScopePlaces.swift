/// An index of many scopes in a list, by their comparisons.
///
/// A user of a rule over a link has a scope for each target. With a thousand scopes, a linear search for each object
/// and each scope would take a hundred milliseconds a delta.
///
/// The server's index of sessions cannot serve here: it may find too many, and its hashes are fixed. These scopes come
/// from messages, and their sender could choose scopes with equal hashes; dictionaries have seeded hashes.
struct ScopePlaces: Sendable {
  private var places: [Scope: Int] = [:]
  /// The places by one equality comparison of each scope.
  private var compared: [EntityUID: [PropertyUID: [PropertyValue: [Int]]]] = [:]
  /// The places of scopes without an equality comparison.
  private var others: [EntityUID: [Int]] = [:]

  /// Adds a scope.
  mutating func add(_ scope: Scope, at place: Int) {
    places[scope] = place
    guard let key = scope.rarest(of: [.equals, .isObject]) else {
      others[scope.entity, default: []].append(place)
      return
    }
    compared[scope.entity, default: [:]][key.property, default: [:]][key.value, default: []]
      .append(place)
  }

  /// The place of a scope; nil if the scope was not added.
  subscript(scope: Scope) -> Int? { places[scope] }

  /// Returns true if `test` accepts the place of a scope that may contain an object with this key and these values.
  func contains(
    _ values: PropertyList<PropertyValue>,
    at key: ObjectKey,
    where test: (Int) -> Bool
  ) -> Bool {
    if others[key.entity]?.contains(where: test) ?? false { return true }
    guard let compared = compared[key.entity] else { return false }
    return compared.contains { property, places in
      let value =
        property == Scope.Comparison.identity
        ? .integer(Int64(bitPattern: key.id)) : values[property] ?? .null
      return places[value]?.contains(where: test) ?? false
    }
  }
}
