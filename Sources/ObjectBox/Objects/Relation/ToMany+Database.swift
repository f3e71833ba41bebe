extension ToMany {
  // MARK: Reading

  /// Loads the objects, unless they are loaded already.
  ///
  /// Reading an object does the same, but stops the process when the store cannot be read. A relation that
  /// belongs to no stored object is empty.
  ///
  /// - Throws: ``ObjectBoxError`` when the store is closed or cannot be read.
  public func resolveFromDb() throws {
    guard content == nil else { return }
    setContent(canInteractWithDb ? try getUncachedFromDb() : [])
  }

  /// Returns the objects as they are stored, in the order of their IDs, without regard to what is loaded.
  ///
  /// Throws ``ObjectBoxError/cannotRelateToUnsavedEntities(message:)`` for a relation that belongs to no
  /// stored object, others when the store cannot be read.
  public func getUncachedFromDb() throws -> [S] {
    let (link, box) = try bound("read")
    return try box.reading { table, transaction in
      try box.objects(try link.ids(in: table, transaction))
    }
  }

  /// Returns the IDs of the objects as they are stored, ascending, without regard to what is loaded.
  ///
  /// Throws ``ObjectBoxError/cannotRelateToUnsavedEntities(message:)`` for a relation that belongs to no
  /// stored object, others when the store cannot be read.
  public func getUncachedIdsFromDb() throws -> [S.EntityBindingType.IdType] {
    let (link, box) = try bound("read")
    return try box.reading { table, transaction in
      try link.ids(in: table, transaction).map { S.EntityBindingType.IdType($0) }
    }
  }

  private func bound(_ work: String) throws -> (RelationLink, Box<S>) {
    if let link, let box, link.host != 0 { return (link, box) }
    throw ObjectBoxError.cannotRelateToUnsavedEntities(
      message:
        "cannot \(work) a to-many relation to '\(S.entityInfo.entityName)': the object that it "
        + "belongs to was never stored; put that object first, and use the relation that it has then"
    )
  }

  // MARK: Writing

  /// Makes the changes lasting, in one write transaction.
  ///
  /// A put of the object that the relation belongs to does the same, so a program needs this only where it
  /// does not put the object. An `AsyncBox` does not store changes of to-many relations.
  ///
  /// Related objects that were never stored are put. A backlink of a to-one relation also puts the objects
  /// whose relation changes. Without changes nothing is done. The loaded objects stay; structs that were
  /// never stored are loaded anew with their IDs. After a rollback the changes are changes again.
  ///
  /// - Throws: ``ObjectBoxError``: `cannotRelateToUnsavedEntities` for a relation that belongs to no stored
  ///   object, `differentStore` for an object of another store, others as for a put. The changes are kept
  ///   then.
  public func applyToDb() throws {
    guard let content, content.hasPending, !isApplying else { return }
    isApplying = true
    defer { isApplying = false }
    let (link, box) = try bound("change")
    try box.writingUndoably { writer, state in
      guard let transaction = state.current else { return }
      let added = content.added.objects
      let removed = content.removed.objects
      for object in added where S.entityBinding.entityId(of: object) != 0 {
        try box.store.checkOwns(object)
      }
      let hasNewStructs =
        !Box<S>.isClass && added.contains { S.entityBinding.entityId(of: $0) == 0 }
      // First, since the actions run in reverse: new objects have lost their IDs by then.
      transaction.onRollback { [weak self] in
        self?.unsettle(to: content, wasReset: hasNewStructs)
      }
      switch link.kind {
      case .standalone(let id):
        let table = try RelationLink.table(id, try box.table(), transaction)
        transaction.noteChange(of: table)
        try apply(removed, added, box) { isAdded, other in
          try isAdded
            ? table.add(source: link.host, target: other, in: transaction.storage)
            : table.remove(source: link.host, target: other, in: transaction.storage)
        }
      case .reverse(let id):
        let table = try RelationLink.table(id, try box.table(), transaction)
        transaction.noteChange(of: table)
        try apply(removed, added, box) { isAdded, other in
          try isAdded
            ? table.add(source: other, target: link.host, in: transaction.storage)
            : table.remove(source: other, target: link.host, in: transaction.storage)
        }
      case .toOne(let property):
        let sources = ToOneSources(try box.table(), propertyID: property, in: transaction.storage)
        try apply(removed, added, box, property, host: link.host, sources)
      }
      try writer.transaction.puts.run()
      settle(keepingObjects: !hasNewStructs)
    }
  }

  /// Changes the entries of a standalone relation.
  private func apply(
    _ removed: [S],
    _ added: [S],
    _ box: Box<S>,
    _ change: (_ isAdded: Bool, _ other: UInt64) throws -> Void
  ) throws {
    for object in removed {
      let id = S.entityBinding.entityId(of: object)
      if id != 0 { try change(false, id) }
    }
    for object in added { try change(true, try box.idPuttingOnTheWay(object)) }
  }

  /// Changes the to-one relations of the objects, and puts them.
  private func apply(
    _ removed: [S],
    _ added: [S],
    _ box: Box<S>,
    _ property: UInt32,
    host: UInt64,
    _ sources: ToOneSources
  ) throws {
    let binding = S.entityBinding
    for object in removed {
      let id = binding.entityId(of: object)
      // Meanwhile it may have been removed, or given to another host; neither must be undone.
      if id != 0, try sources.target(of: id) != host { continue }
      binding.setToOneRelation(property, of: object, to: nil)
    }
    for object in added { binding.setToOneRelation(property, of: object, to: host) }
    for object in added { try box.putOnTheWay(object) }
    for object in removed {
      let id = binding.entityId(of: object)
      if id != 0, try sources.target(of: id) != host { continue }
      try box.putOnTheWay(object)
    }
  }
}

extension ToMany: __RelationInMemory {
  /// True; for the library itself.
  public var __isToMany: Bool { true }

  /// The store that the objects are loaded from; for the library itself.
  public var __store: Store? { box?.store }

  /// True when there are changes; for the library itself.
  public var __hasChanges: Bool { hasPendingDbChanges }

  /// Applies the changes; for the library itself.
  ///
  /// - Parameter store: The store that the object was put into.
  /// - Throws: ``ObjectBoxError``: `differentStore` when the relation belongs to an object of another
  ///   store, others as ``applyToDb()``.
  public func __applyChanges(in store: Store) throws {
    guard hasPendingDbChanges, canInteractWithDb, let own = box?.store else { return }
    guard own.core === store.core || own.isAtSamePlace(as: store) else {
      throw ObjectBoxError.differentStore(
        message:
          "cannot store the changes of a to-many relation to '\(S.entityInfo.entityName)' in the "
          + "store at '\(store.directoryPath)': its object was read from the store at "
          + "'\(own.directoryPath)'; put it there, or reset() the relation"
      )
    }
    try applyToDb()
  }
}
