package import ObjectBoxSyncProtocol

/// The sessions by their scopes.
///
/// A change is matched by lookups of its logged values, however many users there are. The keys are
/// hashes: two scopes with one hash wake a session that has nothing to read, which is rare and does
/// no harm.
package struct ScopeIndex<Session: Sendable>: Sendable {
  /// The sessions by their numbers; nil for free numbers.
  private var slots: [Session?] = []
  private var free: [Int32] = []
  /// The sessions by one comparison of each scope; the cut finds out about the others.
  private var compared: [UInt64: [Int32]] = [:]
  /// The sessions that see all objects of an entity.
  private var whole: [EntityUID: [Int32]] = [:]
  /// The sessions that see objects of an entity.
  private var entities: [EntityUID: [Int32]] = [:]
  /// The properties whose elements are looked up.
  private var lists: Set<PropertyUID> = []

  /// Creates an index without sessions.
  package init() {}

  /// All sessions.
  var all: [Session] { slots.compactMap(\.self) }

  /// Adds a session.
  ///
  /// - Parameters:
  ///   - session: The session.
  ///   - scopes: What it shows.
  /// - Returns: The number by which it is removed.
  package mutating func add(_ session: Session, _ scopes: [Scope]) -> Int32 {
    let number = free.popLast() ?? Int32(slots.count)
    if number == slots.count { slots.append(session) } else { slots[Int(number)] = session }
    for scope in scopes {
      entities[scope.entity, default: []].append(number)
      guard let key = scope.key else {
        whole[scope.entity, default: []].append(number)
        continue
      }
      compared[Self.hash(scope.entity, key), default: []].append(number)
      if key.test == .contains { lists.insert(key.property) }
    }
    return number
  }

  /// Removes a session.
  ///
  /// - Parameters:
  ///   - number: The result of ``add(_:_:)``.
  ///   - scopes: The scopes that were added with it.
  mutating func remove(_ number: Int32, _ scopes: [Scope]) {
    func remove<Key>(from index: inout [Key: [Int32]], at key: Key) {
      index[key]?.removeAll { $0 == number }
      if index[key]?.isEmpty ?? false { index[key] = nil }
    }
    slots[Int(number)] = nil
    free.append(number)
    for scope in scopes {
      remove(from: &entities, at: scope.entity)
      if let key = scope.key {
        remove(from: &compared, at: Self.hash(scope.entity, key))
      } else {
        remove(from: &whole, at: scope.entity)
      }
    }
  }

  /// Returns the sessions that changes may concern, each once.
  package func sessions(concernedBy entries: some Sequence<LogEntry>) -> [Session] {
    var found = Found(count: slots.count)
    for entry in entries {
      let entity = entry.key.entity
      if entry.before == nil, entry.after == nil {
        // A change of pairs tells no values.
        found.add(entities[entity])
        continue
      }
      if !whole.isEmpty { found.add(whole[entity]) }
      if compared.isEmpty { continue }
      let before = entry.before?.elements ?? []
      let after = entry.after?.elements ?? []
      for element in before { add(element, entity, to: &found) }
      for (place, element) in after.enumerated() {
        // Most changes leave the compared values as they are.
        if place < before.count, before[place] == element { continue }
        add(element, entity, to: &found)
      }
    }
    return found.numbers.compactMap { slots[Int($0)] }
  }

  private func add(
    _ element: PropertyList<PropertyValue>.Element,
    _ entity: EntityUID,
    to found: inout Found
  ) {
    found.add(compared[Self.hash(entity, element.property, .equals, element.value)])
    guard !lists.isEmpty, lists.contains(element.property) else { return }
    for text in ListElements(element.value) {
      found.add(compared[Self.hash(entity, element.property, .contains, text)])
    }
  }

  private static func hash(_ entity: EntityUID, _ comparison: Scope.Comparison) -> UInt64 {
    hash(entity, comparison.property, comparison.test, comparison.value)
  }

  private static func hash(
    _ entity: EntityUID,
    _ property: PropertyUID,
    _ test: Scope.Comparison.Test,
    _ value: PropertyValue
  ) -> UInt64 {
    var hash = StableHash()
    hash.add(entity.value ^ property.value &* 2 ^ UInt64(test.rawValue))
    hash.add(value)
    return hash.value
  }

  /// Numbers of sessions, each once.
  private struct Found {
    private(set) var numbers: [Int32] = []
    private var has: [Bool]

    init(count: Int) { has = Array(repeating: false, count: count) }

    mutating func add(_ more: [Int32]?) {
      guard let more else { return }
      for number in more where !has[Int(number)] {
        has[Int(number)] = true
        numbers.append(number)
      }
    }
  }
}

extension Scope {
  /// The comparison by which the sessions of a scope are found; nil for all objects.
  ///
  /// A value other than null, 0 and 1 usually has fewer objects: users share flags, not identities.
  fileprivate var key: Comparison? {
    let rare = comparisons.first { comparison in
      switch comparison.value {
      case .bytes, .double: true
      case .integer(let number): !(0...1).contains(number)
      case .null, .target: false
      }
    }
    return rare ?? comparisons.first
  }
}
