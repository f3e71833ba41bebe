internal import ObjectBoxStorage

/// The noted changes of a transaction, for its commit, and the cursors that make them.
struct TransactionWork {
  /// Cursors on the records of entities, with the entity's number; opened at the first use.
  ///
  /// A short list: most transactions write to few entities, and an array of all entities costs more.
  private(set) var cursors: [(entity: Int, cursor: WriteCursor)] = []
  /// Entities that closed cursors have written.
  private var writtenEntities: Set<Int> = []
  /// Entities with removed objects; their ID sequences must be stored.
  var shrunkEntities: Set<Int> = []
  /// Entities with standalone relations that were changed.
  var relatedEntities: Set<Int> = []
  /// The changed objects by entity number; empty without listeners to objects.
  var changes: [Int: EntityChanges] = [:]

  /// True when nothing was changed and no cursor opened.
  var isUntouched: Bool {
    cursors.isEmpty && writtenEntities.isEmpty && shrunkEntities.isEmpty
      && relatedEntities.isEmpty
  }

  /// True when nothing is noted.
  var isEmpty: Bool { isUntouched && changes.isEmpty }

  /// The numbers of all changed entities.
  var entities: Set<Int> {
    var entities = shrunkEntities.union(relatedEntities).union(writtenEntities)
    for (entity, cursor) in cursors where cursor.hasWritten { entities.insert(entity) }
    return entities
  }

  /// Returns the cursor on the records of an entity; nil before `add(_:of:)`.
  func cursor(of entity: Int) -> WriteCursor? {
    for known in cursors where known.entity == entity { return known.cursor }
    return nil
  }

  /// Adds the cursor on the records of an entity.
  mutating func add(_ cursor: WriteCursor, of entity: Int) { cursors.append((entity, cursor)) }

  /// Releases the cursors, which must end before the storage transaction.
  mutating func dropCursors() { cursors = [] }

  /// Closes the cursors, and notes the entities that they wrote.
  mutating func closeCursors() {
    guard !cursors.isEmpty else { return }
    writtenEntities = entities
    dropCursors()
  }

  /// Adds later changes.
  ///
  /// Their cursors must be closed.
  mutating func add(_ later: TransactionWork) {
    writtenEntities.formUnion(later.writtenEntities)
    shrunkEntities.formUnion(later.shrunkEntities)
    relatedEntities.formUnion(later.relatedEntities)
    changes.formUnion(later.changes)
  }
}
