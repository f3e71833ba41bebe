import ObjectBox
import ObjectBoxStorage
@testable import ObjectBoxSync
import ObjectBoxSyncProtocol

/// The changes of a program's transaction, as rows before and after it.
///
/// The plain way to queue a transaction, with which tests compare ``WrittenTransaction``.
struct CapturedChanges {
  private let device: StoredDevice
  private var model: SyncedModel { device.model }
  /// The changed objects before the transaction; nil for new ones.
  private var former: [ObjectKey: Row?] = [:]
  /// The values of the changed objects after the transaction; nil for removed ones.
  private var values: [ObjectKey: PropertyList<PropertyValue>?] = [:]
  /// The objects whose pairs may have changed.
  private var related: Set<ObjectKey> = []

  /// Reads the changes.
  ///
  /// All objects must have versions or be new, and all properties must be received.
  ///
  /// - Parameters:
  ///   - changed: The noted changes by the number of an entity.
  ///   - device: The state in the transaction.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read.
  init(_ changed: [Int: EntityChanges], _ device: StoredDevice) throws {
    self.device = device
    for (number, changes) in changed {
      if let entity = device.model[number] { try add(changes, of: entity) }
    }
    try device.transaction.readingCommitted { committed in
      for (key, row) in former where row != nil {
        guard let entity = model[key.entity],
          let record = try entity.table.record(key.id, in: committed)
        else { continue }
        former[key]??.values = entity.values(of: record)
      }
    }
    for key in former.keys { values[key] = .some(try device.storedValues(at: key)) }
  }

  private mutating func add(_ changes: EntityChanges, of entity: SyncedEntity) throws {
    var ids = Set(changes.objects.keys)
    let sources = Set(changes.changedPairs.map(\.source))
    ids.formUnion(sources)
    if changes.hasRemovedAll {
      _ = try device.forEachVersions(of: entity.uid) { key, _ in
        ids.insert(key.id)
        return true
      }
    }
    for id in ids {
      let key = ObjectKey(entity: entity.uid, id: id)
      former[key] = .some(try device.storedVersions(at: key))
      related.insert(key)
      // An object that was removed and put again has lost the pairs that led to it.
      for (_, source) in try device.storedPairs(to: key) {
        former[source] = .some(try device.storedVersions(at: source))
        related.insert(source)
      }
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
    for (key, row) in former { try device.setShownRow(row, at: key) }
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
      if refers(update.values, update.key.entity, to: made.keys) {
        late.append(operation)
      } else {
        early.append(operation)
      }
    }
    let inserted = try order.keys.map { key in
      var values = inserts[key] ?? PropertyList()
      for completion in order.completions where completion.key == key {
        for property in completion.properties { values[property] = .null }
      }
      let origin = model[key.entity]?.origin(of: key.id) ?? .assigned
      return Operation.insert(key, try targets(values, key.entity, made), origin)
    }
    let completing = try order.completions.map { completion in
      Operation.update(
        try reference(to: completion.key, made),
        try targets(
          (inserts[completion.key] ?? PropertyList())
            .filter { completion.properties.contains($0.property) },
          completion.key.entity,
          made
        )
      )
    }
    return removed + counted + early + inserted + completing + late + (try pairOperations(made))
  }

  /// The objects that the transaction inserts.
  private struct Made {
    let token: TransactionToken
    let keys: Set<ObjectKey>
  }

  private func refers(
    _ values: PropertyList<PropertyValue>,
    _ entity: EntityUID,
    to keys: Set<ObjectKey>
  ) -> Bool {
    (model[entity]?.toOnes ?? []).contains { relation in
      guard let id = values[relation.property]?.integerValue else { return false }
      return keys.contains(ObjectKey(entity: relation.target, id: UInt64(bitPattern: id)))
    }
  }

  private func changedValues(
    from old: PropertyList<PropertyValue>,
    to new: PropertyList<PropertyValue>,
    _ entity: EntityUID
  ) throws -> PropertyList<PropertyValue> {
    let counters = model.rules[entity]?.counters ?? []
    let new = counters.isEmpty ? new : new.filter { !counters.contains($0.property) }
    let changed = new.filter { old[$0.property] != $0.value }
    guard !changed.isEmpty, model.rules[entity]?.mode == .objectClock else { return changed }
    // The device cannot name a target that it does not see, and the server would empty the relation.
    return try new.filter { element in
      guard changed[element.property] == nil, let id = element.value.integerValue,
        let target = model[entity]?.toOnes.first(where: { $0.property == element.property })?.target
      else { return true }
      let key = ObjectKey(entity: target, id: UInt64(bitPattern: id))
      return try former[key] != nil || device.storedVersions(at: key) != nil
    }
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
