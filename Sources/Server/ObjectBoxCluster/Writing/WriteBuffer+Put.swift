internal import ObjectBox

/// A put of objects of a class without relations, with the objects that got IDs.
private final class NewObjects<E>
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  /// All objects of the put.
  let objects: [E]
  /// The indices of the objects that got an ID.
  var places: [Int] = []

  init(_ objects: [E]) {
    self.objects = objects
  }

  /// Resets their IDs.
  func takeBackIDs() {
    for place in places { E.entityBinding.setEntityIdUnlessStruct(of: objects[place], to: 0) }
  }
}

/// The put of an object that another object refers to.
private struct RelatedPut<E>: QueuedPut
where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
  let buffer: WriteBuffer
  let object: E
  let id: UInt64
  let isNew: Bool
  let table: WriteTable
  let encoding: RecordEncoding<E>

  func store() throws {
    let row = try encoding.row(of: object, id: id, store: buffer.cluster.shape)
    try buffer.add(row, of: table.entityID, isNew: isNew, mode: .put)
  }

  func finish() throws { try buffer.finish(object, table, encoding, id: id) }
}

extension WriteBuffer {
  /// Puts objects, and new objects in their relations.
  ///
  /// - Parameters:
  ///   - objects: Objects of one entity.
  ///   - mode: Whether the objects must or must not exist.
  /// - Returns: Their IDs, in the same order; instances of classes have the IDs afterwards.
  /// - Throws: `ObjectBoxError` for objects that cannot be put: nothing has changed then. Errors of
  ///   the server when IDs are reserved, which takes at most one round trip.
  func put<E>(_ objects: some Collection<E>, mode: PutMode) async throws -> [UInt64]
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    guard !objects.isEmpty else { return [] }
    let table = try table(E.entityInfo.entitySchemaId, name: E.entityInfo.entityName)
    let binding = E.entityBinding
    let objects = Array(objects)
    if table.replaces || table.isLinked, mode != .insert, let pending = rows[table.entityID],
      objects.contains(where: { pending.row(of: binding.entityId(of: $0)) != nil })
    {
      // The earlier put of an object may replace others, and its relations may be replaced by this put.
      try seal()
    }
    if mode != .update, objects.count > 1 {
      var count = 0
      for object in objects where binding.entityId(of: object) == 0 { count += 1 }
      if count > 0 { try await reserve(count, of: table) }
    }
    var ids: [UInt64] = []
    try await encoding {
      ids = []
      ids.reserveCapacity(objects.count)
      let encoding = encoding(table, E.self)
      if table.isLinked {
        for object in objects {
          ids.append(try putNow(object, table, encoding, mode: mode))
        }
      } else {
        try putAlone(objects, table, encoding, mode: mode, &ids)
      }
    }
    return ids
  }

  /// Encodes objects of an entity without relations, like ``putNow(_:_:_:mode:)``, and appends
  /// their IDs.
  private func putAlone<E>(
    _ objects: [E],
    _ table: WriteTable,
    _ encoding: RecordEncoding<E>,
    mode: PutMode,
    _ ids: inout [UInt64]
  ) throws
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    let (binding, shape, entity) = (E.entityBinding, cluster.shape, table.entityID)
    let new = NewObjects(objects)
    onRollback { new.takeBackIDs() }
    var places: [Int] = []
    defer { new.places = places }
    if encoding.isClass { places.reserveCapacity(objects.count) }
    try withRows(of: table) { rows, newID in
      rows.reserve(objects.count)
      for place in objects.indices {
        let object = objects[place]
        let given = binding.entityId(of: object)
        let isNew = given == 0
        let id =
          isNew && mode != .update ? newID() : try chooseID(given: given, mode: mode, table)
        let row = try encoding.row(of: object, id: id, store: shape)
        try add(row, to: &rows, of: entity, isNew: isNew, mode: mode)
        if isNew, encoding.isClass {
          places.append(place)
          binding.setEntityIdUnlessStruct(of: object, to: id)
        }
        ids.append(id)
      }
    }
  }

  /// Encodes an object with relations and its new related objects; returns its ID, which an
  /// instance of a class then has.
  private func putNow<E>(
    _ object: E,
    _ table: WriteTable,
    _ encoding: RecordEncoding<E>,
    mode: PutMode
  ) throws -> UInt64
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    let binding = E.entityBinding
    let given = binding.entityId(of: object)
    // An earlier object may have referred to this one.
    let (id, _) = try puts.id(of: object, given: given, isOfClass: encoding.isClass) {
      try chooseID(given: given, mode: mode, table)
    }
    let row = try encoding.row(of: object, id: id, store: cluster.shape)
    try add(row, of: table.entityID, isNew: given == 0, mode: mode)
    try puts.run()
    try finish(object, table, encoding, id: id)
    try puts.run()
    return id
  }

  /// Binds the relations of an encoded object, adds their changes, and sets its ID.
  fileprivate func finish<E>(
    _ object: E,
    _ table: WriteTable,
    _ encoding: RecordEncoding<E>,
    id: UInt64
  ) throws where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    let binding = E.entityBinding
    let shape = cluster.shape
    let outer = bound
    bound = (table.entityID, id)
    defer { bound = outer }
    try binding.postPut(fromEntity: object, id: id, store: shape)
    bound = nil
    if binding.entityId(of: object) != 0 {
      // The binding adds the relations of new objects.
      return try binding.visitRelations(of: object) { try $0.__applyChanges(in: shape) }
    }
    guard encoding.isClass else { return }
    settle(object)
    onRollback { binding.setEntityIdUnlessStruct(of: object, to: 0) }
    binding.setEntityIdUnlessStruct(of: object, to: id)
    if let identity = PutQueue.identity(of: object, isOfClass: true) { puts.forget(identity) }
  }

  /// Marks a new object's standalone relations as empty: nothing is stored for them yet.
  ///
  /// A rollback marks all its relations, since the object is no longer stored.
  func settle<E>(_ object: E)
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    var all: [any HostedToMany] = []
    E.entityBinding.visitRelations(of: object) { relation in
      if let relation = relation as? any HostedToMany { all.append(relation) }
    }
    if all.isEmpty { return }
    for relation in all {
      if case .standalone? = relation.link?.end { relation.setEmptyUnlessLoaded() }
    }
    onRollback { for relation in all { relation.setEmptyUnlessLoaded() } }
  }

  // MARK: Related objects

  /// Returns the ID of an object; a new object gets its ID, and is put after the current one.
  func idPuttingOnTheWay<E>(_ object: E) throws -> UInt64
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    let given = E.entityBinding.entityId(of: object)
    return try given != 0 ? given : queue(object, given: given, isAgain: false)
  }

  /// Puts an object after the current one; returns its ID.
  ///
  /// With `isAgain`, it also puts an object whose put has begun.
  @discardableResult
  private func queue<E>(_ object: E, given: UInt64, isAgain: Bool) throws -> UInt64
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    let table = try table(E.entityInfo.entitySchemaId, name: E.entityInfo.entityName)
    let encoding = encoding(table, E.self)
    let (id, isKnown) = try puts.id(of: object, given: given, isOfClass: encoding.isClass) {
      try chooseID(given: given, mode: .put, table)
    }
    if isAgain || !isKnown {
      let put = RelatedPut(
        buffer: self,
        object: object,
        id: id,
        isNew: given == 0,
        table: table,
        encoding: encoding
      )
      puts.add(put)
    }
    return id
  }

  /// Marks that the relation bound by `postPut` is replaced: objects not added later are removed
  /// from it.
  ///
  /// Called when the binding asks for the stored objects of a relation that the user made.
  ///
  /// - Returns: False for a relation of another object.
  func replaceAll(of link: RelationLink, in entity: UInt32) -> Bool {
    guard let bound, bound.id == link.host else { return false }
    // The server has no entries for a new object.
    if rows[bound.entity]?.row(of: bound.id)?.isNew ?? false { return true }
    guard replaced[link] == nil else { return true }
    onRollback { [unowned self] in replaced[link] = nil }
    replaced[link] = ReplacedRelation(entity: entity)
    return true
  }

  /// Adds changes of a to-many relation.
  func apply<S>(added: [S], removed: [S], to link: RelationLink) throws
  where S: EntityInspectable & __EntityRelatable, S == S.EntityBindingType.EntityType {
    let binding = S.entityBinding
    for object in added where binding.entityId(of: object) != 0 {
      try cluster.shape.checkOwns(object)
    }
    switch link.end {
    case .standalone(let relation), .standaloneBacklink(let relation):
      let isBacklink = if case .standaloneBacklink = link.end { true } else { false }
      func pair(_ id: UInt64) -> RelationPair {
        isBacklink
          ? RelationPair(source: id, target: link.host)
          : RelationPair(source: link.host, target: id)
      }
      for object in removed {
        let id = binding.entityId(of: object)
        if id != 0 { set(pair(id), of: relation, to: false) }
      }
      for object in added {
        let id = try idPuttingOnTheWay(object)
        set(pair(id), of: relation, to: true)
        replaced[link]?.kept.insert(id)
      }
    case .toOneBacklink(let property):
      for object in added { binding.setToOneRelation(property, of: object, to: link.host) }
      for object in added {
        let id = try queue(object, given: binding.entityId(of: object), isAgain: true)
        replaced[link]?.kept.insert(id)
      }
      for object in removed { try release(object, from: link.host, property) }
    case .toOne: break
    }
  }

  /// Clears the to-one relation of an object that was removed from its backlink.
  ///
  /// An object that was removed from the store or got another host in the meantime stays unchanged.
  private func release<S>(_ object: S, from host: UInt64, _ property: UInt32) throws
  where S: EntityInspectable & __EntityRelatable, S == S.EntityBindingType.EntityType {
    let binding = S.entityBinding
    let id = binding.entityId(of: object)
    let table = try table(S.entityInfo.entitySchemaId, name: S.entityInfo.entityName)
    guard let column = table.table.column(property: property) else { return }
    func target(in row: RecordRow) throws -> UInt64? {
      try row.reading(table.table) { record in
        record.integer(record.field(propertyID: property)).map(UInt64.init(bitPattern:))
      }
    }
    let encoding = encoding(table, S.self)
    let before = try encoding.row(of: object, id: id, store: cluster.shape)
    guard try id == 0 || target(in: before) == host else { return }
    binding.setToOneRelation(property, of: object, to: nil)
    guard id != 0 else { return }
    onRollback { binding.setToOneRelation(property, of: object, to: host) }
    // A row in this buffer is newer than the stored one.
    if let waiting = rows[table.entityID]?.row(of: id) {
      guard waiting.condition == nil, try target(in: waiting.row) == host else { return }
      let row = try encoding.row(of: object, id: id, store: cluster.shape)
      return put(
        PendingRow(row: row, isNew: waiting.isNew, check: waiting.check),
        of: table.entityID
      )
    }
    var row = PendingRow(
      row: try encoding.row(of: object, id: id, store: cluster.shape),
      isNew: false
    )
    row.condition = PendingRow.Condition(column, host)
    put(row, of: table.entityID)
  }
}
