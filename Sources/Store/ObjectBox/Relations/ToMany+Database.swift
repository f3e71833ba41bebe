extension ToMany {
  // MARK: Reading

  /// Loads the objects, unless they are loaded.
  ///
  /// Access to an object also loads them, but stops the process when the store cannot be read. A
  /// relation of no stored object is empty.
  ///
  ///     try ada.notes.resolveFromDb()
  ///     for note in ada.notes { print(note.title) }  // `notes` is the backlink of `Note.author`
  ///
  /// - Throws: ``ObjectBoxError`` when the store is closed or cannot be read.
  public func resolveFromDb() throws {
    guard content == nil else { return }
    setContent(RelatedObjects(stored: canInteractWithDb ? try getUncachedFromDb() : []))
    // A host replaces the stored objects unread. A put after a rollback has to do that again.
    box?.store.relationHost?.onRollback { [weak self] in self?.unbind() }
  }

  /// Returns the stored objects by ascending ID; neither uses nor changes the loaded objects.
  ///
  /// Throws ``ObjectBoxError/cannotRelateToUnsavedEntities(message:)`` for a relation of no stored
  /// object, and other errors when the store cannot be read.
  public func getUncachedFromDb() throws -> [S] {
    let (link, box) = try bound("read")
    if let host = box.store.relationHost { return try host.relatedObjects(of: link) }
    return try box.reading { table, transaction in
      let ids = try link.ids(in: table, transaction)
      return try box.objects(by: S.entityBinding, ids, table, transaction)
    }
  }

  /// Returns the IDs of the stored objects, ascending; neither uses nor changes the loaded objects.
  ///
  /// Throws ``ObjectBoxError/cannotRelateToUnsavedEntities(message:)`` for a relation of no stored
  /// object, and other errors when the store cannot be read.
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

  /// Stores the changes, in one write transaction.
  ///
  /// A put of the host does the same: call this only when the host is not put, or when it is put
  /// through an `AsyncBox`, which does not store changes of to-many relations.
  ///
  /// New related objects are put. A backlink of a to-one relation also puts the objects whose
  /// relation changes. Without changes nothing is done. The loaded objects stay; new structs are
  /// loaded again with their IDs. A rollback restores the changes.
  ///
  ///     note.tags.append(Tag(name: "history"))
  ///     try note.tags.applyToDb()  // stores the new tag and the relation, not the note
  ///
  /// - Throws: ``ObjectBoxError``: `cannotRelateToUnsavedEntities` for a relation that belongs to
  ///   no stored object, `differentStore` for an object of another store, others as for a put. The
  ///   changes are kept then.
  public func applyToDb() throws {
    guard let content, content.hasPending, !isApplying else { return }
    isApplying = true
    defer { isApplying = false }
    let (link, box) = try bound("change")
    let (added, removed) = (content.added, content.removed)
    // Only the changes: a program may store one change after the other of a long list.
    let unloaded = hasNewStructs(content) ? content : nil
    let restore = { [weak self] () -> Void in
      if let unloaded {
        self?.restoreChanges(of: unloaded)
      } else {
        self?.restoreChanges(added: added, removed: removed)
      }
    }
    if let host = box.store.relationHost {
      try host.apply(added: added, removed: removed, to: link)
      host.onRollback(restore)
      return didStore(keepingObjects: unloaded == nil)
    }
    try box.writingUndoably { writer, state in
      guard let transaction = state.current else { return }
      for object in added where S.entityBinding.entityId(of: object) != 0 {
        try box.store.checkOwns(object)
      }
      // Registered first, so it runs last: actions run in reverse, and new objects must have lost
      // their IDs.
      transaction.onRollback(restore)
      try RelationWriting(link, box, transaction).apply(removed: removed, added: added)
      try writer.transaction.puts.run()
      didStore(keepingObjects: unloaded == nil)
    }
  }

  /// Returns whether the added objects include new structs, which get no ID when they are stored.
  private func hasNewStructs(_ content: RelatedObjects<S>) -> Bool {
    !Box<S>.isClass && content.added.contains { S.entityBinding.entityId(of: $0) == 0 }
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
  /// - Throws: ``ObjectBoxError``: `differentStore` when the relation belongs to an object of
  ///   another store, others as ``applyToDb()``.
  public func __applyChanges(in store: Store) throws {
    guard hasPendingDbChanges, canInteractWithDb, let own = box?.store else { return }
    guard own.openStore === store.openStore || own.hasSameDirectory(as: store) else {
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
