package import ObjectBoxSyncProtocol

/// An index of sessions, by their scopes.
///
/// A change is matched by lookups of its logged values, however many users there are. The keys are hashes: if two
/// scopes have the same hash, a session is woken without need, which is rare and harmless. Not generic over the
/// sessions, since another module would run generic code unspecialized for each change.
package struct ScopeIndex: Sendable {
  /// The sessions by one comparison of each scope; the delta tests the other comparisons.
  private var compared = HashedNumbers()
  /// The sessions that see all objects of an entity.
  private var whole: [EntityUID: [Int32]] = [:]
  /// The sessions by scopes with other comparisons only; most users have the same scopes.
  private var tested: [EntityUID: [Scope: [Int32]]] = [:]
  /// The sessions that see objects of an entity.
  private var entities: [EntityUID: [Int32]] = [:]
  /// True if some session sees objects by their IDs.
  private var hasObjects = false
  /// The properties whose list elements are looked up.
  private var lists: Set<PropertyUID> = []
  /// Greater than all numbers of sessions.
  private var end: Int32 = 0

  /// Creates an index without sessions.
  package init() {}

  /// Adds a session.
  ///
  /// - Parameters:
  ///   - number: A number that no other session has; not negative. Memory is in proportion to the greatest number.
  ///   - scopes: The scopes of the session.
  package mutating func add(_ number: Int32, _ scopes: [Scope]) {
    end = max(end, number + 1)
    for scope in scopes {
      entities[scope.entity, default: []].append(number)
      guard let key = scope.key else {
        if scope.comparisons.isEmpty {
          whole[scope.entity, default: []].append(number)
        } else {
          tested[scope.entity, default: [:]][scope, default: []].append(number)
        }
        continue
      }
      compared.add(number, at: Self.hash(scope.entity, key))
      if key.test == .contains { lists.insert(key.property) }
      if key.test == .isObject { hasObjects = true }
    }
  }

  /// Removes a session.
  ///
  /// - Parameters:
  ///   - number: Its number.
  ///   - scopes: The scopes that were added with it.
  package mutating func remove(_ number: Int32, _ scopes: [Scope]) {
    func remove(from index: inout [EntityUID: [Int32]], at entity: EntityUID) {
      index[entity]?.removeAll { $0 == number }
      if index[entity]?.isEmpty ?? false { index[entity] = nil }
    }
    for scope in scopes {
      remove(from: &entities, at: scope.entity)
      if let key = scope.key {
        compared.remove(number, at: Self.hash(scope.entity, key))
      } else if scope.comparisons.isEmpty {
        remove(from: &whole, at: scope.entity)
      } else {
        tested[scope.entity]?[scope]?.removeAll { $0 == number }
        if tested[scope.entity]?[scope]?.isEmpty ?? false { tested[scope.entity]?[scope] = nil }
        if tested[scope.entity]?.isEmpty ?? false { tested[scope.entity] = nil }
      }
    }
  }

  /// Returns the numbers of the sessions that may be concerned by changes, each once.
  package func numbers(concernedBy entries: ArraySlice<LogEntry>) -> [Int32] {
    var found = Found(count: Int(end))
    entries.withUnsafeBufferPointer { entries in
      for index in entries.indices {
        guard let entry = entries.baseAddress.map({ $0 + index }) else { return }
        let entity = entry.pointee.key.entity
        let hasValues = LogEntry.forEachValue(of: entry) { add($1, of: $0, entity, to: &found) }
        if !hasValues {
          found.add(entities[entity])
          continue
        }
        if !whole.isEmpty { found.add(whole[entity]) }
        if hasObjects {
          let id = Int64(bitPattern: entry.pointee.key.id)
          add(Self.hash(entity, Scope.Comparison.identity, .isObject, .integer(id)), to: &found)
        }
        if !tested.isEmpty { add(entry.pointee, to: &found) }
      }
    }
    return found.numbers
  }

  private func add(
    _ value: PropertyValue,
    of property: PropertyUID,
    _ entity: EntityUID,
    to found: inout Found
  ) {
    add(Self.hash(entity, property, .equals, value), to: &found)
    guard !lists.isEmpty, lists.contains(property) else { return }
    for text in ListElements(value) {
      add(Self.hash(entity, property, .contains, text), to: &found)
    }
  }

  /// Adds the sessions whose tests pass the values before or after a change.
  private func add(_ entry: LogEntry, to found: inout Found) {
    guard let scopes = tested[entry.key.entity] else { return }
    for (scope, numbers) in scopes {
      let concerns = [entry.before, entry.after].contains { values in
        values.map { scope.matches(entry.key, $0) } ?? false
      }
      if concerns { found.add(numbers) }
    }
  }

  private func add(_ hash: UInt64, to found: inout Found) {
    compared.forEach(at: hash) { found.add($0) }
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
    let start = entity.value ^ property.value &* 2 ^ UInt64(test.rawValue)
    return switch value {
    case .null: mixed(start, 1)
    case .integer(let number): mixed(mixed(start, 2), UInt64(bitPattern: number))
    case .double(let bits): mixed(mixed(start, 3), bits)
    case .bytes(let bytes): bytes.withUnsafeBytes { mixed(start, $0) }
    case .target(let reference): mixed(mixed(start, 4), reference.key.id)
    }
  }

  /// Mixes bytes into a hash, eight at a time.
  private static func mixed(_ hash: UInt64, _ bytes: UnsafeRawBufferPointer) -> UInt64 {
    var hash = mixed(hash, UInt64(bytes.count) &+ 5)
    var place = 0
    while place + 8 <= bytes.count {
      hash = mixed(hash, bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self))
      place += 8
    }
    guard place < bytes.count else { return hash }
    if bytes.count >= 8 {
      return mixed(hash, bytes.loadUnaligned(fromByteOffset: bytes.count - 8, as: UInt64.self))
    }
    var rest: UInt64 = 0
    for byte in bytes[place...] { rest = rest << 8 | UInt64(byte) }
    return mixed(hash, rest)
  }

  private static func mixed(_ hash: UInt64, _ number: UInt64) -> UInt64 {
    let product = (hash ^ 0x9E37_79B9_7F4A_7C15).multipliedFullWidth(
      by: number ^ 0xD6E8_FEB8_6659_FD93
    )
    return product.high ^ product.low
  }

  /// Numbers of sessions, each once.
  private struct Found {
    private(set) var numbers: [Int32] = []
    private var has: [Bool]

    init(count: Int) { has = Array(repeating: false, count: count) }

    mutating func add(_ more: [Int32]?) {
      guard let more else { return }
      for number in more { add(number) }
    }

    mutating func add(_ number: Int32) {
      if has[Int(number)] { return }
      has[Int(number)] = true
      numbers.append(number)
    }
  }
}

extension Scope {
  /// The comparison that the index looks up for a scope; nil without a suitable one.
  fileprivate var key: Comparison? { rarest(of: [.equals, .contains, .isObject]) }
}
