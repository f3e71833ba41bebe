/// The objects of a to-many relation in memory, and their differences from the stored relation.
///
/// Objects are identified by their IDs, new instances of classes by identity; new structs are all different.
struct RelatedObjects<S>
where S: EntityInspectable & __EntityRelatable, S == S.EntityBindingType.EntityType {
  enum Key: Hashable {
    case id(UInt64)
    case instance(ObjectIdentifier)
    /// A new struct, which equals no other.
    case value(Int)
  }

  private(set) var objects: [S]
  // The key of each object, and the number of its occurrences; computed with the first change.
  private var keys: [Key] = []
  private var counts: [Key: Int] = [:]
  private var hasKeys = false
  private var valueCount = 0
  /// Objects in the list that are not in the store, in the order of their insertion.
  private(set) var added = OrderedObjects<Key, S>()
  /// Objects in the store that are no longer in the list.
  private(set) var removed = OrderedObjects<Key, S>()

  /// Makes the list of the stored objects.
  init(stored: [S]) {
    objects = stored
  }

  var hasPending: Bool { !added.isEmpty || !removed.isEmpty }

  /// The objects that are in the store.
  var storedObjects: [S] {
    guard hasPending else { return objects }
    return zip(keys, objects).filter { !added.contains($0.0) }.map(\.1) + removed.objects
  }

  /// Replaces a range of the list, and returns the removed objects; `id` returns 0 for a new object.
  mutating func replace(_ range: Range<Int>, with new: [S], id: (S) -> UInt64) -> [S] {
    makeKeys(id)
    let newKeys = new.map { key(of: $0, id) }
    let old = Array(zip(keys[range], objects[range]))

    var change: [Key: Int] = [:]
    for (key, _) in old { change[key, default: 0] -= 1 }
    for key in newKeys { change[key, default: 0] += 1 }
    for (key, object) in old + Array(zip(newKeys, new)) {
      // The same object may come several times; the first decides.
      guard let difference = change.removeValue(forKey: key), difference != 0 else { continue }
      let before = counts[key, default: 0]
      let after = before + difference
      counts[key] = after == 0 ? nil : after
      if after == 0, !added.remove(key) { removed.append(key, object) }
      if before == 0, !removed.remove(key) { added.append(key, object) }
    }
    keys.replaceSubrange(range, with: newKeys)
    objects.replaceSubrange(range, with: new)
    return old.map(\.1)
  }

  /// Marks the list as stored.
  mutating func didStore() {
    added = OrderedObjects()
    removed = OrderedObjects()
    // The keys of new objects are outdated, since these have IDs now.
    hasKeys = false
  }

  private mutating func makeKeys(_ id: (S) -> UInt64) {
    guard !hasKeys else { return }
    keys = objects.map { key(of: $0, id) }
    counts = keys.reduce(into: [:]) { $0[$1, default: 0] += 1 }
    hasKeys = true
  }

  private mutating func key(of object: S, _ id: (S) -> UInt64) -> Key {
    let id = id(object)
    if id != 0 { return .id(id) }
    if Box<S>.isClass { return .instance(ObjectIdentifier(object as AnyObject)) }
    valueCount += 1
    return .value(valueCount)
  }
}

/// A set of objects in the order of their insertion.
struct OrderedObjects<Key: Hashable, Object> {
  private var indices: [Key: Int] = [:]
  private var slots: [Object?] = []

  var isEmpty: Bool { indices.isEmpty }
  var objects: [Object] { slots.compactMap(\.self) }

  func contains(_ key: Key) -> Bool { indices[key] != nil }

  mutating func append(_ key: Key, _ object: Object) {
    indices[key] = slots.count
    slots.append(object)
  }

  /// Removes an object; returns false when it is not in the set.
  mutating func remove(_ key: Key) -> Bool {
    guard let index = indices.removeValue(forKey: key) else { return false }
    slots[index] = nil
    return true
  }
}
