internal import ObjectBoxStorage

extension Transaction {
  /// Returns a derived index, with the changes of this transaction.
  ///
  /// A renewed read transaction keeps its indexes while it reads the same pages.
  package func derivedIndex<D: DerivedIndexDefinition>(
    _ definition: D,
    of table: EntityTable
  ) throws -> D.Index {
    if let generation = storage.pagesGeneration, generation != derivedGeneration {
      dropDerivedIndexes()
      derivedGeneration = generation
    }
    // Searched one by one: an entity has few derived indexes.
    if let place = derivedIndexes.firstIndex(where: { $0.id == definition.indexID }),
      let known = derivedIndexes[place].index as? D.Index
    {
      if !known.isTooLarge { return known }
      try known.flush()
      derivedIndexes.remove(at: place)
    }
    let index =
      try takeKept(definition)
      ?? definition.open(table.records, in: storage, isWritable: isWritable)
    derivedIndexes.append((definition.indexID, index))
    return index
  }

  /// Returns the index that an earlier write transaction kept, once.
  private func takeKept<D: DerivedIndexDefinition>(_ definition: D) -> D.Index? {
    guard isWritable,
      let index = file.keptIndexes.withLock({ $0.removeValue(forKey: definition.indexID) })
        as? D.Index
    else { return nil }
    index.storage = storage
    return index
  }

  /// Keeps its indexes for the next write transaction.
  ///
  /// Called after a commit of this transaction alone, while the caller still holds the write lock.
  func keepDerivedIndexes() {
    guard !writtenIndexes.isEmpty, !file.isShared else { return }
    file.keptIndexes.withLock { kept in
      for (id, index) in writtenIndexes where index.isMovable { kept[id] = index }
    }
  }

  /// Forgets an index before its tables are emptied.
  func forget(_ definition: some DerivedIndexDefinition) {
    derivedIndexes.removeAll { $0.id == definition.indexID }
    file.keptIndexes.withLock { $0[definition.indexID] = nil }
  }

  /// Writes the changes of derived indexes that are in memory.
  package func flushDerivedIndexes() throws {
    for (_, index) in derivedIndexes { try index.flush() }
  }

  /// Writes the changes of derived indexes that cannot move from a savepoint to its parent.
  func flushUnmovableIndexes() throws {
    for (_, index) in derivedIndexes where !index.isMovable { try index.flush() }
  }

  /// Discards the changes of derived indexes that are in memory.
  func dropDerivedIndexes() {
    if !derivedIndexes.isEmpty { derivedIndexes = [] }
  }
}
