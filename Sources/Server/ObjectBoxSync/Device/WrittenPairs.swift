internal import ObjectBox
internal import ObjectBoxSyncProtocol

/// The pairs that a program's transaction adds; it must remove none.
struct WrittenPairs {
  private var added: [(source: ObjectKey, pair: Pair)] = []
  private var operations: [Operation] = []

  var count: Int { added.count }

  /// Finds the changed pairs; nil if one needs the protocol's forecast.
  ///
  /// - Parameters:
  ///   - parts: The changes of the transaction, by ascending UIDs of the entities.
  ///   - token: The random identity of the transaction.
  ///   - targets: Makes references to the objects.
  ///   - device: The state in the transaction, before any change.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read.
  init?(
    of parts: [WrittenObjects.Part],
    _ token: TransactionToken,
    _ targets: inout WrittenTargets,
    _ device: StoredDevice
  ) throws {
    for part in parts where !part.pairs.isEmpty {
      let relations = part.entity.relations
      let changed = part.pairs.compactMap { pair in
        relations.firstIndex { $0.table.schema.identity.id == pair.relation }.map { ($0, pair) }
      }.sorted { ($0.1.source, $0.0, $0.1.target) < ($1.1.source, $1.0, $1.1.target) }
      for (index, pair) in changed {
        let relation = relations[index]
        let source = ObjectKey(entity: part.entity.uid, id: pair.source)
        let target = ObjectKey(entity: relation.target, id: pair.target)
        let isStored = try relation.table.contains(
          source: pair.source,
          target: pair.target,
          in: device.storage
        )
        let wasStored = try device.hasPair(relation.uid, from: source, to: target)
        if isStored == wasStored { continue }
        // A removal must name the transaction that added the pair, which only the versions have.
        guard isStored, try targets.sees(source), try targets.sees(target) else { return nil }
        added.append((source, Pair(relation: relation.uid, target: target, dot: token)))
        operations.append(
          .addPair(
            try targets.writtenReference(to: source),
            relation.uid,
            try targets.writtenReference(to: target)
          )
        )
      }
    }
  }

  /// Writes the operations in the form of ``StoredOperations``.
  func writeOperations(to room: ByteRoom) {
    for operation in operations {
      room.append(byte: StoredOperations.Kind.operation.rawValue)
      room.append { operation.write(to: &$0) }
    }
  }

  /// Stores the pairs, after the versions and bases of the transaction's objects.
  ///
  /// - Throws: ``ObjectBoxError`` when the file cannot be written.
  func store(in device: StoredDevice) throws {
    for (source, pair) in added {
      if try !device.hasBase(at: source), let row = try device.storedRow(at: source) {
        try device.setBase(.row(row), at: source)
      }
      try device.add(pair, to: source)
    }
  }
}
