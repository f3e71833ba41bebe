internal import ObjectBox
internal import ObjectBoxStorage
internal import ObjectBoxSyncProtocol
internal import ObjectBoxSyncSchema

/// The changed and removed objects of a program's transaction: their operations, and the versions and bases that they
/// leave.
///
/// Everything is read before anything is written.
struct ChangedObjects {
  /// An object that is not removed.
  ///
  /// Its group of versions is passed beside it: a structure with a reference would count it.
  private struct Change {
    let key: ObjectKey
    let old: RecordReader
    let new: RecordReader
  }

  private let transaction: SyncTransaction
  private let device: StoredDevice
  private var bases: UpdatedBases
  private var versions = UpdatedVersions()
  /// The removed objects.
  private var removed: [(key: ObjectKey, group: VersionsGroup)] = []
  private let removals = ByteRoom()
  /// The differences of counters.
  private let increments = ByteRoom()
  private var incrementCount = 0
  private var updates = WrittenParts()
  /// The updates that refer to inserted objects.
  private var lateUpdates = WrittenParts()
  /// The properties without received values.
  private let unreceived: [EntityUID: Set<PropertyUID>]
  /// The rules of the present entity.
  private var rules = EntityRules()
  /// Its columns.
  private var columns: [SyncedColumn] = []
  /// The columns of bases of updates.
  private var baseColumns: [SyncedColumn] = []
  /// True if objects may have to differ from what the program has stored.
  private(set) var needsForecast = false
  /// Room for the changed properties of an object, as indexes of its columns.
  private var changed: [Int] = []

  /// - Parameters:
  ///   - transaction: The transaction, without operations.
  ///   - device: The state in the transaction.
  /// - Throws: ``ObjectBoxError`` when the table cannot be read.
  init(_ transaction: SyncTransaction, _ device: StoredDevice) throws {
    self.transaction = transaction
    self.device = device
    bases = try UpdatedBases(device)
    unreceived = try device.unreceived
  }

  /// The number of operations.
  var count: Int { removed.count + incrementCount + updates.count + lateUpdates.count }

  // MARK: Reading

  /// Adds the changed objects of an entity.
  ///
  /// - Parameters:
  ///   - part: The objects.
  ///   - groups: The versions that the objects have as indexes.
  ///   - former: The objects as they were before.
  ///   - targets: The targets of relations.
  /// - Throws: ``ObjectBoxError`` when the file cannot be read.
  mutating func add(
    _ part: WrittenObjects.Part,
    _ groups: [VersionsGroup],
    _ former: inout FormerRecords,
    _ targets: inout WrittenTargets
  ) throws {
    let records = part.entity.table.records
    var after = try AscendingRecords(records.objects, in: device.storage)
    (rules, columns) = (part.rules, part.entity.columns)
    let missing = unreceived[part.entity.uid] ?? []
    baseColumns = missing.isEmpty ? columns : columns.filter { !missing.contains($0.uid) }
    let entity = part.entity
    guard var present = part.changed.first?.group else { return }
    var group = groups[present]
    for object in part.changed {
      if object.group != present { (present, group) = (object.group, groups[object.group]) }
      let key = ObjectKey(entity: entity.uid, id: object.id)
      let old = try former.reader(id: key.id)
      guard let record = try after.record(id: key.id) else {
        try bases.add(entity, columns, old, key, group)
        remove(key, group)
        continue
      }
      let new = try records.reader(record, id: key.id)
      compare(object.properties, old, new)
      if !missing.isEmpty { leaveOutDefaults(of: missing, old, new) }
      if changed.isEmpty { continue }
      try bases.add(entity, columns, old, key, group)
      let change = Change(key: key, old: old, new: new)
      if !rules.counters.isEmpty { count(change, group) }
      if changed.isEmpty { continue }
      addVersions(change, group)
      try update(change, entity, group, &targets)
    }
    bases.endEntity()
  }

  private mutating func remove(_ key: ObjectKey, _ group: VersionsGroup) {
    removals.append(byte: StoredOperations.Kind.operation.rawValue)
    removals.append { $0.append(Operation.delete(group.reference(to: key))) }
    removed.append((key, group))
    if !versions.extend(to: key, group, nil, 0) { versions.add(nil, at: key, group, nil, 0) }
  }

  /// Writes the changed columns to `changed`.
  private mutating func compare(
    _ properties: PropertySet,
    _ old: RecordReader,
    _ new: RecordReader
  ) {
    changed.removeAll(keepingCapacity: true)
    // `contains` is generic, and would run unspecialized for each property.
    for index in columns.indices where properties.rawValue & columns[index].place.rawValue != 0 {
      let column = columns[index].column
      if !column.content(in: old).isSame(as: column.content(in: new)) { changed.append(index) }
    }
  }

  /// Takes properties without received values out of `changed`: a program reads them as their defaults, and puts these
  /// back.
  private mutating func leaveOutDefaults(
    of missing: Set<PropertyUID>,
    _ old: RecordReader,
    _ new: RecordReader
  ) {
    let defaults: [PropertyValue] = [.integer(0), .double(bits: 0), .bytes([])]
    changed = changed.filter { index in
      let column = columns[index]
      return !missing.contains(column.uid) || column.column.value(in: old) != .null
        || !defaults.contains(column.column.value(in: new))
    }
  }

  /// Writes the differences of counters, and takes these out of `changed`.
  private mutating func count(_ change: Change, _ group: VersionsGroup) {
    for index in changed where rules.counters.contains(columns[index].uid) {
      let column = columns[index]
      let before = column.column.value(in: change.old).integerValue ?? 0
      let after = column.column.value(in: change.new).integerValue
      // The protocol replaces null by 0.
      if after == nil { needsForecast = true }
      increments.append(byte: StoredOperations.Kind.operation.rawValue)
      increments.append {
        let object = group.reference(to: change.key)
        $0.append(Operation.increment(object, column.uid, by: (after ?? 0) &- before))
      }
      incrementCount += 1
    }
    changed = changed.filter { !rules.counters.contains(columns[$0].uid) }
  }

  /// Adds the versions of an object after its update.
  private mutating func addVersions(_ change: Change, _ group: VersionsGroup) {
    var precedence: Int64 = 0
    if let property = rules.precedence,
      let column = columns.first(where: { $0.uid == property })
    {
      precedence = column.column.value(in: change.new).integerValue ?? 0
    }
    if versions.extend(to: change.key, group, changed, precedence) { return }
    let stamp = Stamp(
      precedence: precedence,
      time: transaction.time,
      token: transaction.token
    )
    let before = group.versions
    var after = before
    // An earlier write may beat the update.
    switch rules.mode {
    case .arrival: after.stamp = stamp
    case .objectClock:
      if stamp <= before.stamp { needsForecast = true }
      after.stamp = stamp
    case .propertyClock:
      for property in changed.map({ columns[$0].uid }) {
        if stamp <= before.stamps[property] ?? before.stamp { needsForecast = true }
        after.stamps[property] = stamp
      }
    }
    versions.add(after, at: change.key, group, changed, precedence)
  }

  // MARK: Operations

  /// Writes the update of the changed columns.
  private mutating func update(
    _ change: Change,
    _ entity: SyncedEntity,
    _ group: VersionsGroup,
    _ targets: inout WrittenTargets
  ) throws {
    let (key, new) = (change.key, change.new)
    if rules.mode == .objectClock { try addUnchanged(change, &targets) }
    let kind: StoredOperations.Kind = rules.sendsBase ? .updatesWithBases : .updates
    let isLate =
      targets.areInserted && changed.contains { targets.leadsToInserted(columns[$0], of: new) }
    let room =
      isLate
      ? lateUpdates.begin(key, kind, entity, changed, group, base: baseColumns)
      : updates.begin(key, kind, entity, changed, group, base: baseColumns)
    for index in changed { try targets.write(columns[index], of: new, to: room) }
    guard rules.sendsBase else { return }
    for column in baseColumns { try targets.writeBase(column, of: change.old, at: key, to: room) }
  }

  /// Adds the columns to `changed` that an update of the whole object has.
  private mutating func addUnchanged(
    _ change: Change,
    _ targets: inout WrittenTargets
  ) throws {
    let isChanged = Set(changed)
    changed = try columns.indices.filter { index in
      if isChanged.contains(index) { return true }
      let column = columns[index]
      if rules.counters.contains(column.uid) { return false }
      if unreceived[change.key.entity]?.contains(column.uid) == true { return false }
      // The device cannot name a target that it does not see, and the server would empty the
      // relation.
      guard let target = column.target, let id = column.column.target(in: change.new) else {
        return true
      }
      return try targets.sees(ObjectKey(entity: target, id: id))
    }
  }

  /// Returns the operations before and after those of inserts.
  mutating func operations() -> (early: [ByteRoom], late: ByteRoom) {
    ([removals, increments, updates.ended()], lateUpdates.ended())
  }

  // MARK: Writing

  /// Stores the versions and bases, and takes pairs away with their targets.
  ///
  /// - Throws: ``ObjectBoxError`` when the file cannot be written.
  mutating func store() throws {
    try bases.store()
    try versions.store(in: device)
    var areTargets: [EntityUID: Bool] = [:]
    for (key, group) in removed {
      for pair in group.versions.pairs {
        try device.table.remove(device.source(PairEnd(pair), key), in: device.storage)
      }
      let isTarget =
        try areTargets[key.entity]
        ?? !device.table.isEmpty(SyncKey(.source, key.entity.value), in: device.storage)
      areTargets[key.entity] = isTarget
      guard isTarget else { continue }
      for (relation, source) in try device.storedPairs(to: key) {
        try device.keepBase(of: source)
        try device.removePair(PairEnd(relation, key), of: source)
      }
    }
  }
}
