package import ObjectBox
internal import ObjectBoxFullText

extension Box {
  /// Returns the faults of the entity's full-text indexes.
  ///
  /// For tests: reads all objects, in the thread's transaction or in its own.
  package func fullTextFaults() throws -> [String] {
    try reading { table, transaction in
      try transaction.flushDerivedIndexes()
      return try table.fullTextIndexes.flatMap { index in
        var sum = FullTextSum()
        var scan = try RecordScan(table, in: transaction)
        while let record = try scan.next() { try index.add(record, to: &sum) }
        return index.faults(in: transaction.storage, expecting: sum, table.records.quoting)
      }
    }
  }
}
