package import ObjectBoxSyncProtocol

/// The sessions by their scopes.
///
/// A change is matched by lookups of its logged values, however many users there are.
package struct ScopeIndex<Session: Sendable>: Sendable {
  private var sessions: [UInt64: Session] = [:]
  private var numbers: [Scope: Set<UInt64>] = [:]
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
      numbers[scope, default: []].insert(next)
      entities[scope.entity, default: []].insert(next)
    }
    return next
  }

  /// Removes a session.
  mutating func remove(_ number: UInt64, _ scopes: [Scope]) {
    sessions[number] = nil
    for scope in scopes {
      numbers[scope]?.remove(number)
      if numbers[scope]?.isEmpty ?? false { numbers[scope] = nil }
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
          let scope = Scope(entity: entity, property: element.property, value: element.value)
          if let matching = numbers[scope] { found.formUnion(matching) }
        }
      }
    }
    return found.compactMap { sessions[$0] }
  }
}
