extension Box {
  /// Returns the faults of the nearest-neighbour indexes of the entity; empty for none.
  ///
  /// For tests: it reads all objects. It runs in the thread's transaction, or in one of its own.
  package func vectorIndexFaults() throws -> [String] {
    try reading { table, transaction in
      try table.vectorIndexes.flatMap { try transaction.vectorGraph($0, of: table).faults() }
    }
  }
}
