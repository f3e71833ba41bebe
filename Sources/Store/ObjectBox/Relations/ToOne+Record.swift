extension ToOne {
  /// Returns the target ID for the record of this relation's object; nil for none.
  ///
  /// A new target gets its ID here, and is put in the same transaction.
  ///
  /// Throws ``ObjectBoxError/differentStore(message:)`` for a target of another store.
  func idForRecord(store: Store) throws -> UInt64? {
    let seen = snapshot
    if seen.isGiven, let kept = seen.object {
      try store.checkOwns(KeptTarget.target(kept, as: T.self), hint: seen.store)
    }
    if seen.store == nil { attach(to: store) }
    switch seen.state {
    case .none: return nil
    case .lazy, .stored, .unresolvable: return seen.id
    case .unstored:
      guard let kept = seen.object else { return nil }
      let object = KeptTarget.target(kept, as: T.self)
      if let host = store.relationHost {
        let id = try host.idPuttingOnTheWay(object)
        if !Box<T>.isClass { keepID(id, of: kept, store: store, host.onRollback) }
        return id
      }
      // `box(for:)` would stop the process if another thread closed the store.
      let box = Box<T>(store: store)
      let id = try box.idPuttingOnTheWay(object)
      if !box.isOfClass {
        try store.transactions.inTransaction(isWritable: true) { transaction, _ in
          keepID(id, of: kept, store: store, transaction.onRollback)
        }
      }
      return id
    }
  }

  /// Stores the ID of a new struct in the relation; a rollback makes the struct new again.
  private func keepID(
    _ id: UInt64,
    of kept: AnyObject,
    store: Store,
    _ onRollback: (@escaping () -> Void) -> Void
  ) {
    change { now in
      now.state == .unstored
        ? ToOneContent(state: .lazy, id: id, object: nil, store: now.store) : nil
    }
    onRollback { [weak self] in
      self?.change { now in
        // The relation may have been read meanwhile; a target that was set since then stays.
        guard now.id == id else { return nil }
        return ToOneContent(state: .unstored, id: 0, object: kept, store: now.store)
      }
    }
  }
}

extension ToOne: __RelationInMemory {
  /// False; for the library itself.
  public var __isToMany: Bool { false }

  /// The store that targets are loaded from; for the library itself.
  public var __store: Store? { snapshot.store }

  /// False: the object's record holds the target.
  ///
  /// For the library itself.
  public var __hasChanges: Bool { false }

  /// Does nothing: the object's record holds the target.
  ///
  /// For the library itself.
  public func __applyChanges(in store: Store) throws {}
}

extension FlatBufferBuilder {
  /// Collects the ID of the relation's target, or leaves the property null.
  ///
  /// A new target gets its ID at once, and is put later in the same transaction.
  ///
  /// - Parameters:
  ///   - value: The relation.
  ///   - slot: The slot of the property.
  ///   - store: The store that is written to.
  /// - Throws: ``ObjectBoxError`` when the target cannot get an ID.
  public func collect<T>(_ value: ToOne<T>, at slot: UInt16, store: Store) throws {
    if let id = try value.idForRecord(store: store) { collect(id, at: slot) }
  }
}

extension RecordReader {
  /// Reads a relation; the target is loaded when it is first used.
  ///
  /// Inlinable: a binding that names the type of the relation avoids the look-up of its metadata.
  @inlinable
  public func read<T>(at slot: UInt16, store: Store) -> ToOne<T> {
    ToOne(id: read(at: slot), propertyID: UInt32((slot &- 2) >> 1), store: store)
  }
}
