internal import ObjectBox
internal import ObjectBoxStorage
internal import ObjectBoxSyncProtocol
internal import ObjectBoxSyncSchema

extension StoredDevice {
  /// Writes the changed rows to the objects of the store, and writes the state.
  ///
  /// It checks neither unique values nor delete rules, since the server has decided. To-one relations may lead to
  /// objects that the device does not see.
  ///
  /// - Throws: ``ObjectBoxError`` when the store is full or damaged.
  func flush() throws {
    try redirectReferences()
    try write(changes.keys.sorted())
    try relateInsertions()
    try flushState()
  }

  /// The number of changed rows that ``releaseRows()`` writes at once.
  private static let heldRows = 10_000

  /// Writes the changed rows and drops them from memory, once there are many.
  ///
  /// Some rows stay in memory: rows that waiting transactions had changed, since these are repeated; rows with unique
  /// values while transactions wait, since the values are looked up in memory; and removals, since the object may come
  /// again, and references of entities that are not synchronized must survive that.
  func releaseRows() throws {
    guard changes.count >= keptCount + Self.heldRows else { return }
    let isWaiting = waitingCount > 0
    let keys = changes.compactMap { key, row in
      guard row != nil, !unwound.contains(key) else { return nil as ObjectKey? }
      let hasUniques = model.rules[key.entity]?.uniques.isEmpty == false
      return isWaiting && hasUniques ? nil : key
    }
    try write(keys.sorted())
    try relateInsertions()
    forgetChanges(of: keys)
  }

  /// Writes the versions of changed rows and drops the rows from memory; their objects must be stored with these
  /// values.
  ///
  /// Unique values of these rows are found by the indexes of the store.
  ///
  /// - Throws: ``ObjectBoxError`` when the store is full or damaged.
  func releaseStoredRows() throws {
    let keys = changes.keys.sorted()
    try write(keys)
    forgetChanges(of: keys)
  }

  /// Writes the changed rows with some keys, which must be in ascending order.
  private func write(_ keys: [ObjectKey]) throws {
    let former = try Dictionary(
      uniqueKeysWithValues: keys.map { key in
        if let change = programChanges[key] { return (key, change.versions) }
        return (key, try storedVersions(at: key))
      }
    )
    // Removals first, since new holders may get their unique values.
    for key in keys where changes[key] == .some(nil) { try remove(key, former[key] ?? nil) }
    var inserted: [ObjectKey] = []
    for key in keys {
      guard let row = changes[key] ?? nil, let entity = model[key.entity] else { continue }
      if try put(row, at: key, entity) { inserted.append(key) }
      try putVersions(row, former[key] ?? nil, at: key)
    }
    // Last, since pairs lead from one object to another.
    for key in keys { try relate(key, former[key] ?? nil) }
    for key in inserted { try relateSources(of: key) }
  }

  /// Updates references of entities that are not synchronized to objects with new IDs.
  private func redirectReferences() throws {
    for (from, to) in renames where try shownRow(at: to) != nil {
      guard let entity = model[from.entity] else { continue }
      try ObjectWriter(entity.table, in: transaction)
        .redirectReferences(from: from.id, to: to.id, keeping: model.numbers)
    }
  }

  private func remove(_ key: ObjectKey, _ former: Row?) throws {
    guard let entity = model[key.entity] else { return }
    if try entity.table.contains(key.id, in: storage) {
      // References of synchronized objects change with their own rows.
      _ = try ObjectWriter(entity.table, in: transaction)
        .removeAlone(id: key.id, keepingReferencesOf: model.numbers)
    }
    guard let former else { return }
    try setVersions(nil, at: key)
    for pair in former.pairs { try table.remove(source(pair, key), in: storage) }
  }

  /// Writes a record if its values differ; returns true if the object is new.
  private func put(_ row: Row, at key: ObjectKey, _ entity: SyncedEntity) throws -> Bool {
    if let values = programChanges[key]?.values, values == row.values { return false }
    let records = entity.table.records
    let stored = try entity.table.record(key.id, in: storage)
    if let stored {
      let isSame = entity.columns.allSatisfy { column in
        guard let value = row.values[column.uid] else { return true }
        return value == column.column.value(in: stored)
      }
      if isSame { return false }
      try records.check(stored)
    }
    let writer = try ObjectWriter(entity.table, in: transaction)
    let builder = FlatBufferBuilder(layout: writer.layout)
    let record = try builder.record(of: entity.table.schema, id: key.id, keeping: stored) { set in
      for property in entity.properties {
        guard let value = row.values[property.uid] else { continue }
        guard property.schema.set(syncValue: value, set) else {
          throw ObjectBoxError.illegalState(
            message:
              "the server has a value of another type for '\(entity.table.name).\(property.schema.name)' of "
              + "the object with ID \(key.id); give program and server the same model"
          )
        }
      }
    }
    try writer.put(
      record,
      id: key.id,
      isNew: key.id > entity.table.highestID,
      mode: .put,
      checksUnique: false
    )
    entity.table.raise(to: key.id)
    return stored == nil
  }

  private func putVersions(_ row: Row, _ former: Row?, at key: ObjectKey) throws {
    let versions = row.versions
    guard versions != former else { return }
    try setVersions(versions, at: key)
    guard former?.pairs ?? [] != row.pairs else { return }
    let (old, new) = (Set(former?.pairs ?? []), Set(row.pairs))
    // By key, since a pair with another dot has the same key.
    for pair in old.subtracting(new) { try table.remove(source(pair, key), in: storage) }
    for pair in new.subtracting(old) { try table.add(source(pair, key), in: storage) }
  }

  // MARK: Pairs

  /// Adds the pairs of objects that were inserted at once, and ends their insertion.
  private func relateInsertions() throws {
    let done = insertions
    insertions = [:]
    for (entity, insertion) in done {
      // Changed objects already have their pairs.
      for (key, pairs) in insertion.related where changes[key] == nil {
        for pair in pairs { try setRelated(true, key, Link(pair)) }
      }
      if try table.isEmpty(SyncKey(.source, entity.value), in: storage) { continue }
      for key in insertion.targets { try relateSources(of: key) }
    }
  }

  /// The key of a pair by its target.
  func source(_ pair: Pair, _ source: ObjectKey) -> SyncKey {
    self.source(pair.relation, pair.target, source)
  }

  /// The key of a pair by its target.
  func source(_ relation: PropertyUID, _ target: ObjectKey, _ source: ObjectKey) -> SyncKey {
    var key = SyncKey(.source, target)
    key.append(relation.value)
    key.append(source)
    return key
  }

  /// Adds and removes the pairs of a changed object whose targets are stored.
  private func relate(_ key: ObjectKey, _ former: Row?) throws {
    let row = changes[key] ?? nil
    guard !(row?.pairs ?? []).isEmpty || !(former?.pairs ?? []).isEmpty else { return }
    let pairs = Set(row?.pairs.map { Link($0) } ?? [])
    for link in Set(former?.pairs.map { Link($0) } ?? []).subtracting(pairs) {
      try setRelated(false, key, link)
    }
    for link in pairs { try setRelated(true, key, link) }
  }

  /// Adds the pairs that lead to an object that was not stored before.
  private func relateSources(of target: ObjectKey) throws {
    for pair in try storedPairs(to: target) {
      try setRelated(true, pair.source, Link(relation: pair.relation, target: target))
    }
  }

  private struct Link: Hashable {
    let relation: PropertyUID
    let target: ObjectKey

    init(relation: PropertyUID, target: ObjectKey) {
      self.relation = relation
      self.target = target
    }

    init(_ pair: Pair) { self.init(relation: pair.relation, target: pair.target) }
  }

  private func setRelated(_ isRelated: Bool, _ source: ObjectKey, _ link: Link) throws {
    guard let relation = model.relation(link.relation, of: source.entity),
      let target = model[link.target.entity], let entity = model[source.entity]
    else { return }
    let (from, to) = (source.id, link.target.id)
    let areStored =
      try entity.table.contains(from, in: storage) && target.table.contains(to, in: storage)
    guard isRelated == false || areStored,
      try relation.table.contains(source: from, target: to, in: storage) != isRelated
    else { return }
    transaction.noteChange(of: relation.table)
    transaction.notePair(from, to, of: relation.table)
    if isRelated {
      try relation.table.add(source: from, target: to, in: storage)
    } else {
      try relation.table.remove(source: from, target: to, in: storage)
    }
  }
}
