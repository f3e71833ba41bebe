internal import ObjectBox

/// Copies of put structs, whose IDs and relations cannot be set in place.
extension WriteBuffer {
  /// Returns copies of objects with their IDs, and puts the objects of their to-many relations.
  ///
  /// - Parameters:
  ///   - objects: Objects that were just put into the buffer.
  ///   - ids: Their IDs.
  /// - Returns: The copies, in the same order; an instance of a class is returned itself.
  /// - Throws: The same errors as ``put(_:mode:)``; the copies have then changed nothing.
  func copies<E>(of objects: [E], ids: [UInt64]) async throws -> [E]
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    let table = try table(E.entityInfo.entitySchemaId, name: E.entityInfo.entityName)
    var copies: [E] = []
    try await encoding {
      copies = []
      copies.reserveCapacity(objects.count)
      for (object, id) in zip(objects, ids) { copies.append(try copy(of: object, id, table)) }
    }
    return copies
  }

  private func copy<E>(of object: E, _ id: UInt64, _ table: WriteTable) throws -> E
  where E: EntityInspectable & __EntityRelatable, E == E.EntityBindingType.EntityType {
    let binding = E.entityBinding
    var relations: [any __RelationInMemory] = []
    if table.isLinked { binding.visitRelations(of: object) { relations.append($0) } }
    let isNew = binding.entityId(of: object) != id
    let isBound = relations.allSatisfy { ($0 as? any HostedToMany).map { $0.link != nil } ?? true }
    if !isNew, isBound { return object }

    let row = try encoding(table, E.self).row(of: object, id: id, store: cluster.shape)
    let copy = try row.reading(table.table) {
      try binding.createEntity(entityReader: $0, store: cluster.shape)
    }
    if relations.isEmpty { return copy }
    bindingRelations(of: id, in: table) {
      var originals = relations.makeIterator()
      binding.visitRelations(of: copy) { relation in
        guard let original = originals.next() else { return }
        (relation as? any HostedRelation)?.takeObjects(of: original)
      }
    }
    try binding.visitRelations(of: copy) { try $0.__applyChanges(in: cluster.shape) }
    try puts.run()
    if isNew { settle(copy) }
    return copy
  }

  /// Runs a body that binds the relations of an object.
  private func bindingRelations(of id: UInt64, in table: WriteTable, _ body: () -> Void) {
    let outer = bound
    bound = (table.entityID, id)
    body()
    bound = outer
  }
}
