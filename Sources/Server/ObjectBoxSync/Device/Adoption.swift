internal import ObjectBox
internal import ObjectBoxSyncProtocol

/// Queues the objects that were stored before their entities were synchronized, a portion in each transaction.
///
/// The program writes between two portions. Its transactions queue the earlier objects that they change, and their
/// targets (``CapturedChanges``), so a portion leaves out objects that already have versions. After a crash, the
/// objects without versions remain. The table has the relations of cycles that wait for their targets.
///
/// The keys and to-one relations of all these objects are in memory, and the values of one portion.
struct Adoption {
  /// The number of objects or pairs of a portion.
  private let size: Int
  private let entities: Set<EntityUID>
  private let order: InsertOrder
  /// The properties of objects that are inserted before their targets.
  private let incomplete: [ObjectKey: [PropertyUID]]
  private var place = 0
  /// True if relations in the table wait for their targets.
  private var hasCompletions: Bool
  /// The pairs without a row in the table; nil before all objects are queued.
  private var pairs: [(source: ObjectKey, relation: SyncedRelation, target: ObjectKey)]?
  private var pairPlace = 0

  /// Finds the objects; nil if nothing is left to be queued.
  ///
  /// The capture of the store's commits must have begun.
  ///
  /// - Parameters:
  ///   - device: The state.
  ///   - size: The number of objects or pairs of a portion.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read.
  init?(_ device: StoredDevice, size: Int = 500) throws {
    self.size = size
    entities = device.unadopted
    if entities.isEmpty { return nil }
    hasCompletions = try !device.table.isEmpty(SyncKey(.incomplete), in: device.storage)
    order = InsertOrder(try device.unversionedObjects(of: entities), device.model)
    incomplete = Dictionary(
      uniqueKeysWithValues: order.completions.map { ($0.key, $0.values.elements.map(\.property)) }
    )
  }

  /// Queues the next objects or pairs.
  ///
  /// - Returns: False if nothing is left.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read or written.
  mutating func queueNext(in device: StoredDevice) throws -> Bool {
    if place < order.keys.count {
      let end = min(place + size, order.keys.count)
      try queueObjects(order.keys[place..<end], in: device)
      place = end
    } else if hasCompletions {
      hasCompletions = try device.complete(upTo: size)
    } else if let pairs {
      let end = min(pairPlace + size, pairs.count)
      try queuePairs(pairs[pairPlace..<end], in: device)
      pairPlace = end
    }
    guard let pairs, pairPlace == pairs.count else { return true }
    device.adopted.formUnion(entities)
    return false
  }

  /// True if ``findPairs(in:)`` must be called before the next portion: all objects are queued.
  var needsPairs: Bool { place == order.keys.count && !hasCompletions && pairs == nil }

  /// Finds the pairs of the objects that are not queued.
  ///
  /// - Throws: ``ObjectBoxError`` when the file cannot be read.
  mutating func findPairs(in device: StoredDevice) throws {
    var pairs: [(source: ObjectKey, relation: SyncedRelation, target: ObjectKey)] = []
    for entity in entities.sorted().compactMap({ device.model[$0] }) {
      for relation in entity.relations {
        try relation.table.forEachLink(in: device.storage) { source, target in
          let source = ObjectKey(entity: entity.uid, id: source)
          let target = ObjectKey(entity: relation.target, id: target)
          if try device.hasPair(relation.uid, from: source, to: target) { return }
          pairs.append((source, relation, target))
        }
      }
    }
    self.pairs = pairs
  }

  private mutating func queueObjects(_ portion: ArraySlice<ObjectKey>, in device: StoredDevice)
    throws
  {
    let token = TransactionToken(.random())
    // The program may have queued or removed objects since they were found.
    let objects = try portion.compactMap { key in
      try device.storedOrigin(at: key) == nil
        ? device.storedValues(at: key).map { (key: key, values: $0) } : nil
    }
    let made = Set(objects.map(\.key))
    let inserts = try objects.map { key, values in
      var values = values
      for property in incomplete[key] ?? [] { values[property] = .null }
      let references = try device.model.targets(values, key.entity) { target in
        made.contains(target)
          ? ObjectReference(target, madeBy: token)
          : try device.reference(to: target, try device.storedOrigin(at: target))
      }
      return Operation.insert(key, references, .assigned)
    }
    try device.queueAdopted(inserts, token)
    for insert in inserts {
      guard let properties = incomplete[insert.key] else { continue }
      try device.noteIncomplete(insert.key, properties)
      hasCompletions = true
    }
    try device.releaseStoredRows()
  }

  private func queuePairs(
    _ portion: ArraySlice<(source: ObjectKey, relation: SyncedRelation, target: ObjectKey)>,
    in device: StoredDevice
  ) throws {
    let operations = try portion.compactMap { pair -> Operation? in
      let (source, relation, target) = pair
      // The program may have changed them since they were found.
      guard
        try relation.table.contains(source: source.id, target: target.id, in: device.storage),
        try !device.hasPair(relation.uid, from: source, to: target)
      else { return nil }
      return .addPair(
        try device.reference(to: source, try device.storedOrigin(at: source)),
        relation.uid,
        try device.reference(to: target, try device.storedOrigin(at: target))
      )
    }
    try device.queueAdopted(operations)
    try device.releaseStoredRows()
  }
}

extension StoredDevice {
  /// The synchronized entities with objects that may not be queued yet.
  var unadopted: Set<EntityUID> { Set(model.entities.keys).subtracting(adopted) }

  /// Returns the to-one relations of the objects that have no versions.
  fileprivate func unversionedObjects(
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
    for key in objects.keys where try storedOrigin(at: key) != nil { objects[key] = nil }
    return objects
  }

  /// Returns the values of a stored object, with or without versions.
  func storedValues(at key: ObjectKey) throws -> PropertyList<PropertyValue>? {
    guard let entity = model[key.entity] else { return nil }
    return try entity.table.record(key.id, in: storage).map(entity.values(of:))
  }

  fileprivate func queueAdopted(
    _ operations: [Operation],
    _ token: TransactionToken = TransactionToken(.random())
  ) throws {
    if !operations.isEmpty { try queue(operations, token, wall: WallClock.now) }
  }

  /// Records relations of an object that are queued as empty, and shows them as the program has stored them.
  fileprivate func noteIncomplete(_ key: ObjectKey, _ properties: [PropertyUID]) throws {
    var writer = WireWriter()
    writer.append(properties)
    try table.set(encoded: writer.bytes, at: SyncKey(.incomplete, key), in: storage)
    guard var row = try shownRow(at: key), let values = try storedValues(at: key) else { return }
    for property in properties { row.values[property] = values[property] }
    try setShownRow(row, at: key)
  }

  /// Queues relations that wait for their targets.
  ///
  /// - Parameter limit: The number of objects at most.
  /// - Returns: True if more may be left.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read or written.
  fileprivate func complete(upTo limit: Int) throws -> Bool {
    var waiting: [(row: SyncKey, properties: [PropertyUID])] = []
    try table.forEach(SyncKey(.incomplete), in: storage) { row, value in
      guard waiting.count < limit else { return }
      let properties = try SyncTable.decode(Array(value), row) { reader throws(WireError) in
        try reader.values(PropertyUID.self)
      }
      waiting.append((row, properties))
    }
    let updates = try waiting.compactMap { row, properties -> Operation? in
      let key = row.object()
      // The program may have removed it.
      guard let originID = try storedOrigin(at: key), let values = try storedValues(at: key) else {
        return nil
      }
      let completed = try model.targets(
        values.filter { properties.contains($0.property) },
        key.entity
      ) { try reference(to: $0, try storedOrigin(at: $0)) }
      return .update(try reference(to: key, originID), completed)
    }
    try queueAdopted(updates)
    for (row, _) in waiting { try table.remove(row, in: storage) }
    try releaseStoredRows()
    return waiting.count == limit
  }
}
