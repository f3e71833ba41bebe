internal import ObjectBoxStorage

/// The derived indexes that a transaction uses, with the IDs of the indexes.
struct UsedDerivedIndexes {
  var open: [(id: UInt32, index: any DerivedIndex)] = []
  /// The indexes of a write transaction that is ready to commit.
  var written: [(id: UInt32, index: any DerivedIndex)] = []
  /// The pages that the indexes of a read transaction were read from; see
  /// `StorageTransaction.pagesGeneration`.
  var generation = 0
}

extension Transaction {
  /// Returns a derived index, with the changes of this transaction.
  ///
  /// A renewed read transaction keeps its indexes while it reads the same pages.
  package func derivedIndex<D: DerivedIndexDefinition>(
    _ definition: D,
    of table: EntityTable
  ) throws -> D.Index {
    if let generation = storage.pagesGeneration, generation != derivedIndexes.generation {
      dropDerivedIndexes()
      derivedIndexes.generation = generation
    }
    // Searched one by one: an entity has few derived indexes.
    if let place = derivedIndexes.open.firstIndex(where: { $0.id == definition.indexID }),
      let known = derivedIndexes.open[place].index as? D.Index
    {
      if !known.isTooLarge { return known }
      try known.flush()
      derivedIndexes.open.remove(at: place)
    }
    let index =
      try takeKept(definition)
      ?? definition.open(table.records, in: storage, isWritable: isWritable)
    derivedIndexes.open.append((definition.indexID, index))
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
    guard !derivedIndexes.written.isEmpty, !file.isShared else { return }
    file.keptIndexes.withLock { kept in
      for (id, index) in derivedIndexes.written where index.isMovable { kept[id] = index }
    }
  }

  /// Forgets an index before its tables are emptied.
  func forget(_ definition: some DerivedIndexDefinition) {
    derivedIndexes.open.removeAll { $0.id == definition.indexID }
    file.keptIndexes.withLock { $0[definition.indexID] = nil }
  }

  /// Writes the changes of derived indexes that are in memory.
  package func flushDerivedIndexes() throws {
    for (_, index) in derivedIndexes.open { try index.flush() }
  }

  /// Writes the changes of derived indexes that cannot move from a savepoint to its parent.
  func flushUnmovableIndexes() throws {
    for (_, index) in derivedIndexes.open where !index.isMovable { try index.flush() }
  }

  /// Discards the changes of derived indexes that are in memory.
  func dropDerivedIndexes() {
    if !derivedIndexes.open.isEmpty { derivedIndexes.open = [] }
  }
}
