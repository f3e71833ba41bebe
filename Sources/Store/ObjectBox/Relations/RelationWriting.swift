/// Changes the stored objects of a to-many relation, in an open write transaction.
package struct RelationWriting<S>
where S: EntityInspectable & __EntityRelatable, S == S.EntityBindingType.EntityType {
  private let link: RelationLink
  private let box: Box<S>
  private let transaction: Transaction
  private let reader: RelationReader

  /// Makes the writer of a stored object's relation; throws when the model lacks the relation.
  package init(_ link: RelationLink, _ box: Box<S>, _ transaction: Transaction) throws {
    self.link = link
    self.box = box
    self.transaction = transaction
    reader = try RelationReader(link.end, try box.table(), in: transaction)
  }

  // MARK: Single objects

  /// Adds or removes a stored object; false when nothing changes.
  ///
  /// For a backlink of a to-one relation, puts the object with its to-one relation changed.
  package func set(_ isRelated: Bool, _ id: UInt64) throws -> Bool {
    switch reader.source {
    case .entries(let entries, let isBacklink):
      let (source, target) = pair(id, isBacklink)
      let isEntry = try entries.contains(source: source, target: target, in: transaction.storage)
      if isEntry == isRelated { return false }
      transaction.noteChange(of: entries)
      try write(isRelated, id, entries, isBacklink)
    case .sources(let sources), .targets(let sources):
      guard let target = try sources.target(of: id), (target == link.host) != isRelated,
        let object = try box.object(id: id)
      else { return false }
      setToOne(of: object, to: isRelated ? link.host : nil)
      try box.put(object, mode: .update)
    }
    return true
  }

  /// Adds an object, puts it if it is new, and returns its ID.
  package func add(_ object: S) throws -> UInt64 {
    let id = try box.idStoring(object) { setToOne(of: object, to: link.host) }
    _ = try set(true, id)
    return id
  }

  /// Removes an object; false when the relation does not contain it.
  package func remove(_ object: S) throws -> Bool {
    let id = S.entityBinding.entityId(of: object)
    guard try set(false, id) else { return false }
    setToOne(of: object, to: nil)
    return true
  }

  /// Removes all objects except those with the given IDs.
  package func removeAll(except kept: Set<UInt64> = []) throws {
    for id in try reader.ids(of: link.host) where !kept.contains(id) {
      _ = try set(false, id)
    }
  }

  // MARK: Changes in memory

  /// Stores the changes of a relation in memory; queues puts of new objects in the same
  /// transaction.
  func apply(removed: [S], added: [S]) throws {
    switch reader.source {
    case .entries(let entries, let isBacklink):
      transaction.noteChange(of: entries)
      for object in removed {
        let id = S.entityBinding.entityId(of: object)
        if id != 0 { try write(false, id, entries, isBacklink) }
      }
      for object in added {
        try write(true, try box.idPuttingOnTheWay(object), entries, isBacklink)
      }
    case .sources(let sources), .targets(let sources):
      // An object that was meanwhile removed or given to another host stays as it is.
      func isRelated(_ object: S) throws -> Bool {
        let id = S.entityBinding.entityId(of: object)
        return try id == 0 || sources.target(of: id) == link.host
      }
      for object in removed where try isRelated(object) { setToOne(of: object, to: nil) }
      for object in added { setToOne(of: object, to: link.host) }
      for object in added { try box.putOnTheWay(object) }
      for object in removed where try isRelated(object) { try box.putOnTheWay(object) }
    }
  }

  private func pair(_ id: UInt64, _ isBacklink: Bool) -> (source: UInt64, target: UInt64) {
    isBacklink ? (id, link.host) : (link.host, id)
  }

  /// Adds or removes an entry of a standalone relation, if needed.
  private func write(
    _ isRelated: Bool,
    _ id: UInt64,
    _ entries: RelationTable,
    _ isBacklink: Bool
  ) throws {
    let (source, target) = pair(id, isBacklink)
    transaction.notePair(source, target, of: entries)
    if isRelated {
      try entries.add(source: source, target: target, in: transaction.storage)
    } else {
      try entries.remove(source: source, target: target, in: transaction.storage)
    }
  }

  /// Also sets the to-one relation in memory, so that a later put of the instance stores the same.
  private func setToOne(of object: S, to host: UInt64?) {
    guard case .toOneBacklink(let property) = link.end else { return }
    S.entityBinding.setToOneRelation(property, of: object, to: host)
  }
}

extension Box {
  /// Returns the ID of an object; puts the object if it is new, after `prepare` has changed it.
  ///
  /// Throws ``ObjectBoxError``: `differentStore` for an object of another store, others as for a
  /// put.
  package func idStoring(_ object: E, prepare: () -> Void = {}) throws -> UInt64 {
    let known = knownID(of: object)
    if known != 0 { try store.checkOwns(object) }
    let isStored = try known != 0 && contains(id: known)
    prepare()
    return try isStored ? known : put(object).value
  }
}
