internal import ObjectBoxSyncProtocol

/// The rows of the database that one decision has read so far.
struct LoadedRows: RowSource {
  /// The objects that were read; nil for missing ones.
  var rows: [ObjectKey: Row?] = [:]
  /// The keys of `rows` whose objects were removed.
  var tombstones: Set<ObjectKey> = []
  /// The objects that have unique values; nil if no object has them.
  var holders: [UniqueKey: ObjectKey?] = [:]
  /// The objects with pairs to a target.
  var sources: [ObjectKey: [ObjectKey]] = [:]
  /// The outcomes of transactions; nil for rejected and unknown ones.
  var outcomes: [TransactionToken: MakerOutcome?] = [:]
  /// Reserved IDs.
  var freshIDs: [EntityUID: [UInt64]] = [:]

  func row(at key: ObjectKey) -> Loaded<Row?> { rows[key].map(Loaded.value) ?? .missing }

  func hasTombstone(at key: ObjectKey) -> Loaded<Bool> {
    rows[key] == nil ? .missing : .value(tombstones.contains(key))
  }

  func holder(of unique: UniqueKey) -> Loaded<ObjectKey?> {
    holders[unique].map(Loaded.value) ?? .missing
  }

  func sources(ofPairsTo target: ObjectKey) -> Loaded<[ObjectKey]> {
    sources[target].map(Loaded.value) ?? .missing
  }

  func outcome(of maker: TransactionToken) -> Loaded<MakerOutcome?> {
    outcomes[maker].map(Loaded.value) ?? .missing
  }

  func freshID(of entity: EntityUID, index: Int) -> Loaded<UInt64> {
    guard let ids = freshIDs[entity], index < ids.count else { return .missing }
    return .value(ids[index])
  }
}
