/// Scans of many objects, split over several threads.
///
/// A run is split when it reads all its results and the C loops know all tests of its filter. The
/// threads test records and read values. The calling thread makes the objects: their initialisers
/// may run code of the program.
extension QueryExecution {
  /// A split scan with the program that tests its records.
  private struct Split {
    var scan: ParallelScan
    var program: RecordProgram
    /// Owns the program's operands.
    var filter: RecordFilter
  }

  private func split() throws -> Split? {
    guard case .scan = plan.path, skipped == nil, plan.total >= ParallelScan.minimumCount,
      let filter = try scanFilter, let program = filter.program(for: table.records),
      let scan = try ParallelScan(table, count: plan.total, in: transaction)
    else { return nil }
    return Split(scan: scan, program: program, filter: filter)
  }

  /// Returns the number of matching records; nil when the run is not split.
  func countInThreads() throws -> Int? {
    guard let split = try split() else { return nil }
    return try withExtendedLifetime(split) { try split.scan.count(passing: split.program.filter) }
  }

  /// Returns the IDs of the matching records, ascending; nil when the run is not split.
  func idsInThreads() throws -> [UInt64]? {
    guard let split = try split() else { return nil }
    return try withExtendedLifetime(split) { try split.scan.ids(passing: split.program.filter) }
  }

  /// Passes the matching records to a block, ascending by ID.
  ///
  /// - Returns: False when the run is not split; nothing has been passed then.
  func forEachInThreads(_ body: (RecordReader) throws -> Void) throws -> Bool {
    // Without a condition, the threads would only find records that are read again for the objects.
    guard condition != nil, let split = try split() else { return false }
    try withExtendedLifetime(split) { try split.scan.forEach(passing: split.program.filter, body) }
    return true
  }

  /// Folds matching records in several threads, each a part.
  ///
  /// - Parameters:
  ///   - empty: The result of a part without records.
  ///   - add: Adds a record to a result; called by several threads.
  ///   - body: Gets the result of each part, by ascending ID.
  /// - Returns: False when the run is not split; nothing has been passed then.
  /// - Throws: Errors of the body, and ``ObjectBoxError`` when the store cannot be read.
  func foldInThreads<R: Sendable>(
    _ empty: R,
    _ add: @Sendable (inout R, RecordReader) -> Void,
    _ body: (R) throws -> Void
  ) throws -> Bool {
    guard let split = try split() else { return false }
    try withExtendedLifetime(split) {
      try split.scan.fold(passing: split.program.filter, empty, add, body)
    }
    return true
  }

  /// True if several threads may read the run's results.
  package var isSplit: Bool {
    get throws { try split() != nil }
  }

  /// Folds matching records in several threads, each with a result of its own, in no order.
  ///
  /// - Parameters:
  ///   - empty: Makes the result of a thread without records.
  ///   - add: Adds records to the result of the thread that calls it.
  /// - Returns: The results; nil when the run is not split.
  /// - Throws: ``ObjectBoxError`` when a record or page is damaged.
  package func foldByThread<R: Sendable>(
    _ empty: @Sendable () -> R,
    _ add: @Sendable (inout R, RecordRun) -> Void
  ) throws -> [R]? {
    guard let split = try split() else { return nil }
    return try withExtendedLifetime(split) {
      try split.scan.foldByThread(passing: split.program.filter, empty, add)
    }
  }
}
