internal import ObjectBox
internal import ObjectBoxSyncProtocol

/// The pairs that a program's transaction adds and removes, without those of removed objects.
struct WrittenPairs {
  /// The place of a pair.
  private struct Place: Hashable {
    let source: ObjectKey
    let end: PairEnd
  }

  let room = ByteRoom()
  /// The changed pairs; nil for removed ones.
  private var changes: [(place: Place, pair: Pair?)] = []

  var count: Int { changes.count }

  /// Looks for the changed pairs.
  ///
  /// - Parameters:
  ///   - objects: The changes of the transaction.
  ///   - token: The random identity of the transaction.
  ///   - targets: Makes references to the objects.
  ///   - device: The state in the transaction, before any change.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read.
  init(
    _ objects: WrittenObjects,
    _ token: TransactionToken,
    _ targets: inout WrittenTargets,
    _ device: StoredDevice
  ) throws {
    var found: [(place: Place, isStored: Bool)] = []
    for place in try Self.places(objects, device) {
      let (source, end) = (place.source, place.end)
      guard let table = device.model.relation(end.relation, of: source.entity)?.table else {
        continue
      }
      let isStored = try table.contains(
        source: source.id,
        target: end.target.id,
        in: device.storage
      )
      // A pair to an object that is not queued yet is left to ``Adoption``.
      if try isStored != device.hasPair(end, from: source), try targets.sees(source),
        try targets.sees(end.target)
      {
        found.append((place, isStored))
      }
    }
    // Removals of a relation's pairs first.
    found.sort { one, two in
      let (left, right) = (one.place.end, two.place.end)
      if one.place.source != two.place.source { return one.place.source < two.place.source }
      if left.relation != right.relation { return left.relation < right.relation }
      return one.isStored != two.isStored ? two.isStored : left.target < right.target
    }
    var versions: (source: ObjectKey, row: Row?)?
    for (place, isStored) in found {
      let (end, relation) = (place.end, place.end.relation)
      let source = try targets.writtenReference(to: place.source)
      let target = try targets.writtenReference(to: end.target)
      if isStored {
        let pair = Pair(relation: relation, target: end.target, dot: token)
        add(.addPair(source, relation, target), pair, at: place)
        continue
      }
      // The pairs of a removed object end with it, and one to an object that is not stored is in no relation table.
      guard try device.isStored(place.source), try device.isStored(end.target) else { continue }
      var pair = try device.addedPair(end, of: place.source)
      if pair == nil {
        if versions?.source != place.source {
          versions = (place.source, try device.storedVersions(at: place.source))
        }
        pair = versions?.row?.pair(end)
      }
      guard let pair else { continue }
      add(.removePair(source, relation, target, seen: pair.dot), nil, at: place)
    }
  }

  /// Returns the places of pairs that may have changed.
  private static func places(_ objects: WrittenObjects, _ device: StoredDevice) throws -> [Place] {
    var places: [Place] = []
    var lost: Set<Place> = []
    for part in objects.parts {
      for pair in part.pairs {
        let relation = part.entity.relations.first { $0.table.schema.identity.id == pair.relation }
        guard let relation else { continue }
        let end = PairEnd(relation.uid, ObjectKey(entity: relation.target, id: pair.target))
        places.append(Place(source: ObjectKey(entity: part.entity.uid, id: pair.source), end: end))
      }
      guard part.mayHaveReplaced else { continue }
      // An object that was removed and put again has lost its pairs.
      for object in part.changed where object.properties == .all {
        let key = ObjectKey(entity: part.entity.uid, id: object.id)
        for pair in objects.groups[object.group].versions.pairs {
          lost.insert(Place(source: key, end: PairEnd(pair)))
        }
        for (relation, source) in try device.storedPairs(to: key) {
          lost.insert(Place(source: source, end: PairEnd(relation, key)))
        }
      }
    }
    return lost.isEmpty ? places : Array(lost.union(places))
  }

  private mutating func add(_ operation: Operation, _ pair: Pair?, at place: Place) {
    changes.append((place, pair))
    room.append(byte: StoredOperations.Kind.operation.rawValue)
    room.append { operation.write(to: &$0) }
  }

  /// Stores the pairs, after the versions and bases of the transaction's objects.
  ///
  /// - Throws: ``ObjectBoxError`` when the file cannot be written.
  func store(in device: StoredDevice) throws {
    for (place, pair) in changes {
      try device.keepBase(of: place.source)
      if let pair {
        try device.add(pair, to: place.source)
      } else {
        try device.removePair(place.end, of: place.source)
      }
    }
  }
}
