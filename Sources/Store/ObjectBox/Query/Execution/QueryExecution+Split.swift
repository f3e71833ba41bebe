/// Scans of many objects, split over several threads.
///
/// A run is split when it reads all its results and the C loops know all tests of its filter. The
/// threads test records and read values. The calling thread makes the objects: their initialisers
/// may run code of the program.
extension QueryExecution {
  /// Runs a body with a split scan and the program that tests its records; nil when the run is not split.
  private func splitting<T>(_ body: (ParallelScan, RecordProgram) throws -> T) throws -> T? {
    guard plan.isScan, skipped == nil, plan.total >= ParallelScan.minimumCount,
      let filter = try scanFilter, let program = filter.program(for: table.records),
      let scan = try ParallelScan(table, count: plan.total, in: transaction)
    else { return nil }
    // The filter owns the program's operands.
    return try withExtendedLifetime((filter, program)) { try body(scan, program) }
  }

  /// Returns the number of matching records; nil when the run is not split.
  func countInThreads() throws -> Int? { try splitting { try $0.count(passing: $1.filter) } }

  /// Returns the IDs of the matching records, ascending; nil when the run is not split.
  func idsInThreads() throws -> [UInt64]? { try splitting { try $0.ids(passing: $1.filter) } }

  /// Passes the matching records to a block, ascending by ID.
  ///
  /// - Returns: False when the run is not split; nothing has been passed then.
  func forEachInThreads(_ body: (RecordReader) throws -> Void) throws -> Bool {
    // Without a condition, the threads would only find records that are read again for the objects.
    guard condition != nil else { return false }
    return try splitting { try $0.forEach(passing: $1.filter, body) } != nil
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
    try splitting { try $0.fold(passing: $1.filter, empty, add, body) } != nil
  }

  /// True if several threads may read the run's results.
  package var isSplit: Bool {
    get throws { try splitting { _, _ in } != nil }
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
    try splitting { try $0.foldByThread(passing: $1.filter, empty, add) }
  }
}
