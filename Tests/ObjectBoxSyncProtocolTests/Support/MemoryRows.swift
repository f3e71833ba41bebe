import ObjectBoxSyncProtocol

/// Rows of a hub in memory, all of them loaded.
struct MemoryRows: RowSource {
  var rows: [ObjectKey: Row] = [:]
  var tombstones: [ObjectKey: Tombstone] = [:]
  var outcomes: [TransactionToken: MakerOutcome] = [:]
  let rules: SyncRules

  func row(at key: ObjectKey) -> Loaded<Row?> { .value(rows[key]) }
  func tombstone(at key: ObjectKey) -> Loaded<Tombstone?> { .value(tombstones[key]) }

  func holder(of unique: UniqueKey) -> Loaded<ObjectKey?> {
    .value(
      rows.first { key, row in rules.uniqueKeys(of: row, at: key).contains(unique) }?.key
    )
  }

  func sources(ofPairsTo target: ObjectKey) -> Loaded<[ObjectKey]> {
    .value(rows.filter { $0.value.pairs.contains { $0.target == target } }.map(\.key))
  }

  func outcome(of maker: TransactionToken) -> Loaded<MakerOutcome?> { .value(outcomes[maker]) }
  func freshID(of entity: EntityUID, index: Int) -> Loaded<UInt64> { .value(900 + UInt64(index)) }
}
