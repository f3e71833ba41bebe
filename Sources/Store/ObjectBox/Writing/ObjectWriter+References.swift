internal import ObjectBoxStorage

/// Changes of references to objects that are removed or get other IDs.
///
/// For removed objects, to-one relations to them become null, and their entries in standalone relations are removed in
/// both directions.
extension ObjectWriter {
  /// Removes references to one object; its record is already removed.
  ///
  /// - Parameters:
  ///   - id: The ID of the object.
  ///   - kept: Numbers of the entities with to-one relations that do not change.
  /// - Throws: ``ObjectBoxError`` when the store is full or damaged.
  func removeReferences(to id: UInt64, keeping kept: Set<Int>) throws {
    for relation in table.links.relations {
      if relation.source == table.number {
        try relation.remove(source: id, in: transaction.storage)
      }
      if relation.target == table.number {
        try relation.remove(target: id, in: transaction.storage)
      }
    }
    for toOne in table.links.incomingToOnes where !kept.contains(toOne.source) {
      try set(toOne, to: nil, in: try sources(of: toOne).ids(referringTo: id))
    }
  }

  /// Redirects the references to an object to another one.
  ///
  /// - Parameters:
  ///   - id: The ID of the object.
  ///   - new: The ID of the other object.
  ///   - kept: Numbers of the entities that keep their references to each other.
  /// - Throws: ``ObjectBoxError`` when the store is full or damaged.
  package func redirectReferences(from id: UInt64, to new: UInt64, keeping kept: Set<Int>) throws {
    guard isLinked else { return }
    let storage = transaction.storage
    for relation in table.links.relations
    where !(kept.contains(relation.source) && kept.contains(relation.target)) {
      var pairs: [(source: UInt64, target: UInt64)] = []
      if relation.source == table.number {
        pairs += try relation.targets(of: id, in: storage).map { (id, $0) }
      }
      if relation.target == table.number {
        pairs += try relation.sources(of: id, in: storage).map { ($0, id) }
      }
      if !pairs.isEmpty { transaction.noteChange(of: relation) }
      for (source, target) in pairs {
        try relation.remove(source: source, target: target, in: storage)
        try relation.add(
          source: source == id && relation.source == table.number ? new : source,
          target: target == id && relation.target == table.number ? new : target,
          in: storage
        )
      }
    }
    for toOne in table.links.incomingToOnes where !kept.contains(toOne.source) {
      try set(toOne, to: new, in: try sources(of: toOne).ids(referringTo: id))
    }
  }

  /// Removes references to all objects of the entity; their records are already removed.
  func removeReferencesToAll() throws {
    for relation in table.links.relations {
      try relation.removeAll(in: transaction.storage)
    }
    for toOne in table.links.incomingToOnes where toOne.source != table.number {
      try set(toOne, to: nil, in: try sources(of: toOne).allIDs())
    }
  }

  private func sources(of toOne: EntityLinks.Incoming) -> ToOneSources {
    let source = transaction.file.tables[toOne.source]
    return ToOneSources(source, propertyID: toOne.propertyID, in: transaction.storage)
  }

  /// Sets the target of a to-one relation in stored objects; nil makes the relation null.
  private func set(_ toOne: EntityLinks.Incoming, to target: UInt64?, in ids: [UInt64]) throws {
    guard !ids.isEmpty else { return }
    let source = transaction.file.tables[toOne.source]
    let cursor = try transaction.writeCursor(source)
    let indexWriter = source.hasIndexes ? transaction.indexWriter(source) : nil
    for id in ids {
      guard let stored = try cursor.record(id: id) else { continue }
      let reader = try source.records.reader(stored, id: id)
      let copy = try source.records.bytes(
        of: reader,
        setting: toOne.propertyID,
        to: target
      )
      try copy.withUnsafeBytes { bytes in
        let changed = try source.records.reader(bytes, id: id)
        if transaction.notesChanges {
          let difference = RecordDifference.properties(reader, changed, of: source.schema)
          transaction.note(.updated(difference), of: id, source)
        }
        // The first write; it invalidates the stored bytes.
        try indexWriter?.update(from: stored, to: changed, in: transaction.storage)
        try cursor.put(id: id, record: bytes)
        #if OBJECTBOX_INTERNAL_CHECKS
          try indexWriter?.checkInvariants(changed, isStored: true, in: transaction.storage)
        #endif
      }
    }
  }
}
