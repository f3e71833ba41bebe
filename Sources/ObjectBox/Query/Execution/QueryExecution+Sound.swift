/// The damaged objects that a run has left out.
///
/// A class, since the run is a value.
package final class SkippedObjects {
  package private(set) var ids: Set<UInt64> = []

  package init() {}

  func add(_ id: UInt64) { ids.insert(id) }
}

/// Runs that leave out damaged objects: each record is checked before it is tested.
///
/// They take the ways through the records that read each of them, by one thread.
extension QueryExecution {
  /// Passes the matching records that are sound to a block until it returns false, by ascending or descending ID.
  @inline(never)
  func forEachSound(
    backwards: Bool,
    _ skipped: SkippedObjects,
    _ body: (FlatBufferReader) throws -> Bool
  ) throws {
    var scan = try RecordScan(table, in: transaction)
    if case .scan = plan.path {
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
  /// Returns the next sound record in a direction; nil after the last.
  fileprivate mutating func next(
    isBackwards: Bool,
    skippingTo skipped: SkippedObjects
  ) throws -> FlatBufferReader? {
    while let (id, bytes) = try nextBytes(isBackwards: isBackwards) {
      if let record = soundRecord(bytes, id: id) { return record }
      skipped.add(id)
    }
    return nil
  }

  /// Returns the record with the given ID; nil when there is none, or it is damaged.
  fileprivate func record(id: UInt64, skippingTo skipped: SkippedObjects) throws
    -> FlatBufferReader?
  {
    guard let bytes = try bytes(id: id) else { return nil }
    if let record = soundRecord(bytes, id: id) { return record }
    skipped.add(id)
    return nil
  }
}
