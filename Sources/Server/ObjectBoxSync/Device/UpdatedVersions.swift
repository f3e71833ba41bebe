internal import ObjectBoxStorage
internal import ObjectBoxSyncProtocol

/// The versions after the updates of a program's transaction; consecutive objects with equal versions share a row.
struct UpdatedVersions {
  private struct Range {
    let entity: EntityUID
    var ids: ClosedRange<UInt64>
    let versions: Row
  }

  private var ranges: [Range] = []
  /// The last object, if its range can be extended; otherwise nil.
  private var last: ObjectKey?
  /// The values from which the versions of the last range follow.
  private var group: ObjectUpdates.Group?
  private var changed: [Int] = []
  private var precedence: Int64 = 0

  /// Extends the last range by an object, if its versions are equal.
  ///
  /// - Parameters:
  ///   - key: The object; keys must be in ascending order.
  ///   - group: The object's versions before the transaction.
  ///   - changed: The changed columns.
  ///   - precedence: The precedence of the object's stamp.
  /// - Returns: False if ``add(_:at:_:_:_:)`` must add its versions.
  mutating func extend(
    to key: ObjectKey,
    _ group: ObjectUpdates.Group,
    _ changed: [Int],
    _ precedence: Int64
  ) -> Bool {
    guard let last, last.entity == key.entity, last.id + 1 == key.id, self.group === group,
      self.precedence == precedence, self.changed == changed
    else { return false }
    self.last = key
    return true
  }

  /// Adds the versions of an object that follow from some values.
  mutating func add(
    _ versions: Row,
    at key: ObjectKey,
    _ group: ObjectUpdates.Group,
    _ changed: [Int],
    _ precedence: Int64
  ) {
    endRange()
    ranges.append(Range(entity: key.entity, ids: key.id...key.id, versions: versions))
    // The pairs belong to one object.
    last = versions.pairs.isEmpty ? key : nil
    (self.group, self.changed, self.precedence) = (group, changed, precedence)
  }

  private mutating func endRange() {
    guard let last, let range = ranges.last else { return }
    ranges[ranges.count - 1].ids = range.ids.lowerBound...last.id
    self.last = nil
  }

  /// Stores the versions.
  ///
  /// - Throws: ``ObjectBoxError`` when the file cannot be written.
  mutating func store(in device: StoredDevice) throws {
    endRange()
    let cursor = device.table.writeCursor(in: device.storage)
    var writer = WireWriter(capacity: 128)
    for range in ranges {
      if range.ids.count == 1 {
        let key = ObjectKey(entity: range.entity, id: range.ids.lowerBound)
        try device.setVersions(range.versions, at: key, by: cursor, &writer)
      } else {
        try device.setVersions(range.versions, of: range.ids, range.entity)
      }
    }
  }
}
