/// What one or several commits did to the objects of one entity, each object counted once.
struct EntityChanges: Sendable {
  /// What became of an object between the beginning and the end.
  enum Change: Hashable, Sendable {
    /// It was not there, and is.
    case inserted
    /// It was there and is, with other values of these properties.
    case updated(PropertySet)
    /// It was there, and is not.
    case removed
  }

  /// The changes by object ID; objects that came and went are left out.
  private(set) var objects: [UInt64: Change] = [:]
  /// True when all objects that were there at the beginning have been removed together; those that are put
  /// under their IDs again count as inserted then.
  private(set) var hasRemovedAll = false
  /// True when entries of the entity's standalone relations changed.
  private(set) var hasRelated = false
  /// True when a transaction changed objects that began before anybody listened: which ones was not noted.
  private(set) var isUnknown = false

  /// What is known of a transaction that noted nothing.
  static let unknown: Self = {
    var changes = Self()
    changes.isUnknown = true
    return changes
  }()

  var isEmpty: Bool { objects.isEmpty && !hasRemovedAll && !hasRelated && !isUnknown }

  mutating func note(_ change: Change, of id: UInt64) {
    switch (objects[id], change) {
    case (nil, _): objects[id] = change
    case (.inserted, .removed): objects[id] = nil
    case (.inserted, _): break
    case (.updated(let first), .updated(let second)): objects[id] = .updated(first.union(second))
    case (.updated, _): objects[id] = change
    // Whatever it holds now, nobody compared it with what it held.
    case (.removed, .inserted): objects[id] = .updated(.all)
    case (.removed, _): objects[id] = change
    }
  }

  mutating func noteRemovalOfAll() {
    objects = [:]
    hasRemovedAll = true
  }

  mutating func noteRelations() {
    hasRelated = true
  }

  /// Adds what came after.
  mutating func formUnion(_ later: EntityChanges) {
    if later.hasRemovedAll { noteRemovalOfAll() }
    hasRelated = hasRelated || later.hasRelated
    isUnknown = isUnknown || later.isUnknown
    for (id, change) in later.objects {
      // After all were removed an object can only be removed when it had come since.
      note(change, of: id)
    }
  }
}
