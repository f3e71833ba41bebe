import ObjectBoxSyncProtocol

/// The server's rows, either all of them or, as from a database, only those that were asked for.
struct TrialRows: RowSource {
  let server: TrialServer
  /// What was loaded, or nil if everything is.
  var loaded: Needs?
  /// The model of the server that reads them.
  let age: Age

  init(_ server: TrialServer, _ age: Age, isPartial: Bool) {
    self.server = server
    self.age = age
    loaded = isPartial ? Needs() : nil
  }

  mutating func load(_ needs: Needs) {
    loaded?.keys.formUnion(needs.keys)
    loaded?.uniques.formUnion(needs.uniques)
    loaded?.targets.formUnion(needs.targets)
    loaded?.makers.formUnion(needs.makers)
    loaded?.freshIDs.merge(needs.freshIDs) { max($0, $1) }
  }

  func row(at key: ObjectKey) -> Loaded<Row?> {
    if let loaded, !loaded.keys.contains(key) { return .missing }
    return .value(server.rows[key].map { age.reduced($0, server.age) })
  }

  func hasTombstone(at key: ObjectKey) -> Loaded<Bool> {
    if let loaded, !loaded.keys.contains(key) { return .missing }
    return .value(server.tombstones.contains(key))
  }

  func holder(of unique: UniqueKey) -> Loaded<ObjectKey?> {
    if let loaded, !loaded.uniques.contains(unique) { return .missing }
    return .value(server.holders[unique])
  }

  func sources(ofPairsTo target: ObjectKey) -> Loaded<[ObjectKey]> {
    if let loaded, !loaded.targets.contains(target) { return .missing }
    return .value(
      server.rows.filter { $0.value.pairs.contains { $0.target == target } }.map(\.key)
    )
  }

  func outcome(of maker: TransactionToken) -> Loaded<MakerOutcome?> {
    if let loaded, !loaded.makers.contains(maker) { return .missing }
    return .value(server.known(maker)?.decision.outcome)
  }

  func freshID(of entity: EntityUID, index: Int) -> Loaded<UInt64> {
    if let loaded, loaded.freshIDs[entity, default: 0] <= index { return .missing }
    return .value(server.nextIDs[Int(entity.value) - 1] + UInt64(index))
  }
}
