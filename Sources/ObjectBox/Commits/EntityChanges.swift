/// The changes of one or several commits to the objects of an entity, with one net change for each
/// object.
package struct EntityChanges: Sendable {
  /// The net change of an object.
  package enum Change: Hashable, Sendable {
    /// A new object.
    case inserted
    /// An object with other values of these properties.
    case updated(PropertySet)
    /// A removed object.
    case removed
  }

  /// The changes by object ID, without objects that were inserted and removed again.
  package private(set) var objects: [UInt64: Change] = [:]
  /// True when all objects were removed together.
  ///
  /// Objects put later under the same IDs count as inserted.
  package private(set) var hasRemovedAll = false
  /// True when entries of the entity's standalone relations changed.
  package private(set) var hasRelated = false
  /// Sources of changed entries of the entity's standalone relations, without removed objects.
  package private(set) var relatedSources: Set<UInt64> = []
  /// True when a transaction did not note its changed objects: it began before there was a
  /// listener.
  package private(set) var isUnknown = false

  /// The changes of a transaction that did not note its objects.
  package static let unknown: Self = {
    var changes = Self()
    changes.isUnknown = true
    return changes
  }()

  /// No changes.
  package init() {}

  package var isEmpty: Bool { objects.isEmpty && !hasRemovedAll && !hasRelated && !isUnknown }

  mutating func note(_ change: Change, of id: UInt64) {
    // One look-up for an object that changes once.
    guard let earlier = objects.updateValue(change, forKey: id) else { return }
    switch (earlier, change) {
    case (.inserted, .removed): objects[id] = nil
    case (.inserted, _): objects[id] = .inserted
    case (.updated(let first), .updated(let second)): objects[id] = .updated(first.union(second))
    // The old and the new record are not compared, so any property may differ.
    case (.removed, .inserted): objects[id] = .updated(.all)
    case (.updated, _), (.removed, _): break
    }
  }

  mutating func noteRemovalOfAll() {
    objects = [:]
    hasRemovedAll = true
  }

  mutating func noteRelations() {
    hasRelated = true
  }

  mutating func noteSource(_ id: UInt64) {
    relatedSources.insert(id)
  }

  /// Adds later changes.
  mutating func formUnion(_ later: EntityChanges) {
    if later.hasRemovedAll { noteRemovalOfAll() }
    hasRelated = hasRelated || later.hasRelated
    isUnknown = isUnknown || later.isUnknown
    relatedSources.formUnion(later.relatedSources)
    for (id, change) in later.objects {
      // After a removal of all objects, only an object that was inserted later can be removed.
      note(change, of: id)
    }
  }
}

/// The changes of several entities, by the number of the entity.
extension Dictionary<Int, EntityChanges> {
  /// Adds later changes.
  package mutating func formUnion(_ later: Self) {
    for (entity, changes) in later { self[entity, default: EntityChanges()].formUnion(changes) }
  }
}
