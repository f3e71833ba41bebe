package import CObjectBoxRecords
internal import Foundation
internal import ObjectBoxStorage

/// A scan over the records of an entity by several threads.
///
/// It uses the process-wide threads of Dispatch and the calling thread (``ConcurrentWork``). The threads only
/// read pages. Results are passed on by the calling thread, in the order of the IDs. Reading needs no lock:
/// the pages of a version do not change while the transaction pins it.
struct ParallelScan {
  /// The smallest number of objects for which waking other threads is worth its cost.
  static let minimumCount = 200_000
  /// Number of objects in a part.
  private static let partSize = 16_384
  /// Number of parts with results in memory at a time.
  private static let windowSize = 64

  private let records: RecordTable
  private let parts: TableParts

  /// The result of reading a part, and the first object with a damaged record, if there is one.
  private typealias Part<R> = (result: R, damaged: Result<StorageCursor.ObjectEntry?, any Error>)

  /// Makes a scan; nil if one thread is as fast, and in write transactions, which are read through LMDB.
  init?(_ table: EntityTable, count: Int, in transaction: Transaction) throws {
    guard count >= Self.minimumCount, !transaction.isWritable,
      ProcessInfo.processInfo.activeProcessorCount > 1,
      let parts = try transaction.storage.parts(
        of: table.records.objects,
        objectCount: Self.partSize
      )
    else { return nil }
    records = table.records
    self.parts = parts
  }

  /// Returns the number of records that pass a filter.
  func count(passing filter: UnsafePointer<obx_filter>) throws -> Int {
    var count = 0
    try forEachPart(passing: filter, 0) {
      $0 += $1.count
    } _: {
      count += $0
    }
    return count
  }

  /// Returns the IDs of the records that pass a filter.
  func ids(passing filter: UnsafePointer<obx_filter>) throws -> [UInt64] {
    var ids: [UInt64] = []
    try forEachPart(passing: filter, [UInt64]()) { part, objects in
      for object in objects { part.append(object.id) }
    } _: {
      ids.append(contentsOf: $0)
    }
    return ids
  }

  /// Calls a body with each record that passes a filter, on the calling thread.
  func forEach(
    passing filter: UnsafePointer<obx_filter>,
    _ body: (RecordReader) throws -> Void
  ) throws {
    try forEachPart(passing: filter, [StorageCursor.ObjectEntry]()) { part, objects in
      part.append(contentsOf: objects)
    } _: { objects in
      for object in objects { try body(records.reader(object.record, id: object.id)) }
    }
  }

  /// Folds the records that pass a filter, part by part on several threads.
  ///
  /// The calling thread passes the result of each part to a body, in the order of the parts.
  ///
  /// - Parameters:
  ///   - filter: Tests the records.
  ///   - empty: The result of a part without records.
  ///   - add: Adds a record to the result of its part; several threads call it.
  ///   - body: Receives the result of each part.
  /// - Throws: Errors of the body, and ``ObjectBoxError`` when a record or page is damaged.
  func fold<R: Sendable>(
    passing filter: UnsafePointer<obx_filter>,
    _ empty: R,
    _ add: @Sendable (inout R, RecordReader) -> Void,
    _ body: (R) throws -> Void
  ) throws {
    let records = records
    try forEachPart(passing: filter, empty) { part, objects in
      for object in objects {
        // The filter has already checked that the record is intact.
        guard let reader = try? records.reader(object.record, id: object.id) else { continue }
        add(&part, reader)
      }
    } _: {
      try body($0)
    }
  }

  /// Folds the records that pass a filter, with a result for each thread.
  ///
  /// - Parameters:
  ///   - filter: Tests the records.
  ///   - empty: Makes the result of a thread without records.
  ///   - add: Adds records to the result of the thread that calls it.
  /// - Returns: The results, in no order; which records a result has is not defined.
  /// - Throws: ``ObjectBoxError`` when a record or page is damaged: the error that a scan by one
  ///   thread would meet first.
  func foldByThread<R: Sendable>(
    passing filter: UnsafePointer<obx_filter>,
    _ empty: @Sendable () -> R,
    _ add: @Sendable (inout R, RecordRun) -> Void
  ) throws -> [R] {
    /// The results that no thread uses.
    let idle = Guarded<[R]>([])
    try forEachPart(passing: filter, 0) { (_, objects) in
      var result = idle.withLock { $0.popLast() } ?? empty()
      add(&result, RecordRun(objects: objects))
      idle.withLock { $0.append(result) }
    } _: { (_: Int) in
    }
    return idle.withLock { $0 }
  }

  /// Collects the objects of each part on several threads.
  ///
  /// It throws the error that a scan by one thread would meet first.
  private func forEachPart<R: Sendable>(
    passing filter: UnsafePointer<obx_filter>,
    _ empty: R,
    _ add: @Sendable (inout R, UnsafeBufferPointer<StorageCursor.ObjectEntry>) -> Void,
    _ body: (R) throws -> Void
  ) throws {
    let parts = parts
    // Safe: a filter is immutable.
    nonisolated(unsafe) let filter = filter
    for begin in stride(from: 0, to: parts.count, by: Self.windowSize) {
      let count = min(Self.windowSize, parts.count - begin)
      // Safe: each iteration touches only its own part, and all iterations end before `perform`
      // returns.
      nonisolated(unsafe) let window = UnsafeMutableBufferPointer<Part<R>>.allocate(capacity: count)
      window.initialize(repeating: (empty, .success(nil)))
      defer {
        window.deinitialize()
        window.deallocate()
      }
      ConcurrentWork.perform(iterations: count) { index in
        var result = empty
        let damaged = Result<StorageCursor.ObjectEntry?, any Error> {
          try parts.read(begin + index, passing: filter) { add(&result, $0) }
        }
        window[index] = (result, damaged)
      }
      for part in window {
        try body(part.result)
        if let object = try part.damaged.get() {
          _ = try records.reader(object.record, id: object.id)
        }
      }
    }
  }
}

/// Records of one table that have passed a filter.
///
/// The records are valid as long as their transaction. The run is valid during the call that receives it.
package struct RecordRun {
  let objects: UnsafeBufferPointer<StorageCursor.ObjectEntry>

  /// Number of records.
  package var count: Int { objects.count }

  /// Reads records by columns.
  ///
  /// - Parameters:
  ///   - range: The records.
  ///   - columns: The properties.
  ///   - destination: A destination for each column, of its kind, with room for the records.
  ///   - place: The index of the first record in the destinations.
  /// - Returns: The number of records read; fewer than requested if the next one is damaged.
  package func read(
    _ range: Range<Int>,
    _ columns: RecordColumns,
    into destination: UnsafeMutablePointer<obx_column>,
    at place: Int
  ) -> Int {
    // Safe: the columns keep the memory of their fields.
    withExtendedLifetime(columns) {
      StorageCursor.readColumns(
        UnsafeBufferPointer(rebasing: objects[range]),
        columns.columns,
        into: destination,
        at: place
      )
    }
  }
}
