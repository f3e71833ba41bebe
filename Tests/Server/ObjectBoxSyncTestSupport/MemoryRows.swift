package import ObjectBoxSyncProtocol

/// Rows of a server in memory, all of them loaded.
package struct MemoryRows: RowSource {
  package var rows: [ObjectKey: Row] = [:]
  package var tombstones: Set<ObjectKey> = []
  package var outcomes: [TransactionToken: MakerOutcome] = [:]
  package let rules: SyncRules

  package init(rules: SyncRules) {
    self.rules = rules
  }

  package func row(at key: ObjectKey) -> Loaded<Row?> { .value(rows[key]) }
  package func hasTombstone(at key: ObjectKey) -> Loaded<Bool> {
    .value(tombstones.contains(key))
  }

  package func holder(of unique: UniqueKey) -> Loaded<ObjectKey?> {
    .value(
      rows.first { key, row in rules.uniqueKeys(of: row, at: key).contains(unique) }?.key
    )
  }

  package func sources(ofPairsTo target: ObjectKey) -> Loaded<[ObjectKey]> {
    .value(rows.filter { $0.value.pairs.contains { $0.target == target } }.map(\.key))
  }

  package func outcome(of maker: TransactionToken) -> Loaded<MakerOutcome?> {
    .value(outcomes[maker])
  }
  package func freshID(of entity: EntityUID, index: Int) -> Loaded<UInt64> {
    .value(900 + UInt64(index))
  }
}
