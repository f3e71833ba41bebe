internal import CObjectBoxRecords
internal import Dispatch
internal import Foundation
internal import ObjectBoxStorage

/// A scan over the records of an entity by several threads.
///
/// The threads are those that Dispatch shares in the process, and the calling one: at most as many as there are
/// processors, however many scans run. They only read pages; what a program may observe is done on the
/// calling thread, in the order of the IDs. Reading a version from several threads needs no lock, since its
/// pages do not change while the transaction pins it.
struct SplitScan {
  /// The number of objects from which on waking threads pays.
  static let minimumCount = 200_000
  /// The number of objects of a part.
  private static let partSize = 16_384
  /// The number of parts whose results are in memory at a time.
  private static let windowSize = 64

  private let records: RecordTable
  private let parts: TableParts

  /// The result of reading a part.
  private struct Part<R> {
    var result: R
    var end: Result<TableParts.End, any Error>
  }

  /// Makes a scan; nil where one thread is as fast, or only LMDB reads the table, such as in write transactions.
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

  /// Returns the number of records that pass a filter; nil when only a scan by LMDB can tell.
  func count(passing filter: UnsafePointer<obx_filter>) throws -> Int? {
    var count = 0
    let isComplete = try forEachPart(passing: filter, 0) {
      $0 += $1.count
    } _: {
      count += $0
    }
    return isComplete ? count : nil
  }

  /// Returns the IDs of the records that pass a filter; nil when only a scan by LMDB can tell.
  func ids(passing filter: UnsafePointer<obx_filter>) throws -> [UInt64]? {
    var ids: [UInt64] = []
    let isComplete = try forEachPart(passing: filter, [UInt64]()) { part, objects in
      for object in objects { part.append(object.id) }
    } _: {
      ids.append(contentsOf: $0)
    }
    return isComplete ? ids : nil
  }

  /// Passes the records that pass a filter to a body, on the calling thread.
  ///
  /// - Returns: False when only a scan by LMDB can pass all; some may have been passed then.
  func forEach(
    passing filter: UnsafePointer<obx_filter>,
    _ body: (FlatBufferReader) throws -> Void
  ) throws -> Bool {
    try forEachPart(passing: filter, [StorageCursor.ObjectEntry]()) { part, objects in
      part.append(contentsOf: objects)
    } _: { objects in
      for object in objects { try body(records.reader(object.record, id: object.id)) }
    }
  }

  /// Folds the records of each part that pass a filter in several threads, and passes the results to a body, on the
  /// calling thread and in the order of the parts.
  ///
  /// - Parameters:
  ///   - filter: Tests the records.
  ///   - empty: The result of a part without records.
  ///   - add: Adds a record to the result of its part; several threads call it.
  ///   - body: Is passed the result of each part.
  /// - Returns: False when only a scan by LMDB can read all; some results may have been passed then.
  /// - Throws: Errors of the body, and ``ObjectBoxError`` when a record or page is damaged.
  @inline(__always)
  func fold<R: Sendable>(
    passing filter: UnsafePointer<obx_filter>,
    _ empty: R,
    _ add: @Sendable (inout R, FlatBufferReader) -> Void,
    _ body: (R) throws -> Void
  ) throws -> Bool {
    let records = records
    return try forEachPart(passing: filter, empty) { part, objects in
      for object in objects {
        // The filter has found the record to be whole.
        guard let reader = try? records.reader(object.record, id: object.id) else { continue }
        add(&part, reader)
      }
    } _: {
      try body($0)
    }
  }

  /// Collects objects of each part in several threads; errors are those that one thread would meet first.
  @inline(__always)
  private func forEachPart<R: Sendable>(
    passing filter: UnsafePointer<obx_filter>,
    _ empty: R,
    _ add: @Sendable (inout R, UnsafeBufferPointer<StorageCursor.ObjectEntry>) -> Void,
    _ body: (R) throws -> Void
  ) throws -> Bool {
    let parts = parts
    // Filters never change.
    nonisolated(unsafe) let filter = filter
    for begin in stride(from: 0, to: parts.count, by: Self.windowSize) {
      let count = min(Self.windowSize, parts.count - begin)
      // Each iteration touches a part of its own, and all end before the call of Dispatch does.
      nonisolated(unsafe) let window = UnsafeMutableBufferPointer<Part<R>>.allocate(capacity: count)
      window.initialize(repeating: Part(result: empty, end: .success(.complete)))
      defer {
        window.deinitialize()
        window.deallocate()
      }
      DispatchQueue.concurrentPerform(iterations: count) { index in
        var result = empty
        do {
          let end = try parts.read(begin + index, passing: filter) { add(&result, $0) }
          window[index] = Part(result: result, end: .success(end))
        } catch {
          window[index] = Part(result: result, end: .failure(error))
        }
      }
      for part in window {
        if case .success(.unknown) = part.end { return false }
        try body(part.result)
        if case .damaged(let object) = try part.end.get() {
          _ = try records.reader(object.record, id: object.id)
        }
      }
    }
    return true
  }
}
