internal import ObjectBox
internal import ObjectBoxSyncProtocol
internal import ObjectBoxSyncSchema

/// The objects and pairs that a program's transaction has changed.
struct WrittenObjects {
  /// The changes of one entity.
  struct Part {
    let entity: SyncedEntity
    let rules: EntityRules
    /// The IDs of the objects without versions, as ranges in ascending order.
    fileprivate(set) var inserted: [ClosedRange<UInt64>] = []
    /// The changed and removed objects with versions, by ascending ID.
    fileprivate(set) var changed: [Changed] = []
    /// True if an object may have been removed and put again.
    fileprivate(set) var mayHaveReplaced = false
    /// The pairs that may have changed.
    let pairs: Set<ChangedPair>
  }

  /// A changed or removed object.
  struct Changed {
    let id: UInt64
    /// The properties that may differ; all for an object that was removed and put again.
    let properties: PropertySet
    /// The versions before the transaction, as an index of ``WrittenObjects/groups``.
    let group: Int
  }

  /// The parts by ascending UIDs of their entities.
  private(set) var parts: [Part] = []
  /// The versions of the changed objects before the transaction.
  private(set) var groups: [VersionsGroup] = []
  /// Stored objects without versions, which the transaction inserts for the server: they were stored before their
  /// entity was synchronized, or without synchronization.
  private(set) var earlier: Set<ObjectKey> = []
  /// False if the table may have bases of inserted objects, since others had their IDs.
  private(set) var areInsertsFree = true

  /// Finds the changes.
  ///
  /// - Parameters:
  ///   - changed: The noted changes by the number of an entity.
  ///   - device: The state in the transaction.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read.
  init(_ changed: [Int: EntityChanges], _ device: StoredDevice) throws {
    let noted = changed.mapValues(\.objectsByID)
    let others = try Self.unnoted(changed, noted, device)
    var search = VersionsSearch(device)
    for entity in device.model.ordered {
      let changes = changed[entity.table.number] ?? EntityChanges()
      let others = others[entity.uid] ?? [:]
      guard !changes.isEmpty || !others.isEmpty, let rules = device.model.rules[entity.uid] else {
        continue
      }
      var objects = noted[entity.table.number] ?? []
      if !others.isEmpty {
        let all = others.merging(objects.map { ($0.id, $0.change) }) { $1 }
        objects = all.map { (id: $0, change: $1) }.sorted { $0.id < $1.id }
      }
      var part = Part(entity: entity, rules: rules, pairs: changes.changedPairs)
      try add(objects, to: &part, device, &search)
      parts.append(part)
    }
    groups = search.groups
  }

  /// True if objects with versions have changed.
  var hasChanged: Bool { parts.contains { !$0.changed.isEmpty } }

  /// Returns whether an object is among the inserted ones, by binary search.
  func inserts(_ key: ObjectKey) -> Bool {
    guard let part = parts.first(where: { $0.entity.uid == key.entity }) else { return false }
    let place = part.inserted.place { $0.upperBound < key.id }
    return place < part.inserted.count && part.inserted[place].contains(key.id)
  }

  // MARK: Reading

  /// Returns the changes that the transaction has not noted one by one.
  ///
  /// A pair and a to-one relation need objects that the server knows or will know. So the sources of changed pairs and
  /// the targets of new and changed objects count as changed too, if they are not queued yet.
  private static func unnoted(
    _ changed: [Int: EntityChanges],
    _ noted: [Int: [(id: UInt64, change: EntityChanges.Change)]],
    _ device: StoredDevice
  ) throws -> [EntityUID: [UInt64: EntityChanges.Change]] {
    var others: [EntityUID: [UInt64: EntityChanges.Change]] = [:]
    var open: [ObjectKey] = []
    let hasEarlier = !device.unadopted.isEmpty
    func isNoted(_ id: UInt64, _ number: Int) -> Bool {
      let objects = noted[number] ?? []
      let place = objects.place { $0.id < id }
      return place < objects.count && objects[place].id == id
    }
    for (number, changes) in changed {
      guard let entity = device.model[number]?.uid else { continue }
      if changes.hasRemovedAll {
        _ = try device.forEachVersions(of: entity) { key, _ in
          others[entity, default: [:]][key.id] = .removed
          return true
        }
      }
      if hasEarlier {
        open += (noted[number] ?? []).map { ObjectKey(entity: entity, id: $0.id) }
      }
      for source in Set(changes.changedPairs.map(\.source)) where !isNoted(source, number) {
        let key = ObjectKey(entity: entity, id: source)
        guard try device.storedOrigin(at: key) == nil else { continue }
        others[entity, default: [:]][source] = .updated(.all)
        open.append(key)
      }
    }
    guard hasEarlier else { return others }
    while let key = open.popLast() {
      guard let entity = device.model[key.entity],
        let record = try entity.table.record(key.id, in: device.storage)
      else { continue }
      for column in entity.columns {
        guard let target = column.target, let id = column.column.target(in: record),
          let number = device.model[target]?.table.number, !isNoted(id, number),
          others[target]?[id] == nil
        else { continue }
        let key = ObjectKey(entity: target, id: id)
        guard try device.storedOrigin(at: key) == nil else { continue }
        others[target, default: [:]][id] = .updated(.all)
        open.append(key)
      }
    }
    return others
  }

  /// Adds the changes of an entity by ascending ID.
  private mutating func add(
    _ objects: [(id: UInt64, change: EntityChanges.Change)],
    to part: inout Part,
    _ device: StoredDevice,
    _ search: inout VersionsSearch
  ) throws {
    var next = 0
    while next < objects.count {
      let (id, change) = objects[next]
      next += 1
      switch change {
      case .updated(let properties):
        try add(id, properties, isNew: false, to: &part, device, &search)
      case .removed: try add(id, [], isNew: false, to: &part, device, &search)
      case .inserted:
        var last = id
        // By its case: `==` of another module's type is generic, and runs unspecialized.
        while next < objects.count, objects[next].id == last + 1,
          case .inserted = objects[next].change
        {
          (next, last) = (next + 1, last + 1)
        }
        if try device.isFree(id...last, of: part.entity.uid) {
          part.inserted.append(id...last)
        } else {
          areInsertsFree = false
          for id in id...last { try add(id, .all, isNew: true, to: &part, device, &search) }
        }
      }
    }
  }

  private mutating func add(
    _ id: UInt64,
    _ properties: PropertySet,
    isNew: Bool,
    to part: inout Part,
    _ device: StoredDevice,
    _ search: inout VersionsSearch
  ) throws {
    let key = ObjectKey(entity: part.entity.uid, id: id)
    if let group = try search.group(of: key) {
      part.changed.append(Changed(id: id, properties: properties, group: group))
      if properties.rawValue == PropertySet.all.rawValue { part.mayHaveReplaced = true }
    } else if try device.isStored(key) {
      part.inserted.append(id...id)
      if !isNew { earlier.insert(key) }
    }
  }
}
