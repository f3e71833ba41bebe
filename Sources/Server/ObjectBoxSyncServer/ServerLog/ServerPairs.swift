internal import ObjectBox
internal import ObjectBoxCluster
internal import ObjectBoxSyncProtocol

/// The pairs of objects of one entity, by their sources.
struct ServerPairs {
  private var pairs: [UInt64: [Pair]] = [:]

  /// Adds the results of ``ServerRows/pairStatements(_:ids:)``, in order.
  mutating func add(_ results: some Sequence<ResultRows>, of entity: SyncedEntity) {
    for (pairs, result) in zip(entity.pairs, results) {
      let relation = PropertyUID(pairs.schema.identity.uid)
      let target = EntityUID(pairs.schema.target.uid)
      for row in 0..<result.count {
        guard let source = result.integer(row, 0, as: UInt64.self),
          let id = result.integer(row, 1, as: UInt64.self)
        else { continue }
        let dot = TransactionToken(result.identifier(row, 2) ?? Identifier128(high: 0, low: 0))
        self.pairs[source, default: []].append(
          Pair(relation: relation, target: ObjectKey(entity: target, id: id), dot: dot)
        )
      }
    }
  }

  /// Returns the pairs from an object in ascending order.
  subscript(source: UInt64) -> [Pair] { pairs[source]?.sorted() ?? [] }
}
