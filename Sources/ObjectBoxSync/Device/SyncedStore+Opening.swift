internal import ObjectBox
internal import ObjectBoxStorage
internal import ObjectBoxSyncProtocol

extension SyncedStore {
  /// Returns the capture of an open store; makes it for the first instance.
  static func capture(of store: Store) throws -> CommitCapture {
    try store.checkOpen()
    if let known = store.transactions.currentParticipant as? CommitCapture { return known }
    let model = SyncedModel(store.file)
    try check(store, model)
    let table = try store.inTransaction(isWritable: true) { transaction, _ in
      let table = try SyncTable(creatingIn: transaction.storage)
      let stored = try StoredDevice(model, table, in: transaction)
      var device = Device(store: stored, rules: model.rules)
      try device.open(ModelParts(model.descriptions))
      try stored.flushState()
      return table
    }
    let new = CommitCapture(model, table)
    guard let capture = store.transactions.addParticipant(new) as? CommitCapture else {
      throw ObjectBoxError.illegalState(
        message: "the commits of the store at '\(store.directoryPath)' have another participant"
      )
    }
    if capture === new { try applying(in: store, capture) { try $0.adopt() } }
    return capture
  }

  /// Returns the capture of an open store; nil if it was never synchronized since it was opened.
  static func existingCapture(of store: Store) -> CommitCapture? {
    store.transactions.currentParticipant as? CommitCapture
  }

  /// Returns whether a store has the state of synchronization.
  ///
  /// A store that other processes may write to is left alone: a client will refuse it.
  static func wasSynchronized(_ store: Store) throws -> Bool {
    if store.file.options.isShared { return false }
    // Only the holder of the write lock opens tables.
    return try store.inTransaction(isWritable: true) { transaction, _ in
      try transaction.storage.openTable(SyncTable.name, .plain, create: false) != nil
    }
  }

  private static func check(_ store: Store, _ model: SyncedModel) throws {
    let place = "cannot synchronize the store at '\(store.directoryPath)'"
    if model.entities.isEmpty {
      throw ObjectBoxError.illegalState(
        message: "\(place): none of its entities is synchronized; annotate them with "
          + "`// objectbox: sync` and run the generator"
      )
    }
    if store.file.isReadOnly {
      throw ObjectBoxError.illegalState(
        message: "\(place): it is open read-only; open it for writing"
      )
    }
    if store.file.options.isShared {
      throw ObjectBoxError.illegalState(
        message:
          "\(place): other processes may write to it, and their writes would not be sent; open it "
          + "without isSharedWithOtherProcesses"
      )
    }
  }
}

extension StoredDevice {
  /// Number of objects that one transaction inserts.
  private static let adoptionCount = 500

  /// Queues the objects that were stored before the store was synchronized, and opens the IDs.
  ///
  /// The keys and to-one relations of all these objects are in memory, and a part of the objects at a time.
  func adopt() throws {
    openBlocks()
    try moveAbsentRanges()
    let new = Set(model.entities.keys).subtracting(adopted)
    guard !new.isEmpty else { return }
    let order = InsertOrder(try unmarkedObjects(of: new), model)
    // In a cycle, an object is inserted without a target that it has.
    let incomplete = Set(order.completions.map(\.key))
    try inParts(order.keys, keeping: incomplete) { keys, token in
      let made = Made(token: token, keys: Set(keys))
      return try keys.map { key in
        Operation.insert(
          key,
          try references(in: values(of: key, in: order), key.entity, made),
          .assigned
        )
      }
    }
    try inParts(order.completions) { completions, _ in
      try completions.map { completion in
        Operation.update(
          try referenceOrNone(to: completion.key, nil),
          try references(in: completion.values, completion.key.entity, nil)
        )
      }
    }
    try inParts(try earlierPairs(of: new, order)) { pairs, _ in
      try pairs.map { pair in
        .addPair(
          try referenceOrNone(to: pair.source, nil),
          pair.relation,
          try referenceOrNone(to: pair.target, nil)
        )
      }
    }
    adopted.formUnion(new)
  }

  /// The objects that one transaction inserts.
  private struct Made {
    let token: TransactionToken
    let keys: Set<ObjectKey>
  }

  /// Queues operations, a transaction for each part of what they are for, and forgets the rows but those to keep.
  private func inParts<Element>(
    _ all: [Element],
    keeping kept: Set<ObjectKey> = [],
    _ operations: (ArraySlice<Element>, TransactionToken) throws -> [Operation]
  ) throws {
    for start in stride(from: 0, to: all.count, by: Self.adoptionCount) {
      let token = TransactionToken(.random())
      let part = all[start..<min(start + Self.adoptionCount, all.count)]
      try queue(try operations(part, token), token, wall: WallClock.now)
      try releaseStoredRows(keeping: kept)
    }
  }

  /// Returns the to-one relations of the objects that have no marks.
  private func unmarkedObjects(
    of entities: Set<EntityUID>
  ) throws -> [ObjectKey: PropertyList<PropertyValue>] {
    var objects: [ObjectKey: PropertyList<PropertyValue>] = [:]
    for entity in entities.compactMap({ model[$0] }) {
      let relations = Set(entity.toOnes.map(\.property))
      var scan = try RecordScan(entity.table, in: transaction)
      while let record = try scan.next() {
        let key = ObjectKey(entity: entity.uid, id: record.objectID)
        objects[key] =
          relations.isEmpty
          ? PropertyList()
          : entity.values(of: record).filter { relations.contains($0.property) }
      }
    }
    for key in objects.keys where try storedMarks(at: key) != nil { objects[key] = nil }
    return objects
  }

  /// Returns the values of a stored object, without targets that come later.
  private func values(
    of key: ObjectKey,
    in order: InsertOrder
  ) throws -> PropertyList<PropertyValue> {
    guard let entity = model[key.entity], let record = try entity.table.record(key.id, in: storage)
    else { return PropertyList() }
    var values = entity.values(of: record)
    values.merge(order.firstValues[key] ?? PropertyList())
    return values
  }

  /// Returns a reference that leads to no object if there is none with the key.
  private func referenceOrNone(to key: ObjectKey, _ made: Made?) throws -> ObjectReference {
    if let made, made.keys.contains(key) { return ObjectReference(key, madeBy: made.token) }
    return try reference(to: key) ?? ObjectReference(ObjectIdentity(key: key, birth: BirthMark(0)))
  }

  private func reference(to key: ObjectKey) throws -> ObjectReference? {
    try Device(store: self, rules: model.rules).reference(to: key)
  }

  private func references(
    in values: PropertyList<PropertyValue>,
    _ entity: EntityUID,
    _ made: Made?
  ) throws -> PropertyList<PropertyValue> {
    try model.targets(values, entity) { try referenceOrNone(to: $0, made) }
  }

  private func earlierPairs(
    of entities: Set<EntityUID>,
    _ order: InsertOrder
  ) throws -> [(source: ObjectKey, relation: PropertyUID, target: ObjectKey)] {
    var pairs: [(source: ObjectKey, relation: PropertyUID, target: ObjectKey)] = []
    for entity in entities.sorted().compactMap({ model[$0] }) {
      for relation in entity.relations {
        try relation.table.forEachLink(in: storage) { source, target in
          let source = ObjectKey(entity: entity.uid, id: source)
          guard order.firstValues[source] != nil else { return }
          pairs.append((source, relation.uid, ObjectKey(entity: relation.target, id: target)))
        }
      }
    }
    return pairs
  }
}
