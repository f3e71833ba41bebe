/// The loaded objects of a to-many relation, and their differences from the stored relation.
///
/// A class: the relation can release it in one step, and a reference needs no generic metadata.
package final class RelatedObjects<S>
where S: EntityInspectable & __EntityRelatable, S == S.EntityBindingType.EntityType {
  package private(set) var objects: [S]
  /// Nil until the first change.
  private var changes: RelationChanges<S>?

  /// Makes the list of the stored objects.
  package init(stored: [S]) {
    objects = stored
  }

  var hasPending: Bool { changes?.isPending ?? false }

  /// Objects of the list that are not stored in the relation, in the order of insertion.
  package var added: [S] { changes?.added.objects ?? [] }

  /// Objects of the stored relation that are no longer in the list.
  package var removed: [S] { changes?.removed.objects ?? [] }

  /// The objects of the stored relation.
  var storedObjects: [S] { changes?.stored(objects) ?? objects }

  /// Replaces a range of the list and returns the removed objects; `id` returns 0 for a new object.
  func replace(_ range: Range<Int>, with new: [S], id: (S) -> UInt64) -> [S] {
    var changes = self.changes ?? RelationChanges(objects, id)
    // Held by this function only, so that it is changed in place.
    self.changes = nil
    let old = Array(objects[range])
    changes.replace(range, old, with: new, id)
    self.changes = changes
    objects.replaceSubrange(range, with: new)
    return old
  }

  /// Counts the differences as stored; keeps the list and the known state of its objects.
  func didStore() { changes?.didStore() }

  /// Turns the objects that a rolled back transaction stored or removed into differences again; new objects
  /// must have lost their IDs.
  func restore(added: [S], removed: [S], id: (S) -> UInt64) {
    var changes = self.changes ?? RelationChanges(objects, id)
    self.changes = nil
    changes.restore(added: added, removed: removed, id)
    self.changes = changes
  }
}

/// The differences of a list of related objects from the stored relation.
///
/// Objects are identified by ID, new instances of classes by numbers. New structs never equal each
/// other.
private struct RelationChanges<S>
where S: EntityInspectable & __EntityRelatable, S == S.EntityBindingType.EntityType {
  /// The key of each object of the list.
  private var keys: [RelatedKey] = []
  /// The number of occurrences of each key.
  private var counts: [RelatedKey: Int] = [:]
  /// The number of new objects so far.
  private var newCount = 0
  /// The new instances of classes, which keep their numbers when they are stored and rolled back.
  private var instances: [ObjectIdentifier: NewInstance] = [:]
  private(set) var added = OrderedObjects<RelatedKey, S>()
  private(set) var removed = OrderedObjects<RelatedKey, S>()
  /// Objects that were new when they were added, and were stored since.
  private var stored: [(key: RelatedKey, object: S)] = []
  /// Their keys by the IDs that they have got.
  private var aliases: [UInt64: RelatedKey] = [:]

  /// Begins without differences.
  init(_ objects: [S], _ id: (S) -> UInt64) {
    keys = objects.map { key(of: $0, id) }
    counts = keys.reduce(into: [:]) { $0[$1, default: 0] += 1 }
  }

  var isPending: Bool { !added.isEmpty || !removed.isEmpty }

  mutating func didStore() {
    for (key, object) in added.elements {
      if case .new = key { stored.append((key, object)) }
    }
    added = OrderedObjects()
    removed = OrderedObjects()
  }

  mutating func restore(added: [S], removed: [S], _ id: (S) -> UInt64) {
    noteIDs(id)
    for object in added {
      let key = key(of: object, id)
      if counts[key] == nil {
        _ = self.removed.remove(key)
      } else if !self.added.contains(key) {
        self.added.append(key, object)
      }
    }
    for object in removed {
      let key = key(of: object, id)
      if counts[key] != nil {
        _ = self.added.remove(key)
      } else if !self.removed.contains(key) {
        self.removed.append(key, object)
      }
    }
  }

  /// Notes the IDs of stored objects, which have them only after the put that stores them.
  private mutating func noteIDs(_ id: (S) -> UInt64) {
    guard !stored.isEmpty else { return }
    stored.removeAll { key, object in
      let id = id(object)
      if id != 0 { aliases[id] = key }
      return id != 0
    }
  }

  /// Returns the stored objects of a list.
  func stored(_ objects: [S]) -> [S] {
    guard isPending else { return objects }
    return zip(keys, objects).filter { !added.contains($0.0) }.map(\.1) + removed.objects
  }

  /// Notes that new objects replace some objects of the list.
  mutating func replace(
    _ range: Range<Int>,
    _ gone: [S],
    with new: [S],
    _ id: (S) -> UInt64
  ) {
    noteIDs(id)
    let newKeys = new.map { key(of: $0, id) }
    let old = Array(zip(keys[range], gone))

    var change: [RelatedKey: Int] = [:]
    for (key, _) in old { change[key, default: 0] -= 1 }
    for key in newKeys { change[key, default: 0] += 1 }
    for (key, object) in old + Array(zip(newKeys, new)) {
      // An object may occur several times; the first occurrence decides.
      guard let difference = change.removeValue(forKey: key), difference != 0 else { continue }
      let before = counts[key, default: 0]
      let after = before + difference
      counts[key] = after == 0 ? nil : after
      if after == 0, !added.remove(key) { removed.append(key, object) }
      if before == 0, !removed.remove(key) { added.append(key, object) }
    }
    keys.replaceSubrange(range, with: newKeys)
  }

  private mutating func key(of object: S, _ id: (S) -> UInt64) -> RelatedKey {
    let id = id(object)
    if id != 0 { return aliases[id] ?? .id(id) }
    let instance = Box<S>.isClass ? object as AnyObject : nil
    if let instance, let known = instances[ObjectIdentifier(instance)], known.object === instance {
      return .new(known.number)
    }
    newCount += 1
    if let instance {
      instances[ObjectIdentifier(instance)] = NewInstance(object: instance, number: newCount)
    }
    return .new(newCount)
  }
}

/// A new instance of a class; weak, since another one may get the identity of a released instance.
private struct NewInstance {
  weak var object: AnyObject?
  let number: Int
}

/// The identity of an object in a to-many relation.
private enum RelatedKey: Hashable {
  case id(UInt64)
  /// The number of an object that was new when it came.
  case new(Int)
}

/// A set of objects in the order of insertion.
private struct OrderedObjects<Key: Hashable, Object> {
  private var indices: [Key: Int] = [:]
  private var slots: [Object?] = []

  var isEmpty: Bool { indices.isEmpty }
  var objects: [Object] { slots.compactMap(\.self) }
  var elements: [(Key, Object)] {
    indices.compactMap { key, index in slots[index].map { (key, $0) } }
  }

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
