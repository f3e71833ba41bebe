/// The damaged objects that a run has skipped.
///
/// A class, so that runs, which are values, can add to it.
package final class SkippedObjects {
  package private(set) var ids: Set<UInt64> = []

  package init() {}

  func add(_ id: UInt64) { ids.insert(id) }
}

/// Runs that skip damaged objects: each record is checked before it is tested.
///
/// They read each record, on one thread.
extension QueryExecution {
  /// Passes the matching sound records to a block until it returns false, by ascending or
  /// descending ID.
  @inline(never)
  func forEachSound(
    backwards: Bool,
    _ skipped: SkippedObjects,
    _ body: (RecordReader) throws -> Bool
  ) throws {
    var scan = try RecordScan(table, in: transaction)
    if plan.isScan {
      while let record = try scan.next(isBackwards: backwards, skippingTo: skipped) {
        if try matches(record) { guard try body(record) else { return } }
      }
      return
    }
    let ids = try candidates()
    for id in backwards ? ids.reversed() : ids {
      guard let record = try scan.record(id: id, skippingTo: skipped), try matches(record)
      else { continue }
      guard try body(record) else { return }
    }
  }
}

extension RecordScan {
  /// Returns the next sound record in a direction; nil at the end.
  fileprivate mutating func next(
    isBackwards: Bool,
    skippingTo skipped: SkippedObjects
  ) throws -> RecordReader? {
    while let (id, bytes) = try nextBytes(isBackwards: isBackwards) {
      if let record = soundRecord(bytes, id: id) { return record }
      skipped.add(id)
    }
    return nil
  }

  /// Returns the record with the given ID; nil when it is missing or damaged.
  fileprivate func record(id: UInt64, skippingTo skipped: SkippedObjects) throws
    -> RecordReader?
  {
    guard let bytes = try bytes(id: id) else { return nil }
    if let record = soundRecord(bytes, id: id) { return record }
    skipped.add(id)
    return nil
  }
}
