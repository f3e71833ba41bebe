extension Box {
  /// Passes the objects, in the order of their IDs, to a block that can stop.
  ///
  ///     var titles: [String] = []
  ///     try notes.visit { note in
  ///       titles.append(note.title)
  ///       return titles.count < 100  // false ends the visit
  ///     }
  ///
  /// - Parameters:
  ///   - writable: True to allow the block to put and remove. The whole visit is one transaction;
  ///     inside a write block, a failure undoes the visit alone.
  ///   - visitor: Receives each object; false ends the visit.
  /// - Throws: The block's errors, at once; ``ObjectBoxError`` when the store cannot be read.
  public func visit(writable: Bool = false, visitor: (E) throws -> Bool) throws {
    try store.checkOpen()
    let table = try table()
    try store.inTransaction(isWritable: writable) { transaction, _ in
      try transaction.undoing(if: writable) {
        try forEach(by: E.entityBinding, table, transaction, visitor)
      }
    }
  }

  /// Passes the objects, in the order of their IDs, to a block.
  ///
  ///     try notes.forEach(writable: true) { note in
  ///       note.title = note.title.capitalized
  ///       try notes.put(note)
  ///     }
  ///
  /// - Parameters:
  ///   - writable: True to allow the block to put and remove; the whole visit is one transaction.
  ///   - visitor: Receives each object.
  /// - Throws: The block's errors, at once; ``ObjectBoxError`` when the store cannot be read.
  public func forEach(writable: Bool = false, _ visitor: (E) throws -> Void) throws {
    try visit(writable: writable) { object in
      try visitor(object)
      return true
    }
  }

  /// Passes the objects with the given IDs to a block, in the order of `ids`.
  ///
  /// - Parameters:
  ///   - writable: True to allow the block to put and remove; the whole visit is one transaction.
  ///   - ids: IDs; the block receives nil for an ID without an object.
  ///   - visitor: Receives each object, or nil.
  /// - Throws: The block's errors, at once; ``ObjectBoxError`` when the store cannot be read.
  public func `for`<C: Collection>(
    writable: Bool = false,
    _ ids: C,
    in visitor: (E?) throws -> Void
  ) throws where C.Element == IdType {
    try visit(writable: writable, ids) { object in
      try visitor(object)
      return true
    }
  }

  /// Passes the objects with the given IDs to a block that can stop, in the order of `ids`.
  ///
  /// - Parameters:
  ///   - writable: True to allow the block to put and remove; the whole visit is one transaction.
  ///   - ids: IDs; the block receives nil for an ID without an object.
  ///   - visitor: Receives each object, or nil; false ends the visit.
  /// - Throws: The block's errors, at once; ``ObjectBoxError`` when the store cannot be read.
  public func visit<C: Collection>(
    writable: Bool = false,
    _ ids: C,
    in visitor: (E?) throws -> Bool
  ) throws where C.Element == IdType {
    guard !ids.isEmpty else { return }
    try store.checkOpen()
    try store.inTransaction(isWritable: writable) { transaction, _ in
      try transaction.undoing(if: writable) {
        for id in ids {
          guard try visitor(try object(id: id.value)) else { return }
        }
      }
    }
  }
}
