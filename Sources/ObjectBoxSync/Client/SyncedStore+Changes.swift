internal import ObjectBox
internal import ObjectBoxSyncProtocol

extension SyncedStore {
  /// Returns the objects of a cut in the form of ObjectBox's listeners, by the IDs of their entities.
  func changes(of cut: Cut) -> [obx_schema_id: SyncChange] {
    let puts = Dictionary(grouping: cut.rows.map(\.key), by: \.entity)
    let removals = Dictionary(grouping: cut.leaves, by: \.entity)
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
}
