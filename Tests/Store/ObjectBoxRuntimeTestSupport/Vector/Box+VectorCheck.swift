package import ObjectBox

extension Box {
  /// Returns the faults of the entity's nearest-neighbour indexes.
  ///
  /// Reads all objects, in the thread's transaction or in its own.
  package func vectorIndexFaults() throws -> [String] {
    try reading { table, transaction in
      try table.vectorIndexes.flatMap { try transaction.derivedIndex($0, of: table).faults() }
    }
  }

  /// Returns the greatest number of links of a node in the nearest-neighbour indexes.
  ///
  /// Reads all nodes, in the thread's transaction or in its own.
  package func largestLinkCount() throws -> Int? {
    try reading { table, transaction in
      try table.vectorIndexes
        .map { try transaction.derivedIndex($0, of: table).largestLinkCount() }.max()
    }
  }
}
