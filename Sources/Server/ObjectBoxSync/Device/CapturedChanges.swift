internal import ObjectBox
internal import ObjectBoxStorage
internal import ObjectBoxSyncProtocol

/// The changes of a program's transaction, as rows before and after it.
struct CapturedChanges {
  private let device: StoredDevice
  private var model: SyncedModel { device.model }
  /// The changed objects before the transaction; nil for new ones.
  private var former: [ObjectKey: Row?] = [:]
  /// The values of the changed objects after the transaction; nil for removed ones.
  private var values: [ObjectKey: PropertyList<PropertyValue>?] = [:]
  /// The objects whose pairs may have changed.
  private var related: Set<ObjectKey> = []
  /// Changed objects without versions: they were stored before their entity was synchronized.
  private var earlier: Set<ObjectKey> = []

  /// Reads the changes.
  ///
  /// - Parameters:
  ///   - changed: The noted changes by the number of an entity.
  ///   - device: The state in the transaction.
  ///   - members: Returns the waiting transactions since the last commit, in order; called only if synchronized objects
  ///     were changed.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read.
  init(
    _ changed: [Int: EntityChanges],
    _ device: StoredDevice,
    after members: () throws -> [SyncTransaction]
  ) throws {
    self.device = device
    for (number, changes) in changed {
      if let entity = device.model[number] { try add(changes, of: entity) }
    }
    if former.values.contains(where: { $0 != nil }) {
      try device.transaction.readingCommitted { committed in
        for (key, row) in former where row != nil {
          guard let entity = model[key.entity],
            let record = try entity.table.record(key.id, in: committed)
          else { continue }
          former[key] = .some(row?.with(entity.values(of: record)))
        }
      }
      for member in try members() { undoneBy(member) }
    }
    for key in former.keys {
      guard let entity = model[key.entity] else { continue }
      values[key] = .some(
        try entity.table.record(key.id, in: device.storage).map(entity.values(of:))
      )
    }
    if !device.unadopted.isEmpty { try addEarlierTargets() }
  }

  /// Adds the targets of new objects and of changed objects that are not queued yet, and in turn their targets: a
  /// reference needs an object that the server knows or will know.
  private mutating func addEarlierTargets() throws {
    var open = Array(former.keys)
    while let key = open.popLast() {
      guard let values = values[key] ?? nil else { continue }
      for relation in model[key.entity]?.toOnes ?? [] {
        guard let id = values[relation.property]?.integerValue else { continue }
        let target = ObjectKey(entity: relation.target, id: UInt64(bitPattern: id))
        guard former[target] == nil, try device.storedOrigin(at: target) == nil,
          let found = try device.storedValues(at: target)
        else { continue }
        former[target] = .some(nil)
        self.values[target] = .some(found)
        earlier.insert(target)
        open.append(target)
      }
    }
  }

  private mutating func add(_ changes: EntityChanges, of entity: SyncedEntity) throws {
    let changed = changes.objects
    var ids = Set(changed.keys)
    let sources = Set(changes.changedPairs.map(\.source))
    ids.formUnion(sources)
    if changes.hasRemovedAll {
      _ = try device.forEachVersions(of: entity.uid) { key, _ in
        ids.insert(key.id)
        return true
      }
    }
    // In order, since the search for the versions of one ID serves the next ones.
    for id in ids.sorted() {
      let key = ObjectKey(entity: entity.uid, id: id)
      let versions = try device.storedVersions(at: key)
      former[key] = .some(versions)
      if versions == nil, changed[id] != .inserted { earlier.insert(key) }
    }
    for id in sources { related.insert(ObjectKey(entity: entity.uid, id: id)) }
  }

  /// Adds the changes of an earlier member of the group, which the newest commit lacks but the versions have already.
  private mutating func undoneBy(_ member: SyncTransaction) {
    func resolved(_ values: PropertyList<PropertyValue>) -> PropertyList<PropertyValue> {
      var values = values
      for element in values.elements {
        guard case .target(let target) = element.value else { continue }
        values[element.property] = .integer(Int64(bitPattern: target.key.id))
      }
      return values
    }
    for operation in member.operations {
      guard var row = former[operation.key] ?? nil else { continue }
      switch operation {
      case .insert(_, let values, _), .update(_, let values, _): row.values.merge(resolved(values))
      case .increment(_, let property, let difference):
        let sum = (row.values[property]?.integerValue ?? 0) &+ difference
        row.values[property] = .integer(sum)
      case .delete, .addPair, .removePair: continue
      }
      former[operation.key] = .some(row)
    }
  }

  // MARK: Queue

  /// Queues the changes in the transaction, with the protocol's forecast.
  ///
  /// - Parameters:
  ///   - token: The random identity of the transaction.
  ///   - wall: The clock in milliseconds since 1970.
  /// - Returns: False if nothing has changed; then nothing was written.
  /// - Throws: ``ObjectBoxError`` when the server would reject the changes, or when the file cannot be
  ///   read or written.
  func queue(_ token: TransactionToken, wall: Int64) throws -> Bool {
    let operations = try operations(token: token)
    guard !operations.isEmpty else { return false }
    for (key, row) in former {
      device.setProgramChange(from: row, to: values[key] ?? nil, at: key)
    }
    try device.queue(operations, token, wall: wall)
    try device.flush()
    return true
  }

  // MARK: Operations

  /// Returns the operations that make the same changes, in an order in which each object exists
  /// before another refers to it.
  ///
  /// - Parameter token: The transaction.
  /// - Returns: Removals, then differences of counters, updates, inserts, updates that refer to
  ///   inserted objects, and pairs.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read.
  private func operations(token: TransactionToken) throws -> [Operation] {
    var removed: [Operation] = []
    var counted: [Operation] = []
    var updates: [(key: ObjectKey, values: PropertyList<PropertyValue>)] = []
    var inserts: [ObjectKey: PropertyList<PropertyValue>] = [:]
    for key in former.keys.sorted() {
      let (old, new) = (former[key] ?? nil, values[key] ?? nil)
      switch (old, new) {
      case (nil, nil): continue
      case (nil, let new?):
        try checkID(key)
        inserts[key] = new
      case (let old?, nil): removed.append(.delete(try device.reference(to: key, old.originID)))
      case (let old?, let new?):
        let changed = try changedValues(from: old.values, to: new, key.entity)
        if !changed.isEmpty { updates.append((key, changed)) }
        counted += try increments(from: old, to: new, key)
      }
    }
    let order = InsertOrder(inserts, model)
    let made = Made(token: token, keys: Set(inserts.keys))
    var early: [Operation] = []
    var late: [Operation] = []
    for update in updates {
      let operation = Operation.update(
        try reference(to: update.key, made),
        try targets(update.values, update.key.entity, made)
      )
      if order.refers(update.values, update.key.entity) {
        late.append(operation)
      } else {
        early.append(operation)
      }
    }
    let inserted = try order.keys.map { key in
      let values = order.firstValues[key] ?? PropertyList()
      let origin: Operation.IDOrigin =
        earlier.contains(key) ? .assigned : model[key.entity]?.origin(of: key.id) ?? .assigned
      return Operation.insert(key, try targets(values, key.entity, made), origin)
    }
    let completing = try order.completions.map { completion in
      Operation.update(
        try reference(to: completion.key, made),
        try targets(completion.values, completion.key.entity, made)
      )
    }
    return removed + counted + early + inserted + completing + late + (try pairOperations(made))
  }

  /// Throws for an ID that the server's database cannot have.
  private func checkID(_ key: ObjectKey) throws {
    guard key.id > UInt64(Int64.max) else { return }
    let name = model[key.entity]?.table.name ?? ""
    throw ObjectBoxError.illegalArgument(
      message: "cannot put '\(name)' with ID \(key.id): the greatest ID of a "
        + "synchronized object is \(Int64.max); choose a smaller one"
    )
  }

  /// The objects that the transaction inserts.
  private struct Made {
    let token: TransactionToken
    let keys: Set<ObjectKey>
  }

  private func changedValues(
    from old: PropertyList<PropertyValue>,
    to new: PropertyList<PropertyValue>,
    _ entity: EntityUID
  ) throws -> PropertyList<PropertyValue> {
    let counters = model.rules[entity]?.counters ?? []
    let new = counters.isEmpty ? new : new.filter { !counters.contains($0.property) }
    var changed = new.filter { old[$0.property] != $0.value }
    let isWhole = model.rules[entity]?.mode == .objectClock
    guard isWhole || changed.elements.contains(where: { isDefault($0, over: old) }) else {
      return changed
    }
    // A program reads a property without a received value as its default, and puts that default back.
    let unreceived = try device.unreceived[entity] ?? []
    changed = changed.filter { !unreceived.contains($0.property) || !isDefault($0, over: old) }
    guard !changed.isEmpty, isWhole else { return changed }
    // The device cannot name a target that it does not see, and the server would empty the relation.
    return try new.filter { element in
      if changed[element.property] == nil, unreceived.contains(element.property) { return false }
      guard changed[element.property] == nil, let id = element.value.integerValue,
        let target = model[entity]?.toOnes.first(where: { $0.property == element.property })?.target
      else { return true }
      let key = ObjectKey(entity: target, id: UInt64(bitPattern: id))
      return try former[key] != nil || device.storedVersions(at: key) != nil
    }
  }

  /// Returns true if a value is the default of its type in place of null.
  private func isDefault(
    _ element: PropertyList<PropertyValue>.Element,
    over old: PropertyList<PropertyValue>
  ) -> Bool {
    guard (old[element.property] ?? .null) == .null else { return false }
    return [.integer(0), .double(bits: 0), .bytes([])].contains(element.value)
  }

  /// Returns the differences of an object's counters.
  ///
  /// Null counts as 0; a program that writes 0 over it makes a difference of 0.
  private func increments(
    from old: Row,
    to new: PropertyList<PropertyValue>,
    _ key: ObjectKey
  ) throws -> [Operation] {
    let counters = model.rules[key.entity]?.counters ?? []
    return try counters.sorted().compactMap { property in
      let (before, after) = (old.values[property] ?? .null, new[property] ?? .null)
      guard before != after else { return nil }
      let difference = (after.integerValue ?? 0) &- (before.integerValue ?? 0)
      if difference == 0, try device.unreceived[key.entity]?.contains(property) ?? false {
        return nil
      }
      return .increment(try device.reference(to: key, old.originID), property, by: difference)
    }
  }

  private func reference(to key: ObjectKey, _ made: Made) throws -> ObjectReference {
    if made.keys.contains(key) { return ObjectReference(key, madeBy: made.token) }
    let originID = try former[key].map { $0?.originID } ?? device.storedOrigin(at: key)
    return try device.reference(to: key, originID)
  }

  /// Replaces the IDs of to-one relations by references.
  private func targets(
    _ values: PropertyList<PropertyValue>,
    _ entity: EntityUID,
    _ made: Made
  ) throws -> PropertyList<PropertyValue> {
    try model.targets(values, entity) { try reference(to: $0, made) }
  }

  private func pairOperations(_ made: Made) throws -> [Operation] {
    guard !related.isEmpty else { return [] }
    var operations: [Operation] = []
    for key in related.sorted() where (values[key] ?? nil) != nil {
      let source = try reference(to: key, made)
      let old = (former[key] ?? nil)?.pairs ?? []
      for relation in model[key.entity]?.relations ?? [] {
        let ids = Set(try relation.table.targets(of: key.id, in: device.storage))
        for pair in old where pair.relation == relation.uid && !ids.contains(pair.target.id) {
          // A pair with a target that the device does not see is not in the table, and stays.
          let wasStored = try former[pair.target] ?? device.storedRow(at: pair.target)
          guard wasStored != nil, values[pair.target] != .some(nil) else { continue }
          operations.append(
            .removePair(
              source,
              relation.uid,
              try reference(to: pair.target, made),
              seen: pair.dot
            )
          )
        }
        let known = Set(old.filter { $0.relation == relation.uid }.map(\.target.id))
        for id in ids.subtracting(known).sorted() {
          let target = ObjectKey(entity: relation.target, id: id)
          // ``Adoption`` queues pairs to objects that are not queued yet.
          let isKnown =
            try made.keys.contains(target)
            || former[target].map { $0 != nil }
              ?? (device.storedOrigin(at: target) != nil)
          guard isKnown else { continue }
          operations.append(.addPair(source, relation.uid, try reference(to: target, made)))
        }
      }
    }
    return operations
  }
}

extension StoredDevice {
  /// Queues a transaction whose effects are already in the store.
  ///
  /// - Throws: ``ObjectBoxError`` when the server would reject it, or when the file cannot be written.
  func queue(_ operations: [Operation], _ token: TransactionToken, wall: Int64) throws {
    var device = Device(store: self, rules: model.rules)
    do {
      try device.write(operations, token: token, wall: wall)
    } catch let rejection as Rejection {
      throw ObjectBoxError.illegalState(
        message:
          "the server would reject the write: \(rejection); change the objects, and put them again"
      )
    }
    fillBlocks()
  }
}

extension Row {
  /// Returns the row with other values.
  fileprivate func with(_ values: PropertyList<PropertyValue>) -> Self {
    var row = self
    row.values = values
    return row
  }
}
