extension Box {
  // MARK: One object

  /// Stores a struct, or changes the stored one, and writes a new ID back.
  ///
  ///     var bookmark = Bookmark(id: 0, address: "https://example.org")
  ///     try bookmarks.put(&bookmark)
  ///     print(bookmark.id != 0)  // true
  ///
  /// - Parameters:
  ///   - entity: An object. With ID 0 it is new and gets the next ID, and keeps this ID if the surrounding transaction
  ///     is rolled back.
  ///   - mode: Whether the object must or must not exist.
  /// - Returns: The object's ID.
  /// - Throws: ``ObjectBoxError``: `uniqueViolation`, `constraintViolated` when a relation forbids the removal of an
  ///   object that has the same unique value, `illegalArgument` for an ID that the store never assigned, `unknown` with
  ///   code 10210 or 10211 when the mode forbids the put, `dbFull`, `cannotWriteWhileReading`, `illegalState` when the
  ///   store is closed or read-only.
  @discardableResult
  public func put(_ entity: inout E, mode: PutMode = .put) throws -> IdType {
    let id = try putOne(entity, mode: mode)
    if isOfClass {
      E.entityBinding.setEntityIdUnlessStruct(of: entity, to: id)
    } else {
      E.entityBinding.setStructEntityId(of: &entity, to: id)
    }
    return IdType(id)
  }

  /// Stores an object, or changes the stored one; an instance of a class gets its new ID.
  ///
  /// Also stores new targets of its relations, and the changes of its to-many relations; see
  /// `ToMany`.
  ///
  ///     let note = Note(title: "Milk")
  ///     try notes.put(note)  // inserts it, and sets `note.id`
  ///     note.stars = 5
  ///     try notes.put(note)  // updates it
  ///
  /// - Parameters:
  ///   - entity: An object; with ID 0 it is new and gets the next ID.
  ///   - mode: Whether the object must or must not exist.
  /// - Returns: The object's ID.
  /// - Throws: ``ObjectBoxError`` like ``put(_:mode:)-(E,_)``.
  @discardableResult
  public func put(_ entity: E, mode: PutMode = .put) throws -> IdType {
    let id = try putOne(entity, mode: mode)
    E.entityBinding.setEntityIdUnlessStruct(of: entity, to: id)
    return IdType(id)
  }

  // MARK: Many objects

  /// Stores objects in one transaction; all or none.
  ///
  ///     try notes.put(lines.map { Note(title: $0) })
  ///
  /// - Parameters:
  ///   - entities: Objects; instances of classes get their new IDs. May be empty.
  ///   - mode: Whether the objects must or must not exist.
  /// - Throws: ``ObjectBoxError`` as for a single object.
  public func put<C: Collection>(_ entities: C, mode: PutMode = .put) throws
  where C.Element == E {
    try putEach(entities, mode: mode) { _ in }
  }

  /// Stores objects in one transaction; all or none.
  ///
  /// - Parameters:
  ///   - entities: Objects; instances of classes get their new IDs.
  ///   - mode: Whether the objects must or must not exist.
  /// - Throws: ``ObjectBoxError`` as for a single object.
  public func put(_ entities: [E], mode: PutMode = .put) throws {
    try putEach(entities, mode: mode) { _ in }
  }

  /// Stores objects in one transaction; all or none.
  ///
  /// - Parameters:
  ///   - entities: Objects; instances of classes get their new IDs.
  ///   - mode: Whether the objects must or must not exist.
  /// - Throws: ``ObjectBoxError`` as for a single object.
  public func put(_ entities: ContiguousArray<E>, mode: PutMode = .put) throws {
    try putEach(entities, mode: mode) { _ in }
  }

  /// Stores objects in one transaction; all or none.
  ///
  /// - Parameters:
  ///   - entities: Objects; instances of classes get their new IDs.
  ///   - mode: Whether the objects must or must not exist.
  /// - Throws: ``ObjectBoxError`` as for a single object.
  public func put(_ entities: E..., mode: PutMode = .put) throws {
    try putEach(entities, mode: mode) { _ in }
  }

  /// Stores structs in one transaction, all or none, and writes new IDs back.
  ///
  /// - Parameters:
  ///   - entities: Objects; new structs have their IDs afterwards.
  ///   - mode: Whether the objects must or must not exist.
  /// - Throws: ``ObjectBoxError`` as for a single object.
  public func put(_ entities: inout [E], mode: PutMode = .put) throws {
    guard !entities.isEmpty else { return }
    var ids: [UInt64] = []
    ids.reserveCapacity(entities.count)
    try putEach(entities, mode: mode) { ids.append($0) }
    if !isOfClass { Self.setIDs(of: &entities, to: ids, E.entityBinding) }
  }

  /// Stores objects in one transaction, all or none, and returns their IDs.
  ///
  ///     let ids = try bookmarks.putAndReturnIDs([
  ///       Bookmark(id: 0, address: "https://example.org"),
  ///       Bookmark(id: 0, address: "https://example.com"),
  ///     ])
  ///
  /// - Parameters:
  ///   - entities: Objects; instances of classes get their new IDs.
  ///   - mode: Whether the objects must or must not exist.
  /// - Returns: The IDs, in the order of the objects.
  /// - Throws: ``ObjectBoxError`` as for a single object.
  @discardableResult
  public func putAndReturnIDs<C: Collection>(
    _ entities: C,
    mode: PutMode = .put
  ) throws -> [IdType] where C.Element == E {
    var ids: [IdType] = []
    ids.reserveCapacity(entities.count)
    try putEach(entities, mode: mode) { ids.append(IdType($0)) }
    return ids
  }

  /// Stores objects in one transaction, all or none, and returns their IDs.
  ///
  /// - Parameters:
  ///   - entities: Objects; instances of classes get their new IDs.
  ///   - mode: Whether the objects must or must not exist.
  /// - Returns: The IDs, in the order of the objects.
  /// - Throws: ``ObjectBoxError`` as for a single object.
  @discardableResult
  public func putAndReturnIDs(_ entities: E..., mode: PutMode = .put) throws -> [IdType] {
    try putAndReturnIDs(entities, mode: mode)
  }

  // MARK: How

  private func putEach<C: Collection>(
    _ entities: C,
    mode: PutMode,
    _ done: (UInt64) -> Void
  ) throws where C.Element == E {
    guard !entities.isEmpty else { return }
    let new = NewInstances()
    try putting(mode, isAlone: entities.count == 1, new) { context in
      do {
        // Iterating an existential costs more than the loop body.
        let isDone: Void? = try entities.withContiguousStorageIfAvailable {
          try putAll($0, E.entityBinding, context, done)
        }
        if isDone == nil { for entity in entities { try putAll(entity, context, done) } }
      } catch {
        // Before the undo actions of relations, which recognise new objects by ID 0.
        Self.takeIDsBack(new, of: entities)
        throw error
      }
      let transaction = context.writer.transaction
      if isOfClass, new.isAny, transaction.takesIDsBack || transaction.depth == 1 {
        transaction.onRollback { Self.takeIDsBack(new, of: entities) }
      }
    }
  }

  /// Resets the IDs of the instances that had none.
  private static func takeIDsBack<C: Collection>(_ new: NewInstances, of entities: C)
  where C.Element == E {
    var rest = entities[...]
    for (count, isNew) in new.runs {
      for entity in rest.prefix(count) where isNew {
        E.entityBinding.setEntityIdUnlessStruct(of: entity, to: 0)
      }
      rest = rest.dropFirst(count)
    }
  }

  private func putOne(_ entity: E, mode: PutMode) throws -> UInt64 {
    if store.openStore.groupCommitQueue.isWorthwhile,
      let id = try putGathered(entity, mode: mode)
    {
      return id
    }
    var id: UInt64 = 0
    try putting(mode, isAlone: true, nil) { context in
      try putAll(entity, context) { id = $0 }
    }
    return id
  }

  /// Runs a body that puts objects in one write transaction.
  private func putting(
    _ mode: PutMode,
    isAlone: Bool,
    _ new: NewInstances?,
    _ body: (PutContext) throws -> Void
  ) throws {
    try writingUndoably(if: !isAlone) { writer, state in
      try state.withBuilder(writer.layout) { builder in
        try body(
          PutContext(
            mode: mode,
            writer: writer,
            builder: builder,
            isAlone: isAlone,
            new: new
          )
        )
      }
    }
  }

  private func putAll(
    _ entity: E,
    _ context: PutContext,
    _ done: (UInt64) -> Void
  ) throws {
    try withUnsafePointer(to: entity) {
      try putAll(UnsafeBufferPointer(start: $0, count: 1), E.entityBinding, context, done)
    }
  }

  /// Stores objects in the open transaction, and passes the ID of each to `done`.
  ///
  /// Sets an ID after `postPut`, which recognises a new object by ID 0.
  ///
  /// Generic over the binding's type so that its calls are direct. Through `E.entityBinding` each
  /// call would look up a conformance; inlining would restore that.
  @inline(never)
  private func putAll<B: EntityBinding>(
    _ entities: UnsafeBufferPointer<E>,
    _ binding: B,
    _ context: PutContext,
    _ done: (UInt64) -> Void
  ) throws where B.EntityType == E {
    let (writer, builder, mode) = (context.writer, context.builder, context.mode)
    let transaction = writer.transaction
    let store = store
    let isLinked = writer.isLinked
    let setsIDs = context.new != nil
    let takesIDsBack = transaction.takesIDsBack
    var run = (count: 0, isNew: false)
    defer { context.new?.add(run) }
    for index in entities.indices {
      let entity = entities[index]
      let id: UInt64
      let isNew: Bool
      if isLinked {
        isNew = binding.entityId(of: entity) == 0
        id = try putLinked(entity, context)
      } else {
        let given = binding.entityId(of: entity)
        isNew = given == 0
        id = try writer.chooseID(given: given, mode: mode)
        let record = try binding.record(of: entity, id: id, in: builder, writer.table.schema, store)
        try writer.put(record, id: id, isNew: isNew, mode: mode)
        // A binding can collect a relation that the schema lacks.
        try transaction.runQueuedPuts()
        try binding.postPut(fromEntity: entity, id: id, store: store)
      }
      if isNew != run.isNew {
        context.new?.add(run)
        run = (0, isNew)
      }
      run.count &+= 1
      if setsIDs {
        if isNew { binding.setEntityIdUnlessStruct(of: entity, to: id) }
      } else if takesIDsBack {
        noteNewID(of: entity, binding, transaction)
      }
      done(id)
    }
  }

  /// Registers the reset of a new instance's ID on rollback.
  func noteNewID<B: EntityBinding>(
    of entity: E,
    _ binding: B,
    _ transaction: Transaction
  ) where B.EntityType == E {
    guard isOfClass, binding.entityId(of: entity) == 0 else { return }
    transaction.onRollback { binding.setEntityIdUnlessStruct(of: entity, to: 0) }
  }

  /// Sets the IDs of structs; generic over the binding's type, like `putAll`.
  @inline(never)
  private static func setIDs<B: EntityBinding>(
    of entities: inout [E],
    to ids: [UInt64],
    _ binding: B
  ) where B.EntityType == E {
    entities.withUnsafeMutableBufferPointer { buffer in
      for index in ids.indices { binding.setStructEntityId(of: &buffer[index], to: ids[index]) }
    }
  }

  // MARK: Objects with relations

  /// Stores one object of an entity with relations, and the new objects that it refers to.
  ///
  /// Returns its ID, which is not written back yet.
  private func putLinked(_ entity: E, _ context: PutContext) throws -> UInt64 {
    let binding = E.entityBinding
    let (writer, mode) = (context.writer, context.mode)
    let transaction = writer.transaction
    let puts = transaction.puts
    let given = binding.entityId(of: entity)
    let mark = transaction.failure.undoesOperations ? transaction.mark : nil
    do {
      // An outer put may have begun with this object.
      let (id, isKnown) = try puts.id(of: entity, given: given, isOfClass: isOfClass) {
        try writer.chooseID(given: given, mode: mode)
      }
      let table = writer.table
      let record = try binding.record(of: entity, id: id, in: context.builder, table.schema, store)
      let isNew = given == 0 && !isKnown
      let mode = isKnown ? .put : mode
      // The put may store more than one record, so a failure must undo all of it.
      let isUndone =
        mark != nil && context.isAlone && (puts.isWaiting || hasRelationChanges(entity, table))
      try transaction.undoing(from: mark, if: isUndone) {
        if isUndone {
          try ObjectWriter(table, in: transaction).put(record, id: id, isNew: isNew, mode: mode)
        } else {
          try writer.put(record, id: id, isNew: isNew, mode: mode)
        }
        try puts.run()
        try binding.postPut(fromEntity: entity, id: id, store: store)
        // The binding itself applies the relation changes of new objects.
        if binding.entityId(of: entity) != 0 { try applyRelationChanges(of: entity, table) }
      }
      if given == 0 { forget(entity, puts) }
      return id
    } catch {
      if let mark { transaction.restore(mark) } else { puts.clear() }
      throw error
    }
  }
}

/// Values that all puts of one call share.
private struct PutContext {
  let mode: PutMode
  let writer: ObjectWriter
  let builder: FlatBufferBuilder
  /// False for a step of an operation that can be undone alone.
  let isAlone: Bool
  /// Collects the instances of classes that get their IDs at once; nil when the caller sets the ID
  /// after the commit.
  let new: NewInstances?
}

/// The new objects of a put of several, so that their IDs can be reset.
///
/// Stored as runs: nearly all puts have one run.
private final class NewInstances {
  private(set) var runs: [(count: Int, isNew: Bool)] = []

  var isAny: Bool { runs.contains { $0.isNew } }

  func add(_ run: (count: Int, isNew: Bool)) {
    if run.count > 0 { runs.append(run) }
  }
}
