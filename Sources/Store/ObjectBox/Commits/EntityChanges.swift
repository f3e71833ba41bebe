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
  ///
  /// Takes no time, unless a transaction noted them by ``noteForParticipant(_:of:)``.
  package var objects: [UInt64: Change] {
    if ascending.isEmpty { return noted }
    return Dictionary(uniqueKeysWithValues: ascending.map { ($0.id, $0.change) })
  }
  private var noted: [UInt64: Change] = [:]
  /// The changes by ascending object ID, in place of ``noted``.
  private var ascending: [(id: UInt64, change: Change)] = []
  /// The changes by ascending object ID.
  package var objectsByID: [(id: UInt64, change: Change)] {
    if noted.isEmpty { return ascending }
    return noted.map { (id: $0, change: $1) }.sorted { $0.id < $1.id }
  }
  /// True when all objects were removed together.
  ///
  /// Objects put later under the same IDs count as inserted.
  package private(set) var hasRemovedAll = false
  /// True when entries of the entity's standalone relations changed.
  package internal(set) var hasRelated = false
  /// Changed entries of the entity's standalone relations, without entries of removed objects.
  package internal(set) var changedPairs: Set<ChangedPair> = []
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

  package var isEmpty: Bool {
    noted.isEmpty && ascending.isEmpty && !hasRemovedAll && !hasRelated && !isUnknown
  }

  mutating func note(_ change: Change, of id: UInt64) {
    if !ascending.isEmpty {
      noted = objects
      ascending = []
    }
    // One look-up for an object that changes once.
    guard let earlier = noted.updateValue(change, forKey: id) else { return }
    switch (earlier, change) {
    case (.inserted, .removed): noted[id] = nil
    case (.inserted, _): noted[id] = .inserted
    case (.updated(let first), .updated(let second)): noted[id] = .updated(first.union(second))
    // The old and the new record are not compared, so any property may differ.
    case (.removed, .inserted): noted[id] = .updated(.all)
    case (.updated, _), (.removed, _): break
    }
  }

  /// Notes a change for the participant of the commit only; listeners do not receive it.
  ///
  /// It costs an append while IDs ascend, as in puts of many objects: an entry of a dictionary takes
  /// a third of the time of a put.
  mutating func noteForParticipant(_ change: Change, of id: UInt64) {
    if noted.isEmpty, ascending.last.map({ $0.id < id }) ?? true {
      ascending.append((id, change))
    } else {
      note(change, of: id)
    }
  }

  mutating func noteRemovalOfAll() {
    noted = [:]
    ascending = []
    hasRemovedAll = true
  }

  /// Adds later changes.
  mutating func formUnion(_ later: EntityChanges) {
    if later.hasRemovedAll { noteRemovalOfAll() }
    hasRelated = hasRelated || later.hasRelated
    isUnknown = isUnknown || later.isUnknown
    changedPairs.formUnion(later.changedPairs)
    for (id, change) in later.objects {
      // After a removal of all objects, only an object that was inserted later can be removed.
      note(change, of: id)
    }
  }
}

/// An entry of a standalone relation that was added or removed.
package struct ChangedPair: Hashable, Sendable {
  /// The relation's ID.
  package let relation: UInt32
  package let source: UInt64
  package let target: UInt64
}

/// The changes of several entities, by the number of the entity.
extension Dictionary<Int, EntityChanges> {
  /// Adds later changes.
  package mutating func formUnion(_ later: Self) {
    for (entity, changes) in later {
      // In place: `merge` would copy the earlier changes, at each savepoint of a long transaction.
      if self[entity] == nil { self[entity] = changes } else { self[entity]?.formUnion(changes) }
    }
  }
}
