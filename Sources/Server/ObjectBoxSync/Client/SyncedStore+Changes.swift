internal import ObjectBox
internal import ObjectBoxSyncProtocol

extension SyncedStore {
  /// Returns the objects of a delta and its staged parts in the form of ObjectBox's listeners, by the IDs of their
  /// entities.
  ///
  /// - Parameter delta: A delta that the store has not applied yet.
  /// - Returns: The objects.
  /// - Throws: ``ObjectBoxError`` when the store is closed or damaged.
  func changes(of delta: Delta) throws -> [obx_schema_id: SyncChange] {
    let puts = Dictionary(grouping: try putKeys(of: delta), by: \.entity)
    let removals = Dictionary(grouping: delta.leaves, by: \.entity)
    var changes: [obx_schema_id: SyncChange] = [:]
    for entity in Set(puts.keys).union(removals.keys) {
      guard let number = capture.model[entity]?.table.schema.identity.id else { continue }
      changes[number] = SyncChange(
        puts: (puts[entity] ?? []).map(\.id),
        removals: (removals[entity] ?? []).map(\.id)
      )
    }
    return changes
  }

  private func putKeys(of delta: Delta) throws -> [ObjectKey] {
    let keys = delta.rows.map(\.key)
    if delta.stagingArea == 0 { return keys }
    var all = Set(keys)
    try reading { device in
      guard try device.stagingArea?.key == delta.stagingArea else { return }
      var index = 0
      while let piece = try device.stagedPiece(at: index) {
        for row in piece.rows { all.insert(row.key) }
        index += 1
      }
    }
    return all.subtracting(delta.leaves).sorted()
  }
}
