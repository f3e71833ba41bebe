/// The places of many scopes in a list, by what they compare.
///
/// A user of a rule over a link has a scope for each target. A search through all of them, for each
/// object and each scope, would take a hundred milliseconds a delta for a thousand scopes.
///
/// A server's index of its sessions is another one: it may find too many, and has fixed hashes. Scopes of progress come
/// from messages, whose sender could choose them with equal hashes, so these are in dictionaries.
struct ScopePlaces: Sendable {
  private var places: [Scope: Int] = [:]
  /// The places by one equality of each scope.
  private var compared: [EntityUID: [PropertyUID: [PropertyValue: [Int]]]] = [:]
  /// The places of scopes without an equality.
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

  /// Returns true if a test accepts the place of a scope that an object with this key and these values
  /// may be in.
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
