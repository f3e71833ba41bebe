internal import ObjectBoxStorage

/// The changes of a transaction as notes for its commit, and the cursors that make them.
struct TransactionWork {
  /// Cursors on the records of entities, by the number of the entity; made when first needed.
  var cursors: [StorageCursor?] = []
  /// Entities whose records were written by cursors that are closed now.
  private var writtenEntities: Set<Int> = []
  /// Entities with removed objects, whose ID sequence must be stored.
  var shrunkEntities: Set<Int> = []
  /// Entities whose standalone relations were changed.
  var relatedEntities: Set<Int> = []
  /// The changed objects, by the number of the entity; empty without listeners to objects.
  var changes: [Int: EntityChanges] = [:]

  /// The numbers of all changed entities.
  var entities: Set<Int> {
    var entities = shrunkEntities.union(relatedEntities).union(writtenEntities)
    for (number, cursor) in cursors.enumerated() where cursor?.hasWritten ?? false {
      entities.insert(number)
    }
    return entities
  }

  /// Closes the cursors, and notes the entities that they have written.
  mutating func closeCursors() {
    guard !cursors.isEmpty else { return }
    writtenEntities = entities
    cursors = []
  }

  /// Adds later changes, whose cursors are closed.
  mutating func add(_ later: TransactionWork) {
    writtenEntities.formUnion(later.writtenEntities)
    shrunkEntities.formUnion(later.shrunkEntities)
    relatedEntities.formUnion(later.relatedEntities)
    for (number, objects) in later.changes {
      changes[number, default: EntityChanges()].formUnion(objects)
    }
  }
}
