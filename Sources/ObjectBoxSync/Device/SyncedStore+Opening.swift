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
  func adopt() throws {
    openBlocks()
    try moveAbsentRanges()
    let new = Set(model.entities.keys).subtracting(adopted)
    guard !new.isEmpty else { return }
    let order = InsertOrder(try unmarkedObjects(of: new), model)
    var made: [ObjectKey: TransactionToken] = [:]
    for start in stride(from: 0, to: order.keys.count, by: Self.adoptionCount) {
      let keys = order.keys[start..<min(start + Self.adoptionCount, order.keys.count)]
      let token = TransactionToken(.random())
      for key in keys { made[key] = token }
      let operations = try keys.map { key in
        Operation.insert(
          key,
          try references(in: order.firstValues[key] ?? PropertyList(), key.entity, made),
          .assigned
        )
      }
      try queue(operations, token, wall: WallClock.now)
    }
    let rest = try order.completions.map { completion in
      Operation.update(
        try reference(to: completion.key, made),
        try references(in: completion.values, completion.key.entity, made)
      )
    }
    let pairs = try earlierPairs(of: new, made)
    if !rest.isEmpty || !pairs.isEmpty {
      try queue(rest + pairs, TransactionToken(.random()), wall: WallClock.now)
    }
    adopted.formUnion(new)
  }

  private func unmarkedObjects(
    of entities: Set<EntityUID>
  ) throws -> [ObjectKey: PropertyList<PropertyValue>] {
    var objects: [ObjectKey: PropertyList<PropertyValue>] = [:]
    for entity in entities.compactMap({ model[$0] }) {
      var scan = try RecordScan(entity.table, in: transaction)
      while let record = try scan.next() {
        let key = ObjectKey(entity: entity.uid, id: record.objectID)
        objects[key] = entity.values(of: record)
      }
    }
    for key in objects.keys where try storedMarks(at: key) != nil { objects[key] = nil }
    return objects
  }

  private func reference(
    to key: ObjectKey,
    _ made: [ObjectKey: TransactionToken]
  ) throws -> ObjectReference {
    if let token = made[key] { return ObjectReference(key, madeBy: token) }
    return try reference(to: key) ?? ObjectReference(ObjectIdentity(key: key, birth: BirthMark(0)))
  }

  private func reference(to key: ObjectKey) throws -> ObjectReference? {
    try Device(store: self, rules: model.rules).reference(to: key)
  }

  private func references(
    in values: PropertyList<PropertyValue>,
    _ entity: EntityUID,
    _ made: [ObjectKey: TransactionToken]
  ) throws -> PropertyList<PropertyValue> {
    try model.targets(values, entity) { try reference(to: $0, made) }
  }

  private func earlierPairs(
    of entities: Set<EntityUID>,
    _ made: [ObjectKey: TransactionToken]
  ) throws -> [Operation] {
    var operations: [Operation] = []
    for entity in entities.sorted().compactMap({ model[$0] }) {
      for relation in entity.relations {
        try relation.table.forEachLink(in: storage) { source, target in
          let source = ObjectKey(entity: entity.uid, id: source)
          guard made[source] != nil else { return }
          let target = ObjectKey(entity: relation.target, id: target)
          operations.append(
            .addPair(
              try reference(to: source, made),
              relation.uid,
              try reference(to: target, made)
            )
          )
        }
      }
    }
    return operations
  }
}
