internal import ObjectBoxStorage

extension RelationLink {
  /// Returns the entity of the host; nil when the model lacks the relation.
  ///
  /// - Parameters:
  ///   - table: The entity of the related objects.
  ///   - file: The store.
  /// - Returns: The entity on the other side of the relation.
  func hostTable(of table: EntityTable, in file: StoreFile) -> EntityTable? {
    switch kind {
    case .standalone(let id): file.relation(id: id).map { file.tables[$0.source] }
    case .reverse(let id): file.relation(id: id).map { file.tables[$0.target] }
    case .toOne(let id):
      table.schema.properties.first { $0.identity.id == id }.flatMap { property in
        file.tables.first { $0.name == property.targetEntityName }
      }
    }
  }

  /// Adds a stored object to the relation, or takes it out.
  ///
  /// A backlink of a to-one relation puts the object, as it is stored, with its relation changed.
  ///
  /// - Parameters:
  ///   - isRelated: True to add the object.
  ///   - id: The object's ID.
  ///   - box: The box of the related objects.
  ///   - transaction: The open write transaction.
  /// - Returns: False when nothing had to be changed.
  /// - Throws: ``ObjectBoxError`` as for a put.
  func setRelated<S>(
    _ isRelated: Bool,
    _ id: UInt64,
    _ box: Box<S>,
    _ transaction: Transaction
  ) throws -> Bool {
    switch kind {
    case .standalone(let relation):
      let table = try Self.table(relation, try box.table(), transaction)
      return try table.set(isRelated, source: host, target: id, transaction)
    case .reverse(let relation):
      let table = try Self.table(relation, try box.table(), transaction)
      return try table.set(isRelated, source: id, target: host, transaction)
    case .toOne(let property):
      let sources = ToOneSources(try box.table(), propertyID: property, in: transaction.storage)
      guard let target = try sources.target(of: id), (target == host) != isRelated,
        let object = try box.object(id: id)
      else { return false }
      S.entityBinding.setToOneRelation(property, of: object, to: isRelated ? host : nil)
      try box.put(object, mode: .update)
      return true
    }
  }
}

extension RelationTable {
  /// Adds a pair or removes it; false when nothing had to be changed.
  fileprivate func set(
    _ isRelated: Bool,
    source: UInt64,
    target: UInt64,
    _ transaction: Transaction
  ) throws -> Bool {
    let storage = transaction.storage
    guard try contains(source: source, target: target, in: storage) != isRelated else {
      return false
    }
    transaction.noteChange(of: self)
    if isRelated {
      try add(source: source, target: target, in: storage)
    } else {
      try remove(source: source, target: target, in: storage)
    }
    return true
  }
}

extension Box {
  /// Returns the ID of an object, which is put unless it is stored already.
  ///
  /// - Parameters:
  ///   - object: An object; of a stored one only its ID counts.
  ///   - prepare: Changes the object, before it is put.
  /// - Returns: The object's ID.
  /// - Throws: ``ObjectBoxError``: `differentStore` for an object of another store, others as for a put.
  func idStoring(_ object: E, prepare: () -> Void = {}) throws -> UInt64 {
    let known = knownID(of: object)
    if known != 0 { try store.checkOwns(object) }
    let isStored = try reading { table, transaction in
      try known != 0 && transaction.storage.get(table.records.objects, id: known) != nil
    }
    prepare()
    return try isStored ? known : put(object).value
  }
}
