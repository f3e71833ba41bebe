package import ObjectBoxSyncProtocol

/// The sessions by their scopes.
///
/// A change is matched by lookups of its logged values, however many users there are.
package struct ScopeIndex<Session: Sendable>: Sendable {
  private var sessions: [UInt64: Session] = [:]
  /// The sessions by one comparison of each scope; the cut finds out about the others.
  private var numbers: [Scope: Set<UInt64>] = [:]
  /// The properties whose elements are looked up.
  private var lists: Set<PropertyUID> = []
  private var entities: [EntityUID: Set<UInt64>] = [:]
  private var next: UInt64 = 0

  /// Creates an index without sessions.
  package init() {}

  /// All sessions.
  var all: some Collection<Session> { sessions.values }

  /// Adds a session.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - scopes: What it shows.
  /// - Returns: The number by which it is removed.
  package mutating func add(_ session: Session, _ scopes: [Scope]) -> UInt64 {
    next += 1
    sessions[next] = session
    for scope in scopes {
      numbers[scope.key, default: []].insert(next)
      entities[scope.entity, default: []].insert(next)
      for comparison in scope.key.comparisons where comparison.test == .contains {
        lists.insert(comparison.property)
      }
    }
    return next
  }

  /// Removes a session.
  mutating func remove(_ number: UInt64, _ scopes: [Scope]) {
    sessions[number] = nil
    for scope in scopes {
      let key = scope.key
      numbers[key]?.remove(number)
      if numbers[key]?.isEmpty ?? false { numbers[key] = nil }
      entities[scope.entity]?.remove(number)
    }
  }

  /// Returns the sessions that changes may concern.
  package func sessions(concernedBy entries: some Sequence<LogEntry>) -> [Session] {
    var found: Set<UInt64> = []
    for entry in entries {
      let entity = entry.key.entity
      if entry.before == nil, entry.after == nil {
        // A change of pairs tells no values.
        found.formUnion(entities[entity] ?? [])
        continue
      }
      if let whole = numbers[Scope(entity: entity)] { found.formUnion(whole) }
      for values in [entry.before, entry.after] {
        for element in values?.elements ?? [] {
          let property = element.property
          add(Scope.Comparison(property, .equals, element.value))
          guard lists.contains(property) else { continue }
          for text in ListElements(element.value) {
            add(Scope.Comparison(property, .contains, text))
          }
        }
        func add(_ comparison: Scope.Comparison) {
          guard let matching = numbers[Scope(entity: entity, [comparison])] else { return }
          found.formUnion(matching)
        }
      }
    }
    return found.compactMap { sessions[$0] }
  }
}

extension Scope {
  /// The part of a scope by which its sessions are found.
  ///
  /// A value other than null or 0 usually has fewer objects: users share flags, not identities.
  fileprivate var key: Scope {
    let first = comparisons.first { comparison in
      switch comparison.value {
      case .bytes, .double: true
      case .integer(let number): !(0...1).contains(number)
      case .null, .target: false
      }
    }
    return Scope(entity: entity, (first ?? comparisons.first).map { [$0] } ?? [])
  }
}
